#pragma once
// IEEE 754 binary16. A storage type: arithmetic is done in float and rounded (to nearest, ties to even) at each step.
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

#include "structured/base/export.h"
#include "structured/number/small_float.h"

namespace structured {

class Half : public detail::SmallFloat<Half> {
 public:
  constexpr Half() = default;
  STRUCTURED_HOST_DEVICE constexpr Half(float value) : bits_(round(value)) {}
  STRUCTURED_HOST_DEVICE constexpr operator float() const { return widen(bits_); }

  static constexpr Half from_bits(uint16_t bits) {
    Half result;
    result.bits_ = bits;
    return result;
  }
  STRUCTURED_HOST_DEVICE constexpr uint16_t bits() const { return bits_; }

 private:
  // 1 sign bit, 5 of exponent (bias 15), 10 of mantissa; float has 8 (bias 127) and 23.
  STRUCTURED_HOST_DEVICE static constexpr uint16_t round(float value) {
    const uint32_t word = std::bit_cast<uint32_t>(value);
    const uint32_t sign = word >> 16 & 0x8000;
    const uint32_t magnitude = word & 0x7fffffff;
    if (magnitude > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00);   // NaN
    if (magnitude >= 0x477ff000) return static_cast<uint16_t>(sign | 0x7c00);  // 65520 and more round to infinity
    if (magnitude >= 0x38800000) {                                             // 2^-14 and more: normal
      const uint32_t rebiased = magnitude - ((127 - 15) << 23);
      return static_cast<uint16_t>(sign | (rebiased + 0xfff + (rebiased >> 13 & 1)) >> 13);
    }
    // Adding 0.5 puts the result's last place, 2^-24, at float's last place, so that the addition itself rounds.
    const float sum = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(sum) - 0x3f000000));
  }
  STRUCTURED_HOST_DEVICE static constexpr float widen(uint16_t bits) {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
    const uint32_t magnitude = bits & 0x7fff;
    if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    if (magnitude >= 0x400) return std::bit_cast<float>(sign | ((magnitude << 13) + ((127 - 15) << 23)));
    const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(subnormal));
  }

  uint16_t bits_ = 0;
};

template <>
inline constexpr bool is_small_float_v<Half> = true;

}  // namespace structured

template <>
class std::numeric_limits<structured::Half> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool is_iec559 = true;
  static constexpr bool is_bounded = true;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr int radix = 2;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr structured::Half min() { return structured::Half::from_bits(0x0400); }
  static constexpr structured::Half lowest() { return structured::Half::from_bits(0xfbff); }
  static constexpr structured::Half max() { return structured::Half::from_bits(0x7bff); }
  static constexpr structured::Half epsilon() { return structured::Half::from_bits(0x1400); }
  static constexpr structured::Half infinity() { return structured::Half::from_bits(0x7c00); }
  static constexpr structured::Half quiet_NaN() { return structured::Half::from_bits(0x7e00); }
  static constexpr structured::Half denorm_min() { return structured::Half::from_bits(0x0001); }
};
