// Elementwise operators.
#include <structured/torch.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "loops.h"

namespace host_device {
namespace {

template <class T>
T sign_of(T x) {
  return static_cast<T>((x > 0) - (x < 0));
}

/// Remainder with the sign of the divisor.
template <class T>
T floor_mod(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    TORCH_CHECK(y != 0, "ZeroDivisionError");
    const T rest = x % y;
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
  } else {
    const T rest = std::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
  }
}

template <class T>
T floor_divide(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    TORCH_CHECK(y != 0, "ZeroDivisionError");
    return (x - floor_mod(x, y)) / y;
  } else {
    if (y == 0) return x / y;
    const T quotient = (x - floor_mod(x, y)) / y;
    if (quotient == 0) return std::copysign(T(0), x / y);
    const T rounded = std::floor(quotient);
    return quotient - rounded > T(0.5) ? rounded + 1 : rounded;
  }
}

template <class T>
T power(T base, T exponent) {
  if constexpr (std::is_integral_v<T>) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 != 0 ? -1 : 1) : 0;
    T result = 1;
    for (; exponent > 0; exponent /= 2, base = static_cast<T>(static_cast<uint64_t>(base) * base)) {
      if (exponent % 2 != 0) result = static_cast<T>(static_cast<uint64_t>(result) * base);
    }
    return result;
  } else {
    return std::pow(base, exponent);
  }
}

template <class T>
bool is_nan(T x) {
  return x != x;
}

/// Cumulative distribution function of the normal distribution.
template <class T>
T normal_cdf(T x) {
  return (1 + std::erf(x / std::numbers::sqrt2_v<T>)) / 2;
}

/// Argument of tanh in the approximation of gelu.
template <class T>
T gelu_inner(T x) {
  return T(0.79788456080286535588) * (x + T(0.044715) * x * x * x);
}

template <class T>
T sigmoid(T x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

// Defines an impl that computes `expression` of `x`, of type T.
#define HOST_UNARY(name, visit, expression)                                                                           \
  [[structured::impl(#name ".out", "PrivateUse1")]] void name##_host(at::TensorIteratorBase& op,                      \
                                                                     const at::Tensor& self, const at::Tensor& out) { \
    visit(#name, op.common_dtype(),                                                                                   \
          [&]<class T>() { for_each_element<T>(op, [](T x) { return static_cast<T>(expression); }); });               \
  }

HOST_UNARY(acos, visit_floating_type, std::acos(x))
HOST_UNARY(acosh, visit_floating_type, std::acosh(x))
HOST_UNARY(asin, visit_floating_type, std::asin(x))
HOST_UNARY(asinh, visit_floating_type, std::asinh(x))
HOST_UNARY(atan, visit_floating_type, std::atan(x))
HOST_UNARY(atanh, visit_floating_type, std::atanh(x))
HOST_UNARY(cos, visit_floating_type, std::cos(x))
HOST_UNARY(cosh, visit_floating_type, std::cosh(x))
HOST_UNARY(erf, visit_floating_type, std::erf(x))
HOST_UNARY(erfc, visit_floating_type, std::erfc(x))
HOST_UNARY(exp, visit_floating_type, std::exp(x))
HOST_UNARY(exp2, visit_floating_type, std::exp2(x))
HOST_UNARY(expm1, visit_floating_type, std::expm1(x))
HOST_UNARY(log, visit_floating_type, std::log(x))
HOST_UNARY(log10, visit_floating_type, std::log10(x))
HOST_UNARY(log1p, visit_floating_type, std::log1p(x))
HOST_UNARY(log2, visit_floating_type, std::log2(x))
HOST_UNARY(reciprocal, visit_floating_type, 1 / x)
HOST_UNARY(rsqrt, visit_floating_type, 1 / std::sqrt(x))
HOST_UNARY(sigmoid, visit_floating_type, 1 / (1 + std::exp(-x)))
HOST_UNARY(sin, visit_floating_type, std::sin(x))
HOST_UNARY(sinh, visit_floating_type, std::sinh(x))
HOST_UNARY(sqrt, visit_floating_type, std::sqrt(x))
HOST_UNARY(tan, visit_floating_type, std::tan(x))
HOST_UNARY(tanh, visit_floating_type, std::tanh(x))

HOST_UNARY(ceil, visit_compute_type, std::ceil(x))
HOST_UNARY(floor, visit_compute_type, std::floor(x))
HOST_UNARY(neg, visit_compute_type, -x)
HOST_UNARY(round, visit_compute_type, std::nearbyint(x))
HOST_UNARY(sign, visit_compute_type, std::isnan(x) ? x : sign_of(x))
HOST_UNARY(trunc, visit_compute_type, std::trunc(x))

[[structured::impl("bitwise_not.out", "PrivateUse1")]]
void bitwise_not_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& out) {
  const bool is_bool = op.common_dtype() == at::kBool;
  for_each_element<int64_t>(op, [is_bool](int64_t x) { return is_bool ? int64_t{x == 0} : ~x; });
}

[[structured::impl("add.out", "PrivateUse1")]]
void add_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha,
              const at::Tensor& out) {
  visit_compute_type("add", op.common_dtype(),
                     [&]<class T>() { for_each_element<T>(op, [a = alpha.to<T>()](T x, T y) { return x + a * y; }); });
}

[[structured::impl("sub.out", "PrivateUse1")]]
void sub_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha,
              const at::Tensor& out) {
  visit_compute_type("sub", op.common_dtype(),
                     [&]<class T>() { for_each_element<T>(op, [a = alpha.to<T>()](T x, T y) { return x - a * y; }); });
}

