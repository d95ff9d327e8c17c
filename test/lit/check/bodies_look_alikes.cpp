// Correct bodies that resemble the mistakes of bodies_faults.cpp: no diagnostics.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
// expected-no-diagnostics
#include "mock.h"

using namespace structured;

#define STRUCTURED_CHECK(condition, ...) \
  do {                                   \
    if (!(condition)) throw __VA_ARGS__; \
  } while (false)

namespace kernels {

Tensor make(IntArrayRef sizes);
void resize_output(const Tensor& out, IntArrayRef sizes);
void exchange(Tensor& a, Tensor& b);
bool is_sparse(const Tensor& self);
bool has_unit();
[[noreturn]] void fail(const char* message);

// Two tests of one condition take the same branch.
[[structured::meta("topk")]]
void topk_meta(MetaBase& op, const Tensor& self, bool indices) {
  op.set_output_raw_strided(0, {}, {}, {});
  if (indices) op.set_output_raw_strided(1, {}, {}, {});
  if (!indices) op.set_output_raw_strided(1, {}, {}, {});
}
[[structured::impl("topk", "CPU")]]
void topk_cpu(const Tensor& self, bool indices, const Tensor& values, const Tensor& places);

// Two conditions that exclude each other.
[[structured::meta("squeeze")]]
void squeeze_meta(MetaBase& op, const Tensor& self) {
  if (self.dim() <= 1) op.set_output_raw_strided(0, {}, {}, {});
  if (self.dim() > 1) op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("squeeze", "CPU")]]
void squeeze_cpu(const Tensor& self, const Tensor& out);

// A variable that stores which branch was taken.
[[structured::meta("mean")]]
void mean_meta(MetaBase& op, const Tensor& self) {
  bool done = false;
  if (is_sparse(self)) {
    op.set_output_raw_strided(0, {}, {}, {});
    done = true;
  }
  if (!done) op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("mean", "CPU")]]
void mean_cpu(const Tensor& self, const Tensor& out);

// One call that sets one of two outputs.
[[structured::meta("sort")]]
void sort_meta(MetaBase& op, const Tensor& self, bool descending) {
  op.set_output_raw_strided(descending ? 0 : 1, {}, {}, {});
  op.set_output_raw_strided(descending ? 1 : 0, {}, {}, {});
}
[[structured::impl("sort", "CPU")]]
void sort_cpu(const Tensor& self, bool descending, const Tensor& values, const Tensor& indices);

// Each iteration sets another output.
[[structured::meta("unbind")]]
void unbind_meta(MetaBase& op, const Tensor& self) {
  for (int64_t i = 0; i < 3; ++i) op.set_output_raw_strided(i, {}, {}, {});
}
[[structured::impl("unbind", "CPU")]]
void unbind_cpu(const Tensor& self, const Tensor& x, const Tensor& y, const Tensor& z);

// A loop that ends after its first setting, and an exception if there was none.
[[structured::meta("find")]]
void find_meta(MetaBase& op, const Tensor& self) {
  for (int64_t i = 0; i < self.dim(); ++i) {
    if (self.size(i) == 1) return op.set_output_raw_strided(0, {}, {}, {});
  }
  throw "find: expected a dimension of size 1";
}
[[structured::impl("find", "CPU")]]
void find_cpu(const Tensor& self, const Tensor& out);

// A call that never returns needs to set nothing, with or without `[[noreturn]]`.
void refuse() { throw "expected fewer dimensions"; }
[[structured::meta("trace")]]
void trace_meta(MetaBase& op, const Tensor& self) {
  switch (self.dim()) {
    case 1:
      return op.set_output_raw_strided(0, {}, {}, {});
    case 2:
      return op.set_output_raw_strided(0, {}, {}, {});
    case 3:
      fail("expected a vector or a matrix");
    default:
      refuse();
  }
}
[[structured::impl("trace", "CPU")]]
void trace_cpu(const Tensor& self, const Tensor& out);

