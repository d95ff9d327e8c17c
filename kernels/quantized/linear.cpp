// Quantized linear layers: quantized::linear_prepack, linear, linear_relu, linear_dynamic and linear_relu_dynamic.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>
#include <structured/ops/quantize_per_tensor.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "quantized/choose_qparams.h"
#include "quantized/weights.h"
#include "shared/dense.h"
#include "shared/quantization.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Sizes of the result for `self` [..., K].
DimVector linear_sizes(const char* name, const Tensor& self, const PackedWeights& weights, int64_t least_dims = 2) {
  STRUCTURED_CHECK(self.dim() >= least_dims && self.size(-1) == weights.count, name, ": expected an input with ",
                   least_dims, " or more dimensions and ", weights.count,
                   " elements in the last one, as the weight has, got sizes ", self.sizes());
  DimVector sizes(self.sizes());
  sizes[sizes.size() - 1] = weights.rows;
  return sizes;
}

// Calls `finish(row, sums)` for each row of `in` [..., K], which is contiguous.
template <class Finish>
void multiply_rows(const Tensor& in, ZeroPoint zero_point, const PackedWeights& weights, Finish&& finish) {
  const int64_t count = weights.count, pairs = pair_count(count), panels = panel_count(weights.rows);
  const int64_t row_count = count == 0 ? 0 : in.numel() / count;
  const auto* const from = static_cast<const uint8_t*>(in.data());
  const int64_t block = std::clamp<int64_t>(16384 / (panels * kPanel + pairs), 8, 64);
  const int64_t grain = std::max<int64_t>(block, 8 * kGrainSize / std::max<int64_t>(1, count * weights.rows));
  parallel_for(0, row_count, grain, [&](int64_t begin, int64_t end) {
    ScratchVector<int16_t> matrix(static_cast<std::size_t>(std::min(block, end - begin) * 2 * pairs), 0);
    ScratchVector<int32_t> sums(static_cast<std::size_t>(std::min(block, end - begin) * panels * kPanel));
    for (int64_t first = begin; first < end; first += block) {
      const int64_t rows = std::min(block, end - first);
      for (int64_t i = 0; i < rows; ++i) {
        subtract_zero_point(from + (first + i) * count, count, zero_point, matrix.data() + i * 2 * pairs);
      }
      multiply({matrix.data(), rows, weights.group(0), pairs, panels, sums.data()});
      for (int64_t i = 0; i < rows; ++i) finish(first + i, sums.data() + i * panels * kPanel);
    }
  });
}

Tensor apply_linear(const char* name, const Tensor& x, TensorList packed, double output_scale,
                    int64_t output_zero_point, bool is_relu) {
  const PackedWeights weights = read_weights(name, packed, x.device(), 0);
  STRUCTURED_CHECK(x.dtype() == kQUInt8, name, ": expected `X` of dtype QUInt8, got ", x.dtype());
  const Quantizer& quantizer = quantizer_of(x);
  STRUCTURED_CHECK(!quantizer.is_per_channel(), name, ": expected `X` to be quantized per tensor");
  Tensor result = empty(linear_sizes(name, x, weights), x.options());
  set_quantizer(result, output_scale, output_zero_point);
  if (x.is_meta() || result.numel() == 0) return result;
  const Requantization requantization =
      make_requantization(name, weights, quantizer.scale(), output_scale, output_zero_point, is_relu);
  multiply_rows(dense(integers_of(x), kByte), {kByte, quantizer.zero_point()}, weights,
                [&](int64_t row, const int32_t* sums) {
                  requantize(requantization, sums, 0, weights.rows, result.data(), row * weights.rows);
                });
  return result;
}

Tensor apply_linear_dynamic(const char* name, const Tensor& x, TensorList packed, bool is_relu) {
  const PackedWeights weights = read_weights(name, packed, x.device(), 0);
  STRUCTURED_CHECK(x.dtype() == kFloat, name, ": expected `X` of dtype Float, got ", x.dtype());
  Tensor result = empty(linear_sizes(name, x, weights), x.options());
  if (x.is_meta() || result.numel() == 0) return result;
  const Tensor in = dense(x, kFloat);
  const QuantizationParameters parameters = choose_qparams(name, in, 0, 255);
  const Tensor quantized = structured::quantize_per_tensor(in, parameters.scale, parameters.zero_point, kQUInt8);
  const std::vector<float> factors = output_factors(name, weights.weight, parameters.scale, 1);
  const auto* const bias = weights.bias.data_ptr<float>();
  auto* const out = result.data_ptr<float>();
  multiply_rows(integers_of(quantized), {kByte, parameters.zero_point}, weights, [&](int64_t row, const int32_t* sums) {
    for (int64_t i = 0; i < weights.rows; ++i) {
      const float value = factors[static_cast<std::size_t>(i)] * static_cast<float>(sums[i]) + bias[i];
      out[row * weights.rows + i] = is_relu && value < 0 ? 0 : value;
    }
  });
  return result;
}

}  // namespace