[[structured::impl("div.out_mode", "PrivateUse1")]]
void div_mode_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other,
                   std::optional<std::string_view> rounding_mode, const at::Tensor& out) {
  visit_compute_type("div", op.common_dtype(), [&]<class T>() {
    if (!rounding_mode) {
      for_each_element<T>(op, [](T x, T y) { return x / y; });
    } else if (*rounding_mode == "floor") {
      for_each_element<T>(op, [](T x, T y) { return floor_divide(x, y); });
    } else if constexpr (std::is_integral_v<T>) {
      for_each_element<T>(op, [](T x, T y) {
        TORCH_CHECK(y != 0, "ZeroDivisionError");
        return x / y;
      });
    } else {
      for_each_element<T>(op, [](T x, T y) { return std::trunc(x / y); });
    }
  });
}

// Defines an impl that computes `expression` of `x` and `y`, of type T.
#define HOST_BINARY(function, name, second, visit, expression)                                                \
  [[structured::impl(name, "PrivateUse1")]] void function(at::TensorIteratorBase& op, const at::Tensor& self, \
                                                          const at::Tensor& second, const at::Tensor& out) {  \
    visit(name, op.common_dtype(),                                                                            \
          [&]<class T>() { for_each_element<T>(op, [](T x, T y) { return static_cast<T>(expression); }); });  \
  }

HOST_BINARY(mul_host, "mul.out", other, visit_compute_type, x* y)
HOST_BINARY(div_host, "div.out", other, visit_floating_type, x / y)
HOST_BINARY(atan2_host, "atan2.out", other, visit_floating_type, std::atan2(x, y))
HOST_BINARY(copysign_host, "copysign.out", other, visit_floating_type, std::copysign(x, y))
HOST_BINARY(hypot_host, "hypot.out", other, visit_floating_type, std::hypot(x, y))
HOST_BINARY(fmod_host, "fmod.Tensor_out", other, visit_compute_type, x - y * (std::isinf(y) ? 0 : std::trunc(x / y)))
HOST_BINARY(remainder_host, "remainder.Tensor_out", other, visit_compute_type, floor_mod(x, y))
HOST_BINARY(pow_host, "pow.Tensor_Tensor_out", exponent, visit_compute_type, power(x, y))
HOST_BINARY(maximum_host, "maximum.out", other, visit_compute_type, is_nan(x) || x > y ? x : y)
HOST_BINARY(minimum_host, "minimum.out", other, visit_compute_type, is_nan(x) || x < y ? x : y)
HOST_BINARY(fmax_host, "fmax.out", other, visit_compute_type, is_nan(y) || x > y ? x : y)
HOST_BINARY(fmin_host, "fmin.out", other, visit_compute_type, is_nan(y) || x < y ? x : y)

