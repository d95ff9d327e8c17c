#pragma once
// Reductions with a fixed number of partial sums, so that loops compiled for each instruction set (iterator/leveled.h)
// give the same result.
#include <structured/iterator/leveled.h>

#include <cstdint>

namespace structured::kernels {

/// Number of partial sums: the lanes of two of the widest registers.
template <class T>
inline constexpr int64_t kLanes = 128 / static_cast<int64_t>(sizeof(T));

/// Reduces `element(0)`, ..., `element(size - 1)` in an order that depends on `size` only. `identity` is neutral for
/// `combine`.
template <class T, class Element, class Combine>
STRUCTURED_ALWAYS_INLINE T reduce_lanes(int64_t size, T identity, const Element& element, const Combine& combine) {
  constexpr int64_t step = kLanes<T>;
  T lanes[step];
  for (int64_t lane = 0; lane < step; ++lane) lanes[lane] = identity;
  int64_t i = 0;
  for (; i + step <= size; i += step) {
    for (int64_t lane = 0; lane < step; ++lane) lanes[lane] = combine(lanes[lane], element(i + lane));
  }
  for (int64_t lane = 0; i < size; ++i, ++lane) lanes[lane] = combine(lanes[lane], element(i));
  fold_lanes<step>(lanes, combine);
  return lanes[0];
}

}  // namespace structured::kernels
