// Pointwise operators on CUDA that select their scalar function by arguments other than tensors.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/cuda/pointwise.h>
#include <structured/iterator/config.h>
#include <structured/number/scalar.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "math/gelu.h"
#include "math/power.h"
#include "pointwise/division.h"
#include "pointwise/exponential.h"
#include "pointwise/extrema.h"
#include "pointwise/selection.h"
#include "shared/number_bounds.h"

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kNumberTypes = kRealTypes | kAllComplexTypes;

template <class T>
struct Difference {
  T alpha;
  __device__ T operator()(T a, T b) const { return difference(a, b, alpha); }
};
template <class T>
struct DifferenceWithNumber {
  T number;
  T alpha;
  __device__ T operator()(T a) const { return difference(a, number, alpha); }
};
template <class T>
struct DifferenceFromNumber {
  T number;
  T alpha;
  __device__ T operator()(T a) const { return difference(number, a, alpha); }
};
const cuda::PointwiseTable difference_table = cuda::pointwise_table<kNumberTypes, true, Difference>();
const cuda::PointwiseTable minus_number_table = cuda::pointwise_table<kNumberTypes, true, DifferenceWithNumber>();
const cuda::PointwiseTable number_minus_table = cuda::pointwise_table<kNumberTypes, true, DifferenceFromNumber>();

template <class T>
struct NanToNum {
  T nan;
  T infinity;
  T negative;
  __device__ T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T kInfinity = std::numeric_limits<T>::infinity();
      const T finite = x == kInfinity ? infinity : x == -kInfinity ? negative : x;
      return x != x ? nan : finite;
    } else {
      return x;
    }
  }
};
const cuda::PointwiseTable nan_to_num_table = cuda::pointwise_table<kRealTypes | kBool, true, NanToNum>();

template <class T>
struct Clamp {
  T min;
  T max;
  bool has_min;
  bool has_max;
  __device__ T operator()(T x) const {
    const T raised = has_min ? clamp_min<T>(x, min) : x;
    return has_max ? clamp_max<T>(raised, max) : raised;
  }
};
template <class T>
struct ClampToTensors {
  __device__ T operator()(T x, T low, T high) const { return clamp_max<T>(clamp_min<T>(x, low), high); }
};
template <class T>
struct ClampToLow {
  __device__ T operator()(T x, T low) const { return clamp_min<T>(x, low); }
};
template <class T>
struct ClampToHigh {
  __device__ T operator()(T x, T high) const { return clamp_max<T>(x, high); }
};
const cuda::PointwiseTable clamp_table = cuda::pointwise_table<kRealTypes, true, Clamp>();
const cuda::PointwiseTable clamp_tensors_table = cuda::pointwise_table<kRealTypes, true, ClampToTensors>();
const cuda::PointwiseTable clamp_low_table = cuda::pointwise_table<kRealTypes | kBool, true, ClampToLow>();
const cuda::PointwiseTable clamp_high_table = cuda::pointwise_table<kRealTypes | kBool, true, ClampToHigh>();

template <class T>
struct Where {
  __device__ T operator()(bool condition, T self, T other) const { return condition ? self : other; }
};
const cuda::PointwiseTable where_table = cuda::pointwise_table<kAllTypes, false, Where>();

template <class T>
struct Quotient {
  __device__ T operator()(T a, T b) const { return div<T>(a, b); }
};
template <class T>
struct TruncatedQuotient {
  __device__ T operator()(T a, T b) const { return truncated_quotient(a, b); }
};
template <class T>
struct FlooredQuotient {
  __device__ T operator()(T a, T b) const { return floored_quotient(a, b); }
};
template <class T>
struct QuotientByNumber {
  T b;
  __device__ T operator()(T a) const { return div<T>(a, b); }
};
template <class T>
struct TruncatedQuotientByNumber {
  T b;
  __device__ T operator()(T a) const { return truncated_quotient(a, b); }
};
template <class T>
struct FlooredQuotientByNumber {
  T b;
  __device__ T operator()(T a) const { return floored_quotient(a, b); }
};
constexpr ScalarTypeSet kQuotientTypes = kAllFloatingTypes | kAllComplexTypes;
const cuda::PointwiseTable quotient_table = cuda::pointwise_table<kQuotientTypes, true, Quotient>();
const cuda::PointwiseTable truncated_table = cuda::pointwise_table<kRealTypes, true, TruncatedQuotient>();
const cuda::PointwiseTable floored_table = cuda::pointwise_table<kRealTypes, true, FlooredQuotient>();
const cuda::PointwiseTable quotient_number_table = cuda::pointwise_table<kQuotientTypes, true, QuotientByNumber>();
const cuda::PointwiseTable truncated_number_table =
    cuda::pointwise_table<kRealTypes, true, TruncatedQuotientByNumber>();
