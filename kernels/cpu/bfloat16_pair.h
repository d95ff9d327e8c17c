#pragma once
// Two adjacent elements of BFloat16 as one word. Loops over words convert them by a shift and a mask, and need none of
// the permutations with which compilers widen and narrow a vector of 16-bit elements: with AVX2, a loop of a few
// operations takes six tenths of the time.
#include <structured/iterator/pointwise.h>
#include <structured/number/bfloat16.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace structured::kernels {

static_assert(std::endian::native == std::endian::little);

/// The element at the lower address, or the one after it, of two in memory.
struct BFloat16Pair {
  float first, second;

  /// Reads two elements at any address.
  STRUCTURED_ALWAYS_INLINE static BFloat16Pair load(const BFloat16* from) {
    uint32_t word;
    std::memcpy(&word, static_cast<const void*>(from), sizeof word);
    return {std::bit_cast<float>(word << 16), std::bit_cast<float>(word & 0xffff0000)};
  }

  /// Writes both, rounded as BFloat16 rounds.
  STRUCTURED_ALWAYS_INLINE void store(BFloat16* to) const {
    const uint32_t word = rounded(first) >> 16 | (rounded(second) & 0xffff0000);
    std::memcpy(static_cast<void*>(to), &word, sizeof word);
  }

 private:
  // The upper half is the result. Equals BFloat16(value), in 32-bit operations.
  STRUCTURED_ALWAYS_INLINE static uint32_t rounded(float value) {
    const auto word = std::bit_cast<uint32_t>(value);
    return value != value ? 0x7fc00000 : word + 0x7fff + (word >> 16 & 1);
  }
};

}  // namespace structured::kernels
