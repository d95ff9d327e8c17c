#include "quantized/product.h"

#include <structured/core/simd_level.h>
#include <structured/iterator/leveled.h>

#include <cmath>
#include <cstring>

#include "cpu/vec.h"

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

struct Requantize {
  static void run(const int32_t* sums, const int32_t* bias, const float* scales, int64_t count, int32_t zero_point,
                  int32_t low, int32_t high, uint8_t* out) {
    const auto least = static_cast<float>(low - zero_point), most = static_cast<float>(high - zero_point);
    for (int64_t i = 0; i < count; ++i) {
      // Wraps, as 32-bit vector instructions do.
      const auto sum = static_cast<int32_t>(static_cast<uint32_t>(sums[i]) + static_cast<uint32_t>(bias[i]));
      const float rounded = std::nearbyint(static_cast<float>(sum) * scales[i]);
      const float bounded = rounded > least ? rounded : least;
      out[i] = static_cast<uint8_t>(static_cast<int32_t>(bounded < most ? bounded : most) + zero_point);
    }
  }
};

struct SubtractZeroPoint {
  static void run(const uint8_t* from, int64_t count, int32_t zero_point, int16_t* to) {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<int16_t>(from[i] - zero_point);
  }
};

struct AddProducts {
  static void run(const uint8_t* from, int32_t zero_point, const int16_t* weights, int64_t count, int32_t* sums) {
    for (int64_t i = 0; i < count; ++i) sums[i] += (from[i] - zero_point) * weights[i];
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

void requantize(const Requantization& requantization, const int32_t* sums, int64_t first, int64_t count, uint8_t* out) {
  run_leveled<Requantize>(sums, requantization.bias.data() + first, requantization.scales.data() + first, count,
                          requantization.zero_point, requantization.low, requantization.high, out);
}

void subtract_zero_point(const uint8_t* from, int64_t count, int32_t zero_point, int16_t* to) {
  run_leveled<SubtractZeroPoint>(from, count, zero_point, to);
}

void add_products(const uint8_t* from, int32_t zero_point, const int16_t* weights, int64_t count, int32_t* sums) {
  run_leveled<AddProducts>(from, zero_point, weights, count, sums);
}

}  // namespace structured::kernels
