#include "convolution.h"

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "convolution_depthwise.h"
#include "convolution_direct_nhwc.h"
#include "convolution_implicit_gemm.h"
#include "im2col.h"
#include "matrix_product.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kConvTypes = kIntegralTypes | kFloatingTypes | kComplexTypes;

// Contiguous operands, converted to the dtype in which the convolution is computed.
struct Operands {
  Tensor input;
  Tensor weight;
  Tensor bias;
  Tensor out;
};

template <class T>
void add_bias(T* out, int64_t size, T bias) {
  for (int64_t i = 0; i < size; ++i) out[i] = static_cast<T>(out[i] + bias);
}

constexpr int64_t kWindowElements = int64_t{1} << 21;  // target size of an im2col matrix

template <class T>
void convolve_im2col(const ConvGeometry& geometry, const Operands& operands) {
  const int64_t inner = geometry.input_channels * geometry.kernel_size();
  const int64_t windows = geometry.output_size();
  const int64_t columns = geometry.axes[2].output;
  const int64_t lines = windows / columns;
  const int64_t lines_at_once = std::clamp<int64_t>(kWindowElements / std::max<int64_t>(1, inner * columns), 1, lines);
  const Tensor buffer = structured::empty({inner * lines_at_once * columns}, operands.input.options());
  T* const matrix = buffer.data_ptr<T>();
  const int64_t outputs = geometry.output_channels;
  for (int64_t i = 0; i < geometry.samples * geometry.groups; ++i) {
    const int64_t group = i % geometry.groups;
    const T* const in = operands.input.data_ptr<T>() + i * geometry.input_channels * geometry.input_size();
    T* const out = operands.out.data_ptr<T>() + i * outputs * windows;
    const Matrix<const T> weight{operands.weight.data_ptr<T>() + group * outputs * inner, outputs, inner, inner, 1};
    for (int64_t line = 0; line < lines; line += lines_at_once) {
      const int64_t count = std::min(lines_at_once, lines - line);
      write_windows<T>(geometry, in, line, line + count, matrix);
      multiply<T>(weight, {matrix, inner, count * columns, count * columns, 1},
                  {out + line * columns, outputs, count * columns, windows, 1});
    }
    if (!operands.bias.defined()) continue;
    const T* const bias = operands.bias.data_ptr<T>() + group * outputs;
    for (int64_t channel = 0; channel < outputs; ++channel) add_bias(out + channel * windows, windows, bias[channel]);
  }
}

template <class T>
void convolve_col2im(const ConvGeometry& geometry, const Operands& operands) {
  // Geometry of the forward convolution that this one transposes: inputs and outputs are exchanged.
  ConvGeometry straight = geometry;
  for (WindowAxis& axis : straight.axes) std::swap(axis.input, axis.output);
  const int64_t taps = geometry.kernel_size();
  const int64_t columns = geometry.input_size();
  const int64_t outputs = geometry.output_channels;
  const int64_t size = geometry.output_size();
  const Tensor buffer = structured::empty({outputs * taps * columns}, operands.input.options());
  T* const matrix = buffer.data_ptr<T>();
  for (int64_t i = 0; i < geometry.samples * geometry.groups; ++i) {
    const int64_t group = i % geometry.groups;
    const int64_t inner = geometry.input_channels;
    const Matrix<const T> weight{operands.weight.data_ptr<T>() + group * inner * outputs * taps, inner, outputs * taps,
                                 outputs * taps, 1};
    multiply<T>(weight.transposed(), {operands.input.data_ptr<T>() + i * inner * columns, inner, columns, columns, 1},
                {matrix, outputs * taps, columns, columns, 1});
    T* const out = operands.out.data_ptr<T>() + i * outputs * size;
    const T* const bias = operands.bias.defined() ? operands.bias.data_ptr<T>() + group * outputs : nullptr;
    add_windows<T>(straight, outputs, matrix, bias, out);
  }
}

bool can_use_implicit_gemm(const ConvGeometry& geometry, ScalarType dtype) {
  return !geometry.transposed && dtype == kFloat && implicit_gemm_utilization(geometry) > 0;
}

ScalarType computed(ScalarType dtype) { return kReducedFloatingTypes.contains(dtype) ? kFloat : dtype; }

