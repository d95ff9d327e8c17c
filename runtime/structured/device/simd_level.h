#pragma once
// Vector instruction sets that loops may use, detected once at run time, so that one build serves all machines.
#include <atomic>
#include <cstdint>

#include "structured/base/export.h"

namespace structured {

/// In ascending order; each level includes the previous ones. On architectures other than x86-64 loops are compiled for
/// `baseline` only, the instruction set that the compiler targets.
enum class SimdLevel : int64_t {
  baseline,
  avx2,    ///< with FMA, F16C
  avx512,  ///< F, BW, DQ, VL
};
inline constexpr int kSimdLevels = 3;

/// "baseline", "avx2", "avx512".
STRUCTURED_API const char* to_string(SimdLevel level) noexcept;

/// The highest level that this machine supports.
STRUCTURED_API SimdLevel best_simd_level() noexcept;

/// Sets the level that loops use on all threads. Throws Error if the machine does not support it. Initially the highest
/// supported level, or the one in the environment variable STRUCTURED_SIMD if that is lower.
STRUCTURED_API void set_simd_level(SimdLevel level);

namespace detail {
STRUCTURED_API extern std::atomic<int64_t> chosen_simd_level;  // negative: not determined yet
STRUCTURED_API STRUCTURED_COLD int64_t choose_simd_level() noexcept;
}  // namespace detail

/// Returns the level that loops use.
STRUCTURED_ALWAYS_INLINE SimdLevel simd_level() noexcept {
  const int64_t level = detail::chosen_simd_level.load(std::memory_order_relaxed);
  return static_cast<SimdLevel>(level >= 0 ? level : detail::choose_simd_level());
}

}  // namespace structured
