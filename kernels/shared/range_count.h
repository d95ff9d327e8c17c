#pragma once
// Numbers of elements of `arange` and `range`.
#include <structured/base/error.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace structured::kernels {

template <class T>
void check_steps(const char* name, T start, T end, T step) {
  STRUCTURED_CHECK(std::isfinite(static_cast<double>(start)) && std::isfinite(static_cast<double>(end)), name,
                   ": expected finite bounds, got ", start, " and ", end);
  STRUCTURED_CHECK(step > 0 || step < 0, name, ": expected a `step` other than 0, got ", step);
  STRUCTURED_CHECK(step > 0 ? end >= start : end <= start, name, ": expected a `step` that leads from ", start, " to ",
                   end, ", got ", step);
}

inline int64_t as_count(const char* name, double count) {
  STRUCTURED_CHECK(count >= 0 && count < 9.2e18, name, ": expected a number of elements that fits 64 bits, got ",
                   count);
  return static_cast<int64_t>(count);
}

/// Returns the number of elements from `start` up to, but not including, `end`. Exact for Long if all arguments are
/// integers, otherwise computed in double.
inline int64_t count_before(const Scalar& start, const Scalar& end, const Scalar& step, ScalarType dtype) {
  const auto count_of_fractions = [&] {
    return as_count("arange", std::ceil((end.to<double>() - start.to<double>()) / step.to<double>()));
  };
  const bool has_fractions = start.is_floating() || end.is_floating() || step.is_floating();
  if (!is_integral(dtype, false) || has_fractions) {
    check_steps("arange", start.to<double>(), end.to<double>(), step.to<double>());
    return count_of_fractions();
  }
  const auto from = start.to<int64_t>();
  const auto to = end.to<int64_t>();
  const auto by = step.to<int64_t>();
  check_steps("arange", from, to, by);
  if (dtype != kLong) return count_of_fractions();
  const __int128 distance = static_cast<__int128>(to) - from;
  const __int128 count = distance / by + (distance % by != 0);
  STRUCTURED_CHECK(count <= std::numeric_limits<int64_t>::max(),
                   "arange: expected a number of elements that fits 64 bits");
  return static_cast<int64_t>(count);
}

/// Returns the number of elements from `start` up to and including `end`.
inline int64_t count_up_to(const Scalar& start, const Scalar& end, const Scalar& step) {
  check_steps("range", start.to<double>(), end.to<double>(), step.to<double>());
  return as_count("range", std::floor((end.to<double>() - start.to<double>()) / step.to<double>()) + 1);
}

}  // namespace structured::kernels
