// Sums, products and means on CPU.
#include "cpu/reduction.h"

#include <cstdint>
#include <optional>

#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

template <class T>
struct SumOfNumbers : Sum<T> {
  using Accumulator = typename Sum<T>::Accumulator;
  static Accumulator lift(T value) { return value == value ? static_cast<Accumulator>(value) : Accumulator(0); }
};

template <class T>
struct Product {
  using Element = T;
  using Accumulator = AccumulateType<T>;
  static Accumulator identity() { return Accumulator(1); }
  static Accumulator lift(T value) { return static_cast<Accumulator>(value); }
  static Accumulator combine(Accumulator a, Accumulator b) { return a * b; }
  static T project(Accumulator product) { return convert<T>(product); }
};

// Integers wrap around, so that the low bits of a Long result are the result of a narrower dtype; ComplexHalf is summed
// as ComplexFloat anyway. Loops of their own for these dtypes would only cost build time and size.
constexpr ScalarTypeSet kWithoutLoops = kByte | kChar | kShort | kInt | kComplexHalf;

/// Reduces `self` into `out` by `Operation`, for dtypes that have loops.
template <template <class> class Operation>
void reduce_directly(const char* name, const Tensor& out, const Tensor& self, DimMask mask) {
  visit<kAllFloatingTypes | kComplexTypes | kBool | kLong>(name, out.scalar_type(),
                                                           [&]<class T>() { reduce<Operation<T>>(out, self, mask); });
}

/// Reduces `self` into `out` by `Operation` through a wider dtype. Not inlined, so that other calls need no stack
/// frame.
template <template <class> class Operation>
[[gnu::noinline]] void reduce_widened(const char* name, const Tensor& out, const Tensor& self, DimMask mask) {
  const Tensor result = empty(out.sizes(), out.options().dtype(out.is_complex() ? kComplexFloat : kLong));
  reduce_directly<Operation>(name, result, self, mask);
  copy_into(out, result);
}

/// Reduces `self` into `out` by `Operation`, for each dtype.
template <template <class> class Operation>
void reduce_any(const char* name, const Tensor& out, const Tensor& self, DimMask mask) {
  if (kWithoutLoops.contains(out.scalar_type())) return reduce_widened<Operation>(name, out, self, mask);
  reduce_directly<Operation>(name, out, self, mask);
}

}  // namespace

[[structured::impl("sum.IntList_out", "CPU")]]
void sum_cpu(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim,
             [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("sum", dim, self.dim());
  reduce_any<Sum>("sum", out, self, mask);
}

[[structured::impl("sum.out", "CPU")]]
void sum_all_cpu(const Tensor& self, [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  sum_cpu(self, std::nullopt, false, std::nullopt, out);
}

[[structured::impl("nansum.out", "CPU")]]
void nansum_cpu(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
                const Tensor& out) {
  if (!structured::is_floating(out.scalar_type())) return sum_cpu(self, dim, keepdim, dtype, out);
  const DimMask mask = reduced_dims("nansum", dim, self.dim());
  visit<kAllFloatingTypes>("nansum", out.scalar_type(), [&]<class T>() { reduce<SumOfNumbers<T>>(out, self, mask); });
}

[[structured::impl("prod.int_out", "CPU")]]
void prod_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim,
              [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("prod", dim, self.dim());
  reduce_any<Product>("prod", out, self, mask);
}

[[structured::impl("prod.out", "CPU")]]
void prod_all_cpu(const Tensor& self, [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("prod", std::nullopt, self.dim());
  reduce_any<Product>("prod", out, self, mask);
}

[[structured::impl("mean.out", "CPU")]]
void mean_cpu(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim,
              [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("mean", dim, self.dim());
  const double count = static_cast<double>(count_reduced(self, mask));
  reduce_and_apply<kAllFloatingTypes | kAllComplexTypes>(
      "mean", out, [&]<class T>(const Tensor& result) { reduce<Sum<T>>(result, self, mask); },
      [count]<class T>(T x) { return x / convert<T>(count); });
}

[[structured::impl("count_nonzero.dim_IntList_out", "CPU")]]
void count_nonzero_cpu(const Tensor& self, IntArrayRef dim, const Tensor& out) {
  const Tensor truth = empty(self.sizes(), self.options().dtype(kBool));
  copy_into(truth, self);
  reduce<Sum<int64_t>>(out, truth, reduced_dims("count_nonzero", dim, self.dim()));
}

}  // namespace structured::kernels
