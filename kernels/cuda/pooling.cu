// Pooling on CUDA. One thread computes a result, or an element of a gradient.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/cuda/fault.h>
#include <structured/iterator/copy.h>
#include <structured/number/visit.h>
#include <structured/ops/fill.h>
#include <structured/ops/scatter.h>
#include <structured/ops/scatter_add.h>
#include <structured/cuda/loops.cuh>

#include <cstdint>
#include <limits>
#include <optional>

#include "cuda/element_loop.cuh"
#include "cuda/walk.h"
#include "math/accumulate_type.h"
#include "meta/pooling_geometry.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

/// Elements of the input in one window, along one axis.
struct WindowRange {
  int64_t first;
  int64_t count;
  int64_t extent;  ///< with padding
};

/// Steps are in bytes: sample, channel, depth, height, width.
struct PoolShape {
  WindowAxis axes[3];
  int64_t channels;
  int64_t in_steps[5];
  int64_t out_steps[5];
  int64_t index_steps[5];
  bool is_adaptive;

  __device__ WindowRange range(int d, int64_t i) const {
    const WindowAxis& axis = axes[d];
    if (is_adaptive) {
      const int64_t first = i / axis.output * axis.input + i % axis.output * axis.input / axis.output;
      const int64_t end = ((i + 1) * axis.input + axis.output - 1) / axis.output;
      return {first, end - first, end - first};
    }
    const int64_t begin = i * axis.stride - axis.padding;
    const int64_t skipped = begin >= 0 ? 0 : (-begin + axis.dilation - 1) / axis.dilation;
    const int64_t first = begin + skipped * axis.dilation;
    const int64_t left = first >= axis.input ? 0 : (axis.input - 1 - first) / axis.dilation + 1;
    int64_t count = axis.kernel - skipped < left ? axis.kernel - skipped : left;
    if (count < 0) count = 0;
    const int64_t reach = axis.input + axis.padding - begin;
    return {first, count, axis.kernel < reach ? axis.kernel : reach};
  }

  /// Splits the number of an element of a tensor with these sizes into sample, channel, depth, height and width.
  __device__ static void split(int64_t i, const int64_t (&sizes)[3], int64_t channels, int64_t (&place)[5]) {
    for (int d = 2; d >= 0; --d) {
      place[d + 2] = i % sizes[d];
      i /= sizes[d];
    }
    place[1] = i % channels;
    place[0] = i / channels;
  }
  __device__ static int64_t offset(const int64_t (&place)[5], const int64_t (&steps)[5]) {
    int64_t result = 0;
    for (int d = 0; d < 5; ++d) result += place[d] * steps[d];
    return result;
  }
};

template <class T>
struct MaxPool {
  PoolShape shape;
  const char* in;
  char* out;
  char* indices;
  __device__ void operator()(int64_t i) const {
    using C = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;
    int64_t place[5];
    PoolShape::split(i, {shape.axes[0].output, shape.axes[1].output, shape.axes[2].output}, shape.channels, place);
    const char* const from = in + place[0] * shape.in_steps[0] + place[1] * shape.in_steps[1];
    const WindowRange depths = shape.range(0, place[2]);
    const WindowRange heights = shape.range(1, place[3]);
    const WindowRange widths = shape.range(2, place[4]);
    int64_t index = (depths.first * shape.axes[1].input + heights.first) * shape.axes[2].input + widths.first;
    C best{};
    bool is_first = true;
    for (int64_t d = 0; d < depths.count; ++d) {
      const int64_t z = depths.first + d * shape.axes[0].dilation;
      for (int64_t h = 0; h < heights.count; ++h) {
        const int64_t y = heights.first + h * shape.axes[1].dilation;
        for (int64_t w = 0; w < widths.count; ++w) {
          const int64_t x = widths.first + w * shape.axes[2].dilation;
          const C value = cuda::detail::converted<C>(*reinterpret_cast<const T*>(
              from + z * shape.in_steps[2] + y * shape.in_steps[3] + x * shape.in_steps[4]));
          if (is_first || value > best || value != value) {
            best = value;
            index = (z * shape.axes[1].input + y) * shape.axes[2].input + x;
            is_first = false;
          }
        }
      }
    }
    *reinterpret_cast<T*>(out + PoolShape::offset(place, shape.out_steps)) = cuda::detail::converted<T>(best);
    *reinterpret_cast<int64_t*>(indices + PoolShape::offset(place, shape.index_steps)) = index;
  }
};

