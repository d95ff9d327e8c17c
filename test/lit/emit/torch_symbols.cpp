// The kernels of one operator may take numbers or symbolic integers. The schema and the operator's calls have symbols.
// RUN: rm -rf %t.gen
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %S -o %t.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen list --namespace=my %t.json 2>&1 | FileCheck --check-prefix=SCHEMA %s
// RUN: %structured_gen emit --namespace=my --source-root %S --output-dir %t.gen %t.json
// RUN: FileCheck %s < %t.gen/library.cpp
#include "aten_mock.h"

namespace kernels {

// SCHEMA-NOT: error
// SCHEMA: tile(Tensor self, SymInt[] counts, SymInt times=1) -> Tensor
[[structured::kernel("tile", "CPU")]]
at::Tensor tile(const at::Tensor& self, at::IntArrayRef counts, [[structured::symint]] int64_t times = 1);
[[structured::kernel("tile", "Meta")]]
at::Tensor tile_meta(const at::Tensor& self, c10::SymIntArrayRef counts, c10::SymInt times = 1);

// Wrappers, such as those that check devices, take what the author's kernels take. The dispatcher recognises no
// std::optional<SymIntArrayRef>.
[[structured::kernel("rep", "CPU", "CUDA", "Meta"), structured::not_differentiable]]
at::Tensor rep(const at::Tensor& self, const at::Tensor& other, c10::SymInt times);
[[structured::kernel("spread", "CPU", "Meta"), structured::not_differentiable]]
at::Tensor spread(const at::Tensor& self, c10::optional<c10::SymIntArrayRef> counts, c10::optional<c10::SymInt> times);
[[structured::kernel("spread_rows", "CPU"), structured::not_differentiable]]
at::Tensor spread_rows(const at::Tensor& self, c10::optional<at::IntArrayRef> counts);
[[structured::kernel("spread_rows", "Meta")]]
at::Tensor spread_rows_meta(const at::Tensor& self, at::OptionalSymIntArrayRef counts);

// CHECK: ::at::Tensor wrapper_cuda_rep(const ::at::Tensor& self, const ::at::Tensor& other, ::c10::SymInt times);
// CHECK: using signature_spread = ::at::Tensor(const ::at::Tensor& self, ::c10::OptionalArrayRef<::c10::SymInt> counts,
// CHECK-NEXT: ::c10::optional<::c10::SymInt> times);
// CHECK-NEXT: using signature_spread_rows = ::at::Tensor(const ::at::Tensor& self,
// CHECK-SAME: ::c10::OptionalArrayRef<::c10::SymInt> counts);
// CHECK: using signature_tile = ::at::Tensor(const ::at::Tensor& self, ::c10::ArrayRef<::c10::SymInt> counts,
// CHECK-NEXT: ::c10::SymInt times);
// CHECK: m.impl<signature_rep, ::kernels::rep>(::c10::DispatchKey::CPU);
// CHECK-NEXT: m.impl<signature_rep, wrapper_cuda_rep>(::c10::DispatchKey::CUDA);
// CHECK-NEXT: m.impl<signature_rep, ::kernels::rep>(::c10::DispatchKey::Meta);
// CHECK: m.impl<signature_spread, wrapper_cpu_spread>(::c10::DispatchKey::CPU);
// CHECK: m.impl<::at::Tensor(const ::at::Tensor&, ::at::OptionalIntArrayRef), wrapper_cpu_spread_rows>(
// CHECK-NEXT: ::c10::DispatchKey::CPU);
// CHECK: m.impl<signature_spread_rows, ::kernels::spread_rows_meta>(::c10::DispatchKey::Meta);
// CHECK: m.impl<::at::Tensor(const ::at::Tensor&, ::c10::ArrayRef<long>, long), ::kernels::tile>(::c10::DispatchKey::CPU);
// CHECK: m.impl<signature_tile, ::kernels::tile_meta>(::c10::DispatchKey::Meta);

}  // namespace kernels
