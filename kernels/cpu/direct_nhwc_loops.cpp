#include "direct_nhwc_loops.h"

#include <structured/core/simd_level.h>
#include <structured/iterator/pointwise.h>

#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace structured::kernels {

#if defined(__x86_64__)
namespace {

// All sums stay in registers, 24 of 32, or 12 of 16. Each is made of the products in order, so that results are the
// same with either kind of instructions.
template <int kVectors, int kRows>
STRUCTURED_TARGET_AVX512 void tile_avx512(const PixelTile& tile) {
  const auto last = static_cast<__mmask16>((1u << tile.last_lanes) - 1);
  const float* row[kRows];
  __m512 sums[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    row[r] = tile.rows[r];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_setzero_ps();
  }
  for (int64_t run = 0; run < tile.run_count; ++run) {
    int64_t at = tile.runs[run].row;
    const float* vector = tile.vectors + tile.runs[run].vector;
    for (int64_t k = tile.runs[run].count; k > 0; --k, at += tile.row_step, vector += tile.vector_step) {
      __m512 values[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        values[v] = v + 1 == kVectors ? _mm512_maskz_loadu_ps(last, vector + 16 * v) : _mm512_loadu_ps(vector + 16 * v);
      }
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const __m512 factor = _mm512_set1_ps(row[r][at]);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_fmadd_ps(factor, values[v], sums[r][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const __mmask16 lanes = v + 1 == kVectors ? last : static_cast<__mmask16>(-1);
      if (tile.from != nullptr) {
        sums[r][v] = _mm512_add_ps(sums[r][v], _mm512_maskz_loadu_ps(lanes, tile.from[r] + 16 * v));
      }
      _mm512_mask_storeu_ps(tile.out[r] + 16 * v, lanes, sums[r][v]);
    }
  }
}

template <int kVectors, int kRows>
STRUCTURED_TARGET_AVX2 void tile_avx2(const PixelTile& tile) {
  const __m256i last = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(tile.last_lanes)),
                                          _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const float* row[kRows];
  __m256 sums[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    row[r] = tile.rows[r];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm256_setzero_ps();
  }
  for (int64_t run = 0; run < tile.run_count; ++run) {
    int64_t at = tile.runs[run].row;
    const float* vector = tile.vectors + tile.runs[run].vector;
    for (int64_t k = tile.runs[run].count; k > 0; --k, at += tile.row_step, vector += tile.vector_step) {
      __m256 values[kVectors];
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        values[v] = v + 1 == kVectors ? _mm256_maskload_ps(vector + 8 * v, last) : _mm256_loadu_ps(vector + 8 * v);
      }
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const __m256 factor = _mm256_set1_ps(row[r][at]);
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm256_fmadd_ps(factor, values[v], sums[r][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      const __m256i lanes = v + 1 == kVectors ? last : _mm256_set1_epi32(-1);
      if (tile.from != nullptr) {
        sums[r][v] = _mm256_add_ps(sums[r][v], _mm256_maskload_ps(tile.from[r] + 8 * v, lanes));
      }
      _mm256_maskstore_ps(tile.out[r] + 8 * v, lanes, sums[r][v]);
    }
  }
}

template <int kVectors, int kMaxRows, int... kRows>
constexpr void set_avx512(PixelLoops& loops, std::integer_sequence<int, kRows...>) {
  loops.rows[kVectors - 1] = kMaxRows;
  ((loops.loops[kVectors - 1][kRows] = tile_avx512<kVectors, kRows + 1>), ...);
}

template <int kVectors, int kMaxRows, int... kRows>
constexpr void set_avx2(PixelLoops& loops, std::integer_sequence<int, kRows...>) {
  loops.rows[kVectors - 1] = kMaxRows;
  ((loops.loops[kVectors - 1][kRows] = tile_avx2<kVectors, kRows + 1>), ...);
}

constexpr PixelLoops make_avx512() {
  PixelLoops loops{16, 4, {}, {}};
  set_avx512<1, 8>(loops, std::make_integer_sequence<int, 8>());
  set_avx512<2, 8>(loops, std::make_integer_sequence<int, 8>());
  set_avx512<3, 8>(loops, std::make_integer_sequence<int, 8>());
  set_avx512<4, 6>(loops, std::make_integer_sequence<int, 6>());
  return loops;
}

constexpr PixelLoops make_avx2() {
  PixelLoops loops{8, 2, {}, {}};
  set_avx2<1, 8>(loops, std::make_integer_sequence<int, 8>());
  set_avx2<2, 6>(loops, std::make_integer_sequence<int, 6>());
  return loops;
}

constexpr PixelLoops kAvx512 = make_avx512();
constexpr PixelLoops kAvx2 = make_avx2();

}  // namespace
#endif

const PixelLoops* pixel_loops() {
#if defined(__x86_64__)
  if (simd_level() == SimdLevel::avx512) return &kAvx512;
  if (simd_level() == SimdLevel::avx2) return &kAvx2;
#endif
  return nullptr;
}

}  // namespace structured::kernels
