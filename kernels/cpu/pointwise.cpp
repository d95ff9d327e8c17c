// Pointwise operators on CPU that select their scalar function by arguments other than tensors.
#include <structured/iterator/pointwise.h>
#include <structured/number/scalar.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "math/exponential.h"
#include "math/gelu.h"
#include "math/power.h"
#include "pointwise/division.h"
#include "pointwise/extrema.h"
#include "pointwise/selection.h"
#include "shared/number_bounds.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kPowerTypes = kRealTypes | kAllComplexTypes;

template <class T>
T gelu_by_tanh(T x) {
  constexpr T factor = T(1.59576912160573071176L);                   // 2 sqrt(2 / pi)
  return x * math::sigmoid(factor * (x + T(0.044715) * x * x * x));  // (1 + tanh(u)) / 2 = sigmoid(2 u)
}

// Subtracts the operands in the order of the iterator.
STRUCTURED_ALWAYS_INLINE void sub_in_order(TensorIteratorBase& op, const Scalar& alpha) {
  pointwise_kernel<kRealTypes | kAllComplexTypes>(
      "sub", op, [&]<class T>() { return [alpha = alpha.to<T>()](T a, T b) -> T { return difference(a, b, alpha); }; });
}

}  // namespace

[[structured::impl("sub.out", "CPU")]]
void sub_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out) {
  sub_in_order(op, alpha);
}

[[structured::impl("sub.Scalar_out", "CPU")]]
void sub_number_cpu(TensorIteratorBase& op, const Tensor& self, const Scalar& other, const Scalar& alpha,
                    const Tensor& out) {
  pointwise_kernel<kRealTypes | kAllComplexTypes>("sub", op, [&]<class T>() {
    return [b = other.converted<T>(), alpha = alpha.to<T>()](T a) -> T { return difference(a, b, alpha); };
  });
}

[[structured::impl("rsub.Tensor_out", "CPU")]]
void rsub_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out) {
  sub_in_order(op, alpha);
}

[[structured::impl("rsub.Scalar_out", "CPU")]]
void rsub_number_cpu(TensorIteratorBase& op, const Tensor& self, const Scalar& other, const Scalar& alpha,
                     const Tensor& out) {
  pointwise_kernel<kRealTypes | kAllComplexTypes>("rsub", op, [&]<class T>() {
    return [b = other.converted<T>(), alpha = alpha.to<T>()](T a) -> T { return difference(b, a, alpha); };
  });
}

[[structured::impl("nan_to_num.out", "CPU")]]
void nan_to_num_cpu(TensorIteratorBase& op, const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                    std::optional<double> neginf, const Tensor& out) {
  const auto replace = [&]<class T>() {
    const T greatest = greatest_number<T>(to_real(op.common_dtype()));
    const T for_nan = nan ? static_cast<T>(*nan) : T(0);
    const T for_infinity = posinf ? static_cast<T>(*posinf) : greatest;
    const T for_negative = neginf ? static_cast<T>(*neginf) : -greatest;
    return [for_nan, for_infinity, for_negative](T x) -> T {
      constexpr T infinity = std::numeric_limits<T>::infinity();
      const T finite = x == infinity ? for_infinity : x == -infinity ? for_negative : x;
      return x != x ? for_nan : finite;
    };
  };
  pointwise_kernel<kAllTypes>("nan_to_num", op, [&]<class T>() {
    if constexpr (std::is_floating_point_v<T>) {
      return replace.template operator()<T>();
    } else if constexpr (is_complex_v<T>) {
      return [part = replace.template operator()<typename T::value_type>()](T x) -> T {
        return T(part(x.real()), part(x.imag()));
      };
    } else {
      return [](T x) -> T { return x; };
    }
  });
}

