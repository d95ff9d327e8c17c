// Gradients of convolution on CPU. The gradient of the input is a convolution, transposed if the forward one is not.
// The gradient of the weight is a sum over samples of matrix products with an im2col matrix.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>
#include <structured/number/visit.h>
#include <structured/ops/sum.h>
#include <structured/ops/zero.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "convolution.h"
#include "convolution_depthwise.h"
#include "convolution_direct_nhwc.h"
#include "convolution_implicit_gemm.h"
#include "im2col.h"
#include "matrix_product.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Returns whether the gradient of the input is a plain convolution of the gradient with reversed kernels, which is
// faster than a transposed convolution.
bool can_be_reversed(const ConvGeometry& geometry) {
  return !geometry.transposed && std::all_of(geometry.axes.begin(), geometry.axes.end(), [](const WindowAxis& axis) {
    return axis.stride == 1 && axis.padding <= axis.dilation * (axis.kernel - 1);
  });
}

// Returns the weights with mirrored kernels and input and output channels of each group exchanged.
Tensor reversed(const Tensor& weight, const ConvGeometry& geometry) {
  const ScalarType dtype = weight.scalar_type() == kDouble ? kDouble : kFloat;
  const Tensor from = dense(weight, dtype);
  const int64_t inputs = geometry.input_channels;
  const int64_t outputs = geometry.output_channels;
  const int64_t taps = geometry.kernel_size();
  DimVector sizes(weight.sizes());
  sizes[0] = geometry.groups * inputs;
  sizes[1] = outputs;
  const Tensor result = structured::empty(sizes, from.options());
  visit<kFloatingTypes>("convolution_backward", dtype, [&]<class T>() {
    const T* in = from.data_ptr<T>();
    T* const out = result.data_ptr<T>();
    for (int64_t i = 0; i < geometry.groups * outputs; ++i) {
      for (int64_t c = 0; c < inputs; ++c, in += taps) {
        T* const kernel = out + ((i / outputs * inputs + c) * outputs + i % outputs) * taps;
        std::reverse_copy(in, in + taps, kernel);
      }
    }
  });
  return result;
}

void input_gradient_reversed(const ConvGeometry& geometry, const Tensor& grad_output, const Tensor& weight,
                             const Tensor& out) {
  ConvGeometry back = geometry;
  std::swap(back.input_channels, back.output_channels);
  for (WindowAxis& axis : back.axes) {
    std::swap(axis.input, axis.output);
    axis.padding = axis.dilation * (axis.kernel - 1) - axis.padding;
  }
  const ScalarType dtype = out.scalar_type() == kDouble ? kDouble : kFloat;
  if (conv_backend(back, dtype, false) == ConvBackend::implicit_gemm) {
    const Tensor kernels = dense(weight, dtype, weight.suggest_memory_format());
    const Tensor result = writable(out, dtype);
    convolve_implicit_gemm(back, dense(grad_output, dtype), ConvWeights(kernels, geometry).reversed(geometry), Tensor(),
                           result);
    return store(out, result);
  }
  const size_t rank = static_cast<size_t>(out.dim()) - 2;
  DimVector padding(rank, 0);
  DimVector dilation(rank, 0);
  for (size_t d = 0; d < rank; ++d) {
    padding[d] = back.axes[3 - rank + d].padding;
    dilation[d] = back.axes[3 - rank + d].dilation;
  }
  const DimVector ones(rank, 1);
  const DimVector zeros(rank, 0);
  const ConvArguments arguments{ones, padding, dilation, false, zeros, geometry.groups};
  const Tensor kernels = reversed(weight, geometry);
  convolve(conv_backend(grad_output, kernels, arguments), grad_output, kernels, Tensor(), arguments, out);
}

void input_gradient(const ConvGeometry& geometry, const Tensor& grad_output, const Tensor& weight,
                    const ConvArguments& arguments, const Tensor& out) {
  const size_t rank = static_cast<size_t>(out.dim()) - 2;
  // Number of input elements at the end of each axis that no window covers: the output padding of the transpose.
  DimVector rest(rank, 0);
  DimVector sizes(out.sizes());
  for (size_t d = 0; d < rank; ++d) {
    const WindowAxis& axis = geometry.axes[3 - rank + d];
    const int64_t reach = axis.dilation * (axis.kernel - 1) + 1 - 2 * axis.padding;
    if (arguments.transposed) {
      sizes[d + 2] = (axis.output - reach) / axis.stride + 1;
    } else {
      rest[d] = axis.input - ((axis.output - 1) * axis.stride + reach);
    }
  }
  const ConvArguments back{arguments.stride, arguments.padding, arguments.dilation, !arguments.transposed, rest,
                           arguments.groups};
  const ConvBackend backend = conv_backend(grad_output, weight, back);
  const bool is_best =
      backend == ConvBackend::depthwise || (backend == ConvBackend::direct_nhwc && has_channels_last(grad_output));
  if (can_be_reversed(geometry) && !is_best) {
    return input_gradient_reversed(geometry, grad_output, weight, out);
  }
  if (out.sizes() == IntArrayRef(sizes)) return convolve(backend, grad_output, weight, Tensor(), back, out);
  // Output padding of a stride or more adds windows that belong to no input element; their results are dropped.
  const Tensor all = structured::empty(sizes, out.options());
  convolve(backend, grad_output, weight, Tensor(), back, all);
  structured::copy_into(out, structured::as_strided(all, out.sizes(), all.strides(), all.storage_offset()));
}