/// Packs the parameters of a quantized linear layer: a list of tensors that `quantized::linear` takes. `W` [N, K] has
/// dtype QInt8 and is quantized per tensor or along dimension 0; `B` [N] has dtype Float.
[[structured::kernel("quantized::linear_prepack", "CPU", "QuantizedCPU", "Meta"), structured::not_differentiable]]
std::vector<Tensor> linear_prepack(const Tensor& W, const std::optional<Tensor>& B = std::nullopt) {
  constexpr const char* name = "quantized::linear_prepack";
  STRUCTURED_CHECK(W.dim() == 2, name, ": expected `W` to have 2 dimensions, got ", W.dim());
  return pack_weights(name, W, B, 1, W.size(1), 1);
}

/// Packs the parameters of a linear layer of ordinary integers: a list of tensors that `quantized::integer_linear`
/// takes. `weight` [N, K] has dtype Char; `scales` and `zero_points` [N] belong to its rows, and without `zero_points`,
/// all are 0. `bias` [N] has dtype Float.
[[structured::kernel("quantized::integer_linear_prepack", "CPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
std::vector<Tensor> integer_linear_prepack(const Tensor& weight, const Tensor& scales,
                                           const std::optional<Tensor>& zero_points,
                                           const std::optional<Tensor>& bias) {
  constexpr const char* name = "quantized::integer_linear_prepack";
  STRUCTURED_CHECK(weight.dim() == 2, name, ": expected `weight` to have 2 dimensions, got ", weight.dim());
  return pack_weights(name, quantized_weight(name, weight, scales, zero_points), bias, 1, weight.size(1), 1);
}

/// Linear layer of integers `input` [..., K] of dtype Byte or Char, which stand for (q - `input_zero_point`) *
/// `input_scale`, with parameters of `quantized::integer_linear_prepack`: [..., N].
///
/// With `dtype` Byte or Char, the result is quantized with `output_scale` and `output_zero_point`, between `output_min`
/// and `output_max`; with `dtype` Float, it is real, and these are ignored. Sums of integers are exact; they are scaled
/// in Float, the bias is added, and the result is rounded once, ties to even.
[[structured::kernel("quantized::integer_linear", "CPU", "QuantizedCPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
Tensor integer_linear(const Tensor& input, TensorList packed_weight, double input_scale, int64_t input_zero_point,
                      double output_scale, int64_t output_zero_point, int64_t output_min, int64_t output_max,
                      ScalarType dtype) {
  constexpr const char* name = "quantized::integer_linear";
  const PackedWeights weights = read_weights(name, packed_weight, input.device(), 0);
  const ZeroPoint zero_point = zero_point_of(name, input, input_zero_point);
  const Requantization requantization =
      make_requantization(name, weights, input_scale, {output_scale, output_zero_point, output_min, output_max, dtype});
  const Tensor result = empty(linear_sizes(name, input, weights, 1), input.options().dtype(dtype));
  multiply_rows(dense(input, input.dtype()), zero_point, weights, [&](int64_t row, const int32_t* sums) {
    requantize(requantization, sums, 0, weights.rows, result.data(), row * weights.rows);
  });
  return result;
}

/// Linear layer of `X` [..., K] (QUInt8, quantized per tensor) with parameters of `quantized::linear_prepack`,
/// quantized with `Y_scale_i` and `Y_zero_point_i`: [..., N]. It is computed as by `quantized::conv2d.new`.
[[structured::kernel("quantized::linear", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor linear(const Tensor& X, TensorList W_prepack, double Y_scale_i, int64_t Y_zero_point_i) {
  return apply_linear("quantized::linear", X, W_prepack, Y_scale_i, Y_zero_point_i, false);
}

/// `quantized::linear` followed by relu.
[[structured::kernel("quantized::linear_relu", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor linear_relu(const Tensor& X, TensorList W_prepack, double Y_scale_i, int64_t Y_zero_point_i) {
  return apply_linear("quantized::linear_relu", X, W_prepack, Y_scale_i, Y_zero_point_i, true);
}

/// Linear layer of `X` [..., K] (Float), which is quantized to QUInt8 with a scale and zero point that cover its
/// elements, with parameters of `quantized::linear_prepack`: [..., N] of dtype Float. `reduce_range` is ignored, as by
/// PyTorch's engine QNNPACK.
[[structured::kernel("quantized::linear_dynamic", "CPU", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor linear_dynamic(const Tensor& X, TensorList W_prepack, [[maybe_unused]] bool reduce_range = false) {
  return apply_linear_dynamic("quantized::linear_dynamic", X, W_prepack, false);
}

/// `quantized::linear_dynamic` followed by relu.
[[structured::kernel("quantized::linear_relu_dynamic", "CPU", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor linear_relu_dynamic(const Tensor& X, TensorList W_prepack, [[maybe_unused]] bool reduce_range = false) {
  return apply_linear_dynamic("quantized::linear_relu_dynamic", X, W_prepack, true);
}

}  // namespace structured::kernels
