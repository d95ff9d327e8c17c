#include "quantized/product.h"

#include <structured/device/simd_level.h>
#include <structured/iterator/leveled.h>

#include <cmath>
#include <cstring>

#include "cpu/vec.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

namespace baseline {
#define STRUCTURED_PRODUCT_TARGET
#define STRUCTURED_PRODUCT_LANES 4
#include "quantized/product_body.h"
#undef STRUCTURED_PRODUCT_TARGET
#undef STRUCTURED_PRODUCT_LANES
}  // namespace baseline

#if defined(__x86_64__)
namespace avx2 {
#define STRUCTURED_PRODUCT_TARGET STRUCTURED_TARGET_AVX2
#define STRUCTURED_PRODUCT_LANES 8
#include "quantized/product_body.h"
#undef STRUCTURED_PRODUCT_TARGET
#undef STRUCTURED_PRODUCT_LANES
}  // namespace avx2

namespace avx512 {
#define STRUCTURED_PRODUCT_TARGET STRUCTURED_TARGET_AVX512
#define STRUCTURED_PRODUCT_LANES 16
#include "quantized/product_body.h"
#undef STRUCTURED_PRODUCT_TARGET
#undef STRUCTURED_PRODUCT_LANES
}  // namespace avx512
#endif

// Wraps, as 32-bit vector instructions do.
inline float biased(int32_t sum, int32_t bias) {
  return static_cast<float>(static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(bias)));
}

struct Requantize {
  static void run(const int32_t* sums, const int32_t* bias, const float* scales, const float* offsets, int64_t count,
                  int32_t zero_point, int32_t low, int32_t high, uint8_t* out) {
    const auto least = static_cast<float>(low - zero_point), most = static_cast<float>(high - zero_point);
    for (int64_t i = 0; i < count; ++i) {
      const float rounded = std::nearbyint(biased(sums[i], bias[i]) * scales[i] + offsets[i]);
      const float bounded = rounded > least ? rounded : least;
      out[i] = static_cast<uint8_t>(static_cast<int32_t>(bounded < most ? bounded : most) + zero_point);
    }
  }
};

struct Scale {
  static void run(const int32_t* sums, const int32_t* bias, const float* scales, const float* offsets, int64_t count,
                  float* out) {
    for (int64_t i = 0; i < count; ++i) out[i] = biased(sums[i], bias[i]) * scales[i] + offsets[i];
  }
};

struct SubtractZeroPoint {
  static void run(const uint8_t* from, int64_t count, ZeroPoint zero_point, int16_t* to) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<int16_t>((from[i] ^ zero_point.inverted) - zero_point.value);
  }
};

struct AddProducts {
  static void run(const uint8_t* from, ZeroPoint zero_point, const int16_t* weights, int64_t count, int32_t* sums) {
    for (int64_t i = 0; i < count; ++i) sums[i] += ((from[i] ^ zero_point.inverted) - zero_point.value) * weights[i];
  }
};

}  // namespace

void multiply(const IntegerProduct& product) {
#if defined(__x86_64__)
  if (simd_level() == SimdLevel::avx512) return avx512::multiply(product);
  if (simd_level() == SimdLevel::avx2) return avx2::multiply(product);
#endif
  baseline::multiply(product);
}

void requantize(const Requantization& requantization, const int32_t* sums, int64_t first, int64_t count, void* out,
                int64_t at) {
  const int32_t* const bias = requantization.bias.data() + first;
  const float* const scales = requantization.scales.data() + first;
  const float* const offsets = requantization.offsets.data() + first;
  if (requantization.dtype == kFloat) {
    run_leveled<Scale>(sums, bias, scales, offsets, count, static_cast<float*>(out) + at);
    return;
  }
  // Bytes of the result are those of its lowest 8 bits, for both dtypes.
  run_leveled<Requantize>(sums, bias, scales, offsets, count, requantization.zero_point, requantization.low,
                          requantization.high, static_cast<uint8_t*>(out) + at);
}

void subtract_zero_point(const uint8_t* from, int64_t count, ZeroPoint zero_point, int16_t* to) {
  run_leveled<SubtractZeroPoint>(from, count, zero_point, to);
}

void add_products(const uint8_t* from, ZeroPoint zero_point, const int16_t* weights, int64_t count, int32_t* sums) {
  run_leveled<AddProducts>(from, zero_point, weights, count, sums);
}

}  // namespace structured::kernels
