// A body that Clang rejects does not stop a scan that stores bodies: the compiler of the build may accept it.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --meta-functions --scalar-graphs --dialect=torch --namespace=my --source-root %S -o %t/a.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %structured_gen list --namespace=my %t/a.json | FileCheck %s --check-prefix=LIST
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/a.json
// An error in a declaration does.
// RUN: sed 's/const at::Tensor& self);/const at::Unknown\& self);/' %s > %t/b.cpp
// RUN: not %structured_gen scan --meta-functions --dialect=torch --namespace=my -o %t/b.json %t/b.cpp -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: no type named 'Unknown' in namespace 'at'
#include "aten_mock.h"

namespace kernels {

// LIST: rows(Tensor self) -> Tensor
// JSON-NOT: "shape"
[[structured::meta("rows", "rows.out")]]
void rows_meta(at::impl::MetaBase& op, const at::Tensor& self) {
  op.set_output_raw_strided(0, {self.size(0)}, {}, self.options());
}
[[structured::impl("rows.out", "CPU")]]
void rows_cpu(const at::Tensor& self, const at::Tensor& out) {
  // CHECK: rejected_body.cpp:[[@LINE+1]]:3: note: Clang rejects a body, so that the scan of `{{.*}}rejected_body.cpp` stores none: use of undeclared identifier '__builtin_of_gcc_alone'
  __builtin_of_gcc_alone(self, out);
}

[[structured::kernel("other", "CPU")]]
at::Tensor other(const at::Tensor& self);

}  // namespace kernels
