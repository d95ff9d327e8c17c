// Vectors for hand-written loops (kernels/cpu/vec.h).
#include "cpu/vec.h"

#include <structured/device/simd_level.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace structured::kernels {
namespace {

TEST(Vec, AddsItsHalvesUntilOneElementIsLeft) {
  Vec<float, 4> vector;
  const float values[] = {1e8f, 1.0f, -1e8f, 2.0f};
  vector.load(values);
  EXPECT_EQ(vector.sum(), 3.0f);  // from left to right: 1e8 + 1 loses the 1, and 2 is left
}

TEST(Vec, StoresItsFirstElementsOnly) {
  const std::array<int, 8> values{1, 2, 3, 4, 5, 6, 7, 8};
  Vec<int, 8> vector;
  vector.load(values.data());
  for (int64_t count = 0; count < 8; ++count) {
    std::array<int, 8> out{};
    vector.store_first(count, out.data());
    std::array<int, 8> expected{};
    std::copy_n(values.begin(), count, expected.begin());
    EXPECT_EQ(out, expected) << count;
  }
}

#if defined(__x86_64__)

// Loads and stores the first `count` of the elements 1, 2, ...: the others of `loaded` are 0, those of `stored` -1.
template <int64_t kSize>
struct Masked {
  std::array<float, kSize> loaded;
  std::array<float, kSize> stored;
};

template <int64_t kSize, class Run>
void expect_first_lanes(const Run& run) {
  std::array<float, kSize> values;
  std::iota(values.begin(), values.end(), 1.0f);
  for (int64_t count = 0; count <= kSize; ++count) {
    Masked<kSize> result;
    result.stored.fill(-1);
    run(values.data(), count, result);
    for (int64_t i = 0; i < kSize; ++i) {
      const auto at = static_cast<size_t>(i);
      EXPECT_EQ(result.loaded[at], i < count ? values[at] : 0) << i << " of " << count;
      EXPECT_EQ(result.stored[at], i < count ? values[at] : -1) << i << " of " << count;
    }
  }
}

STRUCTURED_TARGET_AVX2 void load_and_store_avx2(const float* values, int64_t count, Masked<8>& result) {
  const FirstLanes<8> lanes(count);
  Vec<float, 8> vector;
  load(vector, values, lanes);
  vector.store(result.loaded.data());
  load(vector, values);
  store(vector, result.stored.data(), lanes);
}

STRUCTURED_TARGET_AVX512 void load_and_store_avx512(const float* values, int64_t count, Masked<16>& result) {
  const FirstLanes<16> lanes(count);
  Vec<float, 16> vector;
  load(vector, values, lanes);
  vector.store(result.loaded.data());
  load(vector, values);
  store(vector, result.stored.data(), lanes);
}

TEST(Vec, LoadsAndStoresFirstLanes) {
  if (best_simd_level() == SimdLevel::baseline) GTEST_SKIP() << "needs AVX2";
  expect_first_lanes<8>(load_and_store_avx2);
  if (best_simd_level() == SimdLevel::avx512) expect_first_lanes<16>(load_and_store_avx512);
}

STRUCTURED_TARGET_AVX2 float fused_avx2(float a, float b, float c) {
  Vec<float, 8> x, y, sum;
  fill(x, a);
  fill(y, b);
  fill(sum, c);
  add_product_fused(sum, x, y);
  return sum.values[7];
}

STRUCTURED_TARGET_AVX512 float fused_avx512(float a, float b, float c) {
  Vec<float, 16> x, y, sum;
  fill(x, a);
  fill(y, b);
  fill(sum, c);
  add_product_fused(sum, x, y);
  return sum.values[15];
}

TEST(Vec, RoundsFusedProductsOnce) {
  if (best_simd_level() == SimdLevel::baseline) GTEST_SKIP() << "needs AVX2";
  // (1 + e)^2 - (1 + 2e) is e^2, which is lost if the product is rounded.
  const float e = 0x1p-12f;
  EXPECT_EQ(fused_avx2(1 + e, 1 + e, -(1 + 2 * e)), e * e);
  if (best_simd_level() == SimdLevel::avx512) {
    EXPECT_EQ(fused_avx512(1 + e, 1 + e, -(1 + 2 * e)), e * e);
  }
}

STRUCTURED_TARGET_AVX2 void permute_avx2(const int32_t* from, const uint8_t* indices, int32_t* to) {
  Vec<int32_t, 8> in, out;
  in.load(from);
  permute(out, in, indices);
  out.store(to);
}

TEST(Vec, Permutes) {
  if (best_simd_level() == SimdLevel::baseline) GTEST_SKIP() << "needs AVX2";
  const std::array<int32_t, 8> from{10, 11, 12, 13, 14, 15, 16, 17};
  const std::array<uint8_t, 8> indices{7, 0, 0, 3, 2, 5, 1, 6};
  std::array<int32_t, 8> to{};
  permute_avx2(from.data(), indices.data(), to.data());
  EXPECT_EQ(to, (std::array<int32_t, 8>{17, 10, 10, 13, 12, 15, 11, 16}));
}

STRUCTURED_TARGET_AVX512 void gather_avx512(const float* from, const int64_t* indices, float* to) {
  Vec<float, 8> vector;
  gather(vector, from, indices);
  vector.store(to);
}

TEST(Vec, Gathers) {
  if (best_simd_level() != SimdLevel::avx512) GTEST_SKIP() << "needs AVX-512";
  std::array<float, 100> from{};
  std::iota(from.begin(), from.end(), 0.5f);
  const std::array<int64_t, 8> indices{99, 0, 7, 7, 64, 1, 33, 98};
  std::array<float, 8> to{};
  gather_avx512(from.data(), indices.data(), to.data());
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(to[i], from[static_cast<size_t>(indices[i])]);
}

#endif

}  // namespace
}  // namespace structured::kernels
