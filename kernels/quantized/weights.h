#pragma once
// Packed parameters of quantized convolutions and linear layers: lists of tensors, which `*_prepack` make.
#include <structured/core/tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "quantized/product.h"

namespace structured::kernels {

/// Packed parameters: the weight (QInt8), the bias (Float), the weight as 16-bit integers without its zero points, and
/// for convolutions stride, padding, dilation and groups (Long).
struct PackedWeights {
  Tensor weight;
  Tensor bias;
  Tensor packed;
  Tensor arguments;

  /// Rows of the weight that are multiplied: `rows` output channels of each of `groups`, and `count` elements of a row.
  int64_t groups = 1;
  int64_t rows = 0;
  int64_t count = 0;

  const int16_t* group(int64_t index) const { return packed.data_ptr<int16_t>() + index * packed_size(rows, count); }
};

/// Packs a weight of dtype QInt8, quantized per tensor or along dimension 0. The elements of a row are reordered from
/// [channels, taps] to [taps, channels]. Throws Error, with `name` as prefix, for other weights, and for a bias that is
/// not a vector of Float with one element for each output channel. On the Meta backend, nothing is packed.
std::vector<Tensor> pack_weights(const char* name, const Tensor& weight, const std::optional<Tensor>& bias,
                                 int64_t groups, int64_t channels, int64_t taps);

/// Reads a list that pack_weights has made on `device`, followed by a vector of `argument_count` integers on the CPU if
/// that is not 0. Throws Error, with `name` as prefix, for any other list.
PackedWeights read_weights(const char* name, TensorList list, Device device, int64_t argument_count);

/// Scale of the weight of output channel `channel`, rounded to Float as in PyTorch.
float weight_scale(const Tensor& weight, int64_t channel);

/// Factors that turn sums into the result: weight_scale * input_scale / output_scale in Float arithmetic, in the order
/// of PyTorch. Throws Error, with `name` as prefix, if one is not a normal positive number.
std::vector<float> output_factors(const char* name, const Tensor& weight, double input_scale, double output_scale);

/// Scale, zero point, bounds and dtype of the result of a layer: Byte, Char, or Float, for which only the dtype counts.
struct LayerResult {
  double scale;
  int64_t zero_point;
  int64_t low;
  int64_t high;
  ScalarType dtype;
};

/// Requantization of a layer of ordinary tensors of integers. The bias is added as a real number. Throws Error, with
/// `name` as prefix, for other dtypes and bounds that the dtype does not hold.
Requantization make_requantization(const char* name, const PackedWeights& weights, double input_scale,
                                   const LayerResult& result);

/// The quantized tensor (QInt8) with the memory of `weight` (Char), and a scale and a zero point for each index of
/// dimension 0. Without `zero_points`, all are 0. Throws Error, with `name` as prefix, for other tensors.
Tensor quantized_weight(const char* name, const Tensor& weight, const Tensor& scales,
                        const std::optional<Tensor>& zero_points);

/// Checks integers of dtype Byte or Char and their zero point, which is returned.
ZeroPoint zero_point_of(const char* name, const Tensor& integers, int64_t zero_point);

/// Requantization of a layer of quantized tensors. The bias is rounded to a multiple of the product of input and weight
/// scale.
Requantization make_requantization(const char* name, const PackedWeights& weights, double input_scale,
                                   double output_scale, int64_t output_zero_point, bool is_relu);

}  // namespace structured::kernels
