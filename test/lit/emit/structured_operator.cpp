// A structured operator: all three variants, for a backend with an impl and for Meta.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: FileCheck %s --check-prefix=WRAPPER --input-file=%t/out/src/structured_operator.cpp
// RUN: FileCheck %s --check-prefix=TABLE --input-file=%t/out/src/structured_operator.tables.cpp
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/out/include/acme/ops/scale.h
// RUN: FileCheck %s --check-prefix=DOCUMENTATION --input-file=%t/out/include/acme/documentation.h
// RUN: %gxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include -include acme/documentation.h -x c++ /dev/null
// RUN: cat %t/out/src/*.cpp %t/out/operators.cpp %s > %t/all.cpp
// RUN: %gxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include %t/all.cpp
// RUN: %clangxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include %t/all.cpp
// RUN: %structured_gen emit --namespace=acme --checked --output-dir %t/checked %t/a.json
// RUN: FileCheck %s --check-prefix=CHECKED --input-file=%t/checked/src/structured_operator.tables.cpp
// RUN: FileCheck %s --check-prefix=DIRECT --input-file=%t/checked/src/structured_operator.cpp
// RUN: cat %t/checked/src/*.cpp %t/checked/operators.cpp %s > %t/all_checked.cpp
// RUN: %clangxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/checked/include %t/all_checked.cpp
// RUN: not %structured_gen emit --checked --no-boxed --output-dir %t/no %t/a.json 2>&1 | FileCheck %s -check-prefix=MISUSE

#include <structured/number/scalar.h>
#include <structured/core/tensor.h>
#include <structured/iterator/tensor_iterator.h>

namespace acme::kernels {

/// Multiplies `self` by a number.
[[structured::meta("scale", "scale_", "scale.out")]]
void scale_meta(structured::TensorIteratorBase& op, const structured::Tensor& self,
                [[structured::kwonly]] const structured::Scalar& factor = 2) {}

[[structured::impl("scale.out", "CPU")]]
void scale_cpu(structured::TensorIteratorBase& op, const structured::Tensor& self, const structured::Scalar& factor,
               const structured::Tensor& out) {}

}  // namespace acme::kernels

// WRAPPER: // Emitted by structured-gen from structured_operator.cpp. Do not edit.
// WRAPPER: #include <structured/iterator/tensor_iterator.h>
// WRAPPER: namespace acme::kernels {
// WRAPPER: void scale_cpu(::structured::TensorIteratorBase&, const ::structured::Tensor&, const ::structured::Scalar&,
// WRAPPER-NEXT: {{^ +}}const ::structured::Tensor&);
// WRAPPER: void scale_meta(::structured::TensorIteratorBase&, const ::structured::Tensor&, const ::structured::Scalar&);
// WRAPPER: namespace acme::emitted {
// WRAPPER: // scale(Tensor self, *, Scalar factor=2) -> Tensor
// WRAPPER-NEXT: Tensor wrapper_cpu_scale(const ::structured::Tensor& self, const ::structured::Scalar& factor) {
// WRAPPER-NEXT: ::structured::Functional<::structured::TensorIteratorBase, 1> op;
// WRAPPER-NEXT: ::acme::kernels::scale_meta(op, self, factor);
// WRAPPER-NEXT: ::acme::kernels::scale_cpu(op, self, factor, op.output(0));
// WRAPPER-NEXT: return std::move(op).take_output();
// WRAPPER-NEXT: }
// WRAPPER: wrapper_meta_scale(
// WRAPPER-NEXT: ::structured::Functional<::structured::TensorIteratorBase, 1> op;
// WRAPPER-NEXT: ::acme::kernels::scale_meta(op, self, factor);
// WRAPPER-NEXT: return
// WRAPPER: wrapper_cpu_scale_out(
// WRAPPER: ::structured::check_same_device("scale.out", self, out);
// WRAPPER: ::structured::Out<::structured::TensorIteratorBase, 1> op(out);
// WRAPPER: op.finish();
// WRAPPER-NEXT: return out;
// WRAPPER: wrapper_cpu_scale_(
// WRAPPER: ::structured::Inplace<::structured::TensorIteratorBase> op(self);
// WRAPPER: op.finish();
// WRAPPER-NEXT: return self;

// TABLE: constinit ::structured::Operator<signature_scale> op_scale{
// TABLE-NEXT: "acme::scale",
// TABLE-NEXT: "scale(Tensor self, *, Scalar factor=2) -> Tensor",
// TABLE-NEXT: {
// TABLE-NEXT: {::structured::Backend::CPU, wrapper_cpu_scale},
// TABLE-NEXT: {::structured::Backend::Meta, wrapper_meta_scale},
// TABLE-NEXT: },
// TABLE-NEXT: {.slow_path = slow_path_scale, .common = wrapper_via_out_scale, .variants = &variants_scale},
// TABLE-NEXT: };
// TABLE: namespace acme {
// TABLE: return ::acme::emitted::op_scale(self, factor);
// TABLE: return ::acme::emitted::op_scale_out(self, factor, out);

// DOCUMENTATION: /// Multiplies `self` by a number.
// DOCUMENTATION-NEXT: ///
// DOCUMENTATION-NEXT: /// `scale(Tensor self, *, Scalar factor=2) -> Tensor`
// DOCUMENTATION-NEXT: Tensor scale(const ::structured::Tensor& self, const ::structured::Scalar& factor);

// Sources include this header, so it has no documentation, which changes more often than declarations.
// HEADER-NOT: Multiplies
// HEADER: /// `scale(Tensor self, *, Scalar factor=2) -> Tensor`
// HEADER: Tensor scale(const ::structured::Tensor& self, const ::structured::Scalar& factor = 2);
// HEADER: Tensor& scale_out(::structured::Tensor& out, const ::structured::Tensor& self,
// HEADER-NEXT: const ::structured::Scalar& factor = 2);
// HEADER: inline ::structured::Tensor scale_out(::structured::Tensor&& out, const ::structured::Tensor& self,
// HEADER-NEXT: const ::structured::Scalar& factor = 2) {
// HEADER-NEXT: return std::move(scale_out(out, self, factor));
// HEADER-NEXT: }
// HEADER: Tensor& scale_(::structured::Tensor& self, const ::structured::Scalar& factor = 2);
// HEADER-NEXT: inline ::structured::Tensor scale_(::structured::Tensor&& self, const ::structured::Scalar& factor = 2) {
// HEADER-NEXT: return std::move(scale_(self, factor));
// HEADER-NEXT: }
// HEADER: namespace acme::cpu {
// HEADER: namespace acme::meta {

// With --checked, tables and functions of a backend call the wrappers through Checked.
// CHECKED: extern ::structured::Operator<signature_scale> op_scale;
// CHECKED: {::structured::Backend::CPU,
// CHECKED-SAME: ::structured::Checked<::acme::emitted::op_scale, ::acme::emitted::wrapper_cpu_scale>::call},
// CHECKED-NEXT: {::structured::Backend::Meta, wrapper_meta_scale},
// DIRECT: namespace acme::cpu {
// DIRECT: return ::structured::Checked<::acme::emitted::op_scale, ::acme::emitted::wrapper_cpu_scale>::call(
// MISUSE: `--checked` needs boxed calls; remove `--no-boxed`