// Returns whether rearranging the weights takes longer than converting the input to channels-last.
bool has_mostly_weights(const ConvGeometry& geometry, ScalarType dtype) {
  const int64_t inner = geometry.input_channels * geometry.output_channels * geometry.kernel_size();
  const int64_t pixels = geometry.samples * (geometry.input_channels * geometry.input_size() +
                                             geometry.output_channels * geometry.output_size());
  return can_use_implicit_gemm(geometry, dtype) && inner > 8 * pixels;
}

}  // namespace

ConvBackend conv_backend(const ConvGeometry& geometry, ScalarType dtype, bool is_last) {
  if (can_be_depthwise(geometry, dtype) && geometry.groups > 1) return ConvBackend::depthwise;
  if (dtype == kFloat && (is_last || geometry.transposed) && is_direct_nhwc_faster(geometry) &&
      can_convolve_direct_nhwc(geometry) && !has_mostly_weights(geometry, dtype)) {
    return ConvBackend::direct_nhwc;
  }
  if (geometry.transposed) return ConvBackend::col2im;
  // Wasting up to 60 % of the lanes costs less than writing an im2col matrix.
  if (dtype == kFloat && implicit_gemm_utilization(geometry) >= 0.4) return ConvBackend::implicit_gemm;
  return ConvBackend::im2col;
}

ConvBackend conv_backend(const Tensor& input, const Tensor& weight, const ConvArguments& arguments) {
  return conv_backend(conv_geometry(input, weight, Tensor(), arguments), computed(input.scalar_type()),
                      has_channels_last(input));
}

void convolve(ConvBackend backend, const Tensor& input, const Tensor& weight, const Tensor& bias,
              const ConvArguments& arguments, const Tensor& out) {
  if (out.numel() == 0) return;
  const ConvGeometry geometry = conv_geometry(input, weight, bias, arguments);
  const ScalarType dtype = computed(input.scalar_type());
  if (backend == ConvBackend::depthwise) {
    STRUCTURED_CHECK(can_be_depthwise(geometry, dtype),
                     "convolution: the depthwise algorithm requires one input channel per group");
    return convolve_depthwise(geometry, input, weight, bias, out);
  }
  if (backend == ConvBackend::direct_nhwc) {
    STRUCTURED_CHECK(dtype == kFloat && can_convolve_direct_nhwc(geometry),
                     "convolution: the direct NHWC algorithm requires Float, AVX2 and little padding");
    return convolve_direct_nhwc(geometry, input, weight, bias, out);
  }
  const Tensor result = writable(out, dtype);
  // implicit_gemm reads contiguous and channels-last weights in place.
  const MemoryFormat format =
      backend == ConvBackend::implicit_gemm ? weight.suggest_memory_format() : MemoryFormat::Contiguous;
  const Operands operands{dense(input, dtype), dense(weight, dtype, format),
                          bias.defined() ? dense(bias, dtype) : Tensor(), result};
  switch (backend) {
    case ConvBackend::depthwise:
    case ConvBackend::direct_nhwc:
      break;  // handled above: they convert layouts themselves
    case ConvBackend::implicit_gemm:
      STRUCTURED_CHECK(can_use_implicit_gemm(geometry, dtype),
                       "convolution: the implicit GEMM algorithm requires Float and AVX2");
      convolve_implicit_gemm(geometry, operands.input, ConvWeights(operands.weight, geometry), operands.bias, result);
      break;
    case ConvBackend::im2col:
      STRUCTURED_CHECK(!geometry.transposed, "convolution: im2col requires a convolution that is not transposed");
      visit<kConvTypes>("convolution", dtype, [&]<class T>() { convolve_im2col<T>(geometry, operands); });
      break;
    case ConvBackend::col2im:
      STRUCTURED_CHECK(geometry.transposed, "convolution: col2im requires a transposed convolution");
      visit<kConvTypes>("convolution", dtype, [&]<class T>() { convolve_col2im<T>(geometry, operands); });
      break;
  }
  store(out, result);
}

[[structured::impl("convolution.out", "CPU")]]
void convolution_cpu(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArrayRef stride,
                     IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                     int64_t groups, const Tensor& out) {
  const ConvArguments arguments{stride, padding, dilation, transposed, output_padding, groups};
  convolve(conv_backend(input, weight, arguments), input, weight, bias.value_or(Tensor()), arguments, out);
}

}  // namespace structured::kernels
