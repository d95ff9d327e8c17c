#pragma once
// Conversions of rows between half-precision dtypes and float, by the processor's instructions.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "structured/torch_loops/dense_rows.h"
#include "structured/torch_loops/element_types.h"

namespace structured::torch_loops::detail {

#if defined(__x86_64__)
// With AVX2: converts 8 elements at a time, and returns how many it has converted.
STRUCTURED_TORCH_AVX2 inline int64_t convert_by_avx2(const c10::Half* from, float* to, int64_t size) {
  int64_t i = 0;
  for (; i + 8 <= size; i += 8) {
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  }
  return i;
}
STRUCTURED_TORCH_AVX2 inline int64_t convert_by_avx2(const float* from, c10::Half* to, int64_t size) {
  int64_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), halves);
  }
  return i;
}
STRUCTURED_TORCH_AVX2 inline int64_t convert_by_avx2(const c10::BFloat16* from, float* to, int64_t size) {
  int64_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
    _mm256_storeu_ps(to + i, _mm256_castsi256_ps(_mm256_slli_epi32(words, 16)));
  }
  return i;
}
STRUCTURED_TORCH_AVX2 inline int64_t convert_by_avx2(const float* from, c10::BFloat16* to, int64_t size) {
  int64_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const __m256 values = _mm256_loadu_ps(from + i);
    const __m256i bits = _mm256_castps_si256(values);
    // Rounds to the nearest even number.
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i rounded = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
    const __m256i words = _mm256_blendv_epi8(_mm256_srli_epi32(rounded, 16), _mm256_set1_epi32(0x7fc0), is_nan);
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(words, words), 0x08);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), _mm256_castsi256_si128(packed));
  }
  return i;
}

// With AVX-512: converts 16 elements at a time, and returns how many it has converted.
STRUCTURED_TORCH_AVX512 inline int64_t convert_by_avx512(const c10::Half* from, float* to, int64_t size) {
  int64_t i = 0;
  for (; i + 16 <= size; i += 16) {
    _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i))));
  }
  return i;
}
STRUCTURED_TORCH_AVX512 inline int64_t convert_by_avx512(const float* from, c10::Half* to, int64_t size) {
  int64_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m256i halves = _mm512_cvtps_ph(_mm512_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), halves);
  }
  return i;
}
STRUCTURED_TORCH_AVX512 inline int64_t convert_by_avx512(const c10::BFloat16* from, float* to, int64_t size) {
  int64_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m512i words = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i)));
    _mm512_storeu_ps(to + i, _mm512_castsi512_ps(_mm512_slli_epi32(words, 16)));
  }
  return i;
}
STRUCTURED_TORCH_AVX512 inline int64_t convert_by_avx512(const float* from, c10::BFloat16* to, int64_t size) {
  int64_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m512 values = _mm512_loadu_ps(from + i);
    const __m512i bits = _mm512_castps_si512(values);
    // Rounds to the nearest even number.
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    const __mmask16 is_nan = _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q);
    const __m512i words = _mm512_mask_mov_epi32(_mm512_srli_epi32(rounded, 16), is_nan, _mm512_set1_epi32(0x7fc0));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm512_cvtepi32_epi16(words));
  }
  return i;
}
#endif

/// Converts a row of elements.
template <class From, class To>
void convert_row(const From* from, To* to, int64_t size) {
  if constexpr (std::is_same_v<From, To>) {
    std::copy_n(from, size, to);
  } else {
    int64_t done = 0;
#if defined(__x86_64__)
    if constexpr (requires { convert_by_avx2(from, to, size); }) {
      if (simd_level() == SimdLevel::avx512) {
        done = convert_by_avx512(from, to, size);
      } else if (simd_level() == SimdLevel::avx2) {
        done = convert_by_avx2(from, to, size);
      }
    }
#endif
    for (; done < size; ++done) to[done] = static_cast<To>(from[done]);
  }
}

}  // namespace structured::torch_loops::detail
