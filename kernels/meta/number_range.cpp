#include "meta/number_range.h"

#include <structured/base/error.h>
#include <structured/number/visit.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace structured::kernels {
namespace {

constexpr double kGreatestHalf = 65504;  // every floating-point dtype holds smaller numbers

// Returns whether a number is in the range of all floating-point dtypes.
bool is_small(const Scalar& number, ScalarType dtype) {
  return number.is_floating() && is_floating(dtype) && std::fabs(number.to<double>()) <= kGreatestHalf;
}

template <class Number, class Limit>
NumberRange compared(Number number, Limit lowest, Limit greatest) {
  if (number < lowest) return NumberRange::below;
  return number > greatest ? NumberRange::above : NumberRange::inside;
}

}  // namespace

NumberRange range_of(const Scalar& number, ScalarType dtype) {
  if (is_small(number, dtype)) return NumberRange::inside;
  return visit<kRealTypes>("number", dtype, [&]<class T>() {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_integral_v<T>) {
      return compared<int64_t, int64_t>(number.to<int64_t>(), Limits::lowest(), Limits::max());
    } else {
      const double value = number.to<double>();
      if (!std::isfinite(value)) return NumberRange::inside;
      return compared(value, static_cast<double>(Limits::lowest()), static_cast<double>(Limits::max()));
    }
  });
}

void check_range(const char* op, const char* argument, const Scalar& number, ScalarType dtype) {
  if (is_small(number, dtype)) return;
  alignas(16) std::byte element[16];
  try {
    store_scalar(element, dtype, number);
  } catch (const Error&) {
    fail(op, ": `", argument, "`: value ", number, " cannot be converted to type ", dtype, " without overflow");
  }
}

void check_bound(const char* op, bool is_min, const Scalar& bound, ScalarType dtype) {
  const NumberRange range = range_of(bound, dtype);
  if (range == NumberRange::inside) [[likely]]
    return;
  const bool is_met = is_integral(dtype, false) && (range == NumberRange::below) == is_min;
  STRUCTURED_CHECK(is_met, op, ": ", is_min ? "min" : "max", " value ", bound,
                   " is outside the representable range of ", dtype);
}

}  // namespace structured::kernels