/// `divisor` is 0 for the number of elements, with the padding if `counts_padding`.
struct AverageDivisor {
  int64_t divisor;
  bool counts_padding;
  __device__ int64_t of(const WindowRange& d, const WindowRange& h, const WindowRange& w) const {
    if (divisor != 0) return divisor;
    return counts_padding ? d.extent * h.extent * w.extent : d.count * h.count * w.count;
  }
};

template <class T>
struct AvgPool {
  using C = std::conditional_t<std::is_integral_v<T>, T, AccumulateType<T>>;
  PoolShape shape;
  AverageDivisor divisor;
  const char* in;
  char* out;
  __device__ void operator()(int64_t i) const {
    int64_t place[5];
    PoolShape::split(i, {shape.axes[0].output, shape.axes[1].output, shape.axes[2].output}, shape.channels, place);
    const char* const from = in + place[0] * shape.in_steps[0] + place[1] * shape.in_steps[1];
    const WindowRange depths = shape.range(0, place[2]);
    const WindowRange heights = shape.range(1, place[3]);
    const WindowRange widths = shape.range(2, place[4]);
    C sum(0);
    for (int64_t z = depths.first; z < depths.first + depths.count; ++z) {
      for (int64_t y = heights.first; y < heights.first + heights.count; ++y) {
        for (int64_t x = widths.first; x < widths.first + widths.count; ++x) {
          sum += cuda::detail::converted<C>(*reinterpret_cast<const T*>(from + z * shape.in_steps[2] +
                                                                        y * shape.in_steps[3] + x * shape.in_steps[4]));
        }
      }
    }
    const bool is_empty = depths.count <= 0 || heights.count <= 0 || widths.count <= 0;
    const C mean = is_empty ? C(0) : sum / static_cast<C>(divisor.of(depths, heights, widths));
    *reinterpret_cast<T*>(out + PoolShape::offset(place, shape.out_steps)) = cuda::detail::converted<T>(mean);
  }
};

/// Sums the gradients of the windows that contain an element of the input.
template <class T>
struct AvgPoolBackward {
  using C = AccumulateType<T>;
  PoolShape shape;  ///< `in_steps` are those of the result, `out_steps` those of the gradient
  AverageDivisor divisor;
  const char* grad;
  char* out;
  /// Windows [first, end) that may contain an element.
  __device__ void windows(int d, int64_t i, int64_t& first, int64_t& end) const {
    const WindowAxis& axis = shape.axes[d];
    if (shape.is_adaptive) {
      first = i * axis.output / axis.input;
      end = ((i + 1) * axis.output + axis.input - 1) / axis.input;
      return;
    }
    const int64_t place = i + axis.padding;
    first = place < axis.kernel ? 0 : (place - axis.kernel) / axis.stride + 1;
    end = place / axis.stride + 1 < axis.output ? place / axis.stride + 1 : axis.output;
  }
  __device__ void operator()(int64_t i) const {
    int64_t place[5];
    PoolShape::split(i, {shape.axes[0].input, shape.axes[1].input, shape.axes[2].input}, shape.channels, place);
    const char* const from = grad + place[0] * shape.out_steps[0] + place[1] * shape.out_steps[1];
    int64_t first[3];
    int64_t end[3];
    for (int d = 0; d < 3; ++d) windows(d, place[d + 2], first[d], end[d]);
    C sum(0);
    for (int64_t z = first[0]; z < end[0]; ++z) {
      const WindowRange depths = shape.range(0, z);
      for (int64_t y = first[1]; y < end[1]; ++y) {
        const WindowRange heights = shape.range(1, y);
        for (int64_t x = first[2]; x < end[2]; ++x) {
          const C value = cuda::detail::converted<C>(*reinterpret_cast<const T*>(
              from + z * shape.out_steps[2] + y * shape.out_steps[3] + x * shape.out_steps[4]));
          sum += value / static_cast<C>(divisor.of(depths, heights, shape.range(2, x)));
        }
      }
    }
    *reinterpret_cast<T*>(out + PoolShape::offset(place, shape.in_steps)) = cuda::detail::converted<T>(sum);
  }
};

