#pragma once
// What the arguments of a convolution say about each spatial dimension.
#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

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

struct ConvAxis {
  int64_t input = 1;
  int64_t output = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
};

/// Depth, height and width; a dimension that the tensors have not is one of a single element. Channels are those of one
/// group.
struct ConvGeometry {
  int64_t samples = 0;
  int64_t groups = 1;
  int64_t input_channels = 0;
  int64_t output_channels = 0;
  bool transposed = false;
  std::array<ConvAxis, 3> axes;

  int64_t input_size() const { return axes[0].input * axes[1].input * axes[2].input; }
  int64_t output_size() const { return axes[0].output * axes[1].output * axes[2].output; }
  int64_t kernel_size() const { return axes[0].kernel * axes[1].kernel * axes[2].kernel; }
};

inline int64_t ceil_divide(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The windows [begin, end) along an axis in which the element `offset` after a window's start is in the input.
inline std::pair<int64_t, int64_t> windows_inside(const ConvAxis& axis, int64_t offset) {
  const int64_t begin = offset >= 0 ? 0 : ceil_divide(-offset, axis.stride);
  const int64_t last = axis.input - 1 - offset;
  const int64_t end = last < 0 ? 0 : std::min(axis.output, last / axis.stride + 1);
  return {std::min(begin, end), end};
}

/// Throws Error for arguments that do not fit the tensors, see `convolution`.
ConvGeometry conv_geometry(const Tensor& input, const Tensor& weight, const Tensor& bias,
                           const ConvArguments& arguments);

/// The sizes of the result.
DimVector convolved_sizes(const Tensor& input, const ConvGeometry& geometry);

}  // namespace structured::kernels
