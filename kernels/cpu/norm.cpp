// Vector norms on CPU.
#include "cpu/reduction.h"

#include <structured/ops/abs.h>
#include <structured/ops/reshape.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Whether the norm of this order is not the root of a sum of powers.
bool is_sum_or_extremum(double order) { return order == 1 || order == 0 || std::isinf(order); }

template <class T>
struct SumOfMagnitudes : Sum<T> {
  static T lift(T value) { return std::fabs(value); }
};

template <class T>
struct SumOfSquares : Sum<T> {
  static T lift(T value) { return value * value; }
};

template <class T>
struct LargestMagnitude : Largest<T> {
  static T identity() { return 0; }
  static T lift(T value) { return std::fabs(value); }
};

template <class T>
struct SmallestMagnitude : Smallest<T> {
  static T lift(T value) { return std::fabs(value); }
};

template <class T>
struct NonZeros : Sum<T> {
  static T lift(T value) { return value != 0; }
};

// Computes the norm without regard to intermediate results that overflow or vanish.
void compute_norm(const Tensor& numbers, double order, DimMask mask, const Tensor& out) {
  const auto compute = [&]<class T>(const Tensor& result) {
    if (order == 2) return reduce<SumOfSquares<T>>(result, numbers, mask);
    if (order == 1) return reduce<SumOfMagnitudes<T>>(result, numbers, mask);
    if (order == 0) return reduce<NonZeros<T>>(result, numbers, mask);
    if (std::isinf(order)) {
      return order > 0 ? reduce<LargestMagnitude<T>>(result, numbers, mask)
                       : reduce<SmallestMagnitude<T>>(result, numbers, mask);
    }
    const Tensor powers = empty(numbers.sizes(), result.options());
    copy_into(powers, numbers);
    cpu_kernel(TensorIterator::unary_op(powers, powers),
               [order](T x) -> T { return std::pow(std::fabs(x), static_cast<T>(order)); });
    reduce<Sum<T>>(result, powers, mask);
  };
  const bool is_plain = is_sum_or_extremum(order);
  reduce_and_apply<kAllFloatingTypes>("linalg_vector_norm", out, compute, [order, is_plain](auto x) {
    return is_plain ? x : order == 2 ? std::sqrt(x) : std::pow(x, static_cast<decltype(x)>(1 / order));
  });
}

// Whether the sums of powers, computed in T, were normal numbers far from underflow; `norms` are their roots.
template <class T>
bool is_within_range(const Tensor& norms, double order) {
  using Limits = std::numeric_limits<T>;
  const double smallest_sum = static_cast<double>(Limits::min() / Limits::epsilon());
  const double bound = std::pow(smallest_sum, 1 / order);
  const double low = order > 0 ? bound : 0;
  const double high = order > 0 ? std::numeric_limits<double>::infinity() : bound;
  const Tensor dense = empty(norms.sizes(), norms.options());
  const Tensor& elements = norms.is_contiguous() ? norms : dense;
  if (!norms.is_contiguous()) copy_into(dense, norms);
  bool result = true;
  visit<kAllFloatingTypes>("linalg_vector_norm", elements.scalar_type(), [&]<class E>() {
    const E* const data = elements.data_ptr<E>();
    for (int64_t i = 0; i < elements.numel(); ++i) {
      const T norm = static_cast<T>(data[i]);
      result &= norm > static_cast<T>(low) && norm < static_cast<T>(high);
    }
  });
  return result;
}

// Computes the norm of numbers that are divided by a power of two near the one that counts most: the largest, or the
// smallest for a negative order. Quotients are exact, and so are products with the power.
template <class T>
void compute_scaled_norm(const Tensor& numbers, double order, DimMask mask, const Tensor& out) {
  const TensorOptions options = out.options().dtype(scalar_type_of<T>);
  const Tensor scales = empty(reduced_sizes(numbers.sizes(), mask, true), options);
  compute_norm(numbers, std::copysign(std::numeric_limits<double>::infinity(), order), mask, scales);
  cpu_kernel(TensorIterator::unary_op(scales, scales), [](T magnitude) -> T {
    if (magnitude == 0 || !std::isfinite(magnitude)) return 1;
    int exponent;
    std::frexp(magnitude, &exponent);
    return std::ldexp(T(1), exponent - 1);
  });
  const T* const each = scales.data_ptr<T>();
  if (std::all_of(each, each + scales.numel(), [](T scale) { return scale == 1; })) return;  // zeros, infinities, NaN
  const Tensor scaled = empty(numbers.sizes(), options);
  copy_into(scaled, numbers);
  cpu_kernel(TensorIterator::binary_op(scaled, scaled, scales), [](T number, T scale) -> T { return number / scale; });
  const Tensor norms = empty(scales.sizes(), options);
  compute_norm(scaled, order, mask, norms);
  cpu_kernel(TensorIterator::binary_op(norms, norms, scales), [](T norm, T scale) -> T { return norm * scale; });
  copy_into(out, structured::reshape(norms, out.sizes()));
}

}  // namespace

[[structured::impl("linalg_vector_norm.out", "CPU")]]
void linalg_vector_norm_cpu(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim,
                            [[maybe_unused]] bool keepdim, [[maybe_unused]] std::optional<ScalarType> dtype,
                            const Tensor& out) {
  const DimMask mask = reduced_dims("linalg_vector_norm", dim, self.dim());
  const double order = ord.to<double>();
  const Tensor numbers = self.is_complex() ? structured::abs(self) : self;
  compute_norm(numbers, order, mask, out);
  if (is_sum_or_extremum(order) || numbers.numel() == 0) return;
  visit<kAllFloatingTypes>("linalg_vector_norm", out.scalar_type(), [&]<class E>() {
    using T = AccumulateType<E>;
    if (!is_within_range<T>(out, order)) compute_scaled_norm<T>(numbers, order, mask, out);
  });
}

}  // namespace structured::kernels
