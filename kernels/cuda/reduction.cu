// Sums, products, means, truth values and counts on CUDA.
#include <cstdint>
#include <optional>

#include "cuda/reduce.cuh"
#include "math/accumulate_type.h"

namespace structured::kernels {
namespace {

template <class T>
struct Sum {
  using Element = T;
  using Accumulator = AccumulateType<T>;
  __device__ Accumulator identity() const { return Accumulator(0); }
  __device__ Accumulator lift(T value, uint32_t) const { return cuda::detail::converted<Accumulator>(value); }
  __device__ Accumulator combine(Accumulator a, Accumulator b) const { return a + b; }
  __device__ void store(Accumulator sum, char* to, char*) const {
    *reinterpret_cast<T*>(to) = cuda::detail::converted<T>(sum);
  }
};

template <class T>
struct Mean : Sum<T> {
  using Accumulator = typename Sum<T>::Accumulator;
  double count;
  __device__ void store(Accumulator sum, char* to, char*) const {
    *reinterpret_cast<T*>(to) = cuda::detail::converted<T>(sum / convert<Accumulator>(count));
  }
};

template <class T>
struct SumOfNumbers : Sum<T> {
  using Accumulator = typename Sum<T>::Accumulator;
  __device__ Accumulator lift(T value, uint32_t) const {
    const auto number = cuda::detail::converted<Accumulator>(value);
    return number == number ? number : Accumulator(0);
  }
};

template <class T>
struct Product : Sum<T> {
  using Accumulator = typename Sum<T>::Accumulator;
  __device__ Accumulator identity() const { return Accumulator(1); }
  __device__ Accumulator combine(Accumulator a, Accumulator b) const { return a * b; }
};

struct Count : Sum<bool> {
  __device__ void store(Accumulator count, char* to, char*) const {
    *reinterpret_cast<int64_t*>(to) = static_cast<int64_t>(count);
  }
};

/// Whether all elements are true, or any is.
struct AllAny {
  using Element = bool;
  using Accumulator = bool;
  bool is_all;
  __device__ bool identity() const { return is_all; }
  __device__ bool lift(bool value, uint32_t) const { return value; }
  __device__ bool combine(bool a, bool b) const { return is_all ? a && b : a || b; }
  __device__ void store(bool value, char* to, char*) const { *reinterpret_cast<bool*>(to) = value; }
};

void reduce_truth(bool is_all, const Tensor& self, DimMask mask, const Tensor& out) {
  reduce(AllAny{is_all}, self, mask, out);  // `out` is Bool or Byte
}

void reduce_truth_of_list(bool is_all, const char* name, const Tensor& self, OptionalIntArrayRef dim,
                          const Tensor& out) {
  if (!dim || !dim->empty()) return reduce_truth(is_all, self, reduced_dims(name, dim, self.dim()), out);
  const Tensor truth = out.scalar_type() == kBool ? out : empty(out.sizes(), out.options().dtype(kBool));
  copy_into(truth, self);
  if (!truth.is_same(out)) copy_into(out, truth);
}

}  // namespace

[[structured::impl("sum.IntList_out", "CUDA")]]
void sum_cuda(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim,
              [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("sum", dim, self.dim());
  visit<kAllTypes>("sum", out.scalar_type(), [&]<class T>() { reduce(Sum<T>(), self, mask, out); });
}

[[structured::impl("sum.out", "CUDA")]]
void sum_all_cuda(const Tensor& self, [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  sum_cuda(self, std::nullopt, false, std::nullopt, out);
}

[[structured::impl("nansum.out", "CUDA")]]
void nansum_cuda(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
                 const Tensor& out) {
  if (!is_floating(out.scalar_type())) return sum_cuda(self, dim, keepdim, dtype, out);
  const DimMask mask = reduced_dims("nansum", dim, self.dim());
  visit<kAllFloatingTypes>("nansum", out.scalar_type(), [&]<class T>() { reduce(SumOfNumbers<T>(), self, mask, out); });
}

[[structured::impl("prod.int_out", "CUDA")]]
void prod_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim,
               [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("prod", dim, self.dim());
  visit<kAllTypes>("prod", out.scalar_type(), [&]<class T>() { reduce(Product<T>(), self, mask, out); });
}

[[structured::impl("prod.out", "CUDA")]]
void prod_all_cuda(const Tensor& self, [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("prod", std::nullopt, self.dim());
  visit<kAllTypes>("prod", out.scalar_type(), [&]<class T>() { reduce(Product<T>(), self, mask, out); });
}

[[structured::impl("mean.out", "CUDA")]]
void mean_cuda(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim,
               [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("mean", dim, self.dim());
  const auto count = static_cast<double>(count_reduced(self, mask));
  visit<kAllFloatingTypes | kAllComplexTypes>("mean", out.scalar_type(),
                                              [&]<class T>() { reduce(Mean<T>{{}, count}, self, mask, out); });
}

[[structured::impl("count_nonzero.dim_IntList_out", "CUDA")]]
void count_nonzero_cuda(const Tensor& self, IntArrayRef dim, const Tensor& out) {
  reduce(Count(), self, reduced_dims("count_nonzero", dim, self.dim()), out);
}

[[structured::impl("any.all_out", "CUDA")]]
void any_all_cuda(const Tensor& self, const Tensor& out) {
  reduce_truth(false, self, reduced_dims("any", std::nullopt, self.dim()), out);
}
[[structured::impl("any.out", "CUDA")]]
void any_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth(false, self, reduced_dims("any", dim, self.dim()), out);
}
[[structured::impl("any.dims_out", "CUDA")]]
void any_dims_cuda(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth_of_list(false, "any", self, dim, out);
}

[[structured::impl("all.all_out", "CUDA")]]
void all_all_cuda(const Tensor& self, const Tensor& out) {
  reduce_truth(true, self, reduced_dims("all", std::nullopt, self.dim()), out);
}
[[structured::impl("all.out", "CUDA")]]
void all_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth(true, self, reduced_dims("all", dim, self.dim()), out);
}
[[structured::impl("all.dims_out", "CUDA")]]
void all_dims_cuda(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth_of_list(true, "all", self, dim, out);
}

}  // namespace structured::kernels
