// `any` and `all` on CPU.
#include "cpu/reduction.h"

#include <cstdint>

#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Elements are converted to Bool first: every nonzero element is true.
struct Any {
  using Element = bool;
  using Accumulator = uint8_t;
  static uint8_t identity() { return 0; }
  static uint8_t lift(bool value) { return value; }
  static uint8_t combine(uint8_t a, uint8_t b) { return a | b; }
  static bool project(uint8_t value) { return value != 0; }
};

struct All : Any {
  static uint8_t identity() { return 1; }
  static uint8_t combine(uint8_t a, uint8_t b) { return a & b; }
};

template <class Op>
void reduce_truth(const Tensor& self, DimMask mask, const Tensor& out) {
  if (out.scalar_type() == kBool) {
    reduce<Op>(out, self, mask);
    return;
  }
  const Tensor truth = empty(out.sizes(), out.options().dtype(kBool));
  reduce<Op>(truth, self, mask);
  copy_into(out, truth);
}

template <class Op>
void reduce_truth_of_list(const char* name, const Tensor& self, OptionalIntArrayRef dim, const Tensor& out) {
  if (!dim || !dim->empty()) return reduce_truth<Op>(self, reduced_dims(name, dim, self.dim()), out);
  const Tensor truth = out.scalar_type() == kBool ? out : empty(out.sizes(), out.options().dtype(kBool));
  copy_into(truth, self);
  if (!truth.is_same(out)) copy_into(out, truth);
}

}  // namespace

[[structured::impl("any.all_out", "CPU")]]
void any_all_cpu(const Tensor& self, const Tensor& out) {
  reduce_truth<Any>(self, reduced_dims("any", std::nullopt, self.dim()), out);
}
[[structured::impl("any.out", "CPU")]]
void any_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth<Any>(self, reduced_dims("any", dim, self.dim()), out);
}
[[structured::impl("any.dims_out", "CPU")]]
void any_dims_cpu(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth_of_list<Any>("any", self, dim, out);
}

[[structured::impl("all.all_out", "CPU")]]
void all_all_cpu(const Tensor& self, const Tensor& out) {
  reduce_truth<All>(self, reduced_dims("all", std::nullopt, self.dim()), out);
}
[[structured::impl("all.out", "CPU")]]
void all_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth<All>(self, reduced_dims("all", dim, self.dim()), out);
}
[[structured::impl("all.dims_out", "CPU")]]
void all_dims_cpu(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth_of_list<All>("all", self, dim, out);
}

}  // namespace structured::kernels
