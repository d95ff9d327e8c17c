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

// CHECK: using signature_tile = ::at::Tensor(const ::at::Tensor& self, ::c10::ArrayRef<::c10::SymInt> counts,
// CHECK-NEXT: ::c10::SymInt times);
// CHECK: m.impl<::at::Tensor(const ::at::Tensor&, ::c10::ArrayRef<long>, long), ::kernels::tile>(::c10::DispatchKey::CPU);
// CHECK: m.impl<signature_tile, ::kernels::tile_meta>(::c10::DispatchKey::Meta);

}  // namespace kernels