const cuda::PointwiseTable floored_number_table = cuda::pointwise_table<kRealTypes, true, FlooredQuotientByNumber>();

template <class T>
struct Power {
  __device__ T operator()(T a, T b) const { return math::pow(a, b); }
};
template <class T>
struct PowerOfNumber {
  T a;
  __device__ T operator()(T b) const { return math::pow(a, b); }
};
template <class T>
struct PowerByNumber {
  T b;
  __device__ T operator()(T a) const { return math::pow(a, b); }
};
template <class T>
struct Square {
  __device__ T operator()(T a) const { return a * a; }
};
const cuda::PointwiseTable power_table = cuda::pointwise_table<kNumberTypes, true, Power>();
const cuda::PointwiseTable power_of_number_table = cuda::pointwise_table<kNumberTypes, true, PowerOfNumber>();
const cuda::PointwiseTable power_by_number_table = cuda::pointwise_table<kNumberTypes, true, PowerByNumber>();
const cuda::PointwiseTable square_table = cuda::pointwise_table<kAllFloatingTypes, true, Square>();

template <class T>
struct Heaviside {
  __device__ T operator()(T a, T b) const { return a == T(0) ? b : T(a > T(0)); }
};
const cuda::PointwiseTable heaviside_table = cuda::pointwise_table<kRealTypes | kBool, true, Heaviside>();

template <class T>
struct Gelu {
  __device__ T operator()(T x) const { return x * T(0.5) * ::erfc(x * T(-0.70710678118654752440L)); }
};
template <class T>
struct GeluByTanh {
  __device__ T operator()(T x) const {
    constexpr T factor = T(1.59576912160573071176L);                     // 2 sqrt(2 / pi)
    return x / (T(1) + ::exp(-factor * (x + T(0.044715) * x * x * x)));  // (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 u))
  }
};
const cuda::PointwiseTable gelu_table = cuda::pointwise_table<kAllFloatingTypes, true, Gelu>();
const cuda::PointwiseTable gelu_by_tanh_table = cuda::pointwise_table<kAllFloatingTypes, true, GeluByTanh>();

template <class T>
struct Softshrink {
  T lambd;
  __device__ T operator()(T x) const { return x > lambd ? x - lambd : x < -lambd ? x + lambd : x * T(0); }
};
const cuda::PointwiseTable softshrink_table = cuda::pointwise_table<kAllFloatingTypes, true, Softshrink>();

template <class T>
struct Glu {
  __device__ T operator()(T a, T b) const { return a / (T(1) + ::exp(-b)); }
};
template <class T>
struct Prelu {
  __device__ T operator()(T x, T slope) const { return x > T(0) ? x : slope * x; }
};
template <class T>
struct DecayOfMagnitude {
  __device__ T operator()(T x) const { return ::exp(-::fabs(x)); }
};
template <class T>
struct LogSigmoid {
  __device__ T operator()(T x, T decay) const { return (x > T(0) ? T(0) : x) - ::log1p(decay); }
};
const cuda::PointwiseTable glu_table = cuda::pointwise_table<kAllFloatingTypes, true, Glu>();
const cuda::PointwiseTable prelu_table = cuda::pointwise_table<kAllFloatingTypes, true, Prelu>();
const cuda::PointwiseTable decay_table = cuda::pointwise_table<kAllFloatingTypes, true, DecayOfMagnitude>();
const cuda::PointwiseTable log_sigmoid_table = cuda::pointwise_table<kAllFloatingTypes, true, LogSigmoid>();

void clamp_to_numbers(const char* name, TensorIteratorBase& op, const Scalar* min, const Scalar* max) {
  cuda::pointwise_kernel<kRealTypes>(name, op, clamp_table, [&]<class T>() {
    return Clamp<T>{min ? nearest<T>(*min) : T(0), max ? nearest<T>(*max) : T(0), min != nullptr, max != nullptr};
  });
}

}  // namespace

[[structured::impl("sub.out", "CUDA")]]
void sub_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out) {
  cuda::pointwise_kernel<kNumberTypes>("sub", op, difference_table,
                                       [&]<class T>() { return Difference<T>{alpha.to<T>()}; });
}

[[structured::impl("sub.Scalar_out", "CUDA")]]
void sub_number_cuda(TensorIteratorBase& op, const Tensor& self, const Scalar& other, const Scalar& alpha,
                     const Tensor& out) {
  cuda::pointwise_kernel<kNumberTypes>("sub", op, minus_number_table, [&]<class T>() {
    return DifferenceWithNumber<T>{other.converted<T>(), alpha.to<T>()};
  });
}

