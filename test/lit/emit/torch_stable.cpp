// With the dialect `torch_stable`, emit writes wrappers and registrations for PyTorch's stable ABI.
// RUN: rm -rf %t.gen
// RUN: %structured_gen scan --dialect=torch_stable --namespace=my --source-root %S -o %t.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen list %t.json | FileCheck --check-prefix=SCHEMA %s
// RUN: %structured_gen emit --namespace=my --source-root %S --output-dir %t.gen %t.json
// RUN: FileCheck --check-prefix=WRAPPERS %s < %t.gen/src/torch_stable.cpp
// RUN: FileCheck --check-prefix=LIBRARY %s < %t.gen/library.cpp
#include "torch_stable_mock.h"

namespace kernels {

using structured::torch_stable::MetaBase;
using torch::stable::Tensor;

// SCHEMA: clip(Tensor self, float limit, int[2] counts, Tensor? mask=None) -> Tensor
// SCHEMA: clip.out(Tensor self, float limit, int[2] counts, Tensor? mask=None, *, Tensor(a!) out) -> Tensor(a!)
// SCHEMA: clip_(Tensor(a!) self, float limit, int[2] counts, Tensor? mask=None) -> Tensor(a!)
// WRAPPERS: #include <structured/torch_stable/adaptors.h>
// WRAPPERS: void clip_meta(::structured::torch_stable::MetaBase&, const ::torch::stable::Tensor&, double, const std::vector<long>&,
// WRAPPERS-NEXT: const std::optional<::torch::stable::Tensor>&);
[[structured::meta("clip", "clip_", "clip.out"), structured::tags("pointwise")]]
void clip_meta(MetaBase& op, const Tensor& self, double limit,
               [[structured::size(2)]] const std::vector<int64_t>& counts,
               const std::optional<Tensor>& mask = std::nullopt);

// WRAPPERS: ::torch::stable::Tensor wrapper_cpu_clip(const ::torch::stable::Tensor& self, double limit,
// WRAPPERS-NEXT: const std::vector<int64_t>& counts,
// WRAPPERS-NEXT: const std::optional<::torch::stable::Tensor>& mask) {
// WRAPPERS-NEXT: ::structured::torch_stable::Functional<::structured::torch_stable::MetaBase, 1> op;
// WRAPPERS-NEXT: ::kernels::clip_meta(op, self, limit, counts, mask);
// WRAPPERS-NEXT: ::kernels::clip_cpu(self, limit, counts, mask, op.output(0));
// WRAPPERS-NEXT: return std::move(op).take_output();
[[structured::impl("clip.out", "CPU")]]
void clip_cpu(const Tensor& self, double limit, const std::vector<int64_t>& counts, const std::optional<Tensor>& mask,
              const Tensor& out);

// WRAPPERS: ::torch::stable::Tensor wrapper_cuda_clip(
// WRAPPERS: ::structured::torch_stable::check_same_device("wrapper_cuda_clip", "self", self, "mask", mask);
// WRAPPERS-NEXT: const ::structured::torch_stable::OptionalDeviceGuard guard(::structured::torch_stable::device_of(self, mask));
[[structured::impl("clip.out", "CUDA")]]
void clip_cuda(const Tensor& self, double limit, const std::vector<int64_t>& counts, const std::optional<Tensor>& mask,
               const Tensor& out);

// Boxed kernels return values.
// WRAPPERS: ::torch::stable::Tensor wrapper_cpu_clip_out(
// WRAPPERS-SAME: const ::torch::stable::Tensor& self,
// WRAPPERS: ::torch::stable::Tensor& out) {
// WRAPPERS-NEXT: ::structured::torch_stable::Out<::structured::torch_stable::MetaBase, 1> op(out);
// WRAPPERS-NEXT: op.check_self(self);
// WRAPPERS-NEXT: op.check_inputs(mask);
// WRAPPERS: op.finish();
// WRAPPERS-NEXT: return out;
// WRAPPERS: ::torch::stable::Tensor wrapper_cpu_clip_(::torch::stable::Tensor& self,

// SCHEMA: copies(Tensor self, int count) -> Tensor[]
// WRAPPERS-NOT: copies
[[structured::kernel("copies", "CPU", "Meta")]] std::vector<Tensor> copies(const Tensor& self, int64_t count);
[[structured::composite("twice")]] Tensor twice(const Tensor& self);

// LIBRARY: #include <structured/torch_stable/library.h>
// LIBRARY: std::vector<::torch::stable::Tensor> copies(const ::torch::stable::Tensor&, long);
// LIBRARY: ::torch::stable::Tensor wrapper_cpu_clip(
// LIBRARY: static void define_my(::structured::torch_stable::Library& m) {
// LIBRARY-NEXT: m.define("clip(Tensor self, float limit, int[2] counts, Tensor? mask=None) -> Tensor", {"pointwise"});
// LIBRARY-NEXT: m.impl<&wrapper_cpu_clip>("clip", "CPU");
// LIBRARY-NEXT: m.impl<&wrapper_cuda_clip>("clip", "CUDA");
// LIBRARY-NEXT: m.impl_meta<&wrapper_meta_clip>("clip");
// LIBRARY: m.impl<&::kernels::copies>("copies", "CPU");
// LIBRARY-NEXT: m.impl<&::kernels::copies>("copies", "Meta");
// LIBRARY: m.impl<&::kernels::twice>("twice", "CompositeImplicitAutograd");
// LIBRARY: static const ::structured::torch_stable::Library library_my("my", define_my);

}  // namespace kernels
