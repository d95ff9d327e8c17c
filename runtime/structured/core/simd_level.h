#pragma once
// Which vector instructions loops may use: found out once, at run time, so that one build serves all machines.
#include <atomic>
#include <cstdint>

#include "structured/core/export.h"

namespace structured {

/// Ascending; each includes those before it. Elsewhere than on x86-64 there is the baseline only, what the compiler was
/// told to assume, and that is all that loops are compiled for.
enum class SimdLevel : std::int64_t {
  baseline,
  avx2,    ///< with FMA, F16C
  avx512,  ///< F, BW, DQ, VL
};
inline constexpr int kSimdLevels = 3;

/// "baseline", "avx2", "avx512".
STRUCTURED_API const char* to_string(SimdLevel level) noexcept;

/// The best that this machine has.
STRUCTURED_API SimdLevel best_simd_level() noexcept;

/// Sets the level that loops use on all threads. Throws Error for more than the machine has. It is the best level at
/// first, or the one that the environment variable STRUCTURED_SIMD names if that is less.
STRUCTURED_API void set_simd_level(SimdLevel level);

namespace detail {
STRUCTURED_API extern std::atomic<std::int64_t> chosen_simd_level;  // negative: not known yet
STRUCTURED_API STRUCTURED_COLD std::int64_t choose_simd_level() noexcept;
}  // namespace detail

/// Returns the level that loops use.
STRUCTURED_ALWAYS_INLINE SimdLevel simd_level() noexcept {
  const std::int64_t level = detail::chosen_simd_level.load(std::memory_order_relaxed);
  return static_cast<SimdLevel>(level >= 0 ? level : detail::choose_simd_level());
}

}  // namespace structured
