// Gradients of pooling on CPU. Windows overlap, so work is divided by planes, or by samples of channels-last tensors.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "dense_offsets.h"
#include "pooling_loops.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

MemoryFormat format_of(const Tensor& input) {
  return input.is_contiguous() ? MemoryFormat::Contiguous : input.suggest_memory_format();
}

// Calls `body(line)` for each row of a plane that a row of windows covers.
template <class Body>
STRUCTURED_ALWAYS_INLINE void for_window_lines(const Windows& windows, int64_t d, int64_t h, const Body& body) {
  const auto& [depth, height, width] = windows.axes;
  for (int64_t i = 0; i < depth.count[d]; ++i) {
    for (int64_t j = 0; j < height.count[h]; ++j) {
      body((depth.first[d] + i) * height.input + height.first[h] + j);
    }
  }
}

bool is_empty_window(const Windows& windows, int64_t d, int64_t h, int64_t w) {
  return windows.axes[0].count[d] <= 0 || windows.axes[1].count[h] <= 0 || windows.axes[2].count[w] <= 0;
}

// Gradient of average pooling for a row of windows of one size: adds each gradient, divided by the divisor of its
// window, to the elements of the window. Accumulates one input row in a buffer, then adds it to each row that the
// windows cover.
template <class T>
struct SpreadRows {
  template <int64_t kStride>
  STRUCTURED_ALWAYS_INLINE static void add(const T* share, int64_t stride, int64_t count, T* out) {
    const int64_t step = kStride == 0 ? stride : kStride;
    STRUCTURED_INDEPENDENT_LOOP
    for (int64_t i = 0; i < count; ++i) out[i * step] += share[i];
  }

  // `shares` has room for the windows of a row, `row` for the input elements of a row.
  static void run(const T* grad, T* plane, const Windows* windows, Divisor divisor, int64_t d, int64_t h, T* shares,
                  T* row) {
    const auto& [depth, height, width] = windows->axes;
    const int64_t size = width.input;
    if (depth.count[d] <= 0 || height.count[h] <= 0) return;
    for (int64_t i = 0; i < width.output; ++i) {
      shares[i] = width.count[i] <= 0 ? T(0) : grad[i] / static_cast<T>(divisor.of(*windows, d, h, i));
    }
    for (int64_t i = 0; i < size; ++i) row[i] = 0;
    const int64_t stride = width.stride;
    for (int64_t k = 0; k < width.kernel; ++k) {
      const int64_t offset = k - width.padding;
      const int64_t lo = offset >= 0 ? 0 : (-offset + stride - 1) / stride;
      const int64_t last = size - 1 - offset;
      const int64_t end = last < 0 ? 0 : last / stride + 1;
      const int64_t count = (end < width.output ? end : width.output) - lo;
      T* const out = row + offset + lo * stride;
      if (stride == 1) {
        add<1>(shares + lo, 1, count, out);
      } else if (stride == 2) {
        add<2>(shares + lo, 2, count, out);
      } else {
        add<0>(shares + lo, stride, count, out);
      }
    }
    for_window_lines(*windows, d, h, [&](int64_t line) { add<1>(row, 1, size, plane + line * size); });
  }
};

// Gradient of average pooling for a row of windows of different sizes.
template <class T>
struct SpreadWindows {
  static void run(const T* grad, T* plane, const Windows* windows, Divisor divisor, int64_t d, int64_t h) {
    for (int64_t w = 0; w < windows->axes[2].output; ++w) {
      const T share = grad[w] / static_cast<T>(divisor.of(*windows, d, h, w));
      for_window_rows(*windows, d, h, w, [&](int64_t offset, int64_t count) {
        for (int64_t k = 0; k < count; ++k) plane[offset + k] += share;
      });
    }
  }
};

// Gradient of average pooling for all channels of one window of a channels-last sample.
template <class T>
struct SpreadPixel {
  static void run(const T* grad, T* sample, const Windows* windows, Divisor divisor, int64_t d, int64_t h, int64_t w) {
    const int64_t channels = windows->channels;
    const auto parts = static_cast<T>(divisor.of(*windows, d, h, w));
    for_window_rows(*windows, d, h, w, [&](int64_t offset, int64_t size) {
      for (int64_t k = 0; k < size; ++k) {
        T* const out = sample + (offset + k) * channels;
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t c = 0; c < channels; ++c) out[c] += grad[c] / parts;
      }
    });
  }
};

