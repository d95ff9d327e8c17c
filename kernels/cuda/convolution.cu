// Convolution and its gradients on CUDA, by cuDNN, or else by direct summation: one thread computes an element.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/number/visit.h>
#include <structured/ops/add.h>
#include <structured/ops/sum.h>
#include <structured/cuda/loops.cuh>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "cuda/cudnn.h"
#include "cuda/element_loop.cuh"
#include "cuda/walk.h"
#include "math/accumulate_type.h"
#include "meta/convolution_geometry.h"

namespace structured::kernels {
namespace {

/// Steps of a tensor in bytes: the first two dimensions, depth, height and width.
struct Steps {
  int64_t steps[5];
};

Steps steps_of(const Tensor& tensor) {
  Steps result{};
  result.steps[0] = byte_stride(tensor, 0);
  result.steps[1] = byte_stride(tensor, 1);
  for (int64_t d = 2; d < tensor.dim(); ++d) result.steps[d + 5 - tensor.dim()] = byte_stride(tensor, d);
  return result;
}

template <class C, class T>
__device__ __forceinline__ C load(const char* from, const Steps& at, int64_t a, int64_t b, const int64_t (&place)[3]) {
  const int64_t offset =
      a * at.steps[0] + b * at.steps[1] + place[0] * at.steps[2] + place[1] * at.steps[3] + place[2] * at.steps[4];
  return cuda::detail::converted<C>(*reinterpret_cast<const T*>(from + offset));
}

/// Splits `i` into an index within `sizes` and returns the rest.
__device__ __forceinline__ int64_t split(int64_t i, int64_t a, int64_t b, int64_t c, int64_t (&place)[3]) {
  place[2] = i % c;
  i /= c;
  place[1] = i % b;
  i /= b;
  place[0] = i % a;
  return i / a;
}

/// A convolution from `in` to `out`. Sizes are those along the axes of both; channels are those of a group.
template <class T>
struct Convolve {
  using C = AccumulateType<T>;
  WindowAxis axes[3];
  int64_t groups;
  int64_t in_channels;
  int64_t out_channels;
  bool transposed;
  const char* in;
  const char* weight;
  const char* bias;  ///< may be null
  char* out;
  Steps in_steps;
  Steps weight_steps;
  Steps out_steps;
  int64_t bias_step;

  /// Position in the input that meets position `to` of the output at an element of the kernel; false if there is none.
  __device__ bool source(int d, int64_t to, int64_t tap, int64_t& from) const {
    const WindowAxis& axis = axes[d];
    if (!transposed) {
      from = to * axis.stride - axis.padding + tap * axis.dilation;
    } else {
      const int64_t shifted = to + axis.padding - tap * axis.dilation;
      if (shifted < 0 || shifted % axis.stride != 0) return false;
      from = shifted / axis.stride;
    }
    return from >= 0 && from < axis.input;
  }

