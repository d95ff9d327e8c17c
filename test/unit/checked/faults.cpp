// Operators with one planted fault each, and operators without faults. The library is built with CHECKED.
#include "faults.h"

#include <structured/structured.h>

#include <algorithm>
#include <vector>

using namespace structured;

namespace faults {
namespace {

constinit int calls = 0;
constinit thread_local double factor = 1;

float* elements(const Tensor& tensor) { return tensor.data_ptr<float>(); }

// Meta function of operators whose output has the shape of `self`.
void build_like(MetaBase& op, const Tensor& self) { op.set_output_contiguous(0, self.sizes(), self.options()); }

}  // namespace

void set_thread_factor(double value) { factor = value; }

namespace kernels {

// Without faults.

[[structured::meta("twice", "twice_", "twice.out")]]
void twice_meta(TensorIteratorBase& op, const Tensor& self) {
  op.build_unary_op(op.maybe_get_output(), self);
}
[[structured::impl("twice.out", "CPU")]]
void twice_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& out) {
  visit<kFloatingTypes>("twice", op.common_dtype(),
                        [&]<class T>() { cpu_kernel(op, [](T x) { return static_cast<T>(2 * x); }); });
}

[[structured::kernel("whole", "CPU", "Meta")]]
Tensor whole([[structured::alias("a")]] const Tensor& self) {
  return structured::as_strided(self, self.sizes(), self.strides());
}

[[structured::composite("four_times")]]
Tensor four_times(const Tensor& self) {
  Tensor result = structured::empty(self.sizes(), self.options());
  for (int64_t i = 0; i < self.numel(); ++i) elements(result)[i] = 4 * elements(self)[i];
  return result;
}

// Faults of impls.

[[structured::meta("writes_input")]]
void writes_input_meta(MetaBase& op, const Tensor& self) {
  build_like(op, self);
}
[[structured::impl("writes_input", "CPU")]]
void writes_input_cpu(const Tensor& self, const Tensor& out) {
  for (int64_t i = 0; i < self.numel(); ++i) elements(out)[i] = elements(self)[i]++;
}

[[structured::meta("leaves_unwritten")]]
void leaves_unwritten_meta(MetaBase& op, const Tensor& self) {
  build_like(op, self);
}
[[structured::impl("leaves_unwritten", "CPU")]]
void leaves_unwritten_cpu(const Tensor& self, const Tensor& out) {
  for (int64_t i = 0; i + 1 < self.numel(); ++i) elements(out)[i] = elements(self)[i];
}

[[structured::meta("reads_output")]]
void reads_output_meta(MetaBase& op, const Tensor& self) {
  build_like(op, self);
}
[[structured::impl("reads_output", "CPU")]]
void reads_output_cpu(const Tensor& self, const Tensor& out) {
  for (int64_t i = 0; i < self.numel(); ++i) elements(out)[i] += elements(self)[i];
}

[[structured::meta("reads_scratch")]]
void reads_scratch_meta(MetaBase& op, const Tensor& self) {
  build_like(op, self);
}
[[structured::impl("reads_scratch", "CPU")]]
void reads_scratch_cpu(const Tensor& self, const Tensor& out) {
  const Tensor scratch = structured::empty(self.sizes(), self.options());
  for (int64_t i = 0; i < self.numel(); ++i) elements(out)[i] = elements(self)[i] + elements(scratch)[i];
}

[[structured::meta("uses_thread_state")]]
void uses_thread_state_meta(MetaBase& op, const Tensor& self) {
  build_like(op, self);
}
[[structured::impl("uses_thread_state", "CPU")]]
void uses_thread_state_cpu(const Tensor& self, const Tensor& out) {
  for (int64_t i = 0; i < self.numel(); ++i) elements(out)[i] = static_cast<float>(factor) * elements(self)[i];
}

[[structured::meta("counts_calls")]]
void counts_calls_meta(MetaBase& op, const Tensor& self) {
  build_like(op, self);
}
[[structured::impl("counts_calls", "CPU")]]
void counts_calls_cpu(const Tensor& self, const Tensor& out) {
  ++calls;
  for (int64_t i = 0; i < self.numel(); ++i) elements(out)[i] = elements(self)[i] + static_cast<float>(calls);
}

[[structured::meta("ignores_strides", "ignores_strides.out")]]
void ignores_strides_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}
[[structured::impl("ignores_strides.out", "CPU")]]
void ignores_strides_cpu(const Tensor& self, const Tensor& out) {
  std::copy_n(elements(self), self.numel(), elements(out));
}

