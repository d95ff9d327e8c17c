#include "compare.h"

#include <structured/core/factory.h>
#include <structured/number/visit.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

#include "case.h"

namespace structured::replay {
namespace {

struct Tolerance {
  double relative;
  double absolute;
};

Tolerance tolerance_for(ScalarType dtype) {
  const schema::Dtype* const row = dtype_row(to_real(dtype));
  return row != nullptr ? Tolerance{row->rtol, row->atol} : Tolerance{0, 0};
}

bool is_close(double actual, double expected, Tolerance tolerance) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
  if (actual == expected) return true;
  if (std::isinf(expected) || std::isinf(actual)) return false;
  return std::fabs(actual - expected) <= tolerance.absolute + tolerance.relative * std::fabs(expected);
}

template <class T>
bool are_close(T actual, T expected, Tolerance tolerance) {
  if constexpr (is_complex_v<T>) {
    const auto real = static_cast<double>(actual.real()) - static_cast<double>(expected.real());
    const auto imag = static_cast<double>(actual.imag()) - static_cast<double>(expected.imag());
    const double size = std::hypot(static_cast<double>(expected.real()), static_cast<double>(expected.imag()));
    if (std::isfinite(size)) return std::hypot(real, imag) <= tolerance.absolute + tolerance.relative * size;
    return is_close(static_cast<double>(actual.real()), static_cast<double>(expected.real()), tolerance) &&
           is_close(static_cast<double>(actual.imag()), static_cast<double>(expected.imag()), tolerance);
  } else if constexpr (std::is_integral_v<T>) {
    return actual == expected;
  } else {
    return is_close(static_cast<double>(actual), static_cast<double>(expected), tolerance);
  }
}

// Type of exact results for results of type T.
template <class T>
using Exact = std::conditional_t<is_complex_v<T>, Complex<double>, double>;

template <class T>
double distance(T value, Exact<T> exact) {
  if constexpr (is_complex_v<T>) {
    return std::hypot(static_cast<double>(value.real()) - exact.real(),
                      static_cast<double>(value.imag()) - exact.imag());
  } else {
    return std::fabs(static_cast<double>(value) - exact);
  }
}

template <class T>
std::string printed(T value) {
  std::ostringstream out;
  out.precision(9);
  if constexpr (is_complex_v<T>) {
    out << static_cast<double>(value.real()) << "+" << static_cast<double>(value.imag()) << "i";
  } else {
    out << static_cast<double>(value);
  }
  return out.str();
}

std::string printed(IntArrayRef sizes) {
  std::ostringstream out;
  out << sizes;
  return out.str();
}

bool have_equal_strides(const Tensor& a, const Tensor& b) {
  for (std::size_t d = 0; d < a.sizes().size(); ++d) {
    if (a.sizes()[d] > 1 && a.strides()[d] != b.strides()[d]) return false;
  }
  return true;
}

// Describes the first element that differs; empty if none does.
std::string difference_of_elements(const Tensor& actual, const Tensor& expected, const Tensor& exact, double factor) {
  Tolerance tolerance = tolerance_for(expected.scalar_type());
  tolerance.relative *= factor;
  tolerance.absolute *= factor;
  const int64_t count = expected.numel();
  const bool is_complex = expected.is_complex();
  const bool has_exact = exact.defined() && (expected.is_floating_point() || is_complex);
  if (has_exact &&
      (exact.scalar_type() != (is_complex ? kComplexDouble : kDouble) || !exact.sizes().equals(expected.sizes()))) {
    throw MalformedCase("expected `exact` to have float64 or complex128 elements and the sizes of the results");
  }
  const auto place_of = [](const Tensor& tensor, int64_t i) {
    int64_t place = 0;
    for (std::size_t d = tensor.sizes().size(); d-- > 0; i /= tensor.sizes()[d]) {
      place += i % tensor.sizes()[d] * tensor.strides()[d];
    }
    return place;
  };
  return visit<kAllTypes>("compare", expected.scalar_type(), [&]<class T>() -> std::string {
    const std::vector<Exact<T>> truth = has_exact ? to_vector<Exact<T>>(exact) : std::vector<Exact<T>>();
    double largest_error = 0;  // in the recorded tensor
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const T wanted = expected.data_ptr<T>()[place_of(expected, static_cast<int64_t>(i))];
      largest_error = std::fmax(largest_error, distance(wanted, truth[i]));
    }
    for (int64_t i = 0; i < count; ++i) {
      const T found = actual.data_ptr<T>()[place_of(actual, i)];
      const T wanted = expected.data_ptr<T>()[place_of(expected, i)];
      if (!are_close(found, wanted, tolerance)) {
        if (has_exact && distance(found, truth[static_cast<std::size_t>(i)]) <= largest_error) continue;
        return "element " + std::to_string(i) + " is " + printed(found) + ", expected " + printed(wanted);
      }
    }
    return "";
  });
}

