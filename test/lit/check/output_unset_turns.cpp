// Notes on paths that leave an output unset: the branch after which nothing can set it.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
#include "mock.h"

using namespace structured;

namespace kernels {

bool is_known(const Tensor& self);
void demand(bool condition);
struct Unknown {};
struct Unusual {};

[[structured::meta("when_true")]]
void when_true_meta(MetaBase& op, const Tensor& self) {
  if (self.dim() == 0) return;
  // CHECK: :[[@LINE-1]]:24: error: {{.*}} without setting output 0
  // CHECK: :[[@LINE-2]]:7: note: taken when this is true
  if (self.dim() == 1) demand(true);
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("when_true", "CPU")]]
void when_true_cpu(const Tensor& self, const Tensor& out);

[[structured::meta("when_false")]]
void when_false_meta(MetaBase& op, const Tensor& self, bool two) {
  op.set_output_raw_strided(0, {}, {}, {});
  if (two && is_known(self)) op.set_output_raw_strided(1, {}, {}, {});
  // CHECK: :[[@LINE+2]]:1: error: {{.*}} without setting output 1
  // CHECK: :[[@LINE-2]]:7: note: taken when this is false
}
[[structured::impl("when_false", "CPU")]]
void when_false_cpu(const Tensor& self, bool two, const Tensor& values, const Tensor& indices);

[[structured::meta("loop_ends")]]
void loop_ends_meta(MetaBase& op, const Tensor& self) {
  const bool known[] = {is_known(self), true};
  for (bool is_there : known) {
    if (!is_there) continue;
    op.set_output_raw_strided(0, {}, {}, {});
    return;
  }
  // CHECK: :[[@LINE+2]]:1: error: {{.*}} without setting output 0
  // CHECK: :[[@LINE-6]]:3: note: taken when this loop ends
}
[[structured::impl("loop_ends", "CPU")]]
void loop_ends_cpu(const Tensor& self, const Tensor& out);

[[structured::meta("counted")]]
void counted_meta(MetaBase& op, const Tensor& self) {
  for (int64_t i = 0; i < self.dim(); ++i) {
    if (self.size(i) != 1) return op.set_output_raw_strided(0, {}, {}, {});
  }
  // CHECK: :[[@LINE+2]]:1: error: {{.*}} without setting output 0
  // CHECK: :[[@LINE-4]]:23: note: taken when this is false
}
[[structured::impl("counted", "CPU")]]
void counted_cpu(const Tensor& self, const Tensor& out);

[[structured::meta("case_applies")]]
void case_applies_meta(MetaBase& op, const Tensor& self) {
  switch (self.dim()) {
    case 1:
      op.set_output_raw_strided(0, {}, {}, {});
      break;
    case 2:
      break;
      // CHECK: :[[@LINE+5]]:1: error: {{.*}} without setting output 0
      // CHECK: :[[@LINE-3]]:5: note: taken when this case applies
    default:
      op.set_output_raw_strided(0, {}, {}, {});
  }
}
[[structured::impl("case_applies", "CPU")]]
void case_applies_cpu(const Tensor& self, const Tensor& out);

[[structured::meta("no_case_applies")]]
void no_case_applies_meta(MetaBase& op, const Tensor& self) {
  switch (self.dim()) {
    case 3:
      switch (self.size(0)) {
        case 1:
          return op.set_output_raw_strided(0, {}, {}, {});
      }
      // CHECK: :[[@LINE+7]]:1: error: {{.*}} without setting output 0
      // CHECK: :[[@LINE-5]]:7: note: taken when no case applies
    case 2:
      break;
    default:
      op.set_output_raw_strided(0, {}, {}, {});
  }
}
[[structured::impl("no_case_applies", "CPU")]]
void no_case_applies_cpu(const Tensor& self, const Tensor& out);

[[structured::meta("throws")]]
void throws_meta(MetaBase& op, const Tensor& self) {
  try {
    is_known(self);
  } catch (const Unknown&) {
    // CHECK: :[[@LINE+2]]:5: error: {{.*}} without setting output 0
    // CHECK: :[[@LINE-3]]:5: note: taken when this throws
    return;
  }
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("throws", "CPU")]]
void throws_cpu(const Tensor& self, const Tensor& out);

[[structured::meta("caught")]]
void caught_meta(MetaBase& op, const Tensor& self) {
  try {
    is_known(self);
  } catch (const Unusual&) {
    op.set_output_raw_strided(0, {}, {}, {});
    return;
  } catch (const Unknown&) {
    // CHECK: :[[@LINE+2]]:5: error: {{.*}} without setting output 0
    // CHECK: :[[@LINE-2]]:5: note: taken when this catches an exception
    return;
  }
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("caught", "CPU")]]
void caught_cpu(const Tensor& self, const Tensor& out);

// There is no note if no branch in the function itself is decisive.
bool set_if_known(MetaBase& op, const Tensor& self) {
  if (!is_known(self)) return false;
  op.set_output_raw_strided(0, {}, {}, {});
  return true;
}
[[structured::meta("helper_decides")]]
void helper_decides_meta(MetaBase& op, const Tensor& self) {
  if (!set_if_known(op, self)) demand(false);
  // CHECK: :[[@LINE+3]]:1: error: {{.*}} without setting output 0
  // CHECK-NOT: note: taken
  // CHECK: note: output 0 is
}
[[structured::impl("helper_decides", "CPU")]]
void helper_decides_cpu(const Tensor& self, const Tensor& out);

[[structured::meta("not_thrown")]]
void not_thrown_meta(MetaBase& op, const Tensor& self) {
  try {
    is_known(self);
  } catch (const Unknown&) {
    op.set_output_raw_strided(0, {}, {}, {});
  }
  // CHECK: :[[@LINE+3]]:1: error: {{.*}} without setting output 0
  // CHECK-NOT: note: taken
  // CHECK: note: output 0 is
}
[[structured::impl("not_thrown", "CPU")]]
void not_thrown_cpu(const Tensor& self, const Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 10 errors generated.
