#pragma once
// Windows of pooling and loops over them, compiled for each instruction set (leveled.h). Contiguous planes are
// processed by rows of windows, one window element after another; channels-last tensors by all channels of a window.
#include <structured/memory/scratch.h>

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "leveled.h"
#include "math/extrema.h"
#include "meta/pooling_geometry.h"

namespace structured::kernels {

/// Axis with the extent of each window. Window `i` covers `count[i]` elements of the input, from `first[i]` on and
/// `dilation` apart, or `extent[i]` elements if padding counts. `kernel` is 0 if windows differ in size.
struct PoolAxis : WindowAxis {
  ScratchVector<int64_t> first;
  ScratchVector<int64_t> count;
  ScratchVector<int64_t> extent;
};

struct Windows {
  std::array<PoolAxis, 3> axes;
  int64_t channels;

  int64_t input_size() const { return axes[0].input * axes[1].input * axes[2].input; }
  int64_t output_size() const { return axes[0].output * axes[1].output * axes[2].output; }
};

Windows windows_of(const PoolGeometry& geometry, bool is_adaptive);

/// Divisor of a sum over a window.
struct Divisor {
  int64_t fixed = 0;  // used if not 0
  bool counts_padding = false;

  int64_t of(const Windows& windows, int64_t d, int64_t h, int64_t w) const {
    const auto& axes = windows.axes;
    if (fixed != 0) return fixed;
    return counts_padding ? axes[0].extent[d] * axes[1].extent[h] * axes[2].extent[w]
                          : axes[0].count[d] * axes[1].count[h] * axes[2].count[w];
  }
};

/// Lowest value of T, which pads windows of max pooling.
template <class T>
inline constexpr T lowest =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();

inline constexpr int64_t kPoolBlock = 256;  // windows or channels per block

/// Calls `element(lo, hi, offset)` for each element of a window, all windows having one size. The element lies inside
/// the input for windows [lo, hi) of the row: for window i at `offset + i * stride`.
template <class Element>
STRUCTURED_ALWAYS_INLINE void for_row_elements(const Windows& windows, int64_t d, int64_t h, int64_t begin, int64_t end,
                                               const Element& element) {
  const auto& [depth, height, width] = windows.axes;
  for (int64_t i = 0; i < depth.count[d]; ++i) {
    for (int64_t j = 0; j < height.count[h]; ++j) {
      const int64_t row =
          ((depth.first[d] + i * depth.dilation) * height.input + height.first[h] + j * height.dilation) * width.input;
      for (int64_t k = 0; k < width.kernel; ++k) {
        const int64_t offset = k * width.dilation - width.padding;
        const int64_t before = offset >= 0 ? 0 : (-offset + width.stride - 1) / width.stride;
        const int64_t last = width.input - 1 - offset;
        const int64_t after = last < 0 ? 0 : last / width.stride + 1;
        element(before > begin ? before : begin, after < end ? after : end, row + offset);
      }
    }
  }
}

/// Computes one row of maxima of a plane. `Index` has the size of T, so that both use the same mask.
template <class T, class Index>
struct MaxRow {
  template <int64_t kStride>
  STRUCTURED_ALWAYS_INLINE static void update(const T* in, Index index, int64_t stride, int64_t count, T* best,
                                              Index* indices) {
    const int64_t step = kStride == 0 ? stride : kStride;
    const auto index_step = static_cast<Index>(step);
    for (int64_t i = 0; i < count; ++i) {
      const T value = in[i * step];
      const Index place = static_cast<Index>(index + static_cast<Index>(i) * index_step);
      const bool is_better = replaces_max(value, best[i]);
      best[i] = is_better ? value : best[i];
      indices[i] = is_better ? place : indices[i];
    }
  }

