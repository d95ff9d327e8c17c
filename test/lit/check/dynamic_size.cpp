// A kernel for Meta with sizes that depend on data, which cannot be translated.
// Why: Such a kernel is translated to Python, where it makes a symbol for the size. There is no kernel for Meta in C++ in its
// place, as no size is known without data.
// Cure: Replace what the message names: define helpers in the same source or in a header, and use the functions of ATen that
// `docs/compilers.md` lists.
// RUN: not %structured_gen check --dialect=torch --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s
#include "aten_mock.h"

using at::Tensor;

namespace kernels {

// example begin
int64_t most(const Tensor& self);

[[structured::kernel("found", "CPU")]]
Tensor found(const Tensor& self);

// CHECK: dynamic_size.cpp:[[@LINE+2]]:8: error: the kernel for `Meta` of `found` has a size that depends on data and calls `kernels::most`, whose body is not known here; expected what can be translated to Python [structured-dynamic-size]
[[structured::kernel("found", "Meta")]]
Tensor found_meta(const Tensor& self) {
  // CHECK: dynamic_size.cpp:[[@LINE+1]]:54: note: it does so here
  return self.new_empty({structured::dynamic_size(0, most(self))});
}
// example end

// Near misses: a kernel that is translated, and one that is compiled.
[[structured::kernel("picked", "CPU")]]
Tensor picked(const Tensor& self);
[[structured::kernel("picked", "Meta")]]
Tensor picked_meta(const Tensor& self) { return self.new_empty({structured::dynamic_size(0, self.size(0))}); }
[[structured::kernel("twice", "CPU")]]
Tensor twice(const Tensor& self);
[[structured::kernel("twice", "Meta")]]
Tensor twice_meta(const Tensor& self) { return self.new_empty({most(self)}); }

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
