// Operators of the namespace `quantized_decomposed`, which exported programs call: quantization of ordinary tensors,
// in terms of other operators, as PyTorch defines them. Conversions between Float and Byte or Char on the CPU, which
// all quantized programs need, are one loop with equal results.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/leveled.h>
#include <structured/iterator/parallel.h>
#include <structured/ops/add.h>
#include <structured/ops/aminmax.h>
#include <structured/ops/clamp.h>
#include <structured/ops/mul.h>
#include <structured/ops/reciprocal.h>
#include <structured/ops/round.h>
#include <structured/ops/sub.h>
#include <structured/ops/to.h>
#include <structured/ops/view.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

#include "shared/vectorized_loops.h"

namespace structured::kernels::quantized_decomposed {
namespace {

// The sizes 1, with `count` at dimension `axis`, so that a vector is broadcast along the other dimensions.
Tensor along_axis(const char* name, const Tensor& vector, const Tensor& input, int64_t axis) {
  const auto dim = static_cast<std::size_t>(wrap_dim(axis, input.dim()));
  STRUCTURED_CHECK(vector.dim() == 1 && input.dim() > 0 && vector.numel() == input.size(axis), name,
                   ": expected a vector with as many elements as dimension ", axis, " of sizes ", input.sizes(),
                   ", got sizes ", vector.sizes());
  DimVector sizes(input.sizes().size(), 1);
  sizes[dim] = vector.numel();
  return structured::view(vector, sizes);
}

// Half and BFloat16 are quantized as Float.
Tensor widened(const char* name, const Tensor& input) {
  STRUCTURED_CHECK(input.is_floating_point(), name, ": expected `input` of a floating-point dtype, got ",
                   input.dtype());
  return kReducedFloatingTypes.contains(input.dtype()) ? structured::to(input, kFloat) : input;
}

template <class T>
struct Quantize {
  static void run(const float* from, int64_t count, float inverse_scale, float zero_point, float low, float high,
                  T* to) {
    for (int64_t i = 0; i < count; ++i) {
      const float value = std::nearbyint(from[i] * inverse_scale) + zero_point;
      const float bounded = value > low ? value : low;
      to[i] = static_cast<T>(static_cast<int32_t>(bounded < high ? bounded : high));
    }
  }
};

template <class T>
struct Dequantize {
  static void run(const T* from, int64_t count, float scale, float zero_point, float* to) {
    for (int64_t i = 0; i < count; ++i) to[i] = (static_cast<float>(from[i]) - zero_point) * scale;
  }
};

/// Whether loops over the memory of `self` visit all elements in the order of a result in the same memory format.
bool is_dense(const Tensor& self, ScalarType dtype) {
  return self.is_cpu() && self.dtype() == dtype && self.is_contiguous(self.suggest_memory_format());
}
Tensor empty_like(const Tensor& self, ScalarType dtype) {
  return structured::empty(self.sizes(), self.options().dtype(dtype), self.suggest_memory_format());
}

template <class T>
Tensor quantized(const Tensor& input, double scale, int64_t zero_point, int64_t low, int64_t high, ScalarType dtype) {
  Tensor result = empty_like(input, dtype);
  const float* const from = input.data_ptr<float>();
  T* const to = result.data_ptr<T>();
  parallel_for(0, input.numel(), kGrainSize, [&](int64_t begin, int64_t end) {
    run_leveled<Quantize<T>>(from + begin, end - begin, static_cast<float>(1 / scale), static_cast<float>(zero_point),
                             static_cast<float>(low), static_cast<float>(high), to + begin);
  });
  return result;
}

template <class T>
Tensor dequantized(const Tensor& input, double scale, int64_t zero_point) {
  Tensor result = empty_like(input, kFloat);
  const T* const from = input.data_ptr<T>();
  float* const to = result.data_ptr<float>();
  parallel_for(0, input.numel(), kGrainSize, [&](int64_t begin, int64_t end) {
    run_leveled<Dequantize<T>>(from + begin, end - begin, static_cast<float>(scale), static_cast<float>(zero_point),
                               to + begin);
  });
  return result;
}

void check_dtype(const char* name, const Tensor& input, ScalarType dtype) {
  STRUCTURED_CHECK(input.dtype() == dtype, name, ": expected `input` of dtype ", dtype, ", as `dtype` says, got ",
                   input.dtype());
}

void check_range(const char* name, int64_t quant_min, int64_t quant_max) {
  STRUCTURED_CHECK(quant_min <= quant_max, name, ": expected `quant_min` of at most `quant_max`, got ", quant_min,
                   " and ", quant_max);
}

}  // namespace

/// Integers between `quant_min` and `quant_max` that represent `input`: round(`input` / `scale`) + `zero_point`, as an
/// ordinary tensor of dtype `dtype`. Ties are rounded to even.
[[structured::kernel("quantized_decomposed::quantize_per_tensor", "CompositeExplicitAutograd"),
  structured::not_differentiable]]
Tensor quantize_per_tensor(const Tensor& input, double scale, int64_t zero_point, int64_t quant_min, int64_t quant_max,
                           ScalarType dtype) {
  constexpr const char* name = "quantized_decomposed::quantize_per_tensor";
  check_range(name, quant_min, quant_max);
  if (is_dense(input, kFloat)) {
    if (dtype == kByte && quant_min >= 0 && quant_max <= 255) {
      return quantized<uint8_t>(input, scale, zero_point, quant_min, quant_max, dtype);
    }
    if (dtype == kChar && quant_min >= -128 && quant_max <= 127) {
      return quantized<int8_t>(input, scale, zero_point, quant_min, quant_max, dtype);
    }
  }
  const Tensor multiples = structured::round(structured::mul(widened(name, input), 1 / scale));
  return structured::to(structured::clamp(structured::add(multiples, zero_point), quant_min, quant_max), dtype);
}

/// `quantized_decomposed::quantize_per_tensor` with scale and zero point in tensors of one element.
[[structured::kernel("quantized_decomposed::quantize_per_tensor.tensor", "CompositeExplicitAutograd"),
  structured::not_differentiable]]
Tensor quantize_per_tensor_tensor(const Tensor& input, const Tensor& scale, const Tensor& zero_point, int64_t quant_min,
                                  int64_t quant_max, ScalarType dtype) {
  if (scale.is_meta()) return structured::to(input, dtype);
  return quantize_per_tensor(input, scale.item<double>(), zero_point.item<int64_t>(), quant_min, quant_max, dtype);
}

/// Real numbers that integers of dtype `dtype` represent: (`input` - `zero_point`) * `scale`, of dtype `out_dtype` or
/// else Float. `quant_min` and `quant_max` are not used.
[[structured::kernel("quantized_decomposed::dequantize_per_tensor", "CompositeExplicitAutograd"),
  structured::not_differentiable]]
Tensor dequantize_per_tensor(const Tensor& input, double scale, int64_t zero_point, [[maybe_unused]] int64_t quant_min,
                             [[maybe_unused]] int64_t quant_max, ScalarType dtype,
                             [[structured::kwonly]] std::optional<ScalarType> out_dtype = std::nullopt) {
  check_dtype("quantized_decomposed::dequantize_per_tensor", input, dtype);
  if (out_dtype.value_or(kFloat) == kFloat) {
    if (is_dense(input, kByte)) return dequantized<uint8_t>(input, scale, zero_point);
    if (is_dense(input, kChar)) return dequantized<int8_t>(input, scale, zero_point);
  }
  const Tensor real = structured::to(input, out_dtype.value_or(kFloat));
  return structured::mul(structured::sub(real, zero_point), scale);
}

/// `quantized_decomposed::dequantize_per_tensor` with scale and zero point in tensors of one element.
[[structured::kernel("quantized_decomposed::dequantize_per_tensor.tensor", "CompositeExplicitAutograd"),
  structured::not_differentiable]]
Tensor dequantize_per_tensor_tensor(const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                    int64_t quant_min, int64_t quant_max, ScalarType dtype,
                                    [[structured::kwonly]] std::optional<ScalarType> out_dtype = std::nullopt) {
  if (scale.is_meta()) return structured::to(input, out_dtype.value_or(kFloat));
  return dequantize_per_tensor(input, scale.item<double>(), zero_point.item<int64_t>(), quant_min, quant_max, dtype,
                               out_dtype);
}

/// `quantized_decomposed::quantize_per_tensor` with a scale and a zero point for each index of dimension `axis`.
[[structured::kernel("quantized_decomposed::quantize_per_channel", "CompositeExplicitAutograd"),
  structured::not_differentiable]]
Tensor quantize_per_channel(const Tensor& input, const Tensor& scales, const Tensor& zero_points, int64_t axis,
                            int64_t quant_min, int64_t quant_max, ScalarType dtype) {
  constexpr const char* name = "quantized_decomposed::quantize_per_channel";
  check_range(name, quant_min, quant_max);
  const Tensor inverse = along_axis(name, structured::reciprocal(scales), input, axis);
  const Tensor multiples = structured::round(structured::mul(widened(name, input), inverse));
  const Tensor sum = structured::add(multiples, along_axis(name, zero_points, input, axis));
  return structured::to(structured::clamp(sum, quant_min, quant_max), dtype);
}

/// `quantized_decomposed::dequantize_per_tensor` with a scale and a zero point for each index of dimension `axis`.
/// Without `zero_points`, all are 0.
[[structured::kernel("quantized_decomposed::dequantize_per_channel", "CompositeExplicitAutograd"),
  structured::not_differentiable]]
Tensor dequantize_per_channel(const Tensor& input, const Tensor& scales, const std::optional<Tensor>& zero_points,
                              int64_t axis, [[maybe_unused]] int64_t quant_min, [[maybe_unused]] int64_t quant_max,
                              ScalarType dtype,
                              [[structured::kwonly]] std::optional<ScalarType> out_dtype = std::nullopt) {
  constexpr const char* name = "quantized_decomposed::dequantize_per_channel";
  check_dtype(name, input, dtype);
  Tensor integers = input;
  if (zero_points && zero_points->defined()) {
    integers = structured::sub(input, along_axis(name, *zero_points, input, axis));
  }
  const Tensor real = structured::mul(integers, along_axis(name, scales, input, axis));
  return structured::to(real, out_dtype.value_or(kFloat));
}

/// Scale (Double) and zero point (Long), each with one element, for integers from `quant_min` to `quant_max` that cover
/// the elements of `input` and represent 0 exactly. The scale is at least `eps`.
[[structured::kernel("quantized_decomposed::choose_qparams.tensor", "CompositeExplicitAutograd"),
  structured::not_differentiable]]
std::tuple<Tensor, Tensor> choose_qparams(const Tensor& input, int64_t quant_min, int64_t quant_max, double eps,
                                          [[maybe_unused]] ScalarType dtype) {
  constexpr const char* name = "quantized_decomposed::choose_qparams";
  STRUCTURED_CHECK(input.dtype() == kFloat, name, ": expected `input` of dtype Float, got ", input.dtype());
  STRUCTURED_CHECK(quant_min < quant_max, name, ": expected `quant_min` below `quant_max`, got ", quant_min, " and ",
                   quant_max);
  const TensorOptions scale_options(kDouble, input.device()), zero_point_options(kLong, input.device());
  if (input.is_meta()) return {empty({1}, scale_options), empty({1}, zero_point_options)};
  const auto [least, most] = structured::aminmax(input);
  const float low = std::fmin(least.item<float>(), 0.0f), high = std::fmax(most.item<float>(), 0.0f);
  const float scale = std::fmax((high - low) / static_cast<float>(quant_max - quant_min), static_cast<float>(eps));
  const auto zero_point = quant_min - static_cast<int64_t>(std::nearbyint(low / scale));
  return {full({1}, static_cast<double>(scale), scale_options),
          full({1}, std::min(std::max(zero_point, quant_min), quant_max), zero_point_options)};
}

}  // namespace structured::kernels::quantized_decomposed
