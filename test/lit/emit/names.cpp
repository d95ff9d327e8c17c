// Operator names that map to the same identifier stay distinct, and all code compiles in one library.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --cpp-namespace=acme::math --output-dir %t/out %t/a.json
// RUN: FileCheck %s --input-file=%t/out/operators.cpp
// RUN: cat %t/out/src/*.cpp %t/out/operators.cpp %s > %t/all.cpp
// RUN: %gxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/all.cpp
// RUN: %clangxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/all.cpp

#include <structured/core/tensor.h>

namespace acme::kernels {

using structured::Tensor;

[[structured::composite("neg.Tensor")]]
Tensor neg_dot_tensor(const Tensor& op_neg_Tensor) {
  return op_neg_Tensor;
}
[[structured::composite("neg_Tensor")]]
Tensor neg_bar_tensor(const Tensor& self) {
  return self;
}
// ATen has arguments named `std`.
[[structured::composite("normal")]]
Tensor normal(const Tensor& std, const Tensor& structured) {
  return std.defined() ? std : structured;
}

}  // namespace acme::kernels

// CHECK: #include <acme/math/find_operator.h>
// CHECK: namespace acme::math::emitted {
// CHECK: constexpr ::structured::OperatorHandle handles[] = {
// CHECK-NEXT: {"acme::neg.Tensor", &op_neg_Tensor_, boxed_neg_Tensor},
// CHECK-NEXT: {"acme::neg_Tensor", &op_neg_Tensor__, boxed_neg_Tensor_},
// CHECK-NEXT: {"acme::normal", &op_normal, boxed_normal},
// CHECK: STRUCTURED_ANNOUNCE_OPERATORS("acme.math", handles);
// CHECK: return ::structured::detail::find_operator(::acme::math::emitted::handles, name);
