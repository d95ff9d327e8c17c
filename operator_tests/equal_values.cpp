#include "equal_values.h"

#include <structured/check/elements.h>
#include <structured/format/print.h>
#include <structured/number/visit.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <vector>

namespace structured::operator_tests {
namespace {

template <class T>
T element_at(const unsigned char* bytes) {
  T value;
  std::memcpy(static_cast<void*>(&value), bytes, sizeof(T));
  return value;
}

template <class T>
std::complex<double> number_at(const unsigned char* bytes) {
  if constexpr (is_complex_v<T>) {
    const T value = element_at<T>(bytes);
    return {static_cast<double>(value.real()), static_cast<double>(value.imag())};
  } else if constexpr (std::is_same_v<T, bool>) {
    return static_cast<double>(*bytes);
  } else {
    return static_cast<double>(element_at<T>(bytes));
  }
}

std::complex<double> number(ScalarType dtype, const unsigned char* bytes) {
  if (!kAllTypes.contains(dtype)) return 0;
  return visit<kAllTypes>("number", dtype, [&]<class T>() { return number_at<T>(bytes); });
}

double tolerance(ScalarType dtype) {
  const ScalarType real = to_real(dtype);
  if (!is_floating(real) || real == kDouble) return 1e-10;
  return real == kFloat ? 1e-5 : 2e-2;
}

bool is_close(double a, double b, double tolerance) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}

std::vector<std::complex<double>> numbers(const Tensor& tensor) {
  std::vector<std::complex<double>> values;
  detail::for_each_element(tensor, [&](std::size_t at) {
    values.push_back(number(tensor.dtype(), static_cast<const unsigned char*>(tensor.data()) + at));
  });
  return values;
}

}  // namespace

std::string difference(const Tensor& found, const Tensor& expected) {
  std::ostringstream text;
  if (found.defined() != expected.defined()) return found.defined() ? "a defined tensor" : "an undefined tensor";
  if (!found.defined()) return {};
  if (found.dtype() != expected.dtype()) {
    text << "dtype " << found.dtype() << ", expected " << expected.dtype();
    return text.str();
  }
  if (found.sizes() != expected.sizes()) {
    text << "sizes " << found.sizes() << ", expected " << expected.sizes();
    return text.str();
  }
  const std::vector<std::complex<double>> values = numbers(found);
  const std::vector<std::complex<double>> others = numbers(expected);
  const double allowed = tolerance(found.dtype());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_close(values[i].real(), others[i].real(), allowed) &&
        is_close(values[i].imag(), others[i].imag(), allowed)) {
      continue;
    }
    text << values[i] << ", expected " << others[i] << ", at index "
         << IntArrayRef(detail::index_at(found, static_cast<int64_t>(i)));
    return text.str();
  }
  return {};
}

std::string difference(const Stack& found, const Stack& expected) {
  if (found.size() != expected.size()) return std::to_string(found.size()) + " results";
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::vector<Tensor> tensors = detail::tensors_in(found[i]);
    const std::vector<Tensor> others = detail::tensors_in(expected[i]);
    const std::string where = found.size() == 1 ? "" : "result " + std::to_string(i) + ": ";
    if (tensors.size() != others.size()) return where + std::to_string(tensors.size()) + " tensors";
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      if (std::string text = difference(tensors[k], others[k]); !text.empty()) return where + text;
    }
    if (tensors.empty() && to_string(found[i]) != to_string(expected[i])) {
      return where + to_string(found[i]) + ", expected " + to_string(expected[i]);
    }
  }
  return {};
}

}  // namespace structured::operator_tests
