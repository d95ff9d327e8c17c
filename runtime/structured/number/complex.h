#pragma once
// A complex number for host and device. Converts from and to std::complex without including <complex>, which alone
// takes half of the time that a caller's source may take to compile.
#include <concepts>
#include <iosfwd>
#include <type_traits>

#include "structured/base/export.h"

namespace structured {

template <class T>
class Complex {
 public:
  using value_type = T;

  constexpr Complex() = default;
  STRUCTURED_HOST_DEVICE constexpr Complex(T real, T imag = T(0)) : real_(real), imag_(imag) {}
  /// From a narrower Complex implicitly, from a wider one explicitly.
  template <class U>
  STRUCTURED_HOST_DEVICE explicit(sizeof(U) > sizeof(T)) constexpr Complex(const Complex<U>& other)
      : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}
  /// From std::complex<T>.
  template <class Other>
    requires(!std::is_arithmetic_v<Other>) && std::same_as<typename Other::value_type, T> &&
                (!std::same_as<Other, Complex>) && requires(const Other& z) {
                  { z.real() } -> std::same_as<T>;
                }
  constexpr Complex(const Other& z) : real_(z.real()), imag_(z.imag()) {}

  STRUCTURED_HOST_DEVICE constexpr T real() const { return real_; }
  STRUCTURED_HOST_DEVICE constexpr T imag() const { return imag_; }

  STRUCTURED_HOST_DEVICE constexpr Complex& operator+=(const Complex& b) { return *this = *this + b; }
  STRUCTURED_HOST_DEVICE constexpr Complex& operator-=(const Complex& b) { return *this = *this - b; }
  STRUCTURED_HOST_DEVICE constexpr Complex& operator*=(const Complex& b) { return *this = *this * b; }
  STRUCTURED_HOST_DEVICE constexpr Complex& operator/=(const Complex& b) { return *this = *this / b; }

  STRUCTURED_HOST_DEVICE friend constexpr Complex operator+(const Complex& a) { return a; }
  STRUCTURED_HOST_DEVICE friend constexpr Complex operator-(const Complex& a) { return {-a.real_, -a.imag_}; }
  STRUCTURED_HOST_DEVICE friend constexpr Complex operator+(const Complex& a, const Complex& b) {
    return {a.real_ + b.real_, a.imag_ + b.imag_};
  }
  STRUCTURED_HOST_DEVICE friend constexpr Complex operator-(const Complex& a, const Complex& b) {
    return {a.real_ - b.real_, a.imag_ - b.imag_};
  }
  STRUCTURED_HOST_DEVICE friend constexpr Complex operator*(const Complex& a, const Complex& b) {
    return {a.real_ * b.real_ - a.imag_ * b.imag_, a.real_ * b.imag_ + a.imag_ * b.real_};
  }
  /// Smith's algorithm: divides by the larger part first, so that |b|^2 is never formed and cannot overflow.
  STRUCTURED_HOST_DEVICE friend constexpr Complex operator/(const Complex& a, const Complex& b) {
    const T abs_real = b.real_ < T(0) ? T(-b.real_) : b.real_;
    const T abs_imag = b.imag_ < T(0) ? T(-b.imag_) : b.imag_;
    if (abs_real >= abs_imag) {
      if (abs_real == T(0)) return {a.real_ / abs_real, a.imag_ / abs_imag};
      const T ratio = b.imag_ / b.real_;
      const T scale = T(1) / (b.real_ + b.imag_ * ratio);
      return {(a.real_ + a.imag_ * ratio) * scale, (a.imag_ - a.real_ * ratio) * scale};
    }
    const T ratio = b.real_ / b.imag_;
    const T scale = T(1) / (b.real_ * ratio + b.imag_);
    return {(a.real_ * ratio + a.imag_) * scale, (a.imag_ * ratio - a.real_) * scale};
  }
  STRUCTURED_HOST_DEVICE friend constexpr bool operator==(const Complex& a, const Complex& b) {
    return a.real_ == b.real_ && a.imag_ == b.imag_;
  }

 private:
  T real_ = T(0);
  T imag_ = T(0);
};

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<Complex<T>> = true;

/// Prints `1+2i`, with 6 significant digits as for numbers in messages.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, const Complex<double>& value);

}  // namespace structured