// A rethrown exception.
[[structured::meta("inverse")]]
void inverse_meta(MetaBase& op, const Tensor& self) {
  try {
    is_sparse(self);
  } catch (...) {
    refuse();
  }
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("inverse", "CPU")]]
void inverse_cpu(const Tensor& self, const Tensor& out);

// Helpers that set the remaining outputs, as an argument tells them.
void set_some(MetaBase& op, bool both) {
  op.set_output_raw_strided(0, {}, {}, {});
  if (both) op.set_output_raw_strided(1, {}, {}, {});
}
[[structured::meta("aminmax")]]
void aminmax_meta(MetaBase& op, const Tensor& self, bool both) {
  set_some(op, both);
  if (!both) op.set_output_raw_strided(1, {}, {}, {});
}
[[structured::impl("aminmax", "CPU")]]
void aminmax_cpu(const Tensor& self, bool both, const Tensor& min, const Tensor& max);

// A member function of the base, and a lambda that captures it, may set any output.
[[structured::meta("add")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other) {
  op.build_binary_op(op.maybe_get_output(), self, other);
}
[[structured::impl("add", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Tensor& out);
[[structured::meta("sub")]]
void sub_meta(MetaBase& op, const Tensor& self) {
  const auto set = [&op] { op.set_output_raw_strided(0, {}, {}, {}); };
  set();
}
[[structured::impl("sub", "CPU")]]
void sub_cpu(const Tensor& self, const Tensor& out);

[[structured::meta("mm")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2) {
  STRUCTURED_CHECK(self.dim() == 2 && mat2.dim() == 2, "mm: expected matrices");
  op.set_output_raw_strided(0, {}, {}, {});
}
// A handle that was a copy of the output's handle and now refers to another tensor.
[[structured::impl("mm", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  Tensor workspace = out;
  workspace = make({});
  resize_output(workspace, {});
  Tensor other = make({});
  exchange(workspace, other);
}
// A variable in an inner scope with the name of an output.
[[structured::impl("mm", "CUDA")]]
void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  {
    Tensor out = make({});
    resize_output(out, {});
    out = self;
  }
}
// Weaker or reversed conditions, which follow from those of the meta function.
[[structured::impl("mm", "SparseCPU")]]
void mm_sparse(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  STRUCTURED_CHECK(self.dim() > 0, "mm: expected dimensions");
  STRUCTURED_CHECK(2 == mat2.dim(), "mm: expected a matrix");
  STRUCTURED_CHECK(!(mat2.dim() != 2), "mm: expected a matrix");
}
// Checks of the machine, of values, of the output, and of a fast path of this backend.
[[structured::impl("mm", "PrivateUse1")]]
void mm_private(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  STRUCTURED_CHECK(has_unit(), "mm: this machine has no such unit");
  STRUCTURED_CHECK(!is_sparse(self), "mm: expected a dense matrix");
  STRUCTURED_CHECK(out.dim() == 2, "mm: expected a matrix to write");
  if (has_unit()) STRUCTURED_CHECK(self.size(0) < 65536, "mm: expected fewer rows");
}

// The meta function leaves its checks to a function without a visible body, or has them in one with a visible body.
void check_shapes(const Tensor& a, const Tensor& b);
void demand_vector(const Tensor& a) { STRUCTURED_CHECK(a.dim() == 1, "expected a vector"); }
[[structured::meta("dot")]]
void dot_meta(MetaBase& op, const Tensor& self, const Tensor& other) {
  check_shapes(self, other);
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("dot", "CPU")]]
void dot_cpu(const Tensor& self, const Tensor& other, const Tensor& out) {
  STRUCTURED_CHECK(self.size(0) == other.size(0), "dot: expected equal sizes");
}
[[structured::meta("outer")]]
void outer_meta(MetaBase& op, const Tensor& self, const Tensor& other) {
  demand_vector(self);
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("outer", "CPU")]]
void outer_cpu(const Tensor& self, const Tensor& other, const Tensor& out) {
  STRUCTURED_CHECK(self.dim() == 1, "outer: expected a vector");
}

}  // namespace kernels