template <class T>
void spread_plane(const T* grad, T* plane, const Windows& windows, Divisor divisor, bool is_adaptive) {
  const auto& [depth, height, width] = windows.axes;
  std::vector<T> shares(static_cast<size_t>(width.output));
  std::vector<T> row(static_cast<size_t>(width.input));
  for (int64_t line = 0; line < depth.output * height.output; ++line, grad += width.output) {
    const int64_t d = line / height.output;
    const int64_t h = line % height.output;
    if (is_adaptive) {
      run_leveled<SpreadWindows<T>>(grad, plane, &windows, divisor, d, h);
    } else {
      run_leveled<SpreadRows<T>>(grad, plane, &windows, divisor, d, h, shares.data(), row.data());
    }
  }
}

template <class T>
void spread_sample(const T* grad, T* sample, const Windows& windows, Divisor divisor) {
  const auto& [depth, height, width] = windows.axes;
  for (int64_t i = 0; i < windows.output_size(); ++i, grad += windows.channels) {
    const int64_t d = i / (height.output * width.output);
    const int64_t h = i / width.output % height.output;
    const int64_t w = i % width.output;
    if (is_empty_window(windows, d, h, w)) continue;
    run_leveled<SpreadPixel<T>>(grad, sample, &windows, divisor, d, h, w);
  }
}

void avg_pool_backward(const Tensor& grad_output, const Tensor& self, const PoolGeometry& geometry, bool is_adaptive,
                       Divisor divisor, const Tensor& grad_input) {
  if (grad_input.numel() == 0) return;
  const Windows windows = windows_of(geometry, is_adaptive);
  const MemoryFormat format = format_of(self);
  const ScalarType dtype = item_size(self.scalar_type()) == 2 ? kFloat : self.scalar_type();
  visit<kFloatingTypes | kLong>("avg_pool_backward", dtype, [&]<class T>() {
    const Tensor gradients = dense(grad_output, dtype, format);
    const Tensor result = writable(grad_input, dtype, format);
    const T* const grad = gradients.data_ptr<T>();
    T* const out = result.data_ptr<T>();
    const bool channels_last = format != MemoryFormat::Contiguous;
    const int64_t parts = channels_last ? geometry.samples : geometry.samples * windows.channels;
    const int64_t input = self.numel() / parts;
    const int64_t output = grad_output.numel() / parts;
    parallel_for(0, parts, std::max<int64_t>(1, kGrainSize / (input + output)), [&](int64_t begin, int64_t end) {
      std::fill(out + begin * input, out + end * input, T(0));
      for (int64_t i = begin; i < end; ++i) {
        if (channels_last) {
          spread_sample(grad + i * output, out + i * input, windows, divisor);
        } else {
          spread_plane(grad + i * output, out + i * input, windows, divisor, is_adaptive);
        }
      }
    });
    store(grad_input, result);
  });
}

// Adds each gradient to the element that `places` selects in its channel. If `channels` > 1, they are the innermost
// dimension.
template <class T>
void add_to_places(const T* grad, const int64_t* places, int64_t count, int64_t channels, T* out) {
  if (channels == 1) {
#pragma GCC unroll 4
    for (int64_t i = 0; i < count; ++i) out[places[i]] += grad[i];
    return;
  }
  for (int64_t i = 0; i < count; i += channels) {
#pragma GCC unroll 4
    for (int64_t c = 0; c < channels; ++c) out[places[i + c] * channels + c] += grad[i + c];
  }
}

void max_pool_backward(const char* name, const Tensor& grad_output, const Tensor& self, size_t rank,
                       const Tensor& indices, const Tensor& grad_input) {
  if (grad_input.numel() == 0) return;
  const MemoryFormat format = format_of(self);
  const bool channels_last = format != MemoryFormat::Contiguous;
  int64_t size = 1;
  for (size_t d = 1; d <= rank; ++d) size *= self.size(-static_cast<int64_t>(d));
  const int64_t channels = self.size(-1 - static_cast<int64_t>(rank));
  const int64_t step = channels_last ? channels : 1;
  const int64_t parts = self.numel() / (size * step);
  const int64_t input = size * step;
  const int64_t output = grad_output.numel() / parts;
  const ScalarType dtype = self.scalar_type() == kDouble ? kDouble : kFloat;
  const Tensor places = dense(indices, kLong, format);
  const int64_t* const index = places.data_ptr<int64_t>();
  constexpr int64_t none = 0;  // all indices are valid (0 always is)
  std::atomic<int64_t> wrong{none};
  visit<kFloatingTypes>(name, dtype, [&]<class T>() {
    const Tensor gradients = dense(grad_output, dtype, format);
    const Tensor result = writable(grad_input, dtype, format);
    const T* const grad = gradients.data_ptr<T>();
    T* const out = result.data_ptr<T>();
    parallel_for(0, parts, std::max<int64_t>(1, kGrainSize / (input + output)), [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        T* const plane = out + part * input;
        const int64_t* const at = index + part * output;
        std::memset(plane, 0, static_cast<size_t>(input) * sizeof(T));
        if (are_below(at, output, size)) {
          add_to_places(grad + part * output, at, output, step, plane);
        } else {
          wrong = *std::find_if(at, at + output, [&](int64_t place) { return place < 0 || place >= size; });
        }
      }
    });
    STRUCTURED_CHECK(wrong == none, name, ": expected indices from 0 to ", size - 1, ", got ", wrong.load());
    store(grad_input, result);
  });
}

