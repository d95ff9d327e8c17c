// Pooling on CPU.
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "pooling_loops.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {

Windows windows_of(const PoolGeometry& geometry, bool is_adaptive) {
  Windows result;
  result.channels = geometry.channels;
  for (size_t d = 0; d < 3; ++d) {
    const WindowAxis& from = geometry.axes[d];
    PoolAxis& to = result.axes[d];
    static_cast<WindowAxis&>(to) = from;
    if (is_adaptive) to.kernel = 0;
    for (int64_t i = 0; i < from.output; ++i) {
      if (is_adaptive) {
        const int64_t first = i / from.output * from.input + i % from.output * from.input / from.output;
        const int64_t end = ((i + 1) * from.input + from.output - 1) / from.output;
        to.first.push_back(first);
        to.count.push_back(end - first);
        to.extent.push_back(end - first);
        continue;
      }
      const int64_t begin = i * from.stride - from.padding;
      const int64_t skipped = begin >= 0 ? 0 : (-begin + from.dilation - 1) / from.dilation;
      const int64_t first = begin + skipped * from.dilation;
      const int64_t left = first >= from.input ? 0 : (from.input - 1 - first) / from.dilation + 1;
      to.first.push_back(first);
      to.count.push_back(std::max<int64_t>(0, std::min(from.kernel - skipped, left)));
      to.extent.push_back(std::min(from.kernel, from.input + from.padding - begin));
    }
  }
  return result;
}

namespace {

// Non-contiguous tensors count as channels-last only if their planes have no gaps.
MemoryFormat format_of(const Tensor& input) {
  return input.is_contiguous() ? MemoryFormat::Contiguous : input.suggest_memory_format();
}

int64_t elements_of_windows(const Windows& windows) {
  int64_t result = 1;
  for (const PoolAxis& axis : windows.axes) {
    result *= axis.kernel != 0 ? axis.kernel : std::max<int64_t>(1, axis.input / std::max<int64_t>(1, axis.output));
  }
  return result;
}

// Calls `body(plane, d, h)` for each row of windows in each plane.
template <class Body>
void for_each_row(const Windows& windows, int64_t planes, const Body& body) {
  const int64_t heights = windows.axes[1].output;
  const int64_t rows = windows.axes[0].output * heights;
  const int64_t work = std::max<int64_t>(1, windows.axes[2].output * elements_of_windows(windows));
  parallel_for(0, planes * rows, std::max<int64_t>(1, kGrainSize / work), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) body(i / rows, i % rows / heights, i % heights);
  });
}

// Calls `body(sample, d, h, w)` for each window of each sample.
template <class Body>
void for_each_window(const Windows& windows, int64_t samples, const Body& body) {
  const auto& [depth, height, width] = windows.axes;
  const int64_t count = windows.output_size();
  const int64_t work = std::max<int64_t>(1, windows.channels * elements_of_windows(windows));
  parallel_for(0, samples * count, std::max<int64_t>(1, kGrainSize / work), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      body(i / count, i % count / (height.output * width.output), i / width.output % height.output, i % width.output);
    }
  });
}

// Whether all windows of the axis have one size and lie inside the input.
bool lie_inside(const PoolAxis& axis) {
  return axis.kernel != 0 &&
         std::all_of(axis.count.begin(), axis.count.end(), [&](int64_t count) { return count == axis.kernel; });
}

constexpr int64_t kShortRow = 16;  // windows of a row from which a loop over them pays

// Maxima of windows inside of contiguous planes, by blocks that go across rows and planes.
template <class T, class Index>
void max_pool_short(const T* in, T* out, int64_t* indices, const Windows& windows, int64_t planes) {
  const int64_t output = windows.output_size();
  const int64_t input = windows.input_size();
  const auto& [depth, height, width] = windows.axes;
  const int64_t work = std::max<int64_t>(1, output * elements_of_windows(windows));
  parallel_for(0, planes, std::max<int64_t>(1, kGrainSize / work), [&](int64_t begin, int64_t end) {
    Index starts[kPoolBlock];
    Index plane_starts[kPoolBlock];
    int64_t count = 0;
    int64_t done = begin * output;
    const auto flush = [&] {
      run_leveled<MaxBlock<T, Index>>(in, starts, plane_starts, out + done, indices + done, &windows, count);
      done += count;
      count = 0;
    };
    for (int64_t plane = begin; plane < end; ++plane) {
      for (int64_t d = 0; d < depth.output; ++d) {
        for (int64_t h = 0; h < height.output; ++h) {
          const int64_t line = plane * input + (depth.first[d] * height.input + height.first[h]) * width.input;
          for (int64_t w = 0; w < width.output; ++w) {
            starts[count] = static_cast<Index>(line + width.first[w]);
            plane_starts[count] = static_cast<Index>(plane * input);
            if (++count == kPoolBlock) flush();
          }
        }
      }
    }
    if (count > 0) flush();
  });
}

