// Kernels for operators of libtorch itself, whose schemas and meta classes are in its headers.
// RUN: rm -rf %t.gen
// RUN: %structured_gen aten-signatures -o %t.signatures.json -- -std=c++20 -I%S/Inputs/aten_headers -I%S/../derive/Inputs -I%runtime 2>&1 | count 0
// RUN: %structured_gen scan --dialect=torch --namespace=device --source-root %S -o %t.json %s -- -std=c++20 -I%S/Inputs/aten_headers -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=device --source-root %S --import=%t.signatures.json --output-dir %t.gen %t.json
// RUN: FileCheck --check-prefix=WRAPPERS %s < %t.gen/src/aten_kernels.cpp
// RUN: FileCheck --check-prefix=LIBRARY %s < %t.gen/library.cpp
#include <ATen/ops/max_meta.h>

namespace kernels {

// WRAPPERS: #include <ATen/ops/add_meta.h>
// WRAPPERS: #include <ATen/ops/max_meta.h>
// WRAPPERS-NOT: meta(

// The class of the operator derives from libtorch's, whose member `meta` sets the outputs. TensorIterator checks devices.
// WRAPPERS: // add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
// WRAPPERS-NEXT: ::at::Tensor wrapper_private_use1_aten_add_Tensor(
// WRAPPERS-NEXT: {{alpha}}
// WRAPPERS-NEXT:   const ::c10::OptionalDeviceGuard guard(::structured::torch::device_of(self, other));
// WRAPPERS-NEXT:   ::structured::torch::Functional<::at::meta::structured_add_Tensor, 1> op;
// WRAPPERS-NEXT:   op.meta(self, other, alpha);
// WRAPPERS-NEXT:   ::kernels::add_device(op, self, other, alpha, op.output(0));
// WRAPPERS-NEXT:   return std::move(op).take_output();
// WRAPPERS: ::at::Tensor& wrapper_private_use1_aten_add_out(
// WRAPPERS:   ::structured::torch::Out<::at::meta::structured_add_Tensor, 1> op(out);
// WRAPPERS: ::at::Tensor& wrapper_private_use1_aten_add__Tensor(
// WRAPPERS:   ::structured::torch::Inplace<::at::meta::structured_add_Tensor> op(self);
[[structured::impl("add.out", "PrivateUse1")]]
void add_device(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha,
                const at::Tensor& out);

// A kernel with integers in place of symbolic ones. Attributes and defaults are those of libtorch's schema.
// WRAPPERS: // empty.memory_format(SymInt[] size, *, ScalarType? dtype=None,
// WRAPPERS: ::at::Tensor wrapper_private_use1_aten_empty_memory_format(::c10::ArrayRef<long> size,
// WRAPPERS:   ::structured::torch::device_of(device)
// WRAPPERS:   return ::kernels::empty(size, dtype, layout, device, pin_memory, memory_format);
[[structured::kernel("aten::empty.memory_format", "PrivateUse1")]]
at::Tensor empty(at::IntArrayRef size, c10::optional<at::ScalarType> dtype, c10::optional<at::Layout> layout,
                 c10::optional<at::Device> device, c10::optional<bool> pin_memory,
                 c10::optional<at::MemoryFormat> memory_format);

// Values that meta returns replace inputs of the same name.
// WRAPPERS: wrapper_private_use1_aten_max_dim(
// WRAPPERS:   ::structured::torch::Functional<::at::meta::structured_max_dim, 2> op;
// WRAPPERS-NEXT:   const auto precomputed = op.meta(self, dim, keepdim);
// WRAPPERS-NEXT:   ::kernels::max_device(self, keepdim, precomputed, op.output(0), op.output(1));
// WRAPPERS-NEXT:   return std::move(op).take_outputs();
[[structured::impl("max.dim", "PrivateUse1")]]
void max_device(const at::Tensor& self, bool keepdim, const at::meta::structured_max_dim::meta_return_ty& precomputed,
                const at::Tensor& max, const at::Tensor& max_values);

// WRAPPERS: wrapper_private_use1_aten_view(const ::at::Tensor& self, ::c10::ArrayRef<::c10::SymInt> size) {
[[structured::kernel("view", "PrivateUse1")]] at::Tensor view(const at::Tensor& self, c10::SymIntArrayRef size);

// LIBRARY-NOT: m.define
// LIBRARY: static void implement_aten(::structured::torch::Kernels& m) {
// LIBRARY-NEXT: m.impl<decltype(wrapper_private_use1_aten_add_Tensor), wrapper_private_use1_aten_add_Tensor>(
// LIBRARY-NEXT: "add.Tensor", ::c10::DispatchKey::PrivateUse1);
// LIBRARY: "add.out", ::c10::DispatchKey::PrivateUse1);
// LIBRARY: "add_.Tensor", ::c10::DispatchKey::PrivateUse1);
// LIBRARY: "empty.memory_format", ::c10::DispatchKey::PrivateUse1);
// LIBRARY: "max.dim", ::c10::DispatchKey::PrivateUse1);
// LIBRARY: "max.dim_max", ::c10::DispatchKey::PrivateUse1);
// LIBRARY: static const ::structured::torch::Kernels kernels_aten("aten", implement_aten);

}  // namespace kernels
