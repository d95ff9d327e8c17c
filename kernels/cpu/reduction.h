#pragma once
// Operations shared by reductions on CPU.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/loops.h>
#include <structured/iterator/reduce.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/number/convert.h>
#include <structured/number/visit.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "math/accumulate_type.h"
#include "math/extrema.h"

namespace structured::kernels {

template <class T>
struct Sum {
  using Element = T;
  using Accumulator = AccumulateType<T>;
  static Accumulator identity() { return Accumulator(0); }
  static Accumulator lift(T value) { return static_cast<Accumulator>(value); }
  static Accumulator combine(Accumulator a, Accumulator b) { return a + b; }
  static T project(Accumulator sum) { return convert<T>(sum); }
};

/// Type in which elements of T are compared: one that vector instructions support.
template <class T>
struct ExtremeAccumulator {
  using type = std::conditional_t<std::is_arithmetic_v<T>, T, float>;
};
template <>
struct ExtremeAccumulator<bool> {
  using type = uint8_t;
};

/// Maximum; NaN if any element is NaN.
template <class T>
struct Largest {
  using Element = T;
  using Accumulator = typename ExtremeAccumulator<T>::type;
  static Accumulator identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  static Accumulator lift(T value) { return static_cast<Accumulator>(value); }
  static Accumulator combine(Accumulator a, Accumulator b) { return max_propagate_nan(a, b); }
  static T project(Accumulator value) { return static_cast<T>(value); }
};

template <class T>
struct Smallest : Largest<T> {
  using Accumulator = typename ExtremeAccumulator<T>::type;
  static Accumulator identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  static Accumulator combine(Accumulator a, Accumulator b) { return min_propagate_nan(a, b); }
};

/// Calls `reduce` with `out`, or with a temporary of the accumulate type if `out` has 16-bit numbers, and applies
/// `function` to each result.
template <ScalarTypeSet Types, class Reduce, class Function>
void reduce_and_apply(const char* name, const Tensor& out, Reduce reduce, Function function) {
  visit<Types>(name, out.scalar_type(), [&]<class T>() {
    using C = AccumulateType<T>;
    constexpr bool is_small = !std::is_same_v<T, C>;
    const Tensor result = is_small ? empty(out.sizes(), out.options().dtype(scalar_type_of<C>)) : out;
    reduce.template operator()<C>(result);
    constexpr int64_t kNotWorthAPlan = 256;
    if (result.is_contiguous() && result.numel() <= kNotWorthAPlan) {
      C* const data = result.data_ptr<C>();
      for (int64_t i = 0; i < result.numel(); ++i) data[i] = function(data[i]);
    } else {
      cpu_kernel(TensorIterator::unary_op(result, result), [function](C x) -> C { return function(x); });
    }
    if (is_small) copy_into(out, result);
  });
}

inline int64_t count_reduced(const Tensor& self, DimMask mask) {
  int64_t count = 1;
  for (int64_t d = 0; d < self.dim(); ++d) count *= (mask >> d & 1) != 0 ? self.size(d) : 1;
  return count;
}

}  // namespace structured::kernels