template <class T, class Index>
void max_pool_of(const T* in, T* out, int64_t* indices, const Windows& windows, int64_t samples, bool channels_last) {
  const int64_t input = windows.input_size();
  const int64_t output = windows.output_size();
  const auto& axes = windows.axes;
  if (channels_last) {
    for_each_window(windows, samples, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
      const int64_t place = (((n * axes[0].output + d) * axes[1].output + h) * axes[2].output + w) * windows.channels;
      run_leveled<MaxPixel<T, Index>>(in + n * input * windows.channels, out + place, indices + place, &windows, d, h,
                                      w);
    });
    return;
  }
  const int64_t planes = samples * windows.channels;
  if (axes[2].output < kShortRow && std::all_of(axes.begin(), axes.end(), lie_inside) &&
      planes * input <= std::numeric_limits<Index>::max()) {
    return max_pool_short<T, Index>(in, out, indices, windows, planes);
  }
  for_each_row(windows, planes, [&](int64_t plane, int64_t d, int64_t h) {
    const int64_t place = plane * output + (d * axes[1].output + h) * axes[2].output;
    if (axes[2].kernel != 0) {
      run_leveled<MaxRow<T, Index>>(in + plane * input, out + place, indices + place, &windows, d, h);
    } else {
      max_windows<T>(in + plane * input, out + place, indices + place, windows, d, h);
    }
  });
}

// Dtype in which maxima of `dtype` are computed. Double holds all integers of at most 32 bits, and Float of at most 24.
ScalarType computed_dtype(ScalarType dtype) {
  if (dtype == kLong) return kLong;
  if (item_size(dtype) == 1) return kFloat;
  return dtype == kDouble || is_integral(dtype, false) ? kDouble : kFloat;
}

void max_pool(const Tensor& self, const PoolGeometry& geometry, bool is_adaptive, const Tensor& out,
              const Tensor& indices) {
  if (out.numel() == 0) return;
  const Windows windows = windows_of(geometry, is_adaptive);
  const MemoryFormat format = format_of(self);
  const bool channels_last = format != MemoryFormat::Contiguous;
  const Tensor places = writable(indices, kLong, format);
  const ScalarType dtype = computed_dtype(self.scalar_type());
  const Tensor in = dense(self, dtype, format);
  const Tensor result = writable(out, dtype, format);
  int64_t* const index = places.data_ptr<int64_t>();
  if (dtype == kLong) {
    max_pool_of<int64_t, int64_t>(in.data_ptr<int64_t>(), result.data_ptr<int64_t>(), index, windows, geometry.samples,
                                  channels_last);
  } else if (dtype == kDouble) {
    max_pool_of<double, int64_t>(in.data_ptr<double>(), result.data_ptr<double>(), index, windows, geometry.samples,
                                 channels_last);
  } else if (windows.input_size() <= std::numeric_limits<int32_t>::max()) {
    max_pool_of<float, int32_t>(in.data_ptr<float>(), result.data_ptr<float>(), index, windows, geometry.samples,
                                channels_last);
  } else {
    max_pool_of<float, int64_t>(in.data_ptr<float>(), result.data_ptr<float>(), index, windows, geometry.samples,
                                channels_last);
  }
  store(out, result);
  store(indices, places);
}

void avg_pool(const Tensor& self, const PoolGeometry& geometry, bool is_adaptive, Divisor divisor, const Tensor& out) {
  if (out.numel() == 0) return;
  const Windows windows = windows_of(geometry, is_adaptive);
  const MemoryFormat format = format_of(self);
  const ScalarType dtype = item_size(self.scalar_type()) == 2 ? kFloat : self.scalar_type();
  visit<kFloatingTypes | kLong>("avg_pool", dtype, [&]<class T>() {
    const Tensor elements = dense(self, dtype, format);
    const Tensor result = writable(out, dtype, format);
    const T* const in = elements.data_ptr<T>();
    T* const to = result.data_ptr<T>();
    const int64_t input = windows.input_size();
    const auto& axes = windows.axes;
    if (format != MemoryFormat::Contiguous) {
      for_each_window(windows, geometry.samples, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
        const int64_t place = (((n * axes[0].output + d) * axes[1].output + h) * axes[2].output + w) * windows.channels;
        run_leveled<AvgPixel<T>>(in + n * input * windows.channels, to + place, &windows, divisor, d, h, w);
      });
    } else {
      for_each_row(windows, geometry.samples * windows.channels, [&](int64_t plane, int64_t d, int64_t h) {
        T* const row = to + plane * windows.output_size() + (d * axes[1].output + h) * axes[2].output;
        if (is_adaptive) {
          run_leveled<AvgWindows<T>>(in + plane * input, row, &windows, divisor, d, h);
        } else if (axes[0].count[d] <= 0 || axes[1].count[h] <= 0) {
          std::fill_n(row, axes[2].output, T(0));
        } else {
          run_leveled<AvgRow<T>>(in + plane * input, row, &windows, divisor, d, h);
        }
      });
    }
    store(out, result);
  });
}

