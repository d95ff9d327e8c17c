#pragma once
// Gathers strided, transposed and broadcast elements into dense buffers. Internal to pointwise.cpp.
#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace structured::detail {

inline constexpr int64_t kLineBytes = 64;

// Prefetch distance along a column. The hardware prefetcher does not follow accesses that are a row apart. Such lines
// often map to one set of the L1 cache, which holds no more of them.
inline constexpr int64_t kColumnsAhead = 32;

// Element of 16 bytes.
struct Complex16 {
  uint64_t parts[2];
};

// Calls `function.operator()<T>()` with an unsigned type of the size of an element.
template <class Function>
void with_size(int64_t size, Function&& function) {
  switch (size) {
    case 1:
      return function.template operator()<uint8_t>();
    case 2:
      return function.template operator()<uint16_t>();
    case 4:
      return function.template operator()<uint32_t>();
    case 8:
      return function.template operator()<uint64_t>();
    default:
      return function.template operator()<Complex16>();
  }
}

// Copies `outer` rows of `inner` elements, `strides` bytes apart, to consecutive memory.
template <class T>
void gather(char* to, const char* from, const int64_t (&strides)[2], int64_t inner, int64_t outer) {
  T* out = reinterpret_cast<T*>(to);
  for (int64_t k = 0; k < outer; ++k) {
    const char* at = from + k * strides[1];
    int64_t i = 0;
    for (; i + 4 <= inner; i += 4, at += 4 * strides[0], out += 4) {
      std::memcpy(out, at, sizeof(T));
      std::memcpy(out + 1, at + strides[0], sizeof(T));
      std::memcpy(out + 2, at + 2 * strides[0], sizeof(T));
      std::memcpy(out + 3, at + 3 * strides[0], sizeof(T));
    }
    for (; i < inner; ++i, at += strides[0]) std::memcpy(out++, at, sizeof(T));
  }
}

// Side of the square of elements that transpose_square handles.
template <class T>
inline constexpr int64_t kSquare = 1;

// Writes the transpose of the square at `from`, whose rows are `step` bytes apart, to rows `width` elements apart.
template <class T>
void transpose_square(T* to, const char* from, int64_t /*step*/, int64_t /*width*/) {
  std::memcpy(to, from, sizeof(T));
}
#if defined(__SSE2__)
template <>
inline constexpr int64_t kSquare<uint32_t> = 4;
template <>
inline void transpose_square(uint32_t* to, const char* from, int64_t step, int64_t width) {
  const auto line = [&](int64_t i) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i * step)); };
  const auto store = [&](int64_t i, __m128i row) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i * width), row); };
  const __m128i low01 = _mm_unpacklo_epi32(line(0), line(1));
  const __m128i low23 = _mm_unpacklo_epi32(line(2), line(3));
  const __m128i high01 = _mm_unpackhi_epi32(line(0), line(1));
  const __m128i high23 = _mm_unpackhi_epi32(line(2), line(3));
  store(0, _mm_unpacklo_epi64(low01, low23));
  store(1, _mm_unpackhi_epi64(low01, low23));
  store(2, _mm_unpacklo_epi64(high01, high23));
  store(3, _mm_unpackhi_epi64(high01, high23));
}
template <>
inline constexpr int64_t kSquare<uint64_t> = 2;
template <>
inline void transpose_square(uint64_t* to, const char* from, int64_t step, int64_t width) {
  const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + step));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_unpacklo_epi64(a, b));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to + width), _mm_unpackhi_epi64(a, b));
}
#endif

// Copies `outer` rows of `inner` elements, whose columns are `step` bytes apart and contiguous, to consecutive memory.
// Column by column, since elements of a column are adjacent in memory.
template <class T>
void gather_transposed(char* to, const char* from, int64_t step, int64_t inner, int64_t outer) {
  constexpr int64_t side = kSquare<T>;
  T* const out = reinterpret_cast<T*>(to);
  const auto gather_columns = [&](int64_t begin, int64_t end, int64_t first_row) {
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t k = first_row; k < outer; ++k) {
        std::memcpy(out + k * inner + i, from + i * step + k * static_cast<int64_t>(sizeof(T)), sizeof(T));
      }
    }
  };
  int64_t i = 0;
  for (; i + side <= inner; i += side) {
    const char* const at = from + i * step;
    for (int64_t column = kColumnsAhead; column < kColumnsAhead + side; ++column) {
      for (int64_t byte = 0; byte < outer * static_cast<int64_t>(sizeof(T)); byte += kLineBytes) {
        __builtin_prefetch(at + column * step + byte, 0, 2);
      }
    }
    int64_t k = 0;
    for (; k + side <= outer; k += side) {
      transpose_square(out + k * inner + i, at + k * static_cast<int64_t>(sizeof(T)), step, inner);
    }
    gather_columns(i, i + side, k);
  }
  gather_columns(i, inner, 0);
}

// Fills a buffer of `count` elements with the first one.
template <class T>
void repeat(char* buffer, int64_t count) {
  T* const elements = reinterpret_cast<T*>(buffer);
  std::fill_n(elements + 1, count - 1, *elements);
}

}  // namespace structured::detail
