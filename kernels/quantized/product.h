#pragma once
// Products of matrices of small integers: the inner loop of quantized convolutions and linear layers.
#include <structured/core/tensor.h>

#include <cstdint>
#include <vector>

namespace structured::kernels {

/// Output channels that are computed together.
inline constexpr int64_t kPanel = 16;

inline int64_t panel_count(int64_t channels) { return (channels + kPanel - 1) / kPanel; }
/// Pairs of consecutive elements in a row of `count` elements, the last one possibly padded by 0.
inline int64_t pair_count(int64_t count) { return (count + 1) / 2; }
/// 16-bit integers of `channels` rows of weights of length `count`: panels of 16 channels, in which the pairs of all
/// channels at one position follow each other.
inline int64_t packed_size(int64_t channels, int64_t count) {
  return panel_count(channels) * kPanel * 2 * pair_count(count);
}

/// Rows of 16-bit integers times packed weights. The sums are exact unless they overflow 32 bits, where they wrap.
struct IntegerProduct {
  const int16_t* rows;  ///< `row_count` rows of 2 * `pairs` elements
  int64_t row_count;
  const int16_t* weights;  ///< packed
  int64_t pairs;
  int64_t panels;
  int32_t* sums;  ///< `row_count` rows of `panels` * 16 sums
};
void multiply(const IntegerProduct& product);

/// How sums become elements of the result: round((sum + bias) * scale + offset) + zero_point, between `low` and `high`,
/// as Byte or Char, or (sum + bias) * scale + offset as Float.
struct Requantization {
  std::vector<float> scales;   ///< for each channel
  std::vector<int32_t> bias;   ///< for each channel
  std::vector<float> offsets;  ///< for each channel
  int32_t zero_point;
  int32_t low;
  int32_t high;
  ScalarType dtype = kByte;
};
/// Converts the sums of channels `first` to `first` + `count`. Element `at` of `out` is the first result.
void requantize(const Requantization& requantization, const int32_t* sums, int64_t first, int64_t count, void* out,
                int64_t at);

/// Zero point of integers of dtype Byte or Char. Integers of dtype Char are read as those of dtype Byte that are
/// greater by 128: their highest bit is inverted.
struct ZeroPoint {
  ZeroPoint(ScalarType dtype, int64_t zero_point)
      : value(static_cast<int32_t>(zero_point) + (dtype == kChar ? 128 : 0)), inverted(dtype == kChar ? 0x80 : 0) {}

  int32_t value;
  uint8_t inverted;
};

/// Writes the integers without their zero point.
void subtract_zero_point(const uint8_t* from, int64_t count, ZeroPoint zero_point, int16_t* to);

/// Adds the products of integers without their zero point and weights to `sums`.
void add_products(const uint8_t* from, ZeroPoint zero_point, const int16_t* weights, int64_t count, int32_t* sums);

}  // namespace structured::kernels