[[structured::impl("rsub.Tensor_out", "CUDA")]]
void rsub_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha,
               const Tensor& out) {
  sub_cuda(op, self, other, alpha, out);  // the iterator has the operands in the order of the difference
}

[[structured::impl("rsub.Scalar_out", "CUDA")]]
void rsub_number_cuda(TensorIteratorBase& op, const Tensor& self, const Scalar& other, const Scalar& alpha,
                      const Tensor& out) {
  cuda::pointwise_kernel<kNumberTypes>("rsub", op, number_minus_table, [&]<class T>() {
    return DifferenceFromNumber<T>{other.converted<T>(), alpha.to<T>()};
  });
}

[[structured::impl("nan_to_num.out", "CUDA")]]
void nan_to_num_cuda(TensorIteratorBase& op, const Tensor& self, std::optional<double> nan,
                     std::optional<double> posinf, std::optional<double> neginf, const Tensor& out) {
  cuda::pointwise_kernel<kRealTypes | kBool>("nan_to_num", op, nan_to_num_table, [&]<class T>() {
    if constexpr (std::is_floating_point_v<T>) {
      const T greatest = greatest_number<T>(op.common_dtype());
      return NanToNum<T>{nan ? static_cast<T>(*nan) : T(0), posinf ? static_cast<T>(*posinf) : greatest,
                         neginf ? static_cast<T>(*neginf) : -greatest};
    } else {
      return NanToNum<T>{};
    }
  });
}

[[structured::impl("clamp.out", "CUDA")]]
void clamp_cuda(TensorIteratorBase& op, const Tensor& self, const std::optional<Scalar>& min,
                const std::optional<Scalar>& max, const Tensor& out) {
  clamp_to_numbers("clamp", op, min ? &*min : nullptr, max ? &*max : nullptr);
}

[[structured::impl("clamp_min.out", "CUDA")]]
void clamp_min_cuda(TensorIteratorBase& op, const Tensor& self, const Scalar& min, const Tensor& out) {
  clamp_to_numbers("clamp_min", op, &min, nullptr);
}

[[structured::impl("clamp_max.out", "CUDA")]]
void clamp_max_cuda(TensorIteratorBase& op, const Tensor& self, const Scalar& max, const Tensor& out) {
  clamp_to_numbers("clamp_max", op, nullptr, &max);
}

[[structured::impl("hardtanh.out", "CUDA")]]
void hardtanh_cuda(TensorIteratorBase& op, const Tensor& self, const Scalar& min_val, const Scalar& max_val,
                   const Tensor& out) {
  clamp_to_numbers("hardtanh", op, &min_val, &max_val);
}

[[structured::impl("where.self_out", "CUDA")]]
void where_cuda(TensorIteratorBase& op, const Tensor& condition, const Tensor& self, const Tensor& other,
                const Tensor& out) {
  cuda::pointwise_kernel_as_is<kAllTypes>("where", op, where_table, [&]<class T>() { return Where<T>(); });
}

[[structured::impl("clamp.Tensor_out", "CUDA")]]
void clamp_tensor_cuda(TensorIteratorBase& op, const Tensor& self, const std::optional<Tensor>& min,
                       const std::optional<Tensor>& max, const Tensor& out) {
  if (min && max) {
    cuda::pointwise_kernel<kRealTypes>("clamp", op, clamp_tensors_table,
                                       [&]<class T>() { return ClampToTensors<T>(); });
  } else if (min) {
    cuda::pointwise_kernel<kRealTypes | kBool>("clamp", op, clamp_low_table,
                                               [&]<class T>() { return ClampToLow<T>(); });
  } else {
    cuda::pointwise_kernel<kRealTypes | kBool>("clamp", op, clamp_high_table,
                                               [&]<class T>() { return ClampToHigh<T>(); });
  }
}

[[structured::impl("div.out_mode", "CUDA")]]
void div_mode_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
                   std::optional<std::string_view> rounding_mode, const Tensor& out) {
  if (!rounding_mode) {
    cuda::pointwise_kernel<kQuotientTypes>("div", op, quotient_table, [&]<class T>() { return Quotient<T>(); });
  } else {
    const bool is_truncated = *rounding_mode == "trunc";
    cuda::pointwise_kernel<kRealTypes>("div", op, is_truncated ? truncated_table : floored_table,
                                       [&]<class T>() { return FlooredQuotient<T>(); });
  }
}

