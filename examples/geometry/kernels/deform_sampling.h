// Samples of deformable convolution.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "bilinear.h"

namespace geometry {

/// The sizes of a deformable convolution whose input is [N, C, H, W]. `offset` is [N, 2 * groups * taps, rows, columns]
/// and `mask` [N, groups * taps, rows, columns], where `taps` are the elements of a kernel, and C / groups channels
/// share their offsets.
struct DeformShape {
  int64_t images, channels, height, width;
  int64_t kernel_columns, taps, groups;
  int64_t columns, positions;  ///< length of a row, and number of elements in a channel, of the result
  int64_t stride[2], padding[2], dilation[2];

  DeformShape(const at::Tensor& input, const at::Tensor& offset, at::IntArrayRef kernel_size, at::IntArrayRef stride_,
              at::IntArrayRef padding_, at::IntArrayRef dilation_)
      : images(input.size(0)),
        channels(input.size(1)),
        height(input.size(2)),
        width(input.size(3)),
        kernel_columns(kernel_size[1]),
        taps(kernel_size[0] * kernel_size[1]),
        groups(offset.size(1) / (2 * taps)),
        columns(offset.size(3)),
        positions(offset.size(2) * offset.size(3)),
        stride{stride_[0], stride_[1]},
        padding{padding_[0], padding_[1]},
        dilation{dilation_[0], dilation_[1]} {}

  int64_t channels_per_group() const { return channels / groups; }
  int64_t pixels() const { return height * width; }
};

/// Calls `function(tap, position, corners)` for each sample of one group of one image.
template <typename T, class Function>
void for_each_sample(const DeformShape& shape, int64_t image, int64_t group, const T* offsets, Function function) {
  const T* own = offsets + (image * shape.groups + group) * 2 * shape.taps * shape.positions;
  for (int64_t tap = 0; tap < shape.taps; ++tap) {
    const int64_t down = tap / shape.kernel_columns * shape.dilation[0] - shape.padding[0];
    const int64_t right = tap % shape.kernel_columns * shape.dilation[1] - shape.padding[1];
    const T* by_row = own + 2 * tap * shape.positions;
    const T* by_column = by_row + shape.positions;
    for (int64_t position = 0; position < shape.positions; ++position) {
      const T y = T(position / shape.columns * shape.stride[0] + down) + by_row[position];
      const T x = T(position % shape.columns * shape.stride[1] + right) + by_column[position];
      function(tap, position, corners_in_zeros(y, x, shape.height, shape.width));
    }
  }
}

/// Writes the samples of an image, times their masks, to [C * taps, positions]. `masks` may be null.
template <typename T>
void sample_columns(const DeformShape& shape, int64_t image, int64_t group, const T* input, const T* offsets,
                    const T* masks, T* columns) {
  const int64_t channels = shape.channels_per_group();
  const int64_t first = image * shape.channels + group * channels;
  const T* pixels = input + first * shape.pixels();
  T* own = columns + first * shape.taps * shape.positions;
  const T* mask = masks ? masks + (image * shape.groups + group) * shape.taps * shape.positions : nullptr;
  for_each_sample(shape, image, group, offsets, [&](int64_t tap, int64_t position, const Corners<T>& corners) {
    const int64_t at = tap * shape.positions + position;
    for (int64_t c = 0; c < channels; ++c) {
      const T value = interpolate(corners, pixels + c * shape.pixels());
      own[c * shape.taps * shape.positions + at] = mask ? mask[at] * value : value;
    }
  });
}

}  // namespace geometry