std::string difference_of_numbers(const Scalar& actual, const Scalar& expected) {
  const bool are_complex = actual.is_complex() || expected.is_complex();
  const Tolerance tolerance = tolerance_for(kDouble);
  const bool is_same = are_complex ? are_close(actual.to<Complex<double>>(), expected.to<Complex<double>>(), tolerance)
                                   : is_close(actual.to<double>(), expected.to<double>(), tolerance);
  if (is_same) return "";
  std::ostringstream out;
  out << actual << ", expected " << expected;
  return out.str();
}

std::string kind_difference(const Value& actual, const std::string& expected) {
  return "a value of kind `" + std::string(to_string(actual.kind())) + "`, expected `" + expected + "`";
}

}  // namespace

std::string difference_of_tensors(const Tensor& actual, const Tensor& expected, bool is_random, const Tensor& exact,
                                  double factor) {
  if (!actual.defined()) return "an undefined tensor, expected one of shape " + printed(expected.sizes());
  if (actual.scalar_type() != expected.scalar_type()) {
    return std::string("dtype ") + to_string(actual.scalar_type()) + ", expected " + to_string(expected.scalar_type());
  }
  if (!actual.sizes().equals(expected.sizes())) {
    return "shape " + printed(actual.sizes()) + ", expected " + printed(expected.sizes());
  }
  if (expected.numel() != 0 && !have_equal_strides(actual, expected)) {
    return "strides " + printed(actual.strides()) + ", expected " + printed(expected.strides());
  }
  return is_random ? "" : difference_of_elements(actual, expected, exact, factor);
}

std::string difference(const Value& actual, const nlohmann::json& expected, bool is_random, const Tensor& exact,
                       double factor) {
  if (!expected.is_object() || expected.size() != 1) throw MalformedCase("expected a value with one member");
  const std::string tag = expected.begin().key();
  const nlohmann::json& content = expected.begin().value();
  if (tag == "tensor") {
    if (!actual.is(Value::Kind::tensor)) return kind_difference(actual, "Tensor");
    return difference_of_tensors(actual.to_tensor(), tensor_from(expected), is_random, exact, factor);
  }
  if (tag == "none") {
    const bool is_nothing =
        actual.is(Value::Kind::none) || (actual.is(Value::Kind::tensor) && !actual.to_tensor().defined());
    return is_nothing ? "" : kind_difference(actual, "None");
  }
  if (tag == "list") {
    if (actual.is(Value::Kind::tensor_list)) {
      const TensorList tensors = actual.to_tensor_list();
      if (tensors.size() != content.size()) {
        return std::to_string(tensors.size()) + " tensors, expected " + std::to_string(content.size());
      }
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::string found = difference(tensors[i], content[i], is_random, {}, factor);
        if (!found.empty()) return "in tensor " + std::to_string(i) + ": " + found;
      }
      return "";
    }
    return kind_difference(actual, "list");
  }
  const std::optional<Scalar> number = number_from(expected);
  if (!number) throw MalformedCase("expected a tensor, a number, a list or None as result, found `" + tag + "`");
  const Scalar wanted = *number;
  if (is_random) return "";
  if (actual.is(Value::Kind::scalar)) return difference_of_numbers(actual.to_scalar(), wanted);
  if (actual.is(Value::Kind::integer)) return difference_of_numbers(actual.to_int(), wanted);
  if (actual.is(Value::Kind::floating)) return difference_of_numbers(actual.to_double(), wanted);
  if (actual.is(Value::Kind::boolean)) return difference_of_numbers(actual.to_bool(), wanted);
  return kind_difference(actual, tag);
}

}  // namespace structured::replay