// Steps of a tensor [N, C, ...] or [C, ...] with `rank` spatial dimensions.
void set_steps(int64_t (&steps)[5], const Tensor& tensor, int64_t rank) {
  const int64_t dims = tensor.dim();
  for (int d = 0; d < 5; ++d) steps[d] = 0;
  for (int64_t d = 0; d < rank; ++d) steps[4 - d] = byte_stride(tensor, dims - 1 - d);
  steps[1] = byte_stride(tensor, dims - 1 - rank);
  if (dims > rank + 1) steps[0] = byte_stride(tensor, 0);
}

PoolShape shape_of(const PoolGeometry& geometry, bool is_adaptive, int64_t rank, const Tensor& in, const Tensor& out) {
  PoolShape shape{};
  for (std::size_t d = 0; d < 3; ++d) shape.axes[d] = geometry.axes[d];
  shape.channels = geometry.channels;
  shape.is_adaptive = is_adaptive;
  set_steps(shape.in_steps, in, rank);
  set_steps(shape.out_steps, out, rank);
  return shape;
}

void max_pool(const char* name, const Tensor& self, const PoolGeometry& geometry, bool is_adaptive, int64_t rank,
              const Tensor& out, const Tensor& indices) {
  if (out.numel() == 0) return;
  PoolShape shape = shape_of(geometry, is_adaptive, rank, self, out);
  set_steps(shape.index_steps, indices, rank);
  visit<kRealTypes>(name, self.scalar_type(), [&]<class T>() {
    for_each_element(out.numel(), MaxPool<T>{shape, static_cast<const char*>(self.data()),
                                             static_cast<char*>(out.data()), static_cast<char*>(indices.data())});
  });
}

void avg_pool(const char* name, const Tensor& self, const PoolGeometry& geometry, bool is_adaptive, int64_t rank,
              AverageDivisor divisor, const Tensor& out) {
  if (out.numel() == 0) return;
  const PoolShape shape = shape_of(geometry, is_adaptive, rank, self, out);
  visit<kAllFloatingTypes | kLong>(name, self.scalar_type(), [&]<class T>() {
    for_each_element(out.numel(),
                     AvgPool<T>{shape, divisor, static_cast<const char*>(self.data()), static_cast<char*>(out.data())});
  });
}

void avg_pool_backward(const char* name, const Tensor& grad_output, const PoolGeometry& geometry, bool is_adaptive,
                       int64_t rank, AverageDivisor divisor, const Tensor& grad_input) {
  if (grad_input.numel() == 0) return;
  const PoolShape shape = shape_of(geometry, is_adaptive, rank, grad_input, grad_output);
  visit<kAllFloatingTypes>(name, grad_input.scalar_type(), [&]<class T>() {
    for_each_element(grad_input.numel(),
                     AvgPoolBackward<T>{shape, divisor, static_cast<const char*>(grad_output.data()),
                                        static_cast<char*>(grad_input.data())});
  });
}

int64_t spatial_size(const Tensor& tensor, int64_t rank) {
  int64_t size = 1;
  for (int64_t d = 1; d <= rank; ++d) size *= tensor.size(-d);
  return size;
}

// Writes each element of `values` to the element of its plane of `out` that `indices` selects, or adds it; other
// elements are 0.
void put_at(const Tensor& values, const Tensor& indices, int64_t rank, bool adds, const Tensor& out) {
  const Tensor result = writable(out, out.scalar_type());
  Tensor zeroed = result;
  structured::fill_(zeroed, 0);
  const int64_t size = spatial_size(out, rank);
  if (out.numel() != 0 && values.numel() != 0) {
    const int64_t planes = out.numel() / size;
    const Tensor from = dense(values, out.scalar_type());
    const Tensor places = dense(indices, kLong);
    const int64_t count = values.numel() / planes;
    Tensor rows = as_strided(result, {planes, size}, {size, 1}, result.storage_offset());
    const Tensor index = as_strided(places, {planes, count}, {count, 1}, places.storage_offset());
    const Tensor source = as_strided(from, {planes, count}, {count, 1}, from.storage_offset());
    adds ? structured::scatter_add_(rows, 1, index, source) : structured::scatter_(rows, 1, index, source);
  }
  store(out, result);
}

