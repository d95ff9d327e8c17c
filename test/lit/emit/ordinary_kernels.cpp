// Kernels of unstructured operators: views, factories, mutable arguments, composites.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: FileCheck %s --input-file=%t/out/src/ordinary_kernels.cpp
// RUN: FileCheck %s --check-prefix=FACTORY --input-file=%t/out/include/acme/ops/blank.h
// RUN: FileCheck %s --check-prefix=TABLE --input-file=%t/out/src/ordinary_kernels.tables.cpp
// RUN: cat %t/out/src/*.cpp %t/out/operators.cpp %s > %t/all.cpp
// RUN: %gxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include %t/all.cpp
// RUN: %clangxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include %t/all.cpp

#include <structured/core/tensor.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace acme::kernels {

using namespace structured;

[[structured::kernel("blank", "CPU", "PrivateUse1")]]
Tensor blank([[structured::size(2)]] IntArrayRef size,
             [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
             std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
             std::optional<bool> pin_memory = std::nullopt) {
  return {};
}

[[structured::kernel("fill_.Tensor", "CPU"), structured::device_check(false)]]
Tensor& fill_tensor(Tensor& self, const Tensor& value, std::string_view mode = "all") {
  return self;
}

[[structured::kernel("fill_all", "CPU")]]
void fill_all([[structured::alias("a!")]] TensorList self, const Tensor& value) {}

[[structured::kernel("first", "CPU", "Meta")]]
Tensor first([[structured::alias("a")]] const Tensor& self) {
  return self;
}

[[structured::composite("twice")]]
std::vector<Tensor> twice(const Tensor& self) {
  return {self, self};
}

// An overload, so that the table must select one of two functions.
[[structured::composite("twice.times")]]
std::vector<Tensor> twice(const Tensor& self, int64_t times) {
  return {self, self};
}

}  // namespace acme::kernels

// CHECK-NOT: wrapper_cpu_blank(
// CHECK: wrapper_private_use1_blank(
// CHECK: const ::structured::DeviceGuard guard(::structured::device_of(device));
// CHECK-NEXT: return ::acme::kernels::blank(size, dtype, layout, device, pin_memory);
// CHECK: // fill_.Tensor(Tensor(a!) self, Tensor value, str mode="all") -> Tensor(a!)
// CHECK-NOT: check_same_device
// CHECK: decltype(auto) result = ::acme::kernels::fill_tensor(self, value, mode);
// CHECK-NEXT: ::structured::bump_versions(self);
// CHECK-NEXT: return result;
// CHECK: ::structured::check_same_device("fill_all", self, value);
// CHECK: ::acme::kernels::fill_all(self, value);
// CHECK-NEXT: ::structured::bump_versions(self);
// CHECK-NOT: wrapper_composite_twice
// CHECK: namespace acme::cpu {
// CHECK: return ::acme::kernels::first(self);

// FACTORY: blank(::structured::IntArrayRef size, std::optional<::structured::ScalarType> dtype,
// FACTORY: blank(::structured::IntArrayRef size, ::structured::TensorOptions options = {});

// TABLE: "fill_.Tensor(Tensor(a!) self, Tensor value, str mode=\"all\") -> Tensor(a!)",
// TABLE: op_twice{
// TABLE: {},
// TABLE-NEXT: ::acme::kernels::twice,
// TABLE: op_twice_times{
// TABLE: {},
// TABLE-NEXT: ::acme::kernels::twice,
// TABLE: blank(::structured::IntArrayRef size, ::structured::TensorOptions options) {
