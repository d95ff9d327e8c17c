#pragma once
// Loops of interpolation over rows of elements, compiled for each instruction set (iterator/leveled.h).
#include <structured/iterator/leveled.h>

#include <cstdint>
#include <type_traits>

#include "cpu/vec.h"

namespace structured::kernels {

/// Sets `out` to the sum of `count` rows (1, 2 or 4) of `size` elements, each times its weight.
template <class T, class C>
struct AddRows {
  static void run(const C* const* rows, const C* weights, int64_t count, int64_t size, T* out) {
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
};

template <class T, class C>
void add_rows(const C* const* rows, const C* weights, int64_t count, int64_t size, T* out) {
  run_leveled<AddRows<T, C>, SimdLevel::avx2>(rows, weights, count, size, out);
}

/// Elements [begin, size) of mix_elements.
template <int Count, class T, class C>
STRUCTURED_ALWAYS_INLINE void mix_elements_from(int64_t begin, const T* in, const int64_t* sources, const C* weights,
                                                int64_t size, C* out) {
  for (int64_t i = begin; i < size; ++i) {
    C sum = 0;
    for (int k = 0; k < Count; ++k) sum += weights[k * size + i] * static_cast<C>(in[sources[k * size + i]]);
    out[i] = sum;
  }
}

#if defined(__x86_64__)
template <int Count>
STRUCTURED_TARGET_AVX512 inline void mix_elements_avx512(const float* in, const int64_t* sources, const float* weights,
                                                         int64_t size, float* out) {
  using Float = Vec<float, 8>;
  int64_t i = 0;
  for (; i + Float::size <= size; i += Float::size) {
    Float sum;
    fill(sum, 0);
    for (int k = 0; k < Count; ++k) {
      Float elements;
      Float factors;
      gather(elements, in, sources + k * size + i);
      load(factors, weights + k * size + i);
      sum.add_product(factors, elements);
    }
    sum.store(out + i);
  }
  mix_elements_from<Count>(i, in, sources, weights, size, out);
}
#endif

/// Sets element i of `out` to the sum over k below `Count` of `in[sources[k * size + i]] * weights[k * size + i]`.
/// `out` overlaps nothing. Only AVX-512 has gathers that are faster than scalar loads.
template <int Count, class T, class C>
void mix_elements(const T* in, const int64_t* sources, const C* weights, int64_t size, C* out) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, float>) {
    if (simd_level() == SimdLevel::avx512) return mix_elements_avx512<Count>(in, sources, weights, size, out);
  }
#endif
  mix_elements_from<Count>(0, in, sources, weights, size, out);
}

}  // namespace structured::kernels
