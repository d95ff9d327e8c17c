// Largest elements and sums of exponentials, for loops that are compiled for each SIMD level.
#pragma once

#include <cstdint>
#include <limits>

#include "leveled.h"
#include "math/exponential.h"
#include "vec.h"

namespace structured::kernels {

namespace detail {

// Combines partial results in the order of fold_lanes, as vectors: GCC splits short loops over an array into elements,
// which takes 2 to 4 % of attention's time.
template <class T, class Combine>
STRUCTURED_ALWAYS_INLINE T fold(const T (&lanes)[kLanes<T>], const Combine& combine) {
  constexpr int64_t width = 16 / static_cast<int64_t>(sizeof(T));
  constexpr int64_t count = kLanes<T> / width;
  Vec<T, width> vectors[count];
  for (int64_t i = 0; i < count; ++i) vectors[i].load(lanes + i * width);
  for (int64_t half = count / 2; half > 0; half /= 2) {
    for (int64_t i = 0; i < half; ++i) combine(vectors[i].values, vectors[i + half].values);
  }
  T rest[width];
  vectors[0].store(rest);
  for (int64_t half = width / 2; half > 0; half /= 2) {
    for (int64_t i = 0; i < half; ++i) combine(rest[i], rest[i + half]);
  }
  return rest[0];
}

}  // namespace detail

/// Returns the largest of `size` elements, -infinity without elements. The result is unspecified if one is NaN.
template <class T>
STRUCTURED_ALWAYS_INLINE T largest_of(const T* x, int64_t size) {
  constexpr int64_t step = kLanes<T>;
  constexpr auto keep_larger = [](auto& a, const auto& b) { a = a > b ? a : b; };
  T lanes[step];
  for (int64_t lane = 0; lane < step; ++lane) lanes[lane] = -std::numeric_limits<T>::infinity();
  int64_t i = 0;
  for (; i + step <= size; i += step) {
    for (int64_t lane = 0; lane < step; ++lane) keep_larger(lanes[lane], x[i + lane]);
  }
  for (int64_t lane = 0; i < size; ++i, ++lane) keep_larger(lanes[lane], x[i]);
  return detail::fold(lanes, keep_larger);
}

/// Returns the sum of `exp(x[i] - largest)`, in an order that depends on `size` only. No element is larger than
/// `largest`. Calls `store(begin, count, values)` with the exponentials. The last elements of a row are padded to a
/// whole vector, since one scalar exponential takes as long as a vector of them.
template <class T, class Store>
STRUCTURED_ALWAYS_INLINE T sum_of_exponentials(const T* x, int64_t size, T largest, const Store& store) {
  constexpr int64_t step = kLanes<T>;
  T sums[step];
  T values[step];
  for (int64_t lane = 0; lane < step; ++lane) sums[lane] = T(0);
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
  return detail::fold(sums, [](auto& a, const auto& b) { a += b; });
}

}  // namespace structured::kernels
