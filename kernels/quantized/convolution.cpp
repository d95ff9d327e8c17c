// Quantized convolution: quantized::conv2d_prepack, conv2d.new and conv2d_relu.new.
//
// Sums are computed exactly from integers without their zero points, so that padding is zeros, and are rounded once.
// This is the arithmetic of QNNPACK, the engine of PyTorch's lite interpreter, to the last bit.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "meta/convolution_geometry.h"
#include "quantized/weights.h"
#include "shared/batch.h"
#include "shared/dense.h"
#include "shared/quantization.h"

namespace structured::kernels {
namespace {

// stride, padding and dilation of height and width, and groups
constexpr int64_t kArgumentCount = 7;

// A convolution of channels-last integers.
struct Operands {
  const ConvGeometry& geometry;
  const PackedWeights& weights;
  const Requantization& requantization;
  const uint8_t* in;
  ZeroPoint zero_point;
  void* out;

  const WindowAxis& height() const { return geometry.axes[1]; }
  const WindowAxis& width() const { return geometry.axes[2]; }
  int64_t channels() const { return geometry.groups * geometry.input_channels; }
  int64_t output_channels() const { return geometry.groups * geometry.output_channels; }

  // Calls `line(i, left, pixels)` for each row of kernel elements of window `window`. `pixels` is the row of the input,
  // or null outside of it, and `left` the column of the first kernel element.
  template <class Line>
  void for_each_line(int64_t window, Line&& line) const {
    const WindowAxis &y = height(), &x = width();
    const int64_t sample = window / (y.output * x.output);
    const int64_t top = window / x.output % y.output * y.stride - y.padding;
    const int64_t left = window % x.output * x.stride - x.padding;
    for (int64_t i = 0; i < y.kernel; ++i) {
      const int64_t h = top + i * y.dilation;
      line(i, left, h >= 0 && h < y.input ? in + (sample * y.input + h) * x.input * channels() : nullptr);
    }
  }

