// Calls of operators without a recording wrapper, with tensors that require gradients.
#include <structured/dispatch/library.h>
#include <structured/dispatch/slow_path.h>

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using NotImplemented = Autograd;

Tensor twice(const Tensor& self) { return mul(self, full({}, 2, kDouble)); }
Tensor& twice_out(const Tensor& self, Tensor& out) {
  out.data_ptr<double>()[0] = 2 * self.data_ptr<double>()[0];
  return out;
}
Tensor slow_twice(DispatchState state, const Tensor& self);
Tensor& slow_twice_out(DispatchState state, const Tensor& self, Tensor& out);
constinit Operator<Tensor(const Tensor&)> op_twice{
    "test::twice", "twice(Tensor self) -> Tensor", {{Backend::CPU, twice}}, {.slow_path = slow_twice}};
constinit Operator<Tensor&(const Tensor&, Tensor&)> op_twice_out{
    "test::twice.out",
    "twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    {{Backend::CPU, twice_out}},
    {.slow_path = slow_twice_out}};
Tensor slow_twice(DispatchState state, const Tensor& self) { return run_slow_path(op_twice, state, self); }
Tensor& slow_twice_out(DispatchState state, const Tensor& self, Tensor& out) {
  return run_slow_path(op_twice_out, state, self, out);
}

TEST_F(NotImplemented, FailsInThePassNotInTheCall) {
  const Tensor x = leaf(3);
  const Tensor y = op_twice(x);
  EXPECT_EQ(value_of(y), 6);
  EXPECT_TRUE(y.requires_grad());
  expect_error([&] { y.backward(); }, "derivative for test::twice is not implemented");
}

TEST_F(NotImplemented, IsNotRecordedWithoutGradMode) {
  const Tensor x = leaf(3);
  const NoGradGuard guard;
  EXPECT_FALSE(op_twice(x).requires_grad());
}

TEST_F(NotImplemented, RefusesOutputsOfTheCaller) {
  const Tensor x = leaf(3);
  Tensor out = full({}, 0, kDouble);
  expect_error([&] { op_twice_out(x, out); },
               "twice(): functions with out=... arguments don't support automatic differentiation, but one of the "
               "arguments requires grad.");
  EXPECT_EQ(value_of(out), 0);
  const NoGradGuard guard;
  op_twice_out(x, out);
  EXPECT_EQ(value_of(out), 6);
}

TEST_F(NotImplemented, LetsAKernelOfTheLayerRecord) {
  op_twice.register_layer_kernel(
      Layer::Autograd, [](LayerSet rest, const Tensor& self) { return op_twice.call(rest, self).detach(); }, __FILE__,
      __LINE__);
  EXPECT_FALSE(op_twice(leaf(3)).requires_grad());
  op_twice.deregister_layer_kernel(Layer::Autograd);
  EXPECT_TRUE(op_twice(leaf(3)).requires_grad());
}

}  // namespace
}  // namespace structured::test