PoolGeometry adaptive_geometry(const char* name, const Tensor& grad_output, const Tensor& self, std::size_t rank) {
  const IntArrayRef sizes = grad_output.sizes();
  return adaptive_pool_geometry(name, self, rank, IntArrayRef(sizes.data() + sizes.size() - rank, rank));
}

}  // namespace

[[structured::impl("max_pool2d_with_indices.out", "CUDA")]]
void max_pool2d_cuda(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                     IntArrayRef dilation, bool ceil_mode, const Tensor& out, const Tensor& indices) {
  constexpr const char* name = "max_pool2d_with_indices";
  max_pool(name, self, pool_geometry(name, self, 2, kernel_size, stride, padding, dilation, ceil_mode), false, 2, out,
           indices);
}

[[structured::impl("max_pool3d_with_indices.out", "CUDA")]]
void max_pool3d_cuda(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                     IntArrayRef dilation, bool ceil_mode, const Tensor& out, const Tensor& indices) {
  constexpr const char* name = "max_pool3d_with_indices";
  max_pool(name, self, pool_geometry(name, self, 3, kernel_size, stride, padding, dilation, ceil_mode), false, 3, out,
           indices);
}

[[structured::impl("adaptive_max_pool2d.out", "CUDA")]]
void adaptive_max_pool2d_cuda(const Tensor& self, IntArrayRef output_size, const Tensor& out, const Tensor& indices) {
  max_pool("adaptive_max_pool2d", self, adaptive_pool_geometry("adaptive_max_pool2d", self, 2, output_size), true, 2,
           out, indices);
}

[[structured::impl("adaptive_max_pool3d.out", "CUDA")]]
void adaptive_max_pool3d_cuda(const Tensor& self, IntArrayRef output_size, const Tensor& out, const Tensor& indices) {
  max_pool("adaptive_max_pool3d", self, adaptive_pool_geometry("adaptive_max_pool3d", self, 3, output_size), true, 3,
           out, indices);
}

[[structured::impl("avg_pool2d.out", "CUDA")]]
void avg_pool2d_cuda(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                     bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
                     const Tensor& out) {
  avg_pool("avg_pool2d", self, pool_geometry("avg_pool2d", self, 2, kernel_size, stride, padding, 1, ceil_mode), false,
           2, {divisor_override.value_or(0), count_include_pad}, out);
}

[[structured::impl("avg_pool3d.out", "CUDA")]]
void avg_pool3d_cuda(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                     bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
                     const Tensor& out) {
  avg_pool("avg_pool3d", self, pool_geometry("avg_pool3d", self, 3, kernel_size, stride, padding, 1, ceil_mode), false,
           3, {divisor_override.value_or(0), count_include_pad}, out);
}

[[structured::impl("_adaptive_avg_pool2d.out", "CUDA")]]
void adaptive_avg_pool2d_cuda(const Tensor& self, IntArrayRef output_size, const Tensor& out) {
  constexpr const char* name = "_adaptive_avg_pool2d";
  avg_pool(name, self, adaptive_pool_geometry(name, self, 2, output_size, true), true, 2, {}, out);
}

[[structured::impl("_adaptive_avg_pool3d.out", "CUDA")]]
void adaptive_avg_pool3d_cuda(const Tensor& self, IntArrayRef output_size, const Tensor& out) {
  constexpr const char* name = "_adaptive_avg_pool3d";
  avg_pool(name, self, adaptive_pool_geometry(name, self, 3, output_size, true), true, 3, {}, out);
}