PoolGeometry adaptive_geometry(const char* name, const Tensor& grad_output, const Tensor& self, size_t rank) {
  const IntArrayRef sizes = grad_output.sizes();
  return adaptive_pool_geometry(name, self, rank, IntArrayRef(sizes.data() + sizes.size() - rank, rank));
}

}  // namespace

[[structured::impl("max_pool2d_with_indices_backward.grad_input", "CPU")]]
void max_pool2d_backward_cpu(const Tensor& grad_output, const Tensor& self, [[maybe_unused]] IntArrayRef kernel_size,
                             [[maybe_unused]] IntArrayRef stride, [[maybe_unused]] IntArrayRef padding,
                             [[maybe_unused]] IntArrayRef dilation, [[maybe_unused]] bool ceil_mode,
                             const Tensor& indices, const Tensor& grad_input) {
  max_pool_backward("max_pool2d_with_indices_backward", grad_output, self, 2, indices, grad_input);
}

[[structured::impl("max_pool3d_with_indices_backward.grad_input", "CPU")]]
void max_pool3d_backward_cpu(const Tensor& grad_output, const Tensor& self, [[maybe_unused]] IntArrayRef kernel_size,
                             [[maybe_unused]] IntArrayRef stride, [[maybe_unused]] IntArrayRef padding,
                             [[maybe_unused]] IntArrayRef dilation, [[maybe_unused]] bool ceil_mode,
                             const Tensor& indices, const Tensor& grad_input) {
  max_pool_backward("max_pool3d_with_indices_backward", grad_output, self, 3, indices, grad_input);
}

[[structured::impl("adaptive_max_pool2d_backward.grad_input", "CPU")]]
void adaptive_max_pool2d_backward_cpu(const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                                      const Tensor& grad_input) {
  max_pool_backward("adaptive_max_pool2d_backward", grad_output, self, 2, indices, grad_input);
}

[[structured::impl("adaptive_max_pool3d_backward.grad_input", "CPU")]]
void adaptive_max_pool3d_backward_cpu(const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                                      const Tensor& grad_input) {
  max_pool_backward("adaptive_max_pool3d_backward", grad_output, self, 3, indices, grad_input);
}

[[structured::impl("avg_pool2d_backward.grad_input", "CPU")]]
void avg_pool2d_backward_cpu(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                             IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                             std::optional<int64_t> divisor_override, const Tensor& grad_input) {
  avg_pool_backward(grad_output, self,
                    pool_geometry("avg_pool2d_backward", self, 2, kernel_size, stride, padding, 1, ceil_mode), false,
                    {divisor_override.value_or(0), count_include_pad}, grad_input);
}

[[structured::impl("avg_pool3d_backward.grad_input", "CPU")]]
void avg_pool3d_backward_cpu(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                             IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                             std::optional<int64_t> divisor_override, const Tensor& grad_input) {
  avg_pool_backward(grad_output, self,
                    pool_geometry("avg_pool3d_backward", self, 3, kernel_size, stride, padding, 1, ceil_mode), false,
                    {divisor_override.value_or(0), count_include_pad}, grad_input);
}

[[structured::impl("_adaptive_avg_pool2d_backward.out", "CPU")]]
void adaptive_avg_pool2d_backward_cpu(const Tensor& grad_output, const Tensor& self, const Tensor& out) {
  avg_pool_backward(grad_output, self, adaptive_geometry("_adaptive_avg_pool2d_backward", grad_output, self, 2), true,
                    {}, out);
}

[[structured::impl("_adaptive_avg_pool3d_backward.out", "CPU")]]
void adaptive_avg_pool3d_backward_cpu(const Tensor& grad_output, const Tensor& self, const Tensor& out) {
  avg_pool_backward(grad_output, self, adaptive_geometry("_adaptive_avg_pool3d_backward", grad_output, self, 3), true,
                    {}, out);
}

}  // namespace structured::kernels
