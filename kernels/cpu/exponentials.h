// Sums of exponentials, for loops that are compiled for each SIMD level.
#pragma once

#include <cstdint>
#include <limits>

#include "leveled.h"
#include "math/exponential.h"

namespace structured::kernels {

/// Returns the sum of `exp(x[i] - largest)`, in an order that depends on `size` only. No element is larger than
/// `largest`. Calls `store(begin, count, values)` with the exponentials. The last elements of a row are padded to a
/// whole vector, since one scalar exponential takes as long as a vector of them.
template <class T, class Store>
STRUCTURED_ALWAYS_INLINE T sum_of_exponentials(const T* x, int64_t size, T largest, const Store& store) {
  constexpr int64_t step = kLanes<T>;
  T sums[step] = {};
  T values[step];
  int64_t i = 0;
  for (; i + step <= size; i += step) {
    for (int64_t lane = 0; lane < step; ++lane) values[lane] = math::exp_of_nonpositive(x[i + lane] - largest);
    for (int64_t lane = 0; lane < step; ++lane) sums[lane] += values[lane];
    store(i, step, values);
  }
  if (i < size) {
    T rest[step];
    for (int64_t lane = 0; lane < step; ++lane) rest[lane] = -std::numeric_limits<T>::infinity();
    for (int64_t k = 0; k < size - i; ++k) rest[k] = x[i + k] - largest;
    for (int64_t lane = 0; lane < step; ++lane) values[lane] = math::exp_of_nonpositive(rest[lane]);
    for (int64_t lane = 0; lane < step; ++lane) sums[lane] += values[lane];
    store(i, size - i, values);
  }
  constexpr auto total = []<class U>(U a, U b) -> U { return a + b; };
  return reduce_lanes<T>(step, T(0), [&sums](int64_t lane) { return sums[lane]; }, total);
}

}  // namespace structured::kernels
