#pragma once
// A number whose type is known at run time: the C++ type of a schema's `Scalar`.
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <type_traits>

#include "structured/base/error.h"
#include "structured/number/complex.h"
#include "structured/number/convert.h"
#include "structured/number/scalar_type.h"

namespace structured {

namespace detail {

template <class T>
inline constexpr bool is_real_number_v = std::is_arithmetic_v<T> || is_small_float_v<T>;
template <class T>
inline constexpr bool is_floating_number_v = std::is_floating_point_v<T> || is_small_float_v<T>;

/// Whether `value` has no counterpart in `To`: out of range, a NaN for an integer, an imaginary part for a real type.
/// A fraction is merely cut off, infinity fits every floating type, anything fits bool, and a negative integer fits an
/// unsigned type that holds its magnitude (it wraps, so that `a - b` may be computed as `a + 255 * b`).
template <class To, class From>
constexpr bool overflows(From value) {
  if constexpr (std::same_as<To, bool> || std::same_as<From, bool>) {
    return false;
  } else if constexpr (is_complex_v<To>) {
    using Part = typename To::value_type;
    if constexpr (is_complex_v<From>) {
      return overflows<Part>(value.real()) || overflows<Part>(value.imag());
    } else {
      return overflows<Part>(value);
    }
  } else if constexpr (is_complex_v<From>) {
    return value.imag() != 0 || overflows<To>(value.real());
  } else if constexpr (std::is_floating_point_v<To> && std::is_integral_v<From>) {
    return false;
  } else if constexpr (is_floating_number_v<To>) {
    const double number = static_cast<double>(value);
    if (number - number != 0) return false;  // infinite or NaN
    return number < static_cast<double>(std::numeric_limits<To>::lowest()) ||
           number > static_cast<double>(std::numeric_limits<To>::max());
  } else if constexpr (std::is_integral_v<From>) {
    if (std::is_unsigned_v<To> && value < 0) {
      return uint64_t{0} - static_cast<uint64_t>(value) > std::numeric_limits<To>::max();
    }
    return static_cast<From>(static_cast<To>(value)) != value;
  } else {
    constexpr double limit = 2.0 * static_cast<double>(uint64_t{1} << (std::numeric_limits<To>::digits - 1));
    return !(value >= static_cast<double>(std::numeric_limits<To>::lowest()) && value < limit);
  }
}

}  // namespace detail

class Scalar {
 public:
  /// The integer 0.
  constexpr Scalar() : integer_(0), kind_(Kind::integer) {}
  constexpr Scalar(bool value) : integer_(value), kind_(Kind::boolean) {}
  /// Any integer type but bool. Throws Error for unsigned values that int64_t does not hold.
  template <std::integral T>
  constexpr Scalar(T value) : integer_(static_cast<int64_t>(value)), kind_(Kind::integer) {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(int64_t)) {
      STRUCTURED_CHECK(integer_ >= 0, "expected an integer that fits int64_t, got ", value);
    }
  }
  template <std::floating_point T>
  constexpr Scalar(T value) : real_(static_cast<double>(value)), kind_(Kind::real) {}
  template <class T>
    requires is_small_float_v<T>
  constexpr Scalar(T value) : real_(float(value)), kind_(Kind::real) {}
  constexpr Scalar(Complex<double> value) : complex_(value), kind_(Kind::complex) {}
  template <class T>
    requires is_complex_v<T> && (!std::same_as<T, Complex<double>>)
  constexpr Scalar(T value)
      : complex_(static_cast<double>(value.real()), static_cast<double>(value.imag())), kind_(Kind::complex) {}
  /// From std::complex.
  template <class T>
    requires(!is_complex_v<T>) && std::convertible_to<T, Complex<typename T::value_type>>
  constexpr Scalar(const T& value) : Scalar(Complex<typename T::value_type>(value)) {}

  constexpr bool is_integral(bool include_bool) const {
    return kind_ == Kind::integer || (include_bool && kind_ == Kind::boolean);
  }
  constexpr bool is_floating() const { return kind_ == Kind::real; }
  constexpr bool is_complex() const { return kind_ == Kind::complex; }
  constexpr bool is_boolean() const { return kind_ == Kind::boolean; }

  /// Long, Double, ComplexDouble or Bool.
  constexpr ScalarType type() const {
    constexpr ScalarType types[] = {ScalarType::Bool, ScalarType::Long, ScalarType::Double, ScalarType::ComplexDouble};
    return types[static_cast<int>(kind_)];
  }

  /// The value as a T, one of the types that tensors have. Throws Error if it does not fit, see detail::overflows.
  template <class T>
  constexpr T to() const {
    static_assert(scalar_type_of<T> != ScalarType::Undefined, "expected a type that tensors have");
    switch (kind_) {
      case Kind::boolean:
        return cast<T>(integer_ != 0);
      case Kind::integer:
        return cast<T>(integer_);
      case Kind::real:
        return cast<T>(real_);
      case Kind::complex:
        break;
    }
    return cast<T>(complex_);
  }

  /// The value as a T, converted like an element (number/convert.h). Never throws.
  template <class T>
  constexpr T converted() const {
    switch (kind_) {
      case Kind::boolean:
        return convert<T>(integer_ != 0);
      case Kind::integer:
        return convert<T>(integer_);
      case Kind::real:
        return convert<T>(real_);
      case Kind::complex:
        break;
    }
    return convert<T>(complex_);
  }

  /// Throws Error for a boolean.
  STRUCTURED_API Scalar operator-() const;
  STRUCTURED_API Scalar conj() const;

  /// Compares the numbers, regardless of their types.
  STRUCTURED_API friend bool operator==(const Scalar& a, const Scalar& b);

 private:
  enum class Kind : uint8_t { boolean, integer, real, complex };

  template <class T, class From>
  constexpr T cast(From value) const {
    if (detail::overflows<T>(value)) [[unlikely]]
      fail_cast(scalar_type_of<T>);
    return convert<T>(value);
  }
  [[noreturn]] STRUCTURED_API STRUCTURED_COLD void fail_cast(ScalarType type) const;

  union {
    int64_t integer_;  // booleans too
    double real_;
    Complex<double> complex_;
  };
  Kind kind_;
};

/// Prints `1`, `2.5`, `true`, `1+2i`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, const Scalar& scalar);

/// The element of this type at `address`, which need not be aligned. Throws Error for quantized types.
STRUCTURED_API Scalar load_scalar(const void* address, ScalarType type);
/// Writes `value` as an element of this type. Throws Error if it does not fit, and for quantized types.
STRUCTURED_API void store_scalar(void* address, ScalarType type, const Scalar& value);

}  // namespace structured
