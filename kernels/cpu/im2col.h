#pragma once
// im2col and col2im: matrices of the windows of a convolution, with a row for each channel and kernel element (tap) and
// a column for each window.
#include <structured/iterator/loops.h>
#include <structured/iterator/parallel.h>

#include <algorithm>
#include <cstdint>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// Calls `row(tap, from, to, begin, end, first)` for each kernel element (tap) and each row of windows in which that
/// tap lies inside the input: windows [begin, end) of row `to` read row `from` of the input, starting at `first`, one
/// stride apart.
template <class Row>
void for_each_tap(const ConvGeometry& geometry, int64_t line_begin, int64_t line_end, const Row& row) {
  const auto& [depth, height, width] = geometry.axes;
  for (int64_t tap = 0; tap < geometry.kernel_size(); ++tap) {
    const int64_t z = tap / (height.kernel * width.kernel) * depth.dilation - depth.padding;
    const int64_t y = tap / width.kernel % height.kernel * height.dilation - height.padding;
    const int64_t x = tap % width.kernel * width.dilation - width.padding;
    const auto [begin, end] = windows_inside(width, x);
    for (int64_t line = line_begin; line < line_end; ++line) {
      const int64_t d = line / height.output * depth.stride + z;
      const int64_t h = line % height.output * height.stride + y;
      if (d < 0 || d >= depth.input || h < 0 || h >= height.input) continue;
      row(tap, d * height.input + h, line, begin, end, begin * width.stride + x);
    }
  }
}

/// Writes the im2col matrix of lines [begin, end) of windows.
template <class T>
void write_windows(const ConvGeometry& geometry, const T* in, int64_t line_begin, int64_t line_end, T* matrix) {
  const WindowAxis& width = geometry.axes[2];
  const int64_t columns = (line_end - line_begin) * width.output;
  const int64_t grain = std::max<int64_t>(1, kGrainSize / (geometry.kernel_size() * columns + 1));
  parallel_for(0, geometry.input_channels, grain, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      T* const rows = matrix + c * geometry.kernel_size() * columns;
      std::fill_n(rows, geometry.kernel_size() * columns, T(0));
      const T* const plane = in + c * geometry.input_size();
      for_each_tap(
          geometry, line_begin, line_end,
          [&](int64_t tap, int64_t from, int64_t to, int64_t first_window, int64_t last_window, int64_t first) {
            const T* const x = plane + from * width.input + first;
            T* const row = rows + tap * columns + (to - line_begin) * width.output;
            for (int64_t i = first_window; i < last_window; ++i) row[i] = x[(i - first_window) * width.stride];
          });
    }
  });
}

/// Adds the windows of a complete im2col matrix into `channels` planes of the size of the input (col2im), starting from
/// `bias[channel]`, or 0 if `bias` is null.
template <class T>
void add_windows(const ConvGeometry& geometry, int64_t channels, const T* matrix, const T* bias, T* out) {
  const WindowAxis& width = geometry.axes[2];
  const int64_t columns = geometry.output_size();
  const int64_t taps = geometry.kernel_size();
  const int64_t size = geometry.input_size();
  parallel_for(0, channels, std::max<int64_t>(1, kGrainSize / (taps * columns + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t channel = begin; channel < end; ++channel) {
      T* const plane = out + channel * size;
      std::fill_n(plane, size, bias != nullptr ? bias[channel] : T(0));
      const T* const rows = matrix + channel * taps * columns;
      for_each_tap(
          geometry, 0, columns / std::max<int64_t>(1, width.output),
          [&](int64_t tap, int64_t from, int64_t to, int64_t first_window, int64_t last_window, int64_t first) {
            T* const sums = plane + from * width.input + first;
            const T* const row = rows + tap * columns + to * width.output;
            for (int64_t k = first_window; k < last_window; ++k) {
              T& sum = sums[(k - first_window) * width.stride];
              sum = static_cast<T>(sum + row[k]);
            }
          });
    }
  });
}

}  // namespace structured::kernels