  static void run(const T* plane, T* out, int64_t* out_indices, const Windows* windows, int64_t d, int64_t h) {
    const auto& [depth, height, width] = windows->axes;
    T best[kPoolBlock];
    Index indices[kPoolBlock];
    const int64_t first = (depth.first[d] * height.input + height.first[h]) * width.input;
    for (int64_t begin = 0; begin < width.output; begin += kPoolBlock) {
      const int64_t end = width.output - begin < kPoolBlock ? width.output : begin + kPoolBlock;
      for (int64_t i = begin; i < end; ++i) {
        best[i - begin] = lowest<T>;
        indices[i - begin] = static_cast<Index>(first + width.first[i]);
      }
      const int64_t stride = width.stride;
      for_row_elements(*windows, d, h, begin, end, [&](int64_t lo, int64_t hi, int64_t offset) {
        const int64_t from = offset + lo * stride;
        const T* const in = plane + from;
        const auto index = static_cast<Index>(from);
        const int64_t place = lo - begin;
        if (stride == 1) return update<1>(in, index, 1, hi - lo, best + place, indices + place);
        if (stride == 2) return update<2>(in, index, 2, hi - lo, best + place, indices + place);
        update<0>(in, index, stride, hi - lo, best + place, indices + place);
      });
      for (int64_t i = begin; i < end; ++i) out[i] = best[i - begin];
      for (int64_t i = begin; i < end; ++i) out_indices[i] = indices[i - begin];
    }
  }
};

/// Computes the maxima of `count` <= kPoolBlock windows that lie inside the input, wherever they are: window i begins
/// at `in[starts[i]]`, in a plane that begins at `in[planes[i]]`. For rows of few windows, whose loops would be short.
template <class T, class Index>
struct MaxBlock {
  static void run(const T* in, const Index* starts, const Index* planes, T* out, int64_t* out_indices,
                  const Windows* windows, int64_t count) {
    const auto& [depth, height, width] = windows->axes;
    T best[kPoolBlock];
    Index indices[kPoolBlock];
    for (int64_t i = 0; i < count; ++i) best[i] = lowest<T>;
    for (int64_t i = 0; i < count; ++i) indices[i] = starts[i];
    for (int64_t d = 0; d < depth.kernel; ++d) {
      for (int64_t h = 0; h < height.kernel; ++h) {
        for (int64_t w = 0; w < width.kernel; ++w) {
          const auto offset = static_cast<Index>(
              (d * depth.dilation * height.input + h * height.dilation) * width.input + w * width.dilation);
          for (int64_t i = 0; i < count; ++i) {
            const Index place = static_cast<Index>(starts[i] + offset);
            const T value = in[place];
            const bool is_better = replaces_max(value, best[i]);
            best[i] = is_better ? value : best[i];
            indices[i] = is_better ? place : indices[i];
          }
        }
      }
    }
    for (int64_t i = 0; i < count; ++i) out[i] = best[i];
    for (int64_t i = 0; i < count; ++i) out_indices[i] = indices[i] - planes[i];
  }
};

/// Computes one row of means of a plane.
template <class T>
struct AvgRow {
  template <int64_t kStride>
  STRUCTURED_ALWAYS_INLINE static void update(const T* in, int64_t stride, int64_t count, T* sums) {
    const int64_t step = kStride == 0 ? stride : kStride;
    for (int64_t i = 0; i < count; ++i) sums[i] += in[i * step];
  }

