#pragma once
// bfloat16: the upper half of a float. A storage type: arithmetic is done in float and rounded (to nearest, ties to
// even) at each step.
#include <bit>
#include <cstdint>
#include <limits>

#include "structured/base/export.h"
#include "structured/number/small_float.h"

namespace structured {

class BFloat16 : public detail::SmallFloat<BFloat16> {
 public:
  constexpr BFloat16() = default;
  STRUCTURED_HOST_DEVICE constexpr BFloat16(float value) : bits_(round(value)) {}
  STRUCTURED_HOST_DEVICE constexpr operator float() const {
    return std::bit_cast<float>(static_cast<uint32_t>(bits_) << 16);
  }

  static constexpr BFloat16 from_bits(uint16_t bits) {
    BFloat16 result;
    result.bits_ = bits;
    return result;
  }
  STRUCTURED_HOST_DEVICE constexpr uint16_t bits() const { return bits_; }

 private:
  STRUCTURED_HOST_DEVICE static constexpr uint16_t round(float value) {
    const uint32_t word = std::bit_cast<uint32_t>(value);
    if ((word & 0x7fffffff) > 0x7f800000) return 0x7fc0;  // NaN; rounding could carry into the sign or make infinity
    return static_cast<uint16_t>((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }

  uint16_t bits_ = 0;
};

template <>
inline constexpr bool is_small_float_v<BFloat16> = true;

}  // namespace structured

template <>
class std::numeric_limits<structured::BFloat16> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool is_iec559 = false;
  static constexpr bool is_bounded = true;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr int radix = 2;
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr structured::BFloat16 min() { return structured::BFloat16::from_bits(0x0080); }
  static constexpr structured::BFloat16 lowest() { return structured::BFloat16::from_bits(0xff7f); }
  static constexpr structured::BFloat16 max() { return structured::BFloat16::from_bits(0x7f7f); }
  static constexpr structured::BFloat16 epsilon() { return structured::BFloat16::from_bits(0x3c00); }
  static constexpr structured::BFloat16 infinity() { return structured::BFloat16::from_bits(0x7f80); }
  static constexpr structured::BFloat16 quiet_NaN() { return structured::BFloat16::from_bits(0x7fc0); }
  static constexpr structured::BFloat16 denorm_min() { return structured::BFloat16::from_bits(0x0001); }
};
