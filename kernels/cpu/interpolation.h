// What interpolation does to rows, with the vector instructions that the machine has.
#pragma once

#include <structured/core/simd_level.h>
#include <structured/iterator/pointwise.h>

#include <cstdint>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace structured::kernels {

namespace detail_rows {

template <class T, class C>
STRUCTURED_ALWAYS_INLINE void add_rows_scalar(const C* const* rows, const C* weights, int64_t count, int64_t size,
                                              T* out) {
  const C a = weights[0];
  const C* const first = rows[0];
  if (count == 1) {
    for (int64_t i = 0; i < size; ++i) out[i] = static_cast<T>(a * first[i]);
    return;
  }
  const C b = weights[1];
  const C* const second = rows[1];
  if (count == 2) {
    for (int64_t i = 0; i < size; ++i) out[i] = static_cast<T>(a * first[i] + b * second[i]);
    return;
  }
  const C c = weights[2];
  const C d = weights[3];
  const C* const third = rows[2];
  const C* const fourth = rows[3];
  for (int64_t i = 0; i < size; ++i) {
    out[i] = static_cast<T>((a * first[i] + b * second[i]) + (c * third[i] + d * fourth[i]));
  }
}

/// Element i is the sum of `Count` elements of `in`: `sources[k * size + i]` times `weights[k * size + i]`.
template <int Count, class T, class C>
STRUCTURED_ALWAYS_INLINE void mix_elements_scalar(const T* in, const int64_t* sources, const C* weights, int64_t size,
                                                  C* out) {
  for (int64_t i = 0; i < size; ++i) {
    C sum = 0;
    for (int k = 0; k < Count; ++k) sum += weights[k * size + i] * static_cast<C>(in[sources[k * size + i]]);
    out[i] = sum;
  }
}

#if defined(__x86_64__)
template <int Count>
STRUCTURED_TARGET_AVX512 inline void mix_elements_avx512(const float* in, const int64_t* sources, const float* weights,
                                                         int64_t size, float* out) {
  int64_t i = 0;
  for (; i + 8 <= size; i += 8) {
    __m256 sum = _mm256_setzero_ps();
    for (int k = 0; k < Count; ++k) {
      const __m512i places = _mm512_loadu_si512(sources + k * size + i);
      const __m256 elements = _mm512_mask_i64gather_ps(_mm256_setzero_ps(), 0xff, places, in, sizeof(float));
      sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(weights + k * size + i), elements));
    }
    _mm256_storeu_ps(out + i, sum);
  }
  for (; i < size; ++i) {
    float sum = 0;
    for (int k = 0; k < Count; ++k) sum += weights[k * size + i] * in[sources[k * size + i]];
    out[i] = sum;
  }
}

template <class T, class C>
STRUCTURED_TARGET_AVX2 void add_rows_avx2(const C* const* rows, const C* weights, int64_t count, int64_t size, T* out) {
  add_rows_scalar(rows, weights, count, size, out);
}
#endif

}  // namespace detail_rows

/// Sets element i of `out` to the sum of `Count` elements of `in`: that at `sources[k * size + i]` times
/// `weights[k * size + i]`. `out` overlaps nothing.
template <int Count, class T, class C>
void mix_elements(const T* in, const int64_t* sources, const C* weights, int64_t size, C* out) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, float>) {  // eight at once
    if (simd_level() == SimdLevel::avx512) {
      return detail_rows::mix_elements_avx512<Count>(in, sources, weights, size, out);
    }
  }
#endif
  detail_rows::mix_elements_scalar<Count>(in, sources, weights, size, out);
}

/// Sets `out` to the sum of `count` rows (1, 2 or 4) of `size` elements times their weights.
template <class T, class C>
void add_rows(const C* const* rows, const C* weights, int64_t count, int64_t size, T* out) {
#if defined(__x86_64__)
  if (simd_level() != SimdLevel::baseline) return detail_rows::add_rows_avx2(rows, weights, count, size, out);
#endif
  detail_rows::add_rows_scalar(rows, weights, count, size, out);
}

}  // namespace structured::kernels
