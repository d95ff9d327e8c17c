// Vector norms on CPU.
#include "cpu/reduction.h"

#include <structured/ops/abs.h>

#include <cmath>

namespace structured::kernels {
namespace {

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

}  // namespace

[[structured::impl("linalg_vector_norm.out", "CPU")]]
void linalg_vector_norm_cpu(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim,
                            [[maybe_unused]] bool keepdim, [[maybe_unused]] std::optional<ScalarType> dtype,
                            const Tensor& out) {
  const DimMask mask = reduced_dims("linalg_vector_norm", dim, self.dim());
  const double order = ord.to<double>();
  const Tensor numbers = self.is_complex() ? structured::abs(self) : self;
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
  const bool is_plain = order == 1 || order == 0 || std::isinf(order);
  reduce_and_apply<kAllFloatingTypes>("linalg_vector_norm", out, compute, [order, is_plain](auto x) {
    return is_plain ? x : order == 2 ? std::sqrt(x) : std::pow(x, static_cast<decltype(x)>(1 / order));
  });
}

}  // namespace structured::kernels