[[structured::impl("div.Scalar_mode_out", "CUDA")]]
void div_number_mode_cuda(TensorIteratorBase& op, const Tensor& self, const Scalar& other,
                          std::optional<std::string_view> rounding_mode, const Tensor& out) {
  if (!rounding_mode) {
    cuda::pointwise_kernel<kQuotientTypes>("div", op, quotient_number_table,
                                           [&]<class T>() { return QuotientByNumber<T>{other.converted<T>()}; });
  } else {
    const bool is_truncated = *rounding_mode == "trunc";
    cuda::pointwise_kernel<kRealTypes>("div", op, is_truncated ? truncated_number_table : floored_number_table,
                                       [&]<class T>() { return FlooredQuotientByNumber<T>{other.converted<T>()}; });
  }
}

[[structured::impl("pow.Tensor_Tensor_out", "CUDA")]]
void pow_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& exponent, const Tensor& out) {
  cuda::pointwise_kernel<kNumberTypes>("pow", op, power_table, [&]<class T>() { return Power<T>(); });
}

[[structured::impl("pow.Tensor_Scalar_out", "CUDA")]]
void pow_number_cuda(TensorIteratorBase& op, const Tensor& self, const Scalar& exponent, const Tensor& out) {
  const bool is_square = !exponent.is_complex() && exponent.to<double>() == 2;
  if (is_square && is_floating(op.common_dtype())) {
    cuda::pointwise_kernel<kAllFloatingTypes>("pow", op, square_table, [&]<class T>() { return Square<T>(); });
    return;
  }
  cuda::pointwise_kernel<kNumberTypes>("pow", op, power_by_number_table,
                                       [&]<class T>() { return PowerByNumber<T>{exponent.converted<T>()}; });
}

[[structured::impl("pow.Scalar_out", "CUDA")]]
void pow_of_number_cuda(TensorIteratorBase& op, const Scalar& self, const Tensor& exponent, const Tensor& out) {
  cuda::pointwise_kernel<kNumberTypes>("pow", op, power_of_number_table,
                                       [&]<class T>() { return PowerOfNumber<T>{self.converted<T>()}; });
}

[[structured::impl("heaviside.out", "CUDA")]]
void heaviside_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& values, const Tensor& out) {
  cuda::pointwise_kernel<kRealTypes | kBool>("heaviside", op, heaviside_table,
                                             [&]<class T>() { return Heaviside<T>(); });
}

[[structured::impl("gelu.out", "CUDA")]]
void gelu_cuda(TensorIteratorBase& op, const Tensor& self, std::string_view approximate, const Tensor& out) {
  cuda::pointwise_kernel<kAllFloatingTypes>("gelu", op, approximate == "tanh" ? gelu_by_tanh_table : gelu_table,
                                            [&]<class T>() { return Gelu<T>(); });
}

[[structured::impl("softshrink.out", "CUDA")]]
void softshrink_cuda(TensorIteratorBase& op, const Tensor& self, const Scalar& lambd, const Tensor& out) {
  cuda::pointwise_kernel<kAllFloatingTypes>("softshrink", op, softshrink_table,
                                            [&]<class T>() { return Softshrink<T>{lambd.to<T>()}; });
}

[[structured::impl("glu.out", "CUDA")]]
void glu_cuda(TensorIteratorBase& op, const Tensor& self, int64_t dim, const Tensor& out) {
  cuda::pointwise_kernel<kAllFloatingTypes>("glu", op, glu_table, [&]<class T>() { return Glu<T>(); });
}

[[structured::impl("prelu.out", "CUDA")]]
void prelu_cuda(const Tensor& self, const Tensor& weight, const Tensor& out) {
  // Shape that broadcasts `weight` along the channels.
  DimVector sizes(self.sizes().size(), 1);
  DimVector strides(self.sizes().size(), 0);
  if (weight.numel() != 1) {
    const std::size_t channel = self.dim() > 1 ? 1 : 0;
    sizes[channel] = weight.numel();
    strides[channel] = weight.stride(0);
  }
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).resize_outputs(false);
  config.add_output(out).add_input(self).add_input(as_strided(weight, sizes, strides, weight.storage_offset()));
  cuda::pointwise_kernel<kAllFloatingTypes>("prelu", config.build(), prelu_table,
                                            [&]<class T>() { return Prelu<T>(); });
}

[[structured::impl("log_sigmoid_forward.output", "CUDA")]]
void log_sigmoid_forward_cuda(const Tensor& self, const Tensor& output, const Tensor& buffer) {
  cuda::pointwise_kernel<kAllFloatingTypes>("log_sigmoid_forward", TensorIterator::unary_op(buffer, self), decay_table,
                                            [&]<class T>() { return DecayOfMagnitude<T>(); });
  cuda::pointwise_kernel<kAllFloatingTypes>("log_sigmoid_forward", TensorIterator::binary_op(output, self, buffer),
                                            log_sigmoid_table, [&]<class T>() { return LogSigmoid<T>(); });
}

}  // namespace structured::kernels
