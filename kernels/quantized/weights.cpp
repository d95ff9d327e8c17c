#include "quantized/weights.h"

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>

#include <algorithm>
#include <cmath>

#include "shared/dense.h"
#include "shared/quantization.h"

namespace structured::kernels {
namespace {

int64_t weight_zero_point(const Quantizer& quantizer, int64_t channel) {
  return quantizer.is_per_channel() ? quantizer.zero_points().data_ptr<int64_t>()[channel] : quantizer.zero_point();
}

const Quantizer& check_weight(const char* name, const Tensor& weight) {
  STRUCTURED_CHECK(weight.dtype() == kQInt8, name, ": expected a weight of dtype QInt8, got ", weight.dtype());
  const Quantizer& quantizer = quantizer_of(weight);
  STRUCTURED_CHECK(!quantizer.is_per_channel() || quantizer.axis() == 0, name,
                   ": expected a weight that is quantized per tensor or along dimension 0, got dimension ",
                   quantizer.axis());
  constexpr int64_t most = int64_t{1} << 56;  // products of sizes and the packed size do not overflow
  STRUCTURED_CHECK(weight.numel() > 0 && weight.numel() <= most, name,
                   ": expected a weight of 1 to 2^56 elements, got ", "sizes ", weight.sizes());
  return quantizer;
}

}  // namespace

std::vector<Tensor> pack_weights(const char* name, const Tensor& weight, const std::optional<Tensor>& bias,
                                 int64_t groups, int64_t channels, int64_t taps) {
  const Quantizer& quantizer = check_weight(name, weight);
  const int64_t outputs = weight.size(0);
  Tensor float_bias;
  if (bias && bias->defined()) {
    STRUCTURED_CHECK(bias->dtype() == kFloat && bias->dim() == 1 && bias->numel() == outputs, name,
                     ": expected `bias` to be a vector of Float with ", outputs, " elements, got dtype ", bias->dtype(),
                     " and sizes ", bias->sizes());
    float_bias = dense(*bias, kFloat);
  } else {
    float_bias = zeros({outputs}, TensorOptions(kFloat, weight.device()));
  }
  const int64_t rows = outputs / groups, count = channels * taps, size = packed_size(rows, count);
  const Tensor packed = zeros({groups * size}, TensorOptions(kShort, weight.device()));
  if (!weight.is_meta()) {
    const Tensor integers = dense(integers_of(weight), kChar);
    const auto* const from = integers.data_ptr<int8_t>();
    auto* const to = packed.data_ptr<int16_t>();
    for (int64_t o = 0; o < outputs; ++o) {
      const int64_t zero_point = weight_zero_point(quantizer, o), row = o % rows;
      int16_t* const panel = to + o / rows * size + row / kPanel * kPanel * 2 * pair_count(count);
      for (int64_t c = 0; c < channels; ++c) {
        for (int64_t t = 0; t < taps; ++t) {
          const int64_t k = t * channels + c;
          panel[(k / 2 * kPanel + row % kPanel) * 2 + k % 2] =
              static_cast<int16_t>(from[(o * channels + c) * taps + t] - zero_point);
        }
      }
    }
  }
  return {weight, float_bias, packed};
}

PackedWeights read_weights(const char* name, TensorList list, Device device, int64_t argument_count) {
  const std::size_t expected = argument_count == 0 ? 3 : 4;
  STRUCTURED_CHECK(list.size() == expected, name, ": expected packed parameters of ", expected, " tensors, got ",
                   list.size());
  PackedWeights result;
  result.weight = list[0];
  result.bias = list[1];
  result.packed = list[2];
  for (const Tensor& part : list.slice(0, 3)) {
    STRUCTURED_CHECK(part.device() == device, name, ": expected packed parameters on ", device, ", got one on ",
                     part.device());
  }
  check_weight(name, result.weight);
  const Tensor& weight = result.weight;
  STRUCTURED_CHECK(weight.dim() == (argument_count == 0 ? 2 : 4), name, ": expected a weight with ",
                   argument_count == 0 ? 2 : 4, " dimensions, got sizes ", weight.sizes());
  if (argument_count != 0) {
    result.arguments = list[3];
    const Tensor& arguments = result.arguments;
    STRUCTURED_CHECK(arguments.dtype() == kLong && arguments.is_cpu() && arguments.is_contiguous() &&
                         arguments.dim() == 1 && arguments.numel() == argument_count,
                     name, ": expected packed arguments to be a vector of ", argument_count, " elements of dtype Long");
    result.groups = arguments.data_ptr<int64_t>()[argument_count - 1];
  }
  const int64_t outputs = weight.size(0);
  STRUCTURED_CHECK(result.groups > 0 && outputs % result.groups == 0, name, ": expected ", outputs,
                   " output channels in equal groups, got ", result.groups, " groups");
  result.rows = outputs / result.groups;
  result.count = 1;
  for (const int64_t size : weight.sizes().slice(1, weight.sizes().size() - 1)) result.count *= size;
  STRUCTURED_CHECK(result.bias.dtype() == kFloat && result.bias.is_contiguous() && result.bias.numel() == outputs, name,
                   ": expected a packed bias of ", outputs, " contiguous elements of dtype Float");
  STRUCTURED_CHECK(result.packed.dtype() == kShort && result.packed.is_contiguous() &&
                       result.packed.numel() == result.groups * packed_size(result.rows, result.count),
                   name, ": expected a packed weight for sizes ", weight.sizes(), ", got sizes ", result.packed.sizes(),
                   " and dtype ", result.packed.dtype());
  return result;
}

float weight_scale(const Tensor& weight, int64_t channel) {
  const Quantizer& quantizer = quantizer_of(weight);
  return static_cast<float>(quantizer.is_per_channel() ? quantizer.scales().data_ptr<double>()[channel]
                                                       : quantizer.scale());
}

std::vector<float> output_factors(const char* name, const Tensor& weight, double input_scale, double output_scale) {
  const float inverse = 1.0f / static_cast<float>(output_scale);
  std::vector<float> factors(static_cast<std::size_t>(weight.size(0)));
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const float scale = weight_scale(weight, static_cast<int64_t>(i));
    factors[i] = (scale * static_cast<float>(input_scale)) * inverse;
    STRUCTURED_CHECK(factors[i] > 0 && std::isnormal(factors[i]), name,
                     ": expected scales of input, weight and output whose quotient is a normal positive number, got ",
                     input_scale, ", ", scale, " and ", output_scale);
  }
  return factors;
}

