#include "structured/number/scalar.h"

#include <cmath>
#include <cstring>
#include <ostream>

#include "structured/number/visit.h"

namespace structured {

Scalar Scalar::operator-() const {
  switch (kind_) {
    case Kind::boolean:
      break;
    case Kind::integer:  // unsigned negation wraps, where signed overflow would be undefined
      return static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(integer_));
    case Kind::real:
      return -real_;
    case Kind::complex:
      return -complex_;
  }
  fail("negative: expected a number, got the boolean ", *this);
}

Scalar Scalar::conj() const {
  if (kind_ != Kind::complex) return *this;
  return Complex<double>(complex_.real(), -complex_.imag());
}

bool operator==(const Scalar& a, const Scalar& b) {
  if (a.is_integral(true) && b.is_integral(true)) return a.integer_ == b.integer_;
  // An integer beyond 2^53 equals the floating number that it rounds to, as in C++.
  return a.to<Complex<double>>() == b.to<Complex<double>>();
}

void Scalar::fail_cast(ScalarType type) const { fail("expected a number that fits ", type, ", got ", *this); }

std::ostream& operator<<(std::ostream& out, const Complex<double>& value) {
  out << value.real();
  // signbit also finds -0, which a comparison would not.
  if (!std::signbit(value.imag())) out << '+';
  return out << value.imag() << 'i';
}

std::ostream& operator<<(std::ostream& out, const Scalar& scalar) {
  if (scalar.is_boolean()) return out << (scalar.to<bool>() ? "true" : "false");
  if (scalar.is_integral(false)) return out << scalar.to<int64_t>();
  if (scalar.is_floating()) return out << scalar.to<double>();
  return out << scalar.to<Complex<double>>();
}

Scalar load_scalar(const void* address, ScalarType type) {
  return visit<kAllTypes>("load", type, [&]<class T>() -> Scalar {
    T value;
    std::memcpy(&value, address, sizeof(T));
    return value;
  });
}

void store_scalar(void* address, ScalarType type, const Scalar& scalar) {
  visit<kAllTypes>("store", type, [&]<class T>() {
    const T value = scalar.to<T>();
    std::memcpy(address, &value, sizeof(T));
  });
}

}  // namespace structured
