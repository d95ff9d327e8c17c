// Calls of operators without a recording wrapper, with tensors that require gradients.
#include <structured/autograd/overwritten.h>
#include <structured/dispatch/library.h>
#include <structured/dispatch/slow_path.h>
#include <structured/ops/view.h>

#include <optional>
#include <vector>

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

// Operators that write to arguments of each kind, and return none of them.
void fill_list(TensorList self, const std::optional<Tensor>& other, const Tensor& value) {
  for (const Tensor& tensor : self) tensor.data_ptr<double>()[0] = value.data_ptr<double>()[0];
  if (other.has_value()) other->data_ptr<double>()[0] = value.data_ptr<double>()[0];
}
void slow_fill_list(DispatchState state, TensorList self, const std::optional<Tensor>& other, const Tensor& value);
constinit Operator<void(TensorList, const std::optional<Tensor>&, const Tensor&)> op_fill_list{
    "test::fill_list",
    "fill_list(Tensor(a!)[] self, Tensor(b!)? other, Tensor value) -> ()",
    {{Backend::CPU, fill_list}},
    {.slow_path = slow_fill_list}};
void slow_fill_list(DispatchState state, TensorList self, const std::optional<Tensor>& other, const Tensor& value) {
  run_slow_path(op_fill_list, state, self, other, value);
}
Tensor same(const Tensor& self) { return self; }
Tensor slow_same(DispatchState state, const Tensor& self);
constinit Operator<Tensor(const Tensor&)> op_same{
    "test::same", "same(Tensor self) -> Tensor", {{Backend::CPU, same}}, {.slow_path = slow_same}};
Tensor slow_same(DispatchState state, const Tensor& self) { return run_slow_path(op_same, state, self); }

TEST_F(NotImplemented, FailsForTensorsThatTheCallOverwrites) {
  constexpr const char* text = "derivative for test::fill_list is not implemented";
  const Tensor value = full({}, 5, kDouble);
  const Tensor first = mul(leaf(3), 1);
  const Tensor base = mul(leaf(4), 1);
  const Tensor other = mul(leaf(2), 1);
  op_fill_list(std::vector<Tensor>{first, view(base, {1})}, other, value);
  EXPECT_EQ(value_of(first), 5);
  for (const Tensor& overwritten : {first, base, other}) expect_error([&] { overwritten.backward(); }, text);
  const Tensor late = full({}, 0, kDouble);
  op_fill_list(std::vector<Tensor>{late}, std::nullopt, leaf(3));
  expect_error([&] { late.backward(); }, text);
}

TEST_F(NotImplemented, RefusesToOverwriteLeaves) {
  const Tensor x = leaf(3);
  const Tensor value = full({}, 5, kDouble);
  const Tensor other = full({}, 0, kDouble);
  constexpr const char* text = "a leaf Variable that requires grad is being used in an in-place operation.";
  expect_error([&] { op_fill_list(std::vector<Tensor>{other, x}, std::nullopt, value); }, text);
  expect_error([&] { op_fill_list(std::vector<Tensor>{other}, x, value); }, text);
  expect_error([&] { op_fill_list(std::vector<Tensor>{view(x, {1})}, std::nullopt, value); }, "a view of a leaf");
  EXPECT_EQ(value_of(x), 3);
}

// Emitted recordings call it for arguments that the derivative does not cover.
TEST_F(NotImplemented, RefusesToOverwriteTensorsThatTheDerivativeDoesNotCover) {
  constexpr const char* text = "test::tally writes to a tensor that requires gradients";
  expect_error([] { autograd::check_overwritten("test::tally", autograd::tensors_of(mul(leaf(3), 1))); }, text);
  expect_error([] { autograd::check_overwritten("test::tally", autograd::tensors_of(std::optional(leaf(3)))); },
               "a leaf Variable that requires grad");
  autograd::check_overwritten("test::tally", autograd::tensors_of(full({}, 0, kDouble), std::optional<Tensor>()));
  const NoGradGuard guard;
  autograd::check_overwritten("test::tally", autograd::tensors_of(mul(leaf(3), 1)));
}

TEST_F(NotImplemented, RefusesResultsThatAreArguments) {
  const Tensor x = leaf(3);
  expect_error([&] { op_same(x); }, "test::same returned one of its arguments, and its schema does not say so");
  EXPECT_TRUE(x.is_leaf());
  EXPECT_TRUE(op_same(full({}, 1, kDouble)).defined());
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