  // Calls `tap(index, pixel)` for each kernel element of window `window`; `pixel` is null outside of the input.
  template <class Tap>
  void for_each_tap(int64_t window, Tap&& tap) const {
    const WindowAxis& x = width();
    for_each_line(window, [&](int64_t i, int64_t left, const uint8_t* pixels) {
      for (int64_t j = 0; j < x.kernel; ++j) {
        const int64_t w = left + j * x.dilation;
        const bool is_inside = pixels != nullptr && w >= 0 && w < x.input;
        tap(i * x.kernel + j, is_inside ? pixels + w * channels() : nullptr);
      }
    });
  }
};

// Windows [begin, end) of a convolution with one input and one output channel in each group.
void convolve_depthwise(const Operands& o, const int16_t* taps, int64_t begin, int64_t end) {
  const int64_t channels = o.channels();
  ScratchVector<int32_t> sums(static_cast<std::size_t>(channels));
  for (int64_t window = begin; window < end; ++window) {
    std::fill(sums.begin(), sums.end(), 0);
    o.for_each_tap(window, [&](int64_t tap, const uint8_t* pixel) {
      if (pixel != nullptr) add_products(pixel, o.zero_point, taps + tap * channels, channels, sums.data());
    });
    requantize(o.requantization, sums.data(), 0, channels, o.out, window * channels);
  }
}

// Writes the elements of a window in the order [taps, channels], without the zero point, for the channels of `group`.
void gather_window(const Operands& o, int64_t window, int64_t group, int16_t* row) {
  const int64_t channels = o.geometry.input_channels;
  const WindowAxis& x = o.width();
  if (o.geometry.groups == 1 && x.dilation == 1) {  // elements of a line follow each other
    o.for_each_line(window, [&](int64_t i, int64_t left, const uint8_t* pixels) {
      int16_t* const to = row + i * x.kernel * channels;
      const int64_t begin = std::clamp<int64_t>(-left, 0, x.kernel);
      const int64_t end = pixels == nullptr ? begin : std::clamp<int64_t>(x.input - left, begin, x.kernel);
      std::fill_n(to, begin * channels, int16_t{0});
      if (begin < end) {
        subtract_zero_point(pixels + (left + begin) * channels, (end - begin) * channels, o.zero_point,
                            to + begin * channels);
      }
      std::fill_n(to + end * channels, (x.kernel - end) * channels, int16_t{0});
    });
    return;
  }
  o.for_each_tap(window, [&](int64_t tap, const uint8_t* pixel) {
    int16_t* const to = row + tap * channels;
    if (pixel == nullptr) {
      std::fill_n(to, channels, int16_t{0});
    } else {
      subtract_zero_point(pixel + group * channels, channels, o.zero_point, to);
    }
  });
}

// Windows [begin, end): a row of integers for each, multiplied by the packed weights of each group.
void convolve_windows(const Operands& o, int64_t begin, int64_t end) {
  const int64_t rows = o.weights.rows;
  const int64_t pairs = pair_count(o.weights.count), panels = panel_count(rows);
  const int64_t block = std::clamp<int64_t>(16384 / (panels * kPanel + pairs), 8, 64);
  ScratchVector<int16_t> matrix(static_cast<std::size_t>(block * 2 * pairs), 0);
  ScratchVector<int32_t> sums(static_cast<std::size_t>(block * panels * kPanel));
  for (int64_t first = begin; first < end; first += block) {
    const int64_t count = std::min(block, end - first);
    for (int64_t group = 0; group < o.geometry.groups; ++group) {
      for (int64_t i = 0; i < count; ++i) {
        gather_window(o, first + i, group, matrix.data() + i * 2 * pairs);
      }
      multiply({matrix.data(), count, o.weights.group(group), pairs, panels, sums.data()});
      for (int64_t i = 0; i < count; ++i) {
        requantize(o.requantization, sums.data() + i * panels * kPanel, group * rows, rows, o.out,
                   (first + i) * o.output_channels() + group * rows);
      }
    }
  }
}

// The packed weight of a depthwise convolution as [taps, channels].
ScratchVector<int16_t> depthwise_taps(const PackedWeights& weights) {
  ScratchVector<int16_t> taps(static_cast<std::size_t>(weights.groups * weights.count));
  for (int64_t c = 0; c < weights.groups; ++c) {
    const int16_t* const packed = weights.group(c);
    for (int64_t t = 0; t < weights.count; ++t) {
      taps[static_cast<std::size_t>(t * weights.groups + c)] = packed[t / 2 * kPanel * 2 + t % 2];
    }
  }
  return taps;
}

ConvGeometry geometry_of(const Tensor& input, const PackedWeights& weights) {
  const IntArrayRef arguments(weights.arguments.data_ptr<int64_t>(), kArgumentCount);
  constexpr int64_t zero = 0;
  const IntArrayRef no_padding(&zero, 1);
  return conv_geometry(
      input, weights.weight, Tensor(),
      {arguments.slice(0, 2), arguments.slice(2, 2), arguments.slice(4, 2), false, no_padding, arguments[6]});
}

DimVector sizes_of(const ConvGeometry& geometry) {
  return {geometry.samples, geometry.groups * geometry.output_channels, geometry.axes[1].output,
          geometry.axes[2].output};
}

void run_convolution(const Operands& operands) {
  const ConvGeometry& geometry = operands.geometry;
  const int64_t windows = geometry.samples * geometry.output_size();
  const int64_t work = operands.output_channels() * operands.weights.count;  // products of a window
  const int64_t grain = std::max<int64_t>(1, 8 * kGrainSize / std::max<int64_t>(1, work));
  if (geometry.groups > 1 && geometry.input_channels == 1 && geometry.output_channels == 1) {
    const ScratchVector<int16_t> taps = depthwise_taps(operands.weights);
    parallel_for(0, windows, grain,
                 [&](int64_t begin, int64_t end) { convolve_depthwise(operands, taps.data(), begin, end); });
  } else {
    parallel_for(0, windows, grain, [&](int64_t begin, int64_t end) { convolve_windows(operands, begin, end); });
  }
}

Tensor convolve(const char* name, const Tensor& qx, TensorList packed, double output_scale, int64_t output_zero_point,
                bool is_relu) {
  const PackedWeights weights = read_weights(name, packed, qx.device(), kArgumentCount);
  STRUCTURED_CHECK(qx.dtype() == kQUInt8, name, ": expected `qx` of dtype QUInt8, got ", qx.dtype());
  STRUCTURED_CHECK(qx.dim() == 4, name, ": expected `qx` to have 4 dimensions, got ", qx.dim());
  const ConvGeometry geometry = geometry_of(qx, weights);
  const Quantizer& quantizer = quantizer_of(qx);
  STRUCTURED_CHECK(!quantizer.is_per_channel(), name, ": expected `qx` to be quantized per tensor");
  Tensor result = empty(sizes_of(geometry), qx.options(), MemoryFormat::ChannelsLast);
  set_quantizer(result, output_scale, output_zero_point);
  if (qx.is_meta() || result.numel() == 0) return result;
  const Requantization requantization =
      make_requantization(name, weights, quantizer.scale(), output_scale, output_zero_point, is_relu);
  const Tensor in = dense(integers_of(qx), kByte, MemoryFormat::ChannelsLast);
  run_convolution(
      {geometry, weights, requantization, in.data_ptr<uint8_t>(), {kByte, quantizer.zero_point()}, result.data()});
  return result;
}

std::vector<Tensor> prepack(const char* name, const Tensor& weight, const std::optional<Tensor>& bias,
                            IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, int64_t groups) {
  STRUCTURED_CHECK(weight.dim() == 4, name, ": expected `weight` to have 4 dimensions, got ", weight.dim());
  STRUCTURED_CHECK(groups > 0 && weight.size(0) % groups == 0, name, ": expected ", weight.size(0),
                   " output channels in equal groups, got `groups` ", groups);
  std::vector<int64_t> arguments;
  const auto append = [&](const char* argument, IntArrayRef list, int64_t least) {
    STRUCTURED_CHECK(list.size() == 2 && list[0] >= least && list[1] >= least, name, ": expected `", argument,
                     "` to have 2 elements of ", least, " or more, got ", list);
    arguments.insert(arguments.end(), list.begin(), list.end());
  };
  append("stride", stride, 1);
  append("padding", padding, 0);
  append("dilation", dilation, 1);
  arguments.push_back(groups);
  std::vector<Tensor> result =
      pack_weights(name, weight, bias, groups, weight.size(1), weight.size(2) * weight.size(3));
  result.push_back(tensor<int64_t>(arguments));
  return result;
}

}  // namespace

/// Packs the parameters of a quantized convolution: a list of tensors that `quantized::conv2d.new` takes.
///
/// `weight` [O, C / groups, H, W] has dtype QInt8 and is quantized per tensor or along dimension 0; `bias` [O] has
/// dtype Float. `stride`, `padding` and `dilation` have two elements.
[[structured::kernel("quantized::conv2d_prepack", "CPU", "QuantizedCPU", "Meta"), structured::not_differentiable]]
std::vector<Tensor> conv2d_prepack(const Tensor& weight, const std::optional<Tensor>& bias, IntArrayRef stride,
                                   IntArrayRef padding, IntArrayRef dilation, int64_t groups) {
  return prepack("quantized::conv2d_prepack", weight, bias, stride, padding, dilation, groups);
}

/// Packs the parameters of a convolution of ordinary integers: a list of tensors that `quantized::integer_conv2d`
/// takes. `weight` [O, C / groups, H, W] has dtype Char; `scales` and `zero_points` [O] belong to its output channels,
/// and without `zero_points`, all are 0. `bias` [O] has dtype Float. `stride`, `padding` and `dilation` have two
/// elements.
[[structured::kernel("quantized::integer_conv2d_prepack", "CPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
std::vector<Tensor> integer_conv2d_prepack(const Tensor& weight, const Tensor& scales,
                                           const std::optional<Tensor>& zero_points, const std::optional<Tensor>& bias,
                                           IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                           int64_t groups) {
  constexpr const char* name = "quantized::integer_conv2d_prepack";
  return prepack(name, quantized_weight(name, weight, scales, zero_points), bias, stride, padding, dilation, groups);
}

/// Convolution of integers `input` [N, C, H, W] or [C, H, W] of dtype Byte or Char, which stand for (q -
/// `input_zero_point`) * `input_scale`, with parameters of `quantized::integer_conv2d_prepack`. The result is
/// channels-last.
///
/// With `dtype` Byte or Char, the result is quantized with `output_scale` and `output_zero_point`, between `output_min`
/// and `output_max`; with `dtype` Float, it is real, and these are ignored. Sums of integers are exact; they are scaled
/// in Float, the bias is added, and the result is rounded once, ties to even.
[[structured::kernel("quantized::integer_conv2d", "CPU", "QuantizedCPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
Tensor integer_conv2d(const Tensor& input, TensorList packed_weight, double input_scale, int64_t input_zero_point,
                      double output_scale, int64_t output_zero_point, int64_t output_min, int64_t output_max,
                      ScalarType dtype) {
  constexpr const char* name = "quantized::integer_conv2d";
  const PackedWeights weights = read_weights(name, packed_weight, input.device(), kArgumentCount);
  const ZeroPoint zero_point = zero_point_of(name, input, input_zero_point);
  STRUCTURED_CHECK(input.dim() == 3 || input.dim() == 4, name, ": expected `input` to have 3 or 4 dimensions, got ",
                   input.dim());
  const Requantization requantization =
      make_requantization(name, weights, input_scale, {output_scale, output_zero_point, output_min, output_max, dtype});
  const Tensor batch = as_batch(input, 2);
  const ConvGeometry geometry = geometry_of(batch, weights);
  const Tensor result = empty(sizes_of(geometry), input.options().dtype(dtype), MemoryFormat::ChannelsLast);
  const Tensor in = dense(batch, input.dtype(), MemoryFormat::ChannelsLast);
  if (result.numel() != 0) {
    run_convolution(
        {geometry, weights, requantization, static_cast<const uint8_t*>(in.data()), zero_point, result.data()});
  }
  if (input.dim() == 4) return result;
  return as_strided(result, result.sizes().slice(1, 3), result.strides().slice(1, 3), result.storage_offset());
}

/// Convolution of `qx` [N, C, H, W] (QUInt8, quantized per tensor) with parameters of `quantized::conv2d_prepack`,
/// quantized with `output_scale` and `output_zero_point`. The result is channels-last.
///
/// As in PyTorch's engine QNNPACK, the bias is rounded to a multiple of the product of the scales
/// of input and weight, sums are exact, and round(sum * (weight scale * input scale / output scale)) is computed in
/// Float.
[[structured::kernel("quantized::conv2d.new", "QuantizedCPU", "Meta"), structured::not_differentiable,
  structured::device_check(false)]]
Tensor conv2d(const Tensor& qx, TensorList packed_weight, double output_scale, int64_t output_zero_point) {
  return convolve("quantized::conv2d", qx, packed_weight, output_scale, output_zero_point, false);
}

/// `quantized::conv2d.new` followed by relu.
[[structured::kernel("quantized::conv2d_relu.new", "QuantizedCPU", "Meta"), structured::not_differentiable,
  structured::device_check(false)]]
Tensor conv2d_relu(const Tensor& qx, TensorList packed_weight, double output_scale, int64_t output_zero_point) {
  return convolve("quantized::conv2d_relu", qx, packed_weight, output_scale, output_zero_point, true);
}

}  // namespace structured::kernels