Requantization make_requantization(const char* name, const PackedWeights& weights, double input_scale,
                                   double output_scale, int64_t output_zero_point, bool is_relu) {
  STRUCTURED_CHECK(output_zero_point >= 0 && output_zero_point <= 255, name,
                   ": expected an output zero point from 0 to 255, got ", output_zero_point);
  const auto zero_point = static_cast<int32_t>(output_zero_point);
  Requantization result{output_factors(name, weights.weight, input_scale, output_scale),
                        std::vector<int32_t>(static_cast<std::size_t>(weights.weight.size(0))),
                        std::vector<float>(static_cast<std::size_t>(weights.weight.size(0))),
                        zero_point,
                        is_relu ? zero_point : 0,
                        255};
  const Quantizer& quantizer = quantizer_of(weights.weight);
  const auto* const bias = weights.bias.data_ptr<float>();
  for (std::size_t i = 0; i < result.bias.size(); ++i) {
    const double scale = quantizer.is_per_channel() ? quantizer.scales().data_ptr<double>()[i] : quantizer.scale();
    result.bias[i] = quantize<int32_t>(bias[i], 1.0f / static_cast<float>(scale * input_scale), 0);
  }
  return result;
}

Requantization make_requantization(const char* name, const PackedWeights& weights, double input_scale,
                                   const LayerResult& result) {
  const bool is_real = result.dtype == kFloat;
  const int64_t least = result.dtype == kChar ? -128 : 0, most = result.dtype == kChar ? 127 : 255;
  STRUCTURED_CHECK(is_real || result.dtype == kByte || result.dtype == kChar, name,
                   ": expected `dtype` Byte, Char or Float, got ", result.dtype);
  STRUCTURED_CHECK(is_real || (least <= result.low && result.low <= result.high && result.high <= most &&
                               least <= result.zero_point && result.zero_point <= most),
                   name, ": expected bounds and a zero point that ", result.dtype, " holds, got ", result.low, " to ",
                   result.high, " and ", result.zero_point);
  const auto count = static_cast<std::size_t>(weights.weight.size(0));
  Requantization requantization{std::vector<float>(count),
                                std::vector<int32_t>(count),
                                std::vector<float>(count),
                                static_cast<int32_t>(result.zero_point),
                                static_cast<int32_t>(result.low),
                                static_cast<int32_t>(result.high),
                                result.dtype};
  const float inverse = is_real ? 1 : 1 / static_cast<float>(result.scale);
  const auto* const bias = weights.bias.data_ptr<float>();
  for (std::size_t i = 0; i < count; ++i) {
    const float scale = weight_scale(weights.weight, static_cast<int64_t>(i)) * static_cast<float>(input_scale);
    requantization.scales[i] = scale * inverse;
    requantization.offsets[i] = bias[i] * inverse;
  }
  return requantization;
}

Tensor quantized_weight(const char* name, const Tensor& weight, const Tensor& scales,
                        const std::optional<Tensor>& zero_points) {
  STRUCTURED_CHECK(weight.dtype() == kChar && weight.dim() > 0, name, ": expected a weight of dtype Char, got dtype ",
                   weight.dtype(), " and sizes ", weight.sizes());
  const Tensor result = Tensor::adopt(TensorImpl::create(weight.storage(), weight.device(), kQInt8));
  result.impl()->set_sizes_and_strides(weight.sizes(), weight.strides());
  result.impl()->set_storage_offset(weight.storage_offset());
  const bool has_zero_points = zero_points && zero_points->defined();
  set_quantizer(result, scales, has_zero_points ? *zero_points : zeros({scales.numel()}, kLong), 0);
  return result;
}

ZeroPoint zero_point_of(const char* name, const Tensor& integers, int64_t zero_point) {
  STRUCTURED_CHECK(integers.dtype() == kByte || integers.dtype() == kChar, name,
                   ": expected integers of dtype Byte or Char, got ", integers.dtype());
  const int64_t least = integers.dtype() == kChar ? -128 : 0;
  STRUCTURED_CHECK(zero_point >= least && zero_point <= least + 255, name, ": expected a zero point from ", least,
                   " to ", least + 255, ", got ", zero_point);
  return {integers.dtype(), zero_point};
}

}  // namespace structured::kernels
