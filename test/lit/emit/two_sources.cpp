// Wrappers of two sources that differ only in their callees share one body.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S --output-dir %t %s %S/Inputs/halve.cpp -- \
// RUN:   -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/two_sources.fragment.json \
// RUN:   %t/Inputs/halve.fragment.json
// RUN: cat %t/out/src/two_sources.cpp %t/out/shared_bodies.cpp | FileCheck %s
// RUN: %gxx -Wall -Wextra -Werror -Wno-comment -Wno-unused-parameter -I%t/out/include %t/out/src/*.cpp \
// RUN:   %t/out/src/Inputs/*.cpp %t/out/*.cpp %S/Inputs/halve.cpp %s %runtime_lib -o %t/program
// RUN: env LD_LIBRARY_PATH=$(dirname %runtime_lib) %t/program | FileCheck %s --check-prefix=OUTPUT
// RUN: %clangxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/out/src/two_sources.cpp
// RUN: %clangxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/out/shared_bodies.cpp

#include <structured/structured.h>

#include <iostream>

namespace acme {
using namespace structured;

[[structured::meta("twice", "twice_", "twice.out")]]
void twice_meta(TensorIteratorBase& op, const Tensor& self) {
  op.build_unary_op(op.maybe_get_output(), self);
}
inline namespace v1 {  // the linker knows the kernel by it
[[structured::impl("twice.out", "CPU")]]
void twice_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& out) {
  cpu_kernel(op, [](float x) { return 2 * x; });
}
}  // namespace v1

Tensor twice(const Tensor& self);
Tensor& halve_(Tensor& self);

}  // namespace acme

int main() {
  structured::Tensor a = structured::tensor<float>({1, 2});
  std::cout << acme::twice(a) << "\n";
  std::cout << acme::halve_(a) << "\n";
}

// CHECK-NOT: kernel/adaptors.h
// CHECK: // Bodies that wrappers of other sources share. shared_bodies.cpp defines them.
// CHECK: {{^}}::structured::Tensor functional_of_Tensor_with_TensorIteratorBase(
// CHECK: wrapper_cpu_twice(const ::structured::Tensor& self) {
// CHECK-NEXT: return functional_of_Tensor_with_TensorIteratorBase(self, ::acme::twice_meta, ::acme::v1::twice_cpu);

// CHECK: #pragma GCC visibility push(hidden)
// CHECK: namespace acme::emitted {
// CHECK: Tensor functional_of_Tensor_with_TensorIteratorBase(
// CHECK: ::structured::Functional<::structured::TensorIteratorBase, 1> op;
// CHECK-NEXT: meta(op, argument_1);
// CHECK-NEXT: impl(op, argument_1, op.output(0));
// CHECK-NEXT: return std::move(op).take_output();

// OUTPUT: tensor([2., 4.])
// OUTPUT-NEXT: tensor([0.5000, 1.0000])
