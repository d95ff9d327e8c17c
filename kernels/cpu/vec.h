#pragma once
// Vectors of a fixed number of elements, for loops whose instructions must not be left to the compiler.
//
// Vec wraps the vector extension of GCC and Clang. Loops that use it are compiled once per instruction set by
// run_vectors (iterator/leveled.h), like all other loops of this library. Operations that the vector extension lacks
// (fused multiply-add, masked access, gather, permutation) are overloads for the vectors of one instruction set; only
// functions compiled for that instruction set may call them. No other header of the kernels names an intrinsic.
//
// Highway would provide the same operations, but also a second dispatcher beside run_leveled, a dependency of the
// operator library, and about a second of compile time in each source that includes it.
#include <structured/iterator/pointwise.h>

#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace structured::kernels {

/// `kSize` elements of type `T`; `kSize` is a power of two. Functions take vectors by reference, since passing them by
/// value would depend on the instruction set of the caller.
template <class T, int64_t kSize>
struct Vec {
  static constexpr int64_t size = kSize;
  typedef T Values __attribute__((vector_size(kSize * static_cast<int64_t>(sizeof(T)))));
  Values values;

  /// Sets all elements to `value`; -0.0 becomes 0.0. GCC builds anything but a sum element by element.
  STRUCTURED_ALWAYS_INLINE void fill(T value) { values = Values{} + value; }
  STRUCTURED_ALWAYS_INLINE void load(const T* from) { std::memcpy(&values, from, sizeof values); }
  STRUCTURED_ALWAYS_INLINE void store(T* to) const { std::memcpy(to, &values, sizeof values); }

  /// Adds `a * b`, rounded twice where the source is compiled with -ffp-contract=off.
  STRUCTURED_ALWAYS_INLINE void add_product(const Vec& a, const Vec& b) { values += a.values * b.values; }

  /// Returns the sum of all elements: the upper half is added to the lower half until one element is left.
  STRUCTURED_ALWAYS_INLINE T sum() const {
    if constexpr (kSize == 1) {
      return values[0];
    } else {
      Vec<T, kSize / 2> halves;
      add_halves(halves, std::make_integer_sequence<int, kSize / 2>());
      return halves.sum();
    }
  }

  /// Stores the first `count` elements, fewer than `kSize`.
  STRUCTURED_ALWAYS_INLINE void store_first(int64_t count, T* to) const {
    T elements[kSize];
    store(elements);
    store_part<kSize / 2>(elements, count, to);
  }

 private:
  template <int... kIndices>
  STRUCTURED_ALWAYS_INLINE void add_halves(Vec<T, kSize / 2>& halves, std::integer_sequence<int, kIndices...>) const {
    halves.values = __builtin_shufflevector(values, values, kIndices...) +
                    __builtin_shufflevector(values, values, (kIndices + kSize / 2)...);
  }

  template <int64_t kPart>
  STRUCTURED_ALWAYS_INLINE static void store_part(const T* from, int64_t count, T* to) {
    if constexpr (kPart > 0) {
      if ((count & kPart) != 0) {
        std::memcpy(to, from, kPart * sizeof(T));
        from += kPart;
        to += kPart;
      }
      store_part<kPart / 2>(from, count, to);
    }
  }
};

/// Adds a[2 i] * b[2 i] + a[2 i + 1] * b[2 i + 1] to element i of `sum`.
template <int64_t kSize>
STRUCTURED_ALWAYS_INLINE void add_pair_products(Vec<int32_t, kSize>& sum, const Vec<int16_t, 2 * kSize>& a,
                                                const Vec<int16_t, 2 * kSize>& b) {
  for (int64_t i = 0; i < kSize; ++i) {
    sum.values[i] += a.values[2 * i] * b.values[2 * i] + a.values[2 * i + 1] * b.values[2 * i + 1];
  }
}

/// Sets all elements to `value`.
template <int64_t kSize>
STRUCTURED_ALWAYS_INLINE void fill(Vec<int32_t, kSize>& to, int32_t value) {
  to.fill(value);
}

#if defined(__x86_64__)

STRUCTURED_ALWAYS_INLINE void fill(Vec<int32_t, 4>& to, int32_t value) {
  to.values = (Vec<int32_t, 4>::Values)_mm_set1_epi32(value);
}

STRUCTURED_ALWAYS_INLINE void add_pair_products(Vec<int32_t, 4>& sum, const Vec<int16_t, 8>& a,
                                                const Vec<int16_t, 8>& b) {
  sum.values += (Vec<int32_t, 4>::Values)_mm_madd_epi16((__m128i)a.values, (__m128i)b.values);
}

/// Mask of the first `count` elements, 0 to `kSize`, of a Vec<float, kSize>.
template <int64_t kSize>
struct FirstLanes;

template <>
struct FirstLanes<8> {
  __m256i mask;

  STRUCTURED_TARGET_AVX2 STRUCTURED_ALWAYS_INLINE explicit FirstLanes(int64_t count)
      : mask(_mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)),
                                _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))) {}
};

template <>
struct FirstLanes<16> {
  __mmask16 mask;

  STRUCTURED_TARGET_AVX512 STRUCTURED_ALWAYS_INLINE explicit FirstLanes(int64_t count)
      : mask(static_cast<__mmask16>((1u << count) - 1)) {}
};

