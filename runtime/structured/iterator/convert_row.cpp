#include "structured/iterator/convert_row.h"

#include <cstddef>
#include <cstring>

#include "structured/core/convert.h"
#include "structured/core/visit.h"

namespace structured::detail {
namespace {

template <class To, class From>
void convert_elements(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                      std::int64_t count) {
#if !defined(__OPTIMIZE_SIZE__)
  if (to_stride == sizeof(To) && from_stride == sizeof(From)) {  // vectorized loop
    To* const dense_to = reinterpret_cast<To*>(to);
    const From* const dense_from = reinterpret_cast<const From*>(from);
    for (std::int64_t i = 0; i < count; ++i) dense_to[i] = convert<To>(dense_from[i]);
    return;
  }
#endif
  for (std::int64_t i = 0; i < count; ++i) {
    *reinterpret_cast<To*>(to + i * to_stride) = convert<To>(*reinterpret_cast<const From*>(from + i * from_stride));
  }
}

// Elements of equal dtype are copied as bytes: one function serves all dtypes of a size.
template <std::size_t size>
void move_elements(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride, std::int64_t count) {
  if (to_stride == std::int64_t{size} && from_stride == std::int64_t{size}) {
    std::memmove(to, from, static_cast<std::size_t>(count) * size);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) std::memmove(to + i * to_stride, from + i * from_stride, size);
}

}  // namespace

ConvertRow convert_row(ScalarType to, ScalarType from) {
#if defined(__OPTIMIZE_SIZE__)  // the compiler vectorises no loops
  return plain_convert_row(to, from);
#else
  const ConvertRow vector = vector_convert_row(to, from);
  return vector != nullptr ? vector : plain_convert_row(to, from);
#endif
}

ConvertRow plain_convert_row(ScalarType to, ScalarType from) {
  if (to == from) {
    constexpr ConvertRow by_size[] = {move_elements<1>, move_elements<2>, move_elements<4>, move_elements<8>,
                                      move_elements<16>};
    return by_size[item_size_log2(to)];
  }
  return visit<kAllTypes>("copy", to, [from]<class To>() {
    return visit<kAllTypes>("copy", from, []<class From>() -> ConvertRow { return convert_elements<To, From>; });
  });
}

char* elements_as(ScalarType to, const Tensor& tensor, char* buffer, std::int64_t count) {
  char* const data = static_cast<char*>(tensor.data());
  const ScalarType from = tensor.dtype();
  if (from == to) return data;
  convert_row(to, from)(buffer, std::int64_t{1} << item_size_log2(to), data, std::int64_t{1} << item_size_log2(from),
                        count);
  return buffer;
}

}  // namespace structured::detail