#define HOST_BITWISE(operation, sign)                                                                       \
  [[structured::impl("bitwise_" #operation ".Tensor_out", "PrivateUse1")]] void bitwise_##operation##_host( \
      at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, const at::Tensor& out) { \
    for_each_element<int64_t>(op, [](int64_t x, int64_t y) { return x sign y; });                           \
  }

HOST_BITWISE(and, &)
HOST_BITWISE(or, |)
HOST_BITWISE(xor, ^)

// TensorIterator holds a number among the arguments as a tensor.
#define HOST_COMPARISON(name, sign)                                                                         \
  [[structured::impl(#name ".Tensor_out", "PrivateUse1")]] void name##_tensor_host(                         \
      at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, const at::Tensor& out) { \
    visit_compute_type(#name, op.common_dtype(),                                                            \
                       [&]<class T>() { for_each_element<T>(op, [](T x, T y) { return x sign y; }); });     \
  }                                                                                                         \
  [[structured::impl(#name ".Scalar_out", "PrivateUse1")]] void name##_number_host(                         \
      at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& other, const at::Tensor& out) { \
    name##_tensor_host(op, self, self, out);                                                                \
  }

HOST_COMPARISON(eq, ==)
HOST_COMPARISON(ne, !=)
HOST_COMPARISON(lt, <)
HOST_COMPARISON(le, <=)
HOST_COMPARISON(gt, >)
HOST_COMPARISON(ge, >=)

[[structured::impl("pow.Tensor_Scalar_out", "PrivateUse1")]]
void pow_number_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& exponent,
                     const at::Tensor& out) {
  visit_compute_type("pow", op.common_dtype(),
                     [&]<class T>() { for_each_element<T>(op, [e = exponent.to<T>()](T x) { return power(x, e); }); });
}

[[structured::impl("addcmul.out", "PrivateUse1")]]
void addcmul_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& tensor1,
                  const at::Tensor& tensor2, const at::Scalar& value, const at::Tensor& out) {
  visit_compute_type("addcmul", op.common_dtype(), [&]<class T>() {
    for_each_element<T>(op, [v = value.to<T>()](T x, T y, T z) { return x + v * y * z; });
  });
}

[[structured::impl("addcdiv.out", "PrivateUse1")]]
void addcdiv_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& tensor1,
                  const at::Tensor& tensor2, const at::Scalar& value, const at::Tensor& out) {
  visit_floating_type("addcdiv", op.common_dtype(), [&]<class T>() {
    for_each_element<T>(op, [v = value.to<T>()](T x, T y, T z) { return x + v * y / z; });
  });
}

[[structured::impl("lerp.Tensor_out", "PrivateUse1")]]
void lerp_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& end, const at::Tensor& weight,
               const at::Tensor& out) {
  visit_floating_type("lerp", op.common_dtype(), [&]<class T>() {
    for_each_element<T>(op,
                        [](T x, T y, T w) { return std::abs(w) < T(0.5) ? x + w * (y - x) : y - (y - x) * (1 - w); });
  });
}

[[structured::impl("lerp.Scalar_out", "PrivateUse1")]]
void lerp_number_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& end,
                      const at::Scalar& weight, const at::Tensor& out) {
  visit_floating_type("lerp", op.common_dtype(), [&]<class T>() {
    for_each_element<T>(
        op, [w = weight.to<T>()](T x, T y) { return std::abs(w) < T(0.5) ? x + w * (y - x) : y - (y - x) * (1 - w); });
  });
}

[[structured::impl("clamp.out", "PrivateUse1")]]
void clamp_host(at::TensorIteratorBase& op, const at::Tensor& self, at::OptionalScalarRef min,
                at::OptionalScalarRef max, const at::Tensor& out) {
  visit_compute_type("clamp", op.common_dtype(), [&]<class T>() {
    const auto bound = [](at::OptionalScalarRef number) {
      return number.has_value() ? std::optional<T>(number.get().to<T>()) : std::nullopt;
    };
    for_each_element<T>(op, [low = bound(min), high = bound(max)](T x) {
      if (low && (x < *low || is_nan(*low))) x = *low;
      return high && (x > *high || is_nan(*high)) ? *high : x;
    });
  });
}

[[structured::impl("elu.out", "PrivateUse1")]]
void elu_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& alpha, const at::Scalar& scale,
              const at::Scalar& input_scale, const at::Tensor& out) {
  visit_floating_type("elu", op.common_dtype(), [&]<class T>() {
    for_each_element<T>(op, [a = alpha.to<T>(), s = scale.to<T>(), i = input_scale.to<T>()](T x) {
      return x > 0 ? x * s : std::expm1(x * i) * a * s;
    });
  });
}

[[structured::impl("gelu.out", "PrivateUse1")]]
void gelu_host(at::TensorIteratorBase& op, const at::Tensor& self, std::string_view approximate,
               const at::Tensor& out) {
  visit_floating_type("gelu", op.common_dtype(), [&]<class T>() {
    if (approximate == "tanh") {
      for_each_element<T>(op, [](T x) { return x / 2 * (1 + std::tanh(gelu_inner(x))); });
    } else {
      for_each_element<T>(op, [](T x) { return x * normal_cdf(x); });
    }
  });
}