  static void run(const T* plane, T* out, const Windows* windows, Divisor divisor, int64_t d, int64_t h) {
    const PoolAxis& width = windows->axes[2];
    T sums[kPoolBlock];
    for (int64_t begin = 0; begin < width.output; begin += kPoolBlock) {
      const int64_t end = width.output - begin < kPoolBlock ? width.output : begin + kPoolBlock;
      for (int64_t i = 0; i < end - begin; ++i) sums[i] = 0;
      const int64_t stride = width.stride;
      for_row_elements(*windows, d, h, begin, end, [&](int64_t lo, int64_t hi, int64_t offset) {
        const T* const in = plane + offset + lo * stride;
        if (stride == 1) return update<1>(in, 1, hi - lo, sums + lo - begin);
        if (stride == 2) return update<2>(in, 2, hi - lo, sums + lo - begin);
        update<0>(in, stride, hi - lo, sums + lo - begin);
      });
      for (int64_t i = begin; i < end; ++i) {
        const bool is_empty = width.count[i] <= 0;
        out[i] = is_empty ? T(0) : sums[i - begin] / static_cast<T>(divisor.of(*windows, d, h, i));
      }
    }
  }
};

/// Calls `row(offset, count)` for each row of the window at [d, h, w]; its elements are `axes[2].dilation` apart.
template <class Row>
STRUCTURED_ALWAYS_INLINE void for_window_rows(const Windows& windows, int64_t d, int64_t h, int64_t w, const Row& row) {
  const auto& [depth, height, width] = windows.axes;
  for (int64_t i = 0; i < depth.count[d]; ++i) {
    for (int64_t j = 0; j < height.count[h]; ++j) {
      const int64_t line = (depth.first[d] + i * depth.dilation) * height.input + height.first[h] + j * height.dilation;
      row(line * width.input + width.first[w], width.count[w]);
    }
  }
}

/// Computes one row of maxima of a plane, window by window.
template <class T>
void max_windows(const T* plane, T* out, int64_t* indices, const Windows& windows, int64_t d, int64_t h) {
  for (int64_t w = 0; w < windows.axes[2].output; ++w) {
    T best = lowest<T>;
    int64_t index = -1;
    for_window_rows(windows, d, h, w, [&](int64_t offset, int64_t count) {
      if (index < 0) index = offset;
      for (int64_t k = 0; k < count; ++k) {
        const T value = plane[offset + k];
        if (replaces_max(value, best)) {
          best = value;
          index = offset + k;
        }
      }
    });
    out[w] = best;
    indices[w] = index;
  }
}

/// Computes one row of means of a plane, window by window.
template <class T>
struct AvgWindows {
  // Uses four partial sums, since rows of windows are short.
  STRUCTURED_ALWAYS_INLINE static T sum_of_row(const T* in, int64_t count) {
    T sums[4] = {};
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
      for (int64_t lane = 0; lane < 4; ++lane) sums[lane] += in[i + lane];
    }
    for (; i < count; ++i) sums[0] += in[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  static void run(const T* plane, T* out, const Windows* windows, Divisor divisor, int64_t d, int64_t h) {
    const auto& [depth, height, width] = windows->axes;
    for (int64_t w = 0; w < width.output; ++w) {
      T sum = 0;
      if (width.count[w] == width.input) {  // adjacent rows form one
        for (int64_t i = 0; i < depth.count[d]; ++i) {
          const int64_t line = (depth.first[d] + i) * height.input + height.first[h];
          sum += sum_of_row(plane + line * width.input, height.count[h] * width.input);
        }
      } else {
        for_window_rows(*windows, d, h, w,
                        [&](int64_t offset, int64_t count) { sum += sum_of_row(plane + offset, count); });
      }
      out[w] = sum / static_cast<T>(divisor.of(*windows, d, h, w));
    }
  }
};

/// Computes the maxima of all channels of one window of a channels-last sample.
template <class T, class Index>
struct MaxPixel {
  static void run(const T* sample, T* out, int64_t* out_indices, const Windows* windows, int64_t d, int64_t h,
                  int64_t w) {
    const int64_t channels = windows->channels;
    const int64_t step = windows->axes[2].dilation;
    T best[kPoolBlock];
    Index indices[kPoolBlock];
    for (int64_t begin = 0; begin < channels; begin += kPoolBlock) {
      const int64_t count = channels - begin < kPoolBlock ? channels - begin : kPoolBlock;
      bool is_first = true;
      for_window_rows(*windows, d, h, w, [&](int64_t offset, int64_t size) {
        if (is_first) {
          for (int64_t c = 0; c < count; ++c) best[c] = lowest<T>;
          for (int64_t c = 0; c < count; ++c) indices[c] = static_cast<Index>(offset);
          is_first = false;
        }
        for (int64_t k = 0; k < size; ++k) {
          const auto index = static_cast<Index>(offset + k * step);
          const T* const in = sample + (offset + k * step) * channels + begin;
          for (int64_t c = 0; c < count; ++c) {
            const T value = in[c];
            const bool is_better = replaces_max(value, best[c]);
            best[c] = is_better ? value : best[c];
            indices[c] = is_better ? index : indices[c];
          }
        }
      });
      for (int64_t c = 0; c < count; ++c) out[begin + c] = best[c];
      for (int64_t c = 0; c < count; ++c) out_indices[begin + c] = indices[c];
    }
  }
};

/// Computes the means of all channels of one window of a channels-last sample.
template <class T>
struct AvgPixel {
  static void run(const T* sample, T* out, const Windows* windows, Divisor divisor, int64_t d, int64_t h, int64_t w) {
    const int64_t channels = windows->channels;
    T sums[kPoolBlock];
    const bool is_empty =
        windows->axes[0].count[d] <= 0 || windows->axes[1].count[h] <= 0 || windows->axes[2].count[w] <= 0;
    const auto divisor_here = is_empty ? T(1) : static_cast<T>(divisor.of(*windows, d, h, w));
    for (int64_t begin = 0; begin < channels; begin += kPoolBlock) {
      const int64_t count = channels - begin < kPoolBlock ? channels - begin : kPoolBlock;
      for (int64_t c = 0; c < count; ++c) sums[c] = 0;
      for_window_rows(*windows, d, h, w, [&](int64_t offset, int64_t size) {
        for (int64_t k = 0; k < size; ++k) {
          const T* const in = sample + (offset + k) * channels + begin;
          for (int64_t c = 0; c < count; ++c) sums[c] += in[c];
        }
      });
      for (int64_t c = 0; c < count; ++c) out[begin + c] = sums[c] / divisor_here;
    }
  }
};

}  // namespace structured::kernels
