#include "structured/iterator/convert_row.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "structured/number/convert.h"
#include "structured/number/visit.h"

namespace structured::detail {
namespace {

template <class To, class From>
void convert_elements(char* to, int64_t to_stride, const char* from, int64_t from_stride, int64_t count) {
#if !defined(__OPTIMIZE_SIZE__)
  if (to_stride == sizeof(To) && from_stride == sizeof(From)) {  // vectorized loop
    To* const dense_to = reinterpret_cast<To*>(to);
    const From* const dense_from = reinterpret_cast<const From*>(from);
    for (int64_t i = 0; i < count; ++i) dense_to[i] = convert<To>(dense_from[i]);
    return;
  }
#endif
  for (int64_t i = 0; i < count; ++i) {
    *reinterpret_cast<To*>(to + i * to_stride) = convert<To>(*reinterpret_cast<const From*>(from + i * from_stride));
  }
}

// Elements of equal dtype are copied as bytes: one function serves all dtypes of a size.
template <std::size_t size>
void move_elements(char* to, int64_t to_stride, const char* from, int64_t from_stride, int64_t count) {
  if (to_stride == int64_t{size} && from_stride == int64_t{size}) {
    std::memmove(to, from, static_cast<std::size_t>(count) * size);
    return;
  }
  for (int64_t i = 0; i < count; ++i) std::memmove(to + i * to_stride, from + i * from_stride, size);
}

ConvertLoop move_loop(ScalarType type) {
  constexpr ConvertLoop by_size[] = {move_elements<1>, move_elements<2>, move_elements<4>, move_elements<8>,
                                     move_elements<16>};
  return by_size[item_size_log2(type)];
}

#if defined(__OPTIMIZE_SIZE__)

// Type that holds every value of type T, and from which conversions give what they give from T.
template <class T>
using Wide =
    std::conditional_t<is_complex_v<T>, Complex<double>, std::conditional_t<std::is_integral_v<T>, int64_t, double>>;

template <class W>
ConvertLoop loop_from_wide(ScalarType to) {
  return visit<kAllTypes>("copy", to, []<class To>() -> ConvertLoop { return convert_elements<To, W>; });
}

// Conversions pass through wide types: 52 loops in place of 156.
ConvertRow convert_through_wide(ScalarType to, ScalarType from) {
  ScalarType wide = is_integral(from, true) ? ScalarType::Long : ScalarType::Double;
  ConvertLoop store = nullptr;
  if (is_complex(from)) {
    wide = ScalarType::ComplexDouble;
    if constexpr ((kSelectedTypes.bits & kAllComplexTypes.bits) != 0) store = loop_from_wide<Complex<double>>(to);
  } else {
    store = wide == ScalarType::Long ? loop_from_wide<int64_t>(to) : loop_from_wide<double>(to);
  }
  if (from == wide) return store;
  const auto load =
      visit<kAllTypes>("copy", from, []<class From>() -> ConvertLoop { return convert_elements<Wide<From>, From>; });
  return to == wide ? ConvertRow(load) : ConvertRow(load, store);
}

#endif

}  // namespace

void ConvertRow::run_both(char* to, int64_t to_stride, const char* from, int64_t from_stride, int64_t count) const {
  constexpr int64_t kBlock = 64;
  alignas(kStep) char block[kBlock * kStep];
  for (; count > 0; count -= kBlock, to += kBlock * to_stride, from += kBlock * from_stride) {
    const int64_t size = std::min(count, kBlock);
    first_(block, kStep, from, from_stride, size);
    second_(to, to_stride, block, kStep, size);
  }
}

ConvertRow convert_row(ScalarType to, ScalarType from) {
#if defined(__OPTIMIZE_SIZE__)  // the compiler vectorises no loops
  return plain_convert_row(to, from);
#else
  const ConvertRow vector = vector_convert_row(to, from);
  return vector == nullptr ? plain_convert_row(to, from) : vector;
#endif
}

ConvertRow plain_convert_row(ScalarType to, ScalarType from) {
  if (to == from) return move_loop(to);
#if defined(__OPTIMIZE_SIZE__)
  return convert_through_wide(to, from);
#else
  return visit<kAllTypes>("copy", to, [from]<class To>() {
    return visit<kAllTypes>("copy", from, []<class From>() -> ConvertLoop { return convert_elements<To, From>; });
  });
#endif
}

char* elements_as(ScalarType to, const Tensor& tensor, char* buffer, int64_t count) {
  char* const data = static_cast<char*>(tensor.data());
  const ScalarType from = tensor.dtype();
  if (from == to) return data;
  convert_row(to, from)(buffer, int64_t{1} << item_size_log2(to), data, int64_t{1} << item_size_log2(from), count);
  return buffer;
}

}  // namespace structured::detail
