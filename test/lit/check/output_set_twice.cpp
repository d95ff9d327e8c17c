// Paths through a meta function that set an output twice.
// Why: Setting an output allocates it, or resizes the tensor that the caller passed. Two settings may request two
// sizes, so a call that takes this path fails.
// Cure: Set the output once on every path, for example with `else`, or with `return` after the first setting.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("twice")]]
void twice_meta(MetaBase& op, const Tensor& self) {
  if (self.dim() == 0) op.set_output_raw_strided(0, {}, {}, {});
// CHECK: output_set_twice.cpp:[[@LINE+4]]:3: error: a path through `meta` `kernels::twice_meta` sets output 0 a second time here; set each output once [structured-output-set-twice]
// expected-error@+3 {{a path through `meta` `kernels::twice_meta` sets output 0 a second time here; set each output once [structured-output-set-twice]}}
// CHECK: output_set_twice.cpp:[[@LINE-3]]:24: note: first set here
// expected-note@-4 {{first set here}}
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("twice", "CPU")]]
void twice_cpu(const Tensor& self, const Tensor& out);
// example end

// Near miss: alternative settings, two outputs, and names that are set after the output.
[[structured::meta("once")]]
void once_meta(MetaBase& op, const Tensor& self) {
  if (self.dim() == 0)
    op.set_output_raw_strided(0, {}, {}, {});
  else
    op.set_output_raw_strided(0, {}, {}, {});
  op.set_output_raw_strided(1, {}, {}, {});
  if (self.dim() > 1) op.set_output_names(1, {});
}
[[structured::impl("once", "CPU")]]
void once_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
