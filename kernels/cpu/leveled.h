#pragma once
// What loops for each kind of vector instructions (iterator/leveled.h) sum in, so that results are the same with each.
#include <structured/iterator/leveled.h>

#include <cstdint>

namespace structured::kernels {

/// How many neighbours go to different accumulators: two of the widest registers.
template <class T>
inline constexpr int64_t kLanes = 128 / static_cast<int64_t>(sizeof(T));

/// Combines `element(0)`, ..., `element(size - 1)`, in an order that depends on `size` alone. `identity` combined with
/// any x is x.
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
