#pragma once
// Geometry of convolutions: arguments and sizes along each spatial dimension.
#include <structured/base/export.h>
#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>

#include <array>
#include <cstdint>

#include "window_axis.h"

namespace structured::kernels {

/// The arguments of `convolution` after the tensors.
struct ConvArguments {
  IntArrayRef stride;
  IntArrayRef padding;
  IntArrayRef dilation;
  bool transposed;
  IntArrayRef output_padding;
  int64_t groups;
};

/// Axes are depth, height and width; missing spatial dimensions have one element. Channels are those of one group.
struct ConvGeometry {
  int64_t samples = 0;
  int64_t groups = 1;
  int64_t input_channels = 0;
  int64_t output_channels = 0;
  bool transposed = false;
  std::array<WindowAxis, 3> axes;

  int64_t input_size() const { return axes[0].input * axes[1].input * axes[2].input; }
  int64_t output_size() const { return axes[0].output * axes[1].output * axes[2].output; }
  int64_t kernel_size() const { return axes[0].kernel * axes[1].kernel * axes[2].kernel; }
};

/// Returns the geometry of `convolution`. Throws Error for arguments that do not fit the tensors.
STRUCTURED_API ConvGeometry conv_geometry(const Tensor& input, const Tensor& weight, const Tensor& bias,
                                          const ConvArguments& arguments);

/// Returns the sizes of the result.
DimVector convolved_sizes(const Tensor& input, const ConvGeometry& geometry);

}  // namespace structured::kernels
