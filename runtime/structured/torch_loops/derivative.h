#pragma once
// Gradients of scalar functions, which emitted kernels compute by dual numbers:
//
//     [](T grad, T self) -> T {
//       using D = Dual<T>;
//       return gradient(my::soft_clip<D>(variable<D, true>(self)), grad);
//     }
#include <optional>
#include <type_traits>

#include "structured/torch_loops/element_types.h"

#include "structured/number/math.h"  // after c10::complex, whose functions it names

namespace structured::torch_loops {

/// Returns an element as a dual number of type D, which is Dual<T> or, for second derivatives, Dual<Dual<T>>.
/// `is_variable` and `inner` say for each derivative, from that of D to that of T, whether it is by this element.
template <class D, bool is_variable = false, bool... inner, class T>
STRUCTURED_HOST_DEVICE constexpr D variable(const T& element) {
  if constexpr (std::is_same_v<D, T>) {
    return element;
  } else {
    using Value = decltype(D::value);
    return D(variable<Value, inner...>(element), variable<Value>(T(is_variable)));
  }
}

/// Returns a number as a dual number of type D whose derivatives are 0.
template <class D, class T>
STRUCTURED_HOST_DEVICE constexpr D constant(const T& number) {
  return variable<D>(number);
}
template <class D, class T>
STRUCTURED_HOST_DEVICE constexpr std::optional<D> constant(const std::optional<T>& number) {
  return number ? std::optional<D>(variable<D>(*number)) : std::nullopt;
}

namespace detail {

template <class T>
STRUCTURED_HOST_DEVICE constexpr T conjugate(const T& number) {
  return number;
}
template <class T>
STRUCTURED_HOST_DEVICE constexpr c10::complex<T> conjugate(const c10::complex<T>& number) {
  return {number.real(), -number.imag()};
}

template <class T>
STRUCTURED_HOST_DEVICE constexpr T last_derivative(const Dual<T>& x) {
  return x.derivative;
}
template <class T>
STRUCTURED_HOST_DEVICE constexpr T last_derivative(const Dual<Dual<T>>& x) {
  return x.derivative.derivative;
}

}  // namespace detail

/// Returns `grad` times the conjugate of the derivative of `result`, the value of a function of dual numbers; 0 if the
/// derivative is 0, even for an infinite `grad`.
template <class D, class T>
STRUCTURED_HOST_DEVICE constexpr T gradient(const D& result, const T& grad) {
  return slope_times(detail::conjugate(detail::last_derivative(result)), grad);
}

}  // namespace structured::torch_loops
