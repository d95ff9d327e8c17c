// Types in which sums and products of elements are computed.
#pragma once

#include <structured/number/bfloat16.h>
#include <structured/number/complex.h>
#include <structured/number/half.h>

#include <cstdint>
#include <type_traits>

namespace structured::kernels {
namespace accumulate_type {

template <class T>
struct Of {
  using type = std::conditional_t<std::is_integral_v<T>, uint64_t,
                                  std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>>;
};
template <>
struct Of<Complex<Half>> {
  using type = Complex<float>;
};

template <class T>
struct WideOf {
  using type = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;
};
template <class T>
struct WideOf<Complex<T>> {
  using type = Complex<double>;
};

}  // namespace accumulate_type

/// Type in which sums and products of `T` are computed: float for 16-bit floating types, and uint64_t for integers and
/// bool, since arithmetic modulo 2^64 contains the wrapping arithmetic of every narrower type. Otherwise `T`.
template <class T>
using AccumulateType = typename accumulate_type::Of<T>::type;

/// Type of sums whose intermediate results are all visible, such as cumulative sums, where rounding errors would add
/// up: uint64_t for integers and bool, double or Complex<double> otherwise.
template <class T>
using WideAccumulateType = typename accumulate_type::WideOf<T>::type;

}  // namespace structured::kernels
