// Variants of an operator whose backend implements only the out= variant, and fallthrough to the next backend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../core/counting_allocator.h"
#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/dispatch/operator.h"

namespace structured::variants_test {
namespace {

using testing::HasSubstr;

using Functional = std::string(const Tensor& self);
using Out = std::string(const Tensor& self, Tensor& out);

std::string of_cpu(const Tensor&) { return "cpu"; }
std::string of_composite(const Tensor&) { return "composite"; }
std::string own(const Tensor&) { return "own"; }
std::string out_kernel(const Tensor&, Tensor&) { return "out"; }

extern Operator<Out> op_out;
extern const Variants variants;
std::string common(const Tensor& self) {
  Tensor out = empty_strided(self.sizes(), self.strides(), self.options());
  return "common, " + op_out.call(LayerSet(), self, out);
}
constinit Operator<Functional> op_functional{
    "test::f", "f(Tensor self) -> str", {{Backend::CPU, of_cpu}}, {.common = common, .variants = &variants}};
constinit Operator<Functional> op_inplace{
    "test::f_", "f_(Tensor self) -> str", {}, of_composite, {.common = common, .variants = &variants}};
constinit Operator<Out> op_out{"test::f.out", "f.out(Tensor self, Tensor out) -> str", {}, {.variants = &variants}};
constinit const Variants variants{&op_out, op_functional.as_variant(), op_inplace.as_variant()};

constexpr Backend backend = Backend::PrivateUse1;

std::string message_of(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class CommonKernels : public testing::Test {
 protected:
  Tensor there() { return empty({1}, DeviceType::PrivateUse1); }

 private:
  CountingAllocator allocator_;
  const ScopedAllocator scope_{DeviceType::PrivateUse1, allocator_};
};

TEST_F(CommonKernels, ServeABackendWhileItHasAnOutKernel) {
  const Tensor self = there();
  EXPECT_THAT(message_of([&] { op_functional(self); }), HasSubstr("`test::f` has no kernel for backend `PrivateUse1`"));
  EXPECT_EQ(op_inplace(self), "composite");

  op_out.register_kernel(backend, out_kernel, "out.cpp", 1);
  EXPECT_EQ(op_functional(self), "common, out");
  EXPECT_EQ(op_inplace(self), "common, out");
  EXPECT_EQ(op_functional.origin(backend), KernelOrigin::common);
  EXPECT_EQ(op_functional.origin(Backend::CUDA), KernelOrigin::none);
  EXPECT_EQ(op_functional(empty({1})), "cpu");
  EXPECT_THAT(dispatch_table(op_functional), HasSubstr("PrivateUse1   common: calls the out= variant's kernel\n"));

  op_out.deregister_kernel(backend);
  EXPECT_EQ(op_functional.kernel(backend), nullptr);
  EXPECT_EQ(op_inplace(self), "composite");
}

TEST_F(CommonKernels, MakeWayForTheBackendsOwn) {
  const Tensor self = there();
  op_functional.register_kernel(backend, own, "own.cpp", 1);
  op_out.register_kernel(backend, out_kernel, "out.cpp", 1);
  EXPECT_EQ(op_functional(self), "own");
  op_functional.deregister_kernel(backend);
  EXPECT_EQ(op_functional(self), "common, out");
  op_functional.register_kernel(backend, own, "own.cpp", 1);
  EXPECT_EQ(op_functional(self), "own");
  op_out.deregister_kernel(backend);
  EXPECT_EQ(op_functional(self), "own");
  op_functional.deregister_kernel(backend);
  EXPECT_EQ(op_functional.origin(backend), KernelOrigin::none);
}

using Two = std::string(const Tensor& self, const Tensor& other);
std::string two_cpu(const Tensor&, const Tensor&) { return "cpu"; }
constinit Operator<Two> op_two{"test::two", "two(Tensor self, Tensor other) -> str", {{Backend::CPU, two_cpu}}};

TEST_F(CommonKernels, ABackendMayFallThroughToTheNextOne) {
  const Tensor self = there(), host = empty({1});
  EXPECT_THAT(message_of([&] { op_two(self, host); }), HasSubstr("no kernel"));
  op_two.register_fallthrough(backend, "fall.cpp", 3);
  EXPECT_EQ(op_two(self, host), "cpu");
  EXPECT_THAT(message_of([&] { op_two(self, self); }), HasSubstr("no kernel for backend `PrivateUse1`"));
  EXPECT_THAT(dispatch_table(op_two), HasSubstr("PrivateUse1   falls through, registered at fall.cpp:3\n"));
  EXPECT_THAT(message_of([] { op_two.register_kernel(backend, two_cpu, "two.cpp", 4); }),
              HasSubstr("but that backend already has one: falls through, registered at fall.cpp:3"));
  op_two.deregister_kernel(backend);
  EXPECT_THAT(message_of([&] { op_two(self, host); }), HasSubstr("no kernel"));
}

}  // namespace
}  // namespace structured::variants_test
