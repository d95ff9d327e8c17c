// Typical mistakes in bodies; bodies_look_alikes.cpp has similar correct bodies.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
#include "mock.h"

using namespace structured;

#define STRUCTURED_CHECK(condition, ...) \
  do {                                   \
    if (!(condition)) throw __VA_ARGS__; \
  } while (false)
#define TORCH_CHECK_VALUE STRUCTURED_CHECK

namespace kernels {

Tensor make(IntArrayRef sizes);
void resize_output(const Tensor& out, IntArrayRef sizes);
void exchange(Tensor& a, Tensor& b);
bool is_sparse(const Tensor& self);

// The condition under which output 1 is set differs from the one under which it exists.
[[structured::meta("topk")]]
void topk_meta(MetaBase& op, const Tensor& self, bool indices) {
  op.set_output_raw_strided(0, {}, {}, {});
  if (indices && self.dim() > 0) op.set_output_raw_strided(1, {}, {}, {});
  if (!indices) op.set_output_raw_strided(1, {}, {}, {});
  // CHECK: :[[@LINE+1]]:1: error: {{.*}}`kernels::topk_meta` ends here without setting output 1
}
[[structured::impl("topk", "CPU")]]
void topk_cpu(const Tensor& self, bool indices, const Tensor& values, const Tensor& places);

// A copied line was not adapted: output 0 is set twice, output 1 never.
[[structured::meta("sort")]]
void sort_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, {}, {}, {});
  op.set_output_raw_strided(0, {}, {}, {});
  // CHECK: :[[@LINE-1]]:3: error: a path through `meta` `kernels::sort_meta` sets output 0 a second time here
  // CHECK: :[[@LINE+1]]:1: error: {{.*}}`kernels::sort_meta` ends here without setting output 1
}
[[structured::impl("sort", "CPU")]]
void sort_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);

// A variable holds the index.
[[structured::meta("unique")]]
void unique_meta(MetaBase& op, const Tensor& self) {
  int64_t next = 0;
  op.set_output_raw_strided(next, {}, {}, {});
  next = 2;
  op.set_output_raw_strided(next, {}, {}, {});
  // CHECK: :[[@LINE+1]]:1: error: {{.*}}`kernels::unique_meta` ends here without setting output 1
}
[[structured::impl("unique", "CPU")]]
void unique_cpu(const Tensor& self, const Tensor& values, const Tensor& inverse, const Tensor& counts);

// A helper, defined after its caller, that returns too early.
void set_both(MetaBase& op, const Tensor& self);
[[structured::meta("aminmax")]]
void aminmax_meta(MetaBase& op, const Tensor& self) {
  set_both(op, self);
  // CHECK: :[[@LINE+1]]:1: error: {{.*}}`kernels::aminmax_meta` ends here without setting output 1
}
void set_both(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, {}, {}, {});
  if (self.dim() == 0) return;
  op.set_output_raw_strided(1, {}, {}, {});
}
[[structured::impl("aminmax", "CPU")]]
void aminmax_cpu(const Tensor& self, const Tensor& min, const Tensor& max);

// An enumerator that the switch does not handle.
[[structured::meta("loss")]]
void loss_meta(MetaBase& op, const Tensor& self, int64_t reduction) {
  switch (reduction) {
    case Reduction::None:
      return op.set_output_raw_strided(0, {}, {}, {});
    case Reduction::Mean:
      return op.set_output_raw_strided(0, {}, {}, {});
  }
  // CHECK: :[[@LINE+1]]:1: error: {{.*}}`kernels::loss_meta` ends here without setting output 0
}
[[structured::impl("loss", "CPU")]]
void loss_cpu(const Tensor& self, int64_t reduction, const Tensor& out);

// A missing `break`.
[[structured::meta("pad")]]
void pad_meta(MetaBase& op, const Tensor& self) {
  switch (self.dim()) {
    case 1:
      op.set_output_raw_strided(0, {}, {}, {});
    default:
      // CHECK: :[[@LINE+1]]:7: error: a path through `meta` `kernels::pad_meta` sets output 0 a second time here
      op.set_output_raw_strided(0, {}, {}, {});
  }
}
[[structured::impl("pad", "CPU")]]
void pad_cpu(const Tensor& self, const Tensor& out);

// A setting in a loop that should follow the loop.
[[structured::meta("cat")]]
void cat_meta(MetaBase& op, const Tensor& self) {
  for (int64_t i = 0; i < self.dim(); ++i) {
    // CHECK: :[[@LINE+1]]:5: error: a loop in `meta` `kernels::cat_meta` sets output 0 in each iteration
    op.set_output_raw_strided(0, {}, {}, {});
  }
}
[[structured::impl("cat", "CPU")]]
void cat_cpu(const Tensor& self, const Tensor& out);

// The helper has already set the output.
void set_like(MetaBase& op, const Tensor&) { op.set_output_raw_strided(0, {}, {}, {}); }
[[structured::meta("abs")]]
void abs_meta(MetaBase& op, const Tensor& self) {
  set_like(op, self);
  // CHECK: :[[@LINE+1]]:3: error: a path through `meta` `kernels::abs_meta` sets output 0 a second time here
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("abs", "CPU")]]
void abs_cpu(const Tensor& self, const Tensor& out);

[[structured::meta("mm")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2) {
  STRUCTURED_CHECK(self.dim() >= 1, "mm: expected a vector or a matrix");
  op.set_output_raw_strided(0, {}, {}, {});
}
// A copy of the handle refers to the same tensor.
[[structured::impl("mm", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  Tensor result = out;
  // CHECK: :[[@LINE+1]]:3: error: `impl` `kernels::mm_cpu` resizes its output
  resize_output(result, {});
}
// A helper resizes its argument.
void prepare(const Tensor& target) { resize_output(target, {}); }
[[structured::impl("mm", "CUDA")]]
void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  // CHECK: :[[@LINE-3]]:38: error: `impl` `kernels::mm_cuda` resizes its output
  prepare(out);
}
// An assignment through a reference.
[[structured::impl("mm", "SparseCPU")]]
void mm_sparse(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  Tensor& result = const_cast<Tensor&>(out);
  // CHECK: :[[@LINE+1]]:3: error: `impl` `kernels::mm_sparse` assigns to its output's handle
  result = make({});
}
// An assignment by a function.
[[structured::impl("mm", "PrivateUse1")]]
void mm_private(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  Tensor result = make({});
  // CHECK: :[[@LINE+1]]:3: error: `impl` `kernels::mm_private` assigns to its output's handle
  exchange(const_cast<Tensor&>(out), result);
}
// The meta function has a weaker precondition.
[[structured::impl("mm", "PrivateUse2")]]
void mm_stricter(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  // CHECK: :[[@LINE+1]]:20: warning: `impl` `kernels::mm_stricter` checks shapes or dtypes
  STRUCTURED_CHECK(self.dim() == 2, "mm: expected a matrix");
}
// A helper with a precondition; the macros of ATen are recognized as well.
void demand_match(const Tensor& a, const Tensor& b) { TORCH_CHECK_VALUE(a.size(1) == b.size(0), "mm: inner sizes"); }
[[structured::impl("mm", "PrivateUse3")]]
void mm_helped(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  // CHECK: :[[@LINE-3]]:73: warning: `impl` `kernels::mm_helped` checks shapes or dtypes
  demand_match(self, mat2);
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 warnings and 13 errors generated.
