// With the dialect `torch`, emit writes wrappers for libtorch and a source that registers the operators.
// RUN: rm -rf %t.gen
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %S -o %t.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --source-root %S --output-dir %t.gen %t.json
// RUN: FileCheck --check-prefix=WRAPPERS %s < %t.gen/src/torch.cpp
// RUN: FileCheck --check-prefix=LIBRARY %s < %t.gen/library.cpp
// RUN: sort %t.gen/emitted.manifest | FileCheck --check-prefix=FILES %s
// RUN: not %structured_gen emit --namespace=my --flavour=edge --output-dir %t.edge %t.json 2>&1 | FileCheck %s --check-prefix=FLAVOUR
// FLAVOUR: error: `--flavour=edge` is for libraries of our runtime; those of the dialect `torch` have no flavours
// FILES: include/my/signatures.json
// FILES-NEXT: library.cpp
// FILES-NEXT: operators.json
// FILES-NEXT: src/torch.cpp
// FILES-NEXT: support.cpp
#include "aten_mock.h"

namespace kernels {

// WRAPPERS: #include <structured/torch/adaptors.h>
// WRAPPERS: namespace kernels {
// WRAPPERS: void clip_cpu(::at::TensorIteratorBase&, const ::at::Tensor&, const ::c10::Scalar&, ::at::OptionalTensorRef,
// WRAPPERS-NEXT: const ::at::Tensor&);
// WRAPPERS: void clip_meta(::at::TensorIteratorBase&, const ::at::Tensor&, const ::c10::Scalar&, ::at::OptionalTensorRef);
// WRAPPERS: namespace my::emitted {
[[structured::meta("clip", "clip_", "clip.out"), structured::tags("pointwise")]]
void clip_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit = 1,
               at::OptionalTensorRef mask = {});

// On the CPU, wrappers need no device check.
// WRAPPERS: // clip(Tensor self, Scalar limit=1, Tensor? mask=None) -> Tensor
// WRAPPERS-NEXT: ::at::Tensor wrapper_cpu_clip(const ::at::Tensor& self, const ::c10::Scalar& limit,
// WRAPPERS-NEXT: const ::c10::optional<::at::Tensor>& mask) {
// WRAPPERS-NEXT:   ::structured::torch::Functional<::at::TensorIteratorBase, 1> op;
// WRAPPERS-NEXT:   ::kernels::clip_meta(op, self, limit, ::structured::torch::reference_to(mask));
// WRAPPERS-NEXT:   ::kernels::clip_cpu(op, self, limit, ::structured::torch::reference_to(mask), op.output(0));
// WRAPPERS-NEXT:   return std::move(op).take_output();
// WRAPPERS-NEXT: }
[[structured::impl("clip.out", "CPU")]]
void clip_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit, at::OptionalTensorRef mask,
              const at::Tensor& out);

// WRAPPERS: ::at::Tensor wrapper_cuda_clip(
// WRAPPERS-NEXT: {{mask}}
// WRAPPERS-NEXT:   ::structured::torch::check_same_device("wrapper_cuda_clip", "self", self, "mask", mask);
// WRAPPERS-NEXT:   const ::c10::OptionalDeviceGuard guard(::structured::torch::device_of(self, mask));
[[structured::impl("clip.out", "CUDA")]]
void clip_cuda(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit, at::OptionalTensorRef mask,
               const at::Tensor& out);

// A wrapper for Meta calls meta alone.
// WRAPPERS: ::at::Tensor wrapper_meta_clip(
// WRAPPERS:   ::structured::torch::Functional<::at::TensorIteratorBase, 1> op;
// WRAPPERS-NEXT:   ::kernels::clip_meta(op,
// WRAPPERS-NEXT:   return
// WRAPPERS: ::at::Tensor& wrapper_cpu_clip_out(
// WRAPPERS:   ::structured::torch::Out<::at::TensorIteratorBase, 1> op(out);
// WRAPPERS:   op.finish();
// WRAPPERS-NEXT:   return out;
// WRAPPERS: ::at::Tensor& wrapper_cpu_clip_(::at::Tensor& self,
// WRAPPERS:   ::structured::torch::Inplace<::at::TensorIteratorBase> op(self);

// The dispatcher calls kernels whose types it accepts. Autograd and the like call them with symbolic integers.
// WRAPPERS-NOT: narrow
// LIBRARY: #include <structured/torch/library.h>
// LIBRARY: ::at::Tensor narrow(const ::at::Tensor&, ::c10::SymInt);
// LIBRARY: // torch.cpp
// LIBRARY: ::at::Tensor wrapper_cpu_clip(const ::at::Tensor& self, const ::c10::Scalar& limit,
// LIBRARY: using signature_narrow = ::at::Tensor(const ::at::Tensor& self, ::c10::SymInt size);
[[structured::kernel("narrow", "CPU", "Meta")]] at::Tensor narrow(const at::Tensor& self, c10::SymInt size);

[[structured::composite("twice")]] at::Tensor twice(const at::Tensor& self);

// LIBRARY: static void define_my(::structured::torch::Library& m) {
// LIBRARY-NEXT: m.define("clip(Tensor self, Scalar limit=1, Tensor? mask=None) -> Tensor", {"pointwise"});
// LIBRARY-NEXT: m.impl<signature_clip, wrapper_cpu_clip>(::c10::DispatchKey::CPU);
// LIBRARY-NEXT: m.impl<signature_clip, wrapper_cuda_clip>(::c10::DispatchKey::CUDA);
// LIBRARY-NEXT: m.impl_meta<signature_clip, wrapper_meta_clip>();
// LIBRARY-NEXT: m.add_layers<signature_clip, "my::clip">();
// LIBRARY-NEXT: m.batch();
// LIBRARY: m.define("clip.out(Tensor self, Scalar limit=1, Tensor? mask=None, *, Tensor(a!) out) -> Tensor(a!)", {"pointwise"});
// LIBRARY: m.add_layers<signature_clip_out, "my::clip.out">();
// LIBRARY-NEXT: m.functionalize<"my::clip">();
// LIBRARY: m.batch();
// LIBRARY-NEXT: m.functionalize<"my::clip">();
// LIBRARY: m.define("narrow(Tensor self, SymInt size) -> Tensor", {});
// LIBRARY-NEXT: m.impl<signature_narrow, ::kernels::narrow>(::c10::DispatchKey::CPU);
// LIBRARY-NEXT: m.impl<signature_narrow, ::kernels::narrow>(::c10::DispatchKey::Meta);
// LIBRARY-NEXT: m.add_layers<signature_narrow, "my::narrow">();

// An implicit composite gets derivatives from the operators that it calls.
// LIBRARY: m.define("twice(Tensor self) -> Tensor", {});
// LIBRARY-NEXT: m.impl<signature_twice, ::kernels::twice>(::c10::DispatchKey::CompositeImplicitAutograd);
// LIBRARY-NEXT: }
// LIBRARY-NEXT: static const ::structured::torch::Library library_my("my", define_my);

}  // namespace kernels
