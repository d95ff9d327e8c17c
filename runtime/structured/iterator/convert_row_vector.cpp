// The most common conversions of mixed-dtype arithmetic, compiled for each SIMD level.
#include "structured/iterator/convert_row.h"
#include "structured/iterator/pointwise.h"
#include "structured/number/convert.h"

namespace structured::detail {
namespace {

template <class To, class From>
STRUCTURED_ALWAYS_INLINE void convert_dense(char* to, const char* from, int64_t count) {
  To* const out = reinterpret_cast<To*>(to);
  const From* const in = reinterpret_cast<const From*>(from);
  STRUCTURED_INDEPENDENT_LOOP
  for (int64_t i = 0; i < count; ++i) out[i] = convert<To>(in[i]);
}

#if defined(__x86_64__)
template <class To, class From>
bool is_dense(int64_t to_stride, int64_t from_stride) {
  return to_stride == sizeof(To) && from_stride == sizeof(From);
}

template <class To, class From>
STRUCTURED_TARGET_AVX2 __attribute__((flatten)) void avx2(char* to, int64_t to_stride, const char* from,
                                                          int64_t from_stride, int64_t count) {
  if (!is_dense<To, From>(to_stride, from_stride)) {
    return plain_convert_row(scalar_type_of<To>, scalar_type_of<From>)(to, to_stride, from, from_stride, count);
  }
  convert_dense<To, From>(to, from, count);
}
template <class To, class From>
STRUCTURED_TARGET_AVX512 __attribute__((flatten)) void avx512(char* to, int64_t to_stride, const char* from,
                                                              int64_t from_stride, int64_t count) {
  if (!is_dense<To, From>(to_stride, from_stride)) {
    return plain_convert_row(scalar_type_of<To>, scalar_type_of<From>)(to, to_stride, from, from_stride, count);
  }
  convert_dense<To, From>(to, from, count);
}
#endif

template <class To, class From>
ConvertRow chosen(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::avx512) return avx512<To, From>;
  if (level == SimdLevel::avx2) return avx2<To, From>;
#endif
  static_cast<void>(level);
  return nullptr;
}

template <class To, class... From>
ConvertRow from_one_of(ScalarType from, SimdLevel level) {
  ConvertRow found = nullptr;
  (void)((from == scalar_type_of<From> && (found = chosen<To, From>(level), true)) || ...);
  return found;
}

}  // namespace

ConvertRow vector_convert_row(ScalarType to, ScalarType from) {
  const SimdLevel level = simd_level();
  switch (to) {
    case ScalarType::Float:
      return from_one_of<float, bool, uint8_t, int32_t, int64_t, double, Half, BFloat16>(from, level);
    case ScalarType::Double:
      return from_one_of<double, float, int32_t, int64_t>(from, level);
    case ScalarType::Long:
      return from_one_of<int64_t, bool, uint8_t, int32_t>(from, level);
    case ScalarType::Half:
      return from_one_of<Half, float>(from, level);
    case ScalarType::BFloat16:
      return from_one_of<BFloat16, float>(from, level);
    default:
      return nullptr;
  }
}

}  // namespace structured::detail