// AVX2.

STRUCTURED_TARGET_AVX2 STRUCTURED_ALWAYS_INLINE void fill(Vec<float, 8>& to, float value) {
  to.values = _mm256_set1_ps(value);
}

STRUCTURED_TARGET_AVX2 STRUCTURED_ALWAYS_INLINE void load(Vec<float, 8>& to, const float* from) {
  to.values = _mm256_loadu_ps(from);
}

/// Adds `a * b` to `sum` with one rounding.
STRUCTURED_TARGET_AVX2 STRUCTURED_ALWAYS_INLINE void add_product_fused(Vec<float, 8>& sum, const Vec<float, 8>& a,
                                                                       const Vec<float, 8>& b) {
  sum.values = _mm256_fmadd_ps(a.values, b.values, sum.values);
}

/// Loads the elements that `lanes` selects; the others become 0 and are not read.
STRUCTURED_TARGET_AVX2 STRUCTURED_ALWAYS_INLINE void load(Vec<float, 8>& to, const float* from,
                                                          const FirstLanes<8>& lanes) {
  to.values = _mm256_maskload_ps(from, lanes.mask);
}

/// Stores the elements that `lanes` selects.
STRUCTURED_TARGET_AVX2 STRUCTURED_ALWAYS_INLINE void store(const Vec<float, 8>& from, float* to,
                                                           const FirstLanes<8>& lanes) {
  _mm256_maskstore_ps(to, lanes.mask, from.values);
}

/// Sets element i of `to` to element `indices[i]` of `from`.
STRUCTURED_TARGET_AVX2 STRUCTURED_ALWAYS_INLINE void permute(Vec<int32_t, 8>& to, const Vec<int32_t, 8>& from,
                                                             const uint8_t* indices) {
  const __m256i wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(indices)));
  to.values = (Vec<int32_t, 8>::Values)_mm256_permutevar8x32_epi32((__m256i)from.values, wide);
}

STRUCTURED_TARGET_AVX2 STRUCTURED_ALWAYS_INLINE void fill(Vec<int32_t, 8>& to, int32_t value) {
  to.values = (Vec<int32_t, 8>::Values)_mm256_set1_epi32(value);
}

STRUCTURED_TARGET_AVX2 STRUCTURED_ALWAYS_INLINE void add_pair_products(Vec<int32_t, 8>& sum, const Vec<int16_t, 16>& a,
                                                                       const Vec<int16_t, 16>& b) {
  sum.values += (Vec<int32_t, 8>::Values)_mm256_madd_epi16((__m256i)a.values, (__m256i)b.values);
}

// AVX-512.

STRUCTURED_TARGET_AVX512 STRUCTURED_ALWAYS_INLINE void fill(Vec<int32_t, 16>& to, int32_t value) {
  to.values = (Vec<int32_t, 16>::Values)_mm512_set1_epi32(value);
}

STRUCTURED_TARGET_AVX512 STRUCTURED_ALWAYS_INLINE void add_pair_products(Vec<int32_t, 16>& sum,
                                                                         const Vec<int16_t, 32>& a,
                                                                         const Vec<int16_t, 32>& b) {
  sum.values += (Vec<int32_t, 16>::Values)_mm512_madd_epi16((__m512i)a.values, (__m512i)b.values);
}

STRUCTURED_TARGET_AVX512 STRUCTURED_ALWAYS_INLINE void fill(Vec<float, 16>& to, float value) {
  to.values = _mm512_set1_ps(value);
}

STRUCTURED_TARGET_AVX512 STRUCTURED_ALWAYS_INLINE void load(Vec<float, 16>& to, const float* from) {
  to.values = _mm512_loadu_ps(from);
}

/// Adds `a * b` to `sum` with one rounding.
STRUCTURED_TARGET_AVX512 STRUCTURED_ALWAYS_INLINE void add_product_fused(Vec<float, 16>& sum, const Vec<float, 16>& a,
                                                                         const Vec<float, 16>& b) {
  sum.values = _mm512_fmadd_ps(a.values, b.values, sum.values);
}

/// Loads the elements that `lanes` selects; the others become 0 and are not read.
STRUCTURED_TARGET_AVX512 STRUCTURED_ALWAYS_INLINE void load(Vec<float, 16>& to, const float* from,
                                                            const FirstLanes<16>& lanes) {
  to.values = _mm512_maskz_loadu_ps(lanes.mask, from);
}

/// Stores the elements that `lanes` selects.
STRUCTURED_TARGET_AVX512 STRUCTURED_ALWAYS_INLINE void store(const Vec<float, 16>& from, float* to,
                                                             const FirstLanes<16>& lanes) {
  _mm512_mask_storeu_ps(to, lanes.mask, from.values);
}

/// Sets element i of `to` to `from[indices[i]]`.
STRUCTURED_TARGET_AVX512 STRUCTURED_ALWAYS_INLINE void gather(Vec<float, 8>& to, const float* from,
                                                              const int64_t* indices) {
  // Uses the masked form, since the plain one reads an undefined register, which GCC warns about.
  to.values = _mm512_mask_i64gather_ps(_mm256_setzero_ps(), 0xff, _mm512_loadu_si512(indices), from, sizeof(float));
}

#endif

}  // namespace structured::kernels
