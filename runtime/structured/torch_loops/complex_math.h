#pragma once
// Functions of complex numbers for the stable ABI of PyTorch, whose headers have c10::complex without them. Results are
// those of std::complex.
#include <torch/headeronly/util/complex.h>

#include <cmath>
#include <complex>

namespace structured::math {

template <class T>
T abs(const c10::complex<T>& z) {
  return std::abs(static_cast<std::complex<T>>(z));
}
template <class T>
c10::complex<T> conj(const c10::complex<T>& z) {
  return {z.real(), -z.imag()};
}
template <class T>
c10::complex<T> acos(const c10::complex<T>& z) {
  return c10::complex<T>(std::acos(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> acosh(const c10::complex<T>& z) {
  return c10::complex<T>(std::acosh(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> asin(const c10::complex<T>& z) {
  return c10::complex<T>(std::asin(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> asinh(const c10::complex<T>& z) {
  return c10::complex<T>(std::asinh(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> atan(const c10::complex<T>& z) {
  return c10::complex<T>(std::atan(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> atanh(const c10::complex<T>& z) {
  return c10::complex<T>(std::atanh(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> cos(const c10::complex<T>& z) {
  return c10::complex<T>(std::cos(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> cosh(const c10::complex<T>& z) {
  return c10::complex<T>(std::cosh(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> exp(const c10::complex<T>& z) {
  return c10::complex<T>(std::exp(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> log(const c10::complex<T>& z) {
  return c10::complex<T>(std::log(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> log10(const c10::complex<T>& z) {
  return c10::complex<T>(std::log10(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> sin(const c10::complex<T>& z) {
  return c10::complex<T>(std::sin(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> sinh(const c10::complex<T>& z) {
  return c10::complex<T>(std::sinh(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> sqrt(const c10::complex<T>& z) {
  return c10::complex<T>(std::sqrt(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> tan(const c10::complex<T>& z) {
  return c10::complex<T>(std::tan(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> tanh(const c10::complex<T>& z) {
  return c10::complex<T>(std::tanh(static_cast<std::complex<T>>(z)));
}
template <class T>
c10::complex<T> log2(const c10::complex<T>& z) {
  return log(z) / T(0.693147180559945309417);
}
template <class T>
c10::complex<T> pow(const c10::complex<T>& base, const c10::complex<T>& exponent) {
  return c10::complex<T>(std::pow(static_cast<std::complex<T>>(base), static_cast<std::complex<T>>(exponent)));
}
template <class T>
c10::complex<T> pow(const c10::complex<T>& base, const T& exponent) {
  return c10::complex<T>(std::pow(static_cast<std::complex<T>>(base), exponent));
}
template <class T>
c10::complex<T> pow(const T& base, const c10::complex<T>& exponent) {
  return c10::complex<T>(std::pow(base, static_cast<std::complex<T>>(exponent)));
}

}  // namespace structured::math
