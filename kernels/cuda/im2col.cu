// im2col and col2im on CUDA. One thread computes an element of the result.
#include <structured/core/tensor.h>
#include <structured/number/visit.h>
#include <structured/cuda/loops.cuh>

#include <cstdint>

#include "cuda/element_loop.cuh"
#include "math/accumulate_type.h"
#include "meta/window_geometry.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

/// An image [planes, height, width] and its windows [planes, kernel height, kernel width, height, width].
struct Windows {
  WindowAxis height;
  WindowAxis width;
};

template <class T>
struct WriteWindows {
  Windows windows;
  const T* in;
  T* out;
  __device__ void operator()(int64_t i) const {
    const WindowAxis& h = windows.height;
    const WindowAxis& w = windows.width;
    int64_t rest = i;
    const int64_t column = rest % w.output;
    rest /= w.output;
    const int64_t row = rest % h.output;
    rest /= h.output;
    const int64_t x = column * w.stride - w.padding + rest % w.kernel * w.dilation;
    rest /= w.kernel;
    const int64_t y = row * h.stride - h.padding + rest % h.kernel * h.dilation;
    rest /= h.kernel;
    const bool is_inside = y >= 0 && y < h.input && x >= 0 && x < w.input;
    T value{};
    if (is_inside) value = in[(rest * h.input + y) * w.input + x];
    out[i] = value;
  }
};

template <class T>
struct AddWindows {
  using C = AccumulateType<T>;
  Windows windows;
  const T* in;
  T* out;
  __device__ void operator()(int64_t i) const {
    const WindowAxis& h = windows.height;
    const WindowAxis& w = windows.width;
    const int64_t x = i % w.input + w.padding;
    const int64_t y = i / w.input % h.input + h.padding;
    const T* const plane = in + i / w.input / h.input * h.kernel * w.kernel * h.output * w.output;
    C sum(0);
    for (int64_t r = 0; r < h.kernel; ++r) {
      const int64_t top = y - r * h.dilation;
      if (top < 0 || top % h.stride != 0 || top / h.stride >= h.output) continue;
      for (int64_t c = 0; c < w.kernel; ++c) {
        const int64_t left = x - c * w.dilation;
        if (left < 0 || left % w.stride != 0 || left / w.stride >= w.output) continue;
        sum += cuda::detail::converted<C>(
            plane[((r * w.kernel + c) * h.output + top / h.stride) * w.output + left / w.stride]);
      }
    }
    out[i] = cuda::detail::converted<T>(sum);
  }
};

}  // namespace

[[structured::impl("im2col.out", "CUDA")]]
void im2col_cuda(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                 IntArrayRef stride, const Tensor& out) {
  if (out.numel() == 0) return;
  const ConvGeometry geometry =
      window_geometry("im2col", {self.size(-2), self.size(-1)}, {kernel_size, dilation, padding, stride});
  const Tensor in = dense(self, self.scalar_type());
  const Tensor result = writable(out, out.scalar_type());
  visit<kAllFloatingTypes | kComplexTypes | kBool>("im2col", self.scalar_type(), [&]<class T>() {
    for_each_element(out.numel(),
                     WriteWindows<T>{{geometry.axes[1], geometry.axes[2]}, in.data_ptr<T>(), result.data_ptr<T>()});
  });
  store(out, result);
}

[[structured::impl("col2im.out", "CUDA")]]
void col2im_cuda(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                 IntArrayRef padding, IntArrayRef stride, const Tensor& out) {
  if (out.numel() == 0) return;
  const ConvGeometry geometry = window_geometry("col2im", output_size, {kernel_size, dilation, padding, stride});
  const Tensor in = dense(self, self.scalar_type());
  const Tensor result = writable(out, out.scalar_type());
  visit<kAllFloatingTypes | kComplexTypes>("col2im", self.scalar_type(), [&]<class T>() {
    for_each_element(out.numel(),
                     AddWindows<T>{{geometry.axes[1], geometry.axes[2]}, in.data_ptr<T>(), result.data_ptr<T>()});
  });
  store(out, result);
}

}  // namespace structured::kernels
