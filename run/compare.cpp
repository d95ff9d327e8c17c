#include "compare.h"

#include <structured/core/factory.h>
#include <structured/format/print.h>
#include <structured/iterator/copy.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace structured::run {
namespace {

template <class T>
std::vector<T> elements(const Tensor& tensor, ScalarType dtype) {
  const Tensor converted = empty(tensor.sizes(), dtype);
  copy_into(converted, tensor);
  return to_vector<T>(converted);
}

std::string position(std::size_t index, std::size_t count) {
  return "element " + std::to_string(index) + " of " + std::to_string(count);
}

std::string difference_of_integers(const Tensor& found, const Tensor& expected) {
  const auto a = elements<int64_t>(found, kLong), b = elements<int64_t>(expected, kLong);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    return position(i, a.size()) + " is " + std::to_string(a[i]) + ", expected " + std::to_string(b[i]);
  }
  return "";
}

/// Real and imaginary parts in turn.
std::vector<double> parts(const Tensor& tensor) {
  std::vector<double> result;
  for (const Complex<double> value : elements<Complex<double>>(tensor, kComplexDouble)) {
    result.push_back(value.real());
    result.push_back(value.imag());
  }
  return result;
}

struct Tolerance {
  double relative;
  double absolute;
};

// The defaults of torch.testing.assert_close.
Tolerance tolerance_of(ScalarType dtype) {
  const schema::Dtype& row = *dtype_row(to_real(dtype));
  return {row.rtol, row.atol};
}

std::string difference_of_reals(const std::vector<double>& found, const std::vector<double>& expected,
                                Tolerance tolerance) {
  double largest = 0;
  for (const double value : expected) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  std::size_t worst = found.size();
  const double allowed = tolerance.absolute + tolerance.relative * largest;
  double worst_error = allowed;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_equal = found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i]));
    const double error = is_equal ? 0 : std::abs(found[i] - expected[i]);
    if (error <= worst_error) continue;  // false if one of them is NaN
    worst = i;
    if (!std::isfinite(error)) break;
    worst_error = error;
  }
  if (worst == found.size()) return "";
  return position(worst, found.size()) + " is " + to_string(Scalar(found[worst])) + ", expected " +
         to_string(Scalar(expected[worst])) + " within " + to_string(Scalar(allowed));
}

}  // namespace

std::string difference(const Tensor& found, const Tensor& expected, std::optional<double> tolerance) {
  if (found.dtype() != expected.dtype() || found.sizes() != expected.sizes()) {
    return std::string("found ") + to_string(found.dtype()) + to_string(found.sizes()) + ", expected " +
           to_string(expected.dtype()) + to_string(expected.sizes());
  }
  if (is_integral(found.dtype(), true)) return difference_of_integers(found, expected);
  const Tolerance allowed = tolerance ? Tolerance{*tolerance, 0} : tolerance_of(found.dtype());
  if (found.is_complex()) return difference_of_reals(parts(found), parts(expected), allowed);
  return difference_of_reals(elements<double>(found, kDouble), elements<double>(expected, kDouble), allowed);
}

}  // namespace structured::run