[[structured::impl("max_unpool2d.out", "CUDA")]]
void max_unpool2d_cuda(const Tensor& self, const Tensor& indices, [[maybe_unused]] IntArrayRef output_size,
                       const Tensor& out) {
  put_at(self, indices, 2, false, out);
}

[[structured::impl("max_unpool3d.out", "CUDA")]]
void max_unpool3d_cuda(const Tensor& self, const Tensor& indices, [[maybe_unused]] IntArrayRef output_size,
                       [[maybe_unused]] IntArrayRef stride, [[maybe_unused]] IntArrayRef padding, const Tensor& out) {
  put_at(self, indices, 3, false, out);
}

[[structured::impl("max_pool2d_with_indices_backward.grad_input", "CUDA")]]
void max_pool2d_backward_cuda(const Tensor& grad_output, const Tensor& self, [[maybe_unused]] IntArrayRef kernel_size,
                              [[maybe_unused]] IntArrayRef stride, [[maybe_unused]] IntArrayRef padding,
                              [[maybe_unused]] IntArrayRef dilation, [[maybe_unused]] bool ceil_mode,
                              const Tensor& indices, const Tensor& grad_input) {
  put_at(grad_output, indices, 2, true, grad_input);
}

[[structured::impl("max_pool3d_with_indices_backward.grad_input", "CUDA")]]
void max_pool3d_backward_cuda(const Tensor& grad_output, const Tensor& self, [[maybe_unused]] IntArrayRef kernel_size,
                              [[maybe_unused]] IntArrayRef stride, [[maybe_unused]] IntArrayRef padding,
                              [[maybe_unused]] IntArrayRef dilation, [[maybe_unused]] bool ceil_mode,
                              const Tensor& indices, const Tensor& grad_input) {
  put_at(grad_output, indices, 3, true, grad_input);
}

[[structured::impl("adaptive_max_pool2d_backward.grad_input", "CUDA")]]
void adaptive_max_pool2d_backward_cuda(const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                                       const Tensor& grad_input) {
  put_at(grad_output, indices, 2, true, grad_input);
}

[[structured::impl("adaptive_max_pool3d_backward.grad_input", "CUDA")]]
void adaptive_max_pool3d_backward_cuda(const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                                       const Tensor& grad_input) {
  put_at(grad_output, indices, 3, true, grad_input);
}

[[structured::impl("avg_pool2d_backward.grad_input", "CUDA")]]
void avg_pool2d_backward_cuda(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                              IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                              std::optional<int64_t> divisor_override, const Tensor& grad_input) {
  constexpr const char* name = "avg_pool2d_backward";
  avg_pool_backward(name, grad_output, pool_geometry(name, self, 2, kernel_size, stride, padding, 1, ceil_mode), false,
                    2, {divisor_override.value_or(0), count_include_pad}, grad_input);
}

[[structured::impl("avg_pool3d_backward.grad_input", "CUDA")]]
void avg_pool3d_backward_cuda(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                              IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                              std::optional<int64_t> divisor_override, const Tensor& grad_input) {
  constexpr const char* name = "avg_pool3d_backward";
  avg_pool_backward(name, grad_output, pool_geometry(name, self, 3, kernel_size, stride, padding, 1, ceil_mode), false,
                    3, {divisor_override.value_or(0), count_include_pad}, grad_input);
}

[[structured::impl("_adaptive_avg_pool2d_backward.out", "CUDA")]]
void adaptive_avg_pool2d_backward_cuda(const Tensor& grad_output, const Tensor& self, const Tensor& out) {
  constexpr const char* name = "_adaptive_avg_pool2d_backward";
  avg_pool_backward(name, grad_output, adaptive_geometry(name, grad_output, self, 2), true, 2, {}, out);
}

[[structured::impl("_adaptive_avg_pool3d_backward.out", "CUDA")]]
void adaptive_avg_pool3d_backward_cuda(const Tensor& grad_output, const Tensor& self, const Tensor& out) {
  constexpr const char* name = "_adaptive_avg_pool3d_backward";
  avg_pool_backward(name, grad_output, adaptive_geometry(name, grad_output, self, 3), true, 3, {}, out);
}

}  // namespace structured::kernels