[[structured::meta("reshapes_input")]]
void reshapes_input_meta(MetaBase& op, const Tensor& self) {
  build_like(op, self);
}
[[structured::impl("reshapes_input", "CPU")]]
void reshapes_input_cpu(const Tensor& self, const Tensor& out) {
  std::copy_n(elements(self), self.numel(), elements(out));
  self.impl()->set_sizes_contiguous(self.numel());
}

[[structured::meta("reshapes_output")]]
void reshapes_output_meta(MetaBase& op, const Tensor& self) {
  build_like(op, self);
}
[[structured::impl("reshapes_output", "CPU")]]
void reshapes_output_cpu(const Tensor& self, const Tensor& out) {
  std::copy_n(elements(self), self.numel(), elements(out));
  out.impl()->set_sizes_contiguous(out.numel());
}

// Faults of meta functions and of Meta kernels.

[[structured::meta("varies_meta")]]
void varies_meta_meta(MetaBase& op, const Tensor& self) {
  const int64_t size = self.numel() + ++calls % 2;
  op.set_output_contiguous(0, size, self.options());
}
[[structured::impl("varies_meta", "CPU")]]
void varies_meta_cpu(const Tensor& self, const Tensor& out) {
  std::fill_n(elements(out), out.numel(), 0.0F);
}

[[structured::kernel("wrong_dtype", "CPU")]]
Tensor wrong_dtype_cpu(const Tensor& self) {
  return structured::zeros(self.sizes(), kDouble);
}
[[structured::kernel("wrong_dtype", "Meta")]]
Tensor wrong_dtype_meta(const Tensor& self) {
  return structured::empty(self.sizes(), self.options());
}

[[structured::kernel("wrong_sizes", "CPU")]]
Tensor wrong_sizes_cpu(const Tensor& self) {
  return structured::zeros(self.numel(), self.options());
}
[[structured::kernel("wrong_sizes", "Meta")]]
Tensor wrong_sizes_meta(const Tensor& self) {
  return structured::empty(self.sizes(), self.options());
}

[[structured::kernel("wrong_strides", "CPU")]]
Tensor wrong_strides_cpu(const Tensor& self) {
  const Tensor result = structured::empty_strided(self.sizes(), {1, self.size(0)}, self.options());
  std::fill_n(elements(result), result.numel(), 0.0F);
  return result;
}
[[structured::kernel("wrong_strides", "Meta")]]
Tensor wrong_strides_meta(const Tensor& self) {
  return structured::empty(self.sizes(), self.options());
}

// Aliases that schemas do not declare.

[[structured::kernel("hides_alias", "CPU", "Meta")]]
Tensor hides_alias(const Tensor& self) {
  return structured::as_strided(self, self.sizes(), self.strides());
}

[[structured::kernel("returns_other_", "CPU", "Meta")]]
Tensor& returns_other(Tensor& self) {
  static Tensor other = structured::zeros({2, 3}, kFloat);
  return other;
}

// Variants for lists that differ from the functional one. Only the tests of all operators compare variants.

[[structured::composite("keeps_list")]]
std::vector<Tensor> keeps_list(TensorList self) {
  std::vector<Tensor> results;
  for (const Tensor& tensor : self) results.push_back(four_times(tensor));
  return results;
}
[[structured::composite("keeps_list_")]]
void keeps_list_([[structured::alias("a!")]] TensorList self) {}

[[structured::composite("clears_list")]]
std::vector<Tensor> clears_list(TensorList self) {
  return keeps_list(self);
}
[[structured::composite("clears_list.out"), structured::out]]
void clears_list_out(TensorList self, [[structured::alias("a!")]] TensorList out) {
  for (const Tensor& tensor : out) std::fill_n(elements(tensor), tensor.numel(), 0.0F);
}

}  // namespace kernels
}  // namespace faults
