#include "implicit_gemm_loops.h"

#include <structured/core/simd_level.h>
#include <structured/iterator/pointwise.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace structured::kernels {

#if defined(__x86_64__)
namespace {

// All sums stay in registers: 8 x 3 of 32, or 4 x 3 of 16. Each is made of the products in order, so that results are
// the same with either kind of instructions.
template <int kRows, int kVectors>
STRUCTURED_TARGET_AVX512 void tile_avx512(const float* const* rows, const float* x, const TileOffsets* offsets,
                                          int64_t count, float* out) {
  const float* row[kRows];
  __m512 sums[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    row[r] = rows[r];
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_setzero_ps();
  }
  for (int64_t k = 0; k < count; ++k) {
    const float* const in = x + offsets[k].x;
    const int64_t at = offsets[k].row;
    __m512 values[kVectors];
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) values[v] = _mm512_loadu_ps(in + 16 * v);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const __m512 factor = _mm512_set1_ps(row[r][at]);
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_fmadd_ps(factor, values[v], sums[r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) _mm512_storeu_ps(out + (r * kVectors + v) * 16, sums[r][v]);
  }
}

template <int kRows, int kVectors>
STRUCTURED_TARGET_AVX2 void tile_avx2(const float* const* rows, const float* x, const TileOffsets* offsets,
                                      int64_t count, float* out) {
  const float* row[kRows];
  __m256 sums[kRows][kVectors];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    row[r] = rows[r];
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm256_setzero_ps();
  }
  for (int64_t k = 0; k < count; ++k) {
    const float* const in = x + offsets[k].x;
    const int64_t at = offsets[k].row;
    __m256 values[kVectors];
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) values[v] = _mm256_loadu_ps(in + 8 * v);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const __m256 factor = _mm256_set1_ps(row[r][at]);
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm256_fmadd_ps(factor, values[v], sums[r][v]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) _mm256_storeu_ps(out + (r * kVectors + v) * 8, sums[r][v]);
  }
}

constexpr TileLoops kAvx512{16,
                            {8, 4, 1},
                            {{tile_avx512<8, 1>, tile_avx512<8, 2>, tile_avx512<8, 3>},
                             {tile_avx512<4, 1>, tile_avx512<4, 2>, tile_avx512<4, 3>},
                             {tile_avx512<1, 1>, tile_avx512<1, 2>, tile_avx512<1, 3>}}};
constexpr TileLoops kAvx2{8,
                          {4, 2, 1},
                          {{tile_avx2<4, 1>, tile_avx2<4, 2>, tile_avx2<4, 3>},
                           {tile_avx2<2, 1>, tile_avx2<2, 2>, tile_avx2<2, 3>},
                           {tile_avx2<1, 1>, tile_avx2<1, 2>, tile_avx2<1, 3>}}};

}  // namespace
#endif

const TileLoops* tile_loops() {
#if defined(__x86_64__)
  if (simd_level() == SimdLevel::avx512) return &kAvx512;
  if (simd_level() == SimdLevel::avx2) return &kAvx2;
#endif
  return nullptr;
}

}  // namespace structured::kernels
