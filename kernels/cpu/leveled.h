#pragma once
// Loops written by hand, compiled for each kind of vector instructions (core/simd_level.h) and chosen at run time.
// Their sources are compiled with `structured_loop_options`. Results are the same with each kind, bit for bit, if what
// is summed is summed in a fixed number of lanes, as `reduce_lanes` does.
#include <structured/core/simd_level.h>
#include <structured/iterator/pointwise.h>

#include <cstdint>

namespace structured::kernels {

namespace detail {

template <class Body, class... Args>
__attribute__((flatten, noinline)) void run_baseline(Args... args) {
  Body::run(args...);
}
#if defined(__x86_64__)
template <class Body, class... Args>
STRUCTURED_TARGET_AVX2 __attribute__((flatten, noinline)) void run_avx2(Args... args) {
  Body::run(args...);
}
template <class Body, class... Args>
STRUCTURED_TARGET_AVX512 __attribute__((flatten, noinline)) void run_avx512(Args... args) {
  Body::run(args...);
}
#endif

}  // namespace detail

/// Calls `Body::run(args...)`, which is compiled for all levels and should do enough work to be worth an indirect call.
/// It must not start threads: what runs on another thread would be compiled for the baseline.
template <class Body, class... Args>
void run_leveled(Args... args) {
#if defined(__x86_64__)
  switch (simd_level()) {
    case SimdLevel::avx512:
      return detail::run_avx512<Body, Args...>(args...);
    case SimdLevel::avx2:
      return detail::run_avx2<Body, Args...>(args...);
    case SimdLevel::baseline:
      break;
  }
#endif
  detail::run_baseline<Body, Args...>(args...);
}

/// The same for a body that is told how many bytes a vector has: `Body<64>::run(args...)`, or 32, or 16.
template <template <int64_t> class Body, class... Args>
void run_vectors(Args... args) {
#if defined(__x86_64__)
  switch (simd_level()) {
    case SimdLevel::avx512:
      return detail::run_avx512<Body<64>, Args...>(args...);
    case SimdLevel::avx2:
      return detail::run_avx2<Body<32>, Args...>(args...);
    case SimdLevel::baseline:
      break;
  }
#endif
  detail::run_baseline<Body<16>, Args...>(args...);
}

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
  for (int64_t half = step / 2; half > 0; half /= 2) {
    for (int64_t lane = 0; lane < half; ++lane) lanes[lane] = combine(lanes[lane], lanes[lane + half]);
  }
  return lanes[0];
}

}  // namespace structured::kernels