[[structured::impl("gelu_backward.grad_input", "PrivateUse1")]]
void gelu_backward_host(at::TensorIteratorBase& op, const at::Tensor& grad_output, const at::Tensor& self,
                        std::string_view approximate, const at::Tensor& grad_input) {
  visit_floating_type("gelu_backward", op.common_dtype(), [&]<class T>() {
    if (approximate == "tanh") {
      for_each_element<T>(op, [](T grad, T x) {
        const T t = std::tanh(gelu_inner(x));
        const T slope = T(0.79788456080286535588) * (1 + 3 * T(0.044715) * x * x);
        return grad * ((1 + t) / 2 + x / 2 * (1 - t * t) * slope);
      });
    } else {
      for_each_element<T>(op, [](T grad, T x) {
        const T density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>;
        return grad * (normal_cdf(x) + x * density);
      });
    }
  });
}

[[structured::impl("leaky_relu.out", "PrivateUse1")]]
void leaky_relu_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& negative_slope,
                     const at::Tensor& out) {
  visit_floating_type("leaky_relu", op.common_dtype(), [&]<class T>() {
    for_each_element<T>(op, [slope = negative_slope.to<T>()](T x) { return x > 0 ? x : x * slope; });
  });
}

[[structured::impl("leaky_relu_backward.grad_input", "PrivateUse1")]]
void leaky_relu_backward_host(at::TensorIteratorBase& op, const at::Tensor& grad_output, const at::Tensor& self,
                              const at::Scalar& negative_slope, bool self_is_result, const at::Tensor& grad_input) {
  visit_floating_type("leaky_relu_backward", op.common_dtype(), [&]<class T>() {
    // The first input of the iterator is `self`.
    for_each_element<T>(op, [slope = negative_slope.to<T>()](T x, T grad) { return x > 0 ? grad : grad * slope; });
  });
}

[[structured::impl("silu.out", "PrivateUse1")]]
void silu_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& out) {
  visit_floating_type("silu", op.common_dtype(),
                      [&]<class T>() { for_each_element<T>(op, [](T x) { return x * sigmoid(x); }); });
}

[[structured::impl("silu_backward.grad_input", "PrivateUse1")]]
void silu_backward_host(at::TensorIteratorBase& op, const at::Tensor& grad_output, const at::Tensor& self,
                        const at::Tensor& grad_input) {
  visit_floating_type("silu_backward", op.common_dtype(), [&]<class T>() {
    for_each_element<T>(op, [](T grad, T x) { return grad * sigmoid(x) * (1 + x * (1 - sigmoid(x))); });
  });
}

[[structured::impl("softplus.out", "PrivateUse1")]]
void softplus_host(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& beta,
                   const at::Scalar& threshold, const at::Tensor& out) {
  visit_floating_type("softplus", op.common_dtype(), [&]<class T>() {
    for_each_element<T>(op, [b = beta.to<T>(), limit = threshold.to<T>()](T x) {
      return x * b > limit ? x : std::log1p(std::exp(x * b)) / b;
    });
  });
}

[[structured::impl("threshold_backward.grad_input", "PrivateUse1")]]
void threshold_backward_host(at::TensorIteratorBase& op, const at::Tensor& grad_output, const at::Tensor& self,
                             const at::Scalar& threshold, const at::Tensor& grad_input) {
  visit_compute_type("threshold_backward", op.common_dtype(), [&]<class T>() {
    // The first input of the iterator is `self`.
    for_each_element<T>(op, [t = threshold.to<T>()](T x, T grad) { return x <= t ? T(0) : grad; });
  });
}

[[structured::impl("sigmoid_backward.grad_input", "PrivateUse1")]]
void sigmoid_backward_host(at::TensorIteratorBase& op, const at::Tensor& grad_output, const at::Tensor& output,
                           const at::Tensor& grad_input) {
  visit_floating_type("sigmoid_backward", op.common_dtype(),
                      [&]<class T>() { for_each_element<T>(op, [](T grad, T y) { return grad * y * (1 - y); }); });
}

[[structured::impl("tanh_backward.grad_input", "PrivateUse1")]]
void tanh_backward_host(at::TensorIteratorBase& op, const at::Tensor& grad_output, const at::Tensor& output,
                        const at::Tensor& grad_input) {
  visit_floating_type("tanh_backward", op.common_dtype(),
                      [&]<class T>() { for_each_element<T>(op, [](T grad, T y) { return grad * (1 - y * y); }); });
}

}  // namespace host_device