[[structured::impl("clamp.out", "CPU")]]
void clamp_cpu(TensorIteratorBase& op, const Tensor& self, const std::optional<Scalar>& min,
               const std::optional<Scalar>& max, const Tensor& out) {
  pointwise_kernel<kRealTypes>("clamp", op, [&]<class T>() {
    const auto as_bound = [](const std::optional<Scalar>& number) {
      return number ? std::optional<T>(nearest<T>(*number)) : std::nullopt;
    };
    return [min = as_bound(min), max = as_bound(max)](T x) -> T {
      const T raised = min ? clamp_min<T>(x, *min) : x;
      return max ? clamp_max<T>(raised, *max) : raised;
    };
  });
}

[[structured::impl("clamp_min.out", "CPU")]]
void clamp_min_cpu(TensorIteratorBase& op, const Tensor& self, const Scalar& min, const Tensor& out) {
  pointwise_kernel<kRealTypes>(
      "clamp_min", op, [&]<class T>() { return [min = nearest<T>(min)](T x) -> T { return clamp_min<T>(x, min); }; });
}

[[structured::impl("clamp_max.out", "CPU")]]
void clamp_max_cpu(TensorIteratorBase& op, const Tensor& self, const Scalar& max, const Tensor& out) {
  pointwise_kernel<kRealTypes>(
      "clamp_max", op, [&]<class T>() { return [max = nearest<T>(max)](T x) -> T { return clamp_max<T>(x, max); }; });
}

[[structured::impl("hardtanh.out", "CPU")]]
void hardtanh_cpu(TensorIteratorBase& op, const Tensor& self, const Scalar& min_val, const Scalar& max_val,
                  const Tensor& out) {
  pointwise_kernel<kRealTypes>("hardtanh", op, [&]<class T>() {
    return [min = nearest<T>(min_val), max = nearest<T>(max_val)](T x) -> T {
      return clamp_max<T>(clamp_min<T>(x, min), max);
    };
  });
}

[[structured::impl("where.self_out", "CPU")]]
void where_cpu(TensorIteratorBase& op, const Tensor& condition, const Tensor& self, const Tensor& other,
               const Tensor& out) {
  pointwise_kernel_as_is<kAllTypes>("where", op, [&]<class T>() {
    return [](bool is_first, T first, T second) -> T { return where<T>(is_first, first, second); };
  });
}

[[structured::impl("clamp.Tensor_out", "CPU")]]
void clamp_tensor_cpu(TensorIteratorBase& op, const Tensor& self, const std::optional<Tensor>& min,
                      const std::optional<Tensor>& max, const Tensor& out) {
  if (min && max) {
    pointwise_kernel<kRealTypes>("clamp", op, [&]<class T>() {
      return [](T x, T low, T high) -> T { return clamp_max<T>(clamp_min<T>(x, low), high); };
    });
  } else if (min) {
    pointwise_kernel<kRealTypes | kBool>(
        "clamp", op, [&]<class T>() { return [](T x, T low) -> T { return clamp_min<T>(x, low); }; });
  } else {
    pointwise_kernel<kRealTypes | kBool>(
        "clamp", op, [&]<class T>() { return [](T x, T high) -> T { return clamp_max<T>(x, high); }; });
  }
}

[[structured::impl("div.out_mode", "CPU")]]
void div_mode_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
                  std::optional<std::string_view> rounding_mode, const Tensor& out) {
  if (!rounding_mode) {
    pointwise_kernel<kAllFloatingTypes | kAllComplexTypes>(
        "div", op, [&]<class T>() { return [](T a, T b) -> T { return div<T>(a, b); }; });
  } else if (*rounding_mode == "trunc") {
    pointwise_kernel<kRealTypes>("div", op,
                                 [&]<class T>() { return [](T a, T b) -> T { return truncated_quotient(a, b); }; });
  } else {
    pointwise_kernel<kRealTypes>("div", op,
                                 [&]<class T>() { return [](T a, T b) -> T { return floored_quotient(a, b); }; });
  }
}