  __device__ void operator()(int64_t i) const {
    int64_t place[3];
    const int64_t rest = split(i, axes[0].output, axes[1].output, axes[2].output, place);
    const int64_t channels = groups * out_channels;
    const int64_t channel = rest % channels;
    const int64_t sample = rest / channels;
    const int64_t group = channel / out_channels;
    C sum(0);
    if (bias != nullptr) sum = cuda::detail::converted<C>(*reinterpret_cast<const T*>(bias + channel * bias_step));
    int64_t tap[3];
    int64_t from[3];
    for (int64_t c = 0; c < in_channels; ++c) {
      const int64_t in_channel = group * in_channels + c;
      const int64_t row = transposed ? in_channel : channel;
      const int64_t column = transposed ? channel % out_channels : c;
      for (tap[0] = 0; tap[0] < axes[0].kernel; ++tap[0]) {
        if (!source(0, place[0], tap[0], from[0])) continue;
        for (tap[1] = 0; tap[1] < axes[1].kernel; ++tap[1]) {
          if (!source(1, place[1], tap[1], from[1])) continue;
          for (tap[2] = 0; tap[2] < axes[2].kernel; ++tap[2]) {
            if (!source(2, place[2], tap[2], from[2])) continue;
            sum +=
                load<C, T>(in, in_steps, sample, in_channel, from) * load<C, T>(weight, weight_steps, row, column, tap);
          }
        }
      }
    }
    const int64_t offset = sample * out_steps.steps[0] + channel * out_steps.steps[1] + place[0] * out_steps.steps[2] +
                           place[1] * out_steps.steps[3] + place[2] * out_steps.steps[4];
    *reinterpret_cast<T*>(out + offset) = cuda::detail::converted<T>(sum);
  }
};

/// Gradient of the weight of a convolution from `wide` to `narrow`: one of the two is a gradient.
template <class T>
struct WeightGradient {
  using C = AccumulateType<T>;
  WindowAxis axes[3];  ///< their inputs are those of `wide`, their outputs those of `narrow`
  int64_t samples;
  int64_t wide_channels;
  int64_t narrow_channels;
  const char* wide;
  const char* narrow;
  char* out;
  Steps wide_steps;
  Steps narrow_steps;
  Steps out_steps;
  __device__ void operator()(int64_t i) const {
    int64_t tap[3];
    const int64_t rest = split(i, axes[0].kernel, axes[1].kernel, axes[2].kernel, tap);
    const int64_t column = rest % wide_channels;
    const int64_t row = rest / wide_channels;  // a channel of `narrow`
    const int64_t channel = row / narrow_channels * wide_channels + column;
    C sum(0);
    int64_t to[3] = {};
    int64_t from[3];
    const auto is_outside = [&](int d) {
      from[d] = to[d] * axes[d].stride - axes[d].padding + tap[d] * axes[d].dilation;
      return from[d] < 0 || from[d] >= axes[d].input;
    };
    for (int64_t sample = 0; sample < samples; ++sample) {
      for (to[0] = 0; to[0] < axes[0].output; ++to[0]) {
        if (is_outside(0)) continue;
        for (to[1] = 0; to[1] < axes[1].output; ++to[1]) {
          if (is_outside(1)) continue;
          for (to[2] = 0; to[2] < axes[2].output; ++to[2]) {
            if (is_outside(2)) continue;
            sum +=
                load<C, T>(wide, wide_steps, sample, channel, from) * load<C, T>(narrow, narrow_steps, sample, row, to);
          }
        }
      }
    }
    const int64_t offset = row * out_steps.steps[0] + column * out_steps.steps[1] + tap[0] * out_steps.steps[2] +
                           tap[1] * out_steps.steps[3] + tap[2] * out_steps.steps[4];
    *reinterpret_cast<T*>(out + offset) = cuda::detail::converted<T>(sum);
  }
};

// Returns the geometry of the convolution that computes the gradient of the input.
ConvGeometry reversed(ConvGeometry geometry) {
  geometry.transposed = !geometry.transposed;
  std::swap(geometry.input_channels, geometry.output_channels);
  for (WindowAxis& axis : geometry.axes) std::swap(axis.input, axis.output);
  return geometry;
}

void add_bias(const Tensor& bias, const Tensor& out) {
  DimVector sizes(static_cast<std::size_t>(out.dim()), 1);
  DimVector strides(sizes.size(), 0);
  sizes[1] = bias.size(0);
  strides[1] = bias.stride(0);
  Tensor sum = out;
  structured::add_out(sum, out, as_strided(bias, sizes, strides, bias.storage_offset()));
}

template <ScalarTypeSet Types>
void convolve(const char* name, const ConvGeometry& geometry, const Tensor& in, const Tensor& weight,
              const Tensor& bias, const Tensor& out) {
  if (out.numel() == 0) return;
  if (geometry.transposed ? convolve_by_cudnn(ConvolutionResult::wide, reversed(geometry), out, weight, in)
                          : convolve_by_cudnn(ConvolutionResult::narrow, geometry, in, weight, out)) {
    if (bias.defined()) add_bias(bias, out);
    return;
  }
  visit<Types>(name, out.scalar_type(), [&]<class T>() {
    Convolve<T> convolve{};
    for (std::size_t d = 0; d < 3; ++d) convolve.axes[d] = geometry.axes[d];
    convolve.groups = geometry.groups;
    convolve.in_channels = geometry.input_channels;
    convolve.out_channels = geometry.output_channels;
    convolve.transposed = geometry.transposed;
    convolve.in = static_cast<const char*>(in.data());
    convolve.weight = static_cast<const char*>(weight.data());
    convolve.bias = bias.defined() ? static_cast<const char*>(bias.data()) : nullptr;
    convolve.out = static_cast<char*>(out.data());
    convolve.in_steps = steps_of(in);
    convolve.weight_steps = steps_of(weight);
    convolve.out_steps = steps_of(out);
    convolve.bias_step = bias.defined() ? byte_stride(bias, 0) : 0;
    for_each_element(out.numel(), convolve);
  });
}

void weight_gradient(const char* name, const ConvGeometry& geometry, const Tensor& grad_output, const Tensor& input,
                     const Tensor& out) {
  // The weight [narrow, wide / groups, ...] belongs to the convolution from the wide to the narrow tensor.
  const ConvGeometry forward = geometry.transposed ? reversed(geometry) : geometry;
  const Tensor& wide = geometry.transposed ? grad_output : input;
  const Tensor& narrow = geometry.transposed ? input : grad_output;
  if (convolve_by_cudnn(ConvolutionResult::weight, forward, wide, out, narrow)) return;
  visit<kAllFloatingTypes>(name, out.scalar_type(), [&]<class T>() {
    WeightGradient<T> gradient{};
    for (std::size_t d = 0; d < 3; ++d) gradient.axes[d] = forward.axes[d];
    gradient.samples = forward.samples;
    gradient.wide_channels = forward.input_channels;
    gradient.narrow_channels = forward.output_channels;
    gradient.wide = static_cast<const char*>(wide.data());
    gradient.narrow = static_cast<const char*>(narrow.data());
    gradient.out = static_cast<char*>(out.data());
    gradient.wide_steps = steps_of(wide);
    gradient.narrow_steps = steps_of(narrow);
    gradient.out_steps = steps_of(out);
    for_each_element(out.numel(), gradient);
  });
}

}  // namespace

[[structured::impl("convolution.out", "CUDA")]]
void convolution_cuda(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArrayRef stride,
                      IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                      int64_t groups, const Tensor& out) {
  const ConvArguments arguments{stride, padding, dilation, transposed, output_padding, groups};
  const Tensor summand = bias.value_or(Tensor());
  const ConvGeometry geometry = conv_geometry(input, weight, summand, arguments);
  convolve<kIntegralTypes | kAllFloatingTypes | kComplexTypes>("convolution", geometry, input, weight, summand, out);
}

[[structured::impl("convolution_backward.out", "CUDA")]]
void convolution_backward_cuda(const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                               [[maybe_unused]] OptionalIntArrayRef bias_sizes, IntArrayRef stride, IntArrayRef padding,
                               IntArrayRef dilation, bool transposed, IntArrayRef output_padding, int64_t groups,
                               [[maybe_unused]] std::array<bool, 3> output_mask, const Tensor& out0, const Tensor& out1,
                               const Tensor& out2) {
  constexpr const char* name = "convolution_backward";
  const ConvArguments arguments{stride, padding, dilation, transposed, output_padding, groups};
  const ConvGeometry geometry = conv_geometry(input, weight, Tensor(), arguments);
  if (out0.defined() && out0.numel() != 0) {
    convolve<kAllFloatingTypes>(name, reversed(geometry), grad_output, weight, Tensor(), out0);
  }
  if (out1.defined() && out1.numel() != 0) weight_gradient(name, geometry, grad_output, input, out1);
  if (out2.defined()) {
    DimVector others{0};
    for (int64_t d = 2; d < grad_output.dim(); ++d) others.push_back(d);
    Tensor sums = out2;
    structured::sum_out(sums, grad_output, others);
  }
}

}  // namespace structured::kernels
