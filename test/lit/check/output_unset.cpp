// Paths through a meta function that leave an output unset.
// Why: An impl needs every output to be allocated. A call that takes this path fails, and tests may not cover it.
// Cure: Set the output on the path that the note shows. To leave an output undefined, call `set_output_undefined`. A
// call that receives the base and whose body is not visible is assumed to set any output.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("early")]]
void early_meta(MetaBase& op, const Tensor& self) {
// CHECK: output_unset.cpp:[[@LINE+6]]:24: error: a path through `meta` `kernels::early_meta` ends here without setting output 0; set it, or call `set_output_undefined(0)` [structured-output-unset]
// expected-error@+5 {{a path through `meta` `kernels::early_meta` ends here without setting output 0; set it, or call `set_output_undefined(0)` [structured-output-unset]}}
// CHECK: output_unset.cpp:[[@LINE+4]]:7: note: taken when this is true
// expected-note@+3 {{taken when this is true}}
// CHECK: output_unset.cpp:[[@LINE+6]]:50: note: output 0 is `out` of the impl
// expected-note@+5 {{output 0 is `out` of the impl}}
  if (self.dim() == 0) return;
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("early", "CPU")]]
void early_cpu(const Tensor& self, const Tensor& out);
// example end

[[structured::meta("second")]]
void second_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, {}, {}, {});
// CHECK: output_unset.cpp:[[@LINE+4]]:1: error: a path through `meta` `kernels::second_meta` ends here without setting output 1; set it, or call `set_output_undefined(1)` [structured-output-unset]
// expected-error@+3 {{a path through `meta` `kernels::second_meta` ends here without setting output 1; set it, or call `set_output_undefined(1)` [structured-output-unset]}}
// CHECK: output_unset.cpp:[[@LINE+4]]:73: note: output 1 is `indices` of the impl
// expected-note@+3 {{output 1 is `indices` of the impl}}
}
[[structured::impl("second", "CPU")]]
void second_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);

// Near misses: every branch sets it, a loop over all outputs, and a helper without a visible body.
[[structured::meta("branches")]]
void branches_meta(MetaBase& op, const Tensor& self) {
  if (self.dim() == 0) {
    op.set_output_raw_strided(0, {}, {}, {});
    return;
  }
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("branches", "CPU")]]
void branches_cpu(const Tensor& self, const Tensor& out);

void unseen(MetaBase& op);
[[structured::meta("helped")]]
void helped_meta(MetaBase& op, const Tensor& self) {
  unseen(op);
}
[[structured::impl("helped", "CPU")]]
void helped_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