constexpr int64_t kWindowElements = int64_t{1} << 17;  // elements of an im2col matrix that fits the second-level cache

// Computes the gradient of the weight of a forward convolution. `wide` has the shape of its input and `narrow` that of
// its output.
template <class T>
void weight_gradient(const ConvGeometry& geometry, const T* wide, const T* narrow, T* out) {
  const int64_t inner = geometry.input_channels * geometry.kernel_size();
  const int64_t outputs = geometry.output_channels;
  const int64_t windows = geometry.output_size();
  std::fill_n(out, geometry.groups * outputs * inner, T(0));
  if (windows == 0 || inner == 0 || outputs == 0 || geometry.samples == 0) return;
  const int64_t columns = geometry.axes[2].output;
  const int64_t lines = windows / columns;
  const int64_t lines_at_once = std::clamp<int64_t>(kWindowElements / (inner * columns), 1, lines);
  ScratchVector<T> buffer(static_cast<size_t>(inner * lines_at_once * columns));
  T* const matrix = buffer.data();
  for (int64_t i = 0; i < geometry.samples * geometry.groups; ++i) {
    const T* const from = wide + i * geometry.input_channels * geometry.input_size();
    const T* const gradient = narrow + i * outputs * windows;
    const Matrix<T> sums{out + i % geometry.groups * outputs * inner, outputs, inner, inner, 1};
    for (int64_t line = 0; line < lines; line += lines_at_once) {
      const int64_t count = std::min(lines_at_once, lines - line) * columns;
      write_windows<T>(geometry, from, line, line + count / columns, matrix);
      multiply<T>({gradient + line * columns, outputs, count, windows, 1}, {matrix, count, inner, 1, count}, sums,
                  AccumulateType<T>(1));
    }
  }
}

// Returns the geometry of the forward convolution: `geometry` itself, or the one that it transposes.
ConvGeometry straight(const ConvGeometry& geometry) {
  ConvGeometry result = geometry;
  if (!geometry.transposed) return result;
  result.transposed = false;
  std::swap(result.input_channels, result.output_channels);
  for (WindowAxis& axis : result.axes) std::swap(axis.input, axis.output);
  return result;
}

}  // namespace

[[structured::impl("convolution_backward.out", "CPU")]]
void convolution_backward_cpu(const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                              [[maybe_unused]] OptionalIntArrayRef bias_sizes, IntArrayRef stride, IntArrayRef padding,
                              IntArrayRef dilation, bool transposed, IntArrayRef output_padding, int64_t groups,
                              [[maybe_unused]] std::array<bool, 3> output_mask, const Tensor& out0, const Tensor& out1,
                              const Tensor& out2) {
  const ConvArguments arguments{stride, padding, dilation, transposed, output_padding, groups};
  const ConvGeometry geometry = conv_geometry(input, weight, Tensor(), arguments);
  if (out0.defined() && out0.numel() != 0) {
    if (grad_output.numel() == 0) {
      Tensor zeros = out0;
      structured::zero_(zeros);
    } else {
      input_gradient(geometry, grad_output, weight, arguments, out0);
    }
  }
  if (out1.defined() && out1.numel() != 0) {
    const ScalarType dtype = input.scalar_type() == kDouble ? kDouble : kFloat;
    const ConvGeometry forward = straight(geometry);
    const Tensor& wide = transposed ? grad_output : input;
    const Tensor& narrow = transposed ? input : grad_output;
    if (can_be_depthwise(forward, dtype) && forward.groups > 1) {
      weight_gradient_depthwise(forward, wide, narrow, out1);
    } else if (dtype == kFloat && can_convolve_direct_nhwc(forward)) {
      weight_gradient_direct_nhwc(forward, wide, narrow, out1);
    } else {
      const Tensor x = dense(wide, dtype);
      const Tensor g = dense(narrow, dtype);
      const Tensor result = writable(out1, dtype);
      visit<kFloatingTypes>("convolution_backward", dtype, [&]<class T>() {
        weight_gradient<T>(forward, x.data_ptr<T>(), g.data_ptr<T>(), result.data_ptr<T>());
      });
      store(out1, result);
    }
  }
  if (out2.defined()) {
    DimVector others{0};
    for (int64_t d = 2; d < grad_output.dim(); ++d) others.push_back(d);
    Tensor sums = out2;
    structured::sum_out(sums, grad_output, others);
  }
}

}  // namespace structured::kernels