[[structured::impl("div.Scalar_mode_out", "CPU")]]
void div_number_mode_cpu(TensorIteratorBase& op, const Tensor& self, const Scalar& other,
                         std::optional<std::string_view> rounding_mode, const Tensor& out) {
  if (!rounding_mode) {
    pointwise_kernel<kAllFloatingTypes | kAllComplexTypes>(
        "div", op, [&]<class T>() { return [b = other.converted<T>()](T a) -> T { return div<T>(a, b); }; });
  } else if (*rounding_mode == "trunc") {
    pointwise_kernel<kRealTypes>("div", op, [&]<class T>() {
      return [b = other.converted<T>()](T a) -> T { return truncated_quotient(a, b); };
    });
  } else {
    pointwise_kernel<kRealTypes>(
        "div", op, [&]<class T>() { return [b = other.converted<T>()](T a) -> T { return floored_quotient(a, b); }; });
  }
}

[[structured::impl("pow.Tensor_Tensor_out", "CPU")]]
void pow_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& exponent, const Tensor& out) {
  pointwise_kernel<kPowerTypes>("pow", op, [&]<class T>() { return [](T a, T b) -> T { return math::pow(a, b); }; });
}

[[structured::impl("pow.Tensor_Scalar_out", "CPU")]]
void pow_number_cpu(TensorIteratorBase& op, const Tensor& self, const Scalar& exponent, const Tensor& out) {
  if (op.common_dtype() == kBool) {
    return pointwise_kernel < ScalarTypeSet{0} |
           kBool > ("pow", op,
                    [&]<class T>() { return [is_one = exponent.to<bool>()](T a) -> T { return !is_one || a; }; });
  }
  if (!exponent.is_complex() && structured::is_floating(op.common_dtype())) {
    const double power = exponent.to<double>();
    if (power == 2) {
      return pointwise_kernel<kAllFloatingTypes>("pow", op, [&]<class T>() { return [](T a) -> T { return a * a; }; });
    }
    if (power == 3) {
      return pointwise_kernel<kAllFloatingTypes>("pow", op,
                                                 [&]<class T>() { return [](T a) -> T { return a * a * a; }; });
    }
  }
  pointwise_kernel<kPowerTypes>(
      "pow", op, [&]<class T>() { return [b = exponent.converted<T>()](T a) -> T { return math::pow(a, b); }; });
}

[[structured::impl("pow.Scalar_out", "CPU")]]
void pow_of_number_cpu(TensorIteratorBase& op, const Scalar& self, const Tensor& exponent, const Tensor& out) {
  pointwise_kernel<kPowerTypes>(
      "pow", op, [&]<class T>() { return [a = self.converted<T>()](T b) -> T { return math::pow(a, b); }; });
}

[[structured::impl("heaviside.out", "CPU")]]
void heaviside_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& values, const Tensor& out) {
  pointwise_kernel<kRealTypes | kBool>(
      "heaviside", op, [&]<class T>() { return [](T a, T b) -> T { return a == T(0) ? b : T(a > T(0)); }; });
}

[[structured::impl("gelu.out", "CPU")]]
void gelu_cpu(TensorIteratorBase& op, const Tensor& self, std::string_view approximate, const Tensor& out) {
  if (approximate == "tanh") {
    pointwise_kernel<kAllFloatingTypes>("gelu", op,
                                        [&]<class T>() { return [](T x) -> T { return gelu_by_tanh(x); }; });
  } else {
    pointwise_kernel<kAllFloatingTypes>("gelu", op, [&]<class T>() { return [](T x) -> T { return math::gelu(x); }; });
  }
}

[[structured::impl("softshrink.out", "CPU")]]
void softshrink_cpu(TensorIteratorBase& op, const Tensor& self, const Scalar& lambd, const Tensor& out) {
  pointwise_kernel<kAllFloatingTypes>("softshrink", op, [&]<class T>() {
    return [lambd = lambd.to<T>()](T x) -> T { return x > lambd ? x - lambd : x < -lambd ? x + lambd : x * T(0); };
  });
}

}  // namespace structured::kernels