void max_unpool(const char* name, const Tensor& self, const Tensor& indices, size_t rank, const Tensor& out) {
  const Tensor values = dense(self, self.scalar_type());
  const Tensor places = dense(indices, kLong);
  const Tensor result = writable(out, out.scalar_type());
  int64_t input = 1;
  int64_t output = 1;
  for (size_t d = 0; d < rank; ++d) {
    input *= self.size(-1 - static_cast<int64_t>(d));
    output *= out.size(-1 - static_cast<int64_t>(d));
  }
  if (output == 0) return;
  const int64_t* const index = places.data_ptr<int64_t>();
  constexpr int64_t none = 0;  // all indices are valid (0 always is)
  std::atomic<int64_t> wrong{none};
  visit<kAllFloatingTypes>(name, self.scalar_type(), [&]<class T>() {
    const T* const in = values.data_ptr<T>();
    T* const to = result.data_ptr<T>();
    parallel_for(0, self.numel() / input, std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, output)),
                 [&](int64_t begin, int64_t end) {
                   std::fill(to + begin * output, to + end * output, T(0));
                   for (int64_t i = begin * input; i < end * input; ++i) {
                     const int64_t place = index[i];
                     if (place < 0 || place >= output) {
                       wrong = place;
                     } else {
                       to[i / input * output + place] = in[i];
                     }
                   }
                 });
  });
  STRUCTURED_CHECK(wrong == none, name, ": expected indices from 0 to ", output - 1, ", got ", wrong.load());
  store(out, result);
}

}  // namespace

[[structured::impl("max_pool2d_with_indices.out", "CPU")]]
void max_pool2d_cpu(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                    IntArrayRef dilation, bool ceil_mode, const Tensor& out, const Tensor& indices) {
  max_pool(self, pool_geometry("max_pool2d_with_indices", self, 2, kernel_size, stride, padding, dilation, ceil_mode),
           false, out, indices);
}

[[structured::impl("max_pool3d_with_indices.out", "CPU")]]
void max_pool3d_cpu(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                    IntArrayRef dilation, bool ceil_mode, const Tensor& out, const Tensor& indices) {
  max_pool(self, pool_geometry("max_pool3d_with_indices", self, 3, kernel_size, stride, padding, dilation, ceil_mode),
           false, out, indices);
}

[[structured::impl("adaptive_max_pool2d.out", "CPU")]]
void adaptive_max_pool2d_cpu(const Tensor& self, IntArrayRef output_size, const Tensor& out, const Tensor& indices) {
  max_pool(self, adaptive_pool_geometry("adaptive_max_pool2d", self, 2, output_size), true, out, indices);
}

[[structured::impl("adaptive_max_pool3d.out", "CPU")]]
void adaptive_max_pool3d_cpu(const Tensor& self, IntArrayRef output_size, const Tensor& out, const Tensor& indices) {
  max_pool(self, adaptive_pool_geometry("adaptive_max_pool3d", self, 3, output_size), true, out, indices);
}

[[structured::impl("avg_pool2d.out", "CPU")]]
void avg_pool2d_cpu(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                    bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
                    const Tensor& out) {
  avg_pool(self, pool_geometry("avg_pool2d", self, 2, kernel_size, stride, padding, 1, ceil_mode), false,
           {divisor_override.value_or(0), count_include_pad}, out);
}

[[structured::impl("avg_pool3d.out", "CPU")]]
void avg_pool3d_cpu(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                    bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
                    const Tensor& out) {
  avg_pool(self, pool_geometry("avg_pool3d", self, 3, kernel_size, stride, padding, 1, ceil_mode), false,
           {divisor_override.value_or(0), count_include_pad}, out);
}

[[structured::impl("_adaptive_avg_pool2d.out", "CPU")]]
void adaptive_avg_pool2d_cpu(const Tensor& self, IntArrayRef output_size, const Tensor& out) {
  avg_pool(self, adaptive_pool_geometry("_adaptive_avg_pool2d", self, 2, output_size, true), true, {}, out);
}

[[structured::impl("_adaptive_avg_pool3d.out", "CPU")]]
void adaptive_avg_pool3d_cpu(const Tensor& self, IntArrayRef output_size, const Tensor& out) {
  avg_pool(self, adaptive_pool_geometry("_adaptive_avg_pool3d", self, 3, output_size), true, {}, out);
}

[[structured::impl("max_unpool2d.out", "CPU")]]
void max_unpool2d_cpu(const Tensor& self, const Tensor& indices, [[maybe_unused]] IntArrayRef output_size,
                      const Tensor& out) {
  max_unpool("max_unpool2d", self, indices, 2, out);
}

[[structured::impl("max_unpool3d.out", "CPU")]]
void max_unpool3d_cpu(const Tensor& self, const Tensor& indices, [[maybe_unused]] IntArrayRef output_size,
                      [[maybe_unused]] IntArrayRef stride, [[maybe_unused]] IntArrayRef padding, const Tensor& out) {
  max_unpool("max_unpool3d", self, indices, 3, out);
}

}  // namespace structured::kernels
