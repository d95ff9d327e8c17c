#pragma once
// Hand-written loops that are compiled for each SIMD level (device/simd_level.h) and selected at run time. Their
// sources are compiled with `structured_loop_options`. Results are bitwise equal on every level if sums use a fixed
// number of lanes.
#include <cstdint>

#include "structured/device/simd_level.h"
#include "structured/iterator/pointwise.h"

namespace structured {
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

/// Calls `Body::run(args...)`, compiled for all levels up to kMost. The body should do enough work to outweigh an
/// indirect call. It must not start threads: code on another thread would be compiled for the baseline.
template <class Body, SimdLevel kMost = SimdLevel::avx512, class... Args>
void run_leveled(Args... args) {
#if defined(__x86_64__)
  switch (simd_level()) {
    case SimdLevel::avx512:
      if constexpr (kMost == SimdLevel::avx512) return detail::run_avx512<Body, Args...>(args...);
      [[fallthrough]];
    case SimdLevel::avx2:
      return detail::run_avx2<Body, Args...>(args...);
    case SimdLevel::baseline:
      break;
  }
#endif
  detail::run_baseline<Body, Args...>(args...);
}

/// Variant for a body with the size of a vector in bytes: `Body<64>::run(args...)`, or 32, or 16.
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

/// Combines `kCount` lanes, a power of two, in a tree: the first half with the second half, and so on. Loops of
/// constant length optimize best.
template <int64_t kCount, class T, class Combine>
STRUCTURED_ALWAYS_INLINE void fold_lanes(T* lanes, const Combine& combine) {
  if constexpr (kCount > 1) {
    constexpr int64_t half = kCount / 2;
    for (int64_t lane = 0; lane < half; ++lane) lanes[lane] = combine(lanes[lane], lanes[lane + half]);
    fold_lanes<half>(lanes, combine);
  }
}

}  // namespace structured
