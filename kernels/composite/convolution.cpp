// Convolution by number of spatial dimensions, with optional batch dimension.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/ops/convolution.h>
#include <structured/ops/copy.h>
#include <structured/ops/view.h>
#include <structured/ops/zeros.h>
#include <structured/structured.h>

#include <optional>
#include <string_view>

namespace structured::kernels {
namespace {

using Bias = std::optional<Tensor>;

// View of one sample [C, ...] as a batch [1, C, ...].
Tensor with_batch(const Tensor& input) {
  DimVector sizes(input.sizes());
  DimVector strides(input.strides());
  sizes.insert(0, 1);
  strides.insert(0, input.dim() == 0 ? 1 : input.size(0) * input.stride(0));
  return structured::as_strided(input, sizes, strides, input.storage_offset());
}

Tensor without_batch(const Tensor& output) {
  DimVector sizes(output.sizes());
  DimVector strides(output.strides());
  sizes.erase(0);
  strides.erase(0);
  return structured::as_strided(output, sizes, strides, output.storage_offset());
}

// Calls `run` with `input`, to which a batch dimension is added if it has none.
template <class Run>
Tensor batched(const char* name, int64_t rank, const Tensor& input, const Run& run) {
  STRUCTURED_CHECK(input.dim() == rank + 1 || input.dim() == rank + 2, name, ": expected `input` to have ", rank + 1,
                   " or ", rank + 2, " dimensions, got sizes ", input.sizes());
  return input.dim() == rank + 2 ? run(input) : without_batch(run(with_batch(input)));
}

Tensor conv(const char* name, int64_t rank, const Tensor& input, const Tensor& weight, const Bias& bias,
            IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, int64_t groups) {
  return batched(name, rank, input, [&](const Tensor& batch) {
    return structured::convolution(batch, weight, bias, stride, padding, dilation, false, 0, groups);
  });
}

Tensor conv_transpose(const char* name, int64_t rank, const Tensor& input, const Tensor& weight, const Bias& bias,
                      IntArrayRef stride, IntArrayRef padding, IntArrayRef output_padding, int64_t groups,
                      IntArrayRef dilation) {
  return batched(name, rank, input, [&](const Tensor& batch) {
    return structured::convolution(batch, weight, bias, stride, padding, dilation, true, output_padding, groups);
  });
}

// Convolution with padding "same": the output has the spatial size of the input. An odd amount of padding has its
// additional element at the end.
Tensor conv_same(const Tensor& input, const Tensor& weight, const Bias& bias, IntArrayRef stride, IntArrayRef dilation,
                 int64_t groups) {
  const auto rank = static_cast<size_t>(input.dim()) - 2;
  for (const int64_t step : stride) {
    STRUCTURED_CHECK(step == 1, "convolution: expected a `stride` of 1 for padding \"same\", got ", stride);
  }
  STRUCTURED_CHECK(dilation.size() == rank || dilation.size() == 1, "convolution: expected `dilation` to have 1 or ",
                   rank, " elements, got ", dilation.size());
  DimVector padding;
  DimVector sizes(input.sizes());
  for (size_t d = 0; d < rank; ++d) {
    const int64_t total = (dilation.size() == 1 ? dilation[0] : dilation[d]) * (weight.sizes()[d + 2] - 1);
    padding.push_back(total / 2);
    sizes[d + 2] += total % 2;
  }
  Tensor padded = input;
  if (IntArrayRef(sizes) != input.sizes()) {
    padded = structured::zeros(sizes, input.options());
    Tensor inner = structured::as_strided(padded, input.sizes(), padded.strides(), padded.storage_offset());
    structured::copy_(inner, input);
  }
  return structured::convolution(padded, weight, bias, stride, padding, dilation, false, 0, groups);
}

}  // namespace

/// Convolution (cross-correlation) of `input` [N, C, ...] with `weight` [O, C / groups, ...] plus `bias` [O]; see
/// `convolution`. `benchmark`, `deterministic`, `cudnn_enabled` and `allow_tf32` have no effect. Bool is not supported.
[[structured::composite("_convolution"), structured::variants("_convolution.out")]]
Tensor convolution_with_hints(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                              IntArrayRef output_padding, int64_t groups, [[maybe_unused]] bool benchmark,
                              [[maybe_unused]] bool deterministic, [[maybe_unused]] bool cudnn_enabled,
                              [[maybe_unused]] bool allow_tf32) {
  return structured::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

/// Convolution (cross-correlation) of `input` [N, C, ...] with `weight` [O, C / groups, ...] plus `bias` [O]; see
/// `convolution`. Deprecated overload without `allow_tf32`; `benchmark`, `deterministic` and `cudnn_enabled` have no
/// effect. Bool is not supported.
[[structured::composite("_convolution.deprecated")]]
Tensor convolution_with_old_hints(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                                  IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                                  IntArrayRef output_padding, int64_t groups, [[maybe_unused]] bool benchmark,
                                  [[maybe_unused]] bool deterministic, [[maybe_unused]] bool cudnn_enabled) {
  return structured::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

/// Convolution of `input` [N, C, ...] with `weight` [O, C / groups, ...] plus `bias` [O] and padding "valid" (none) or
/// "same" (the output has the spatial size of the input). "same" requires a `stride` of 1; an odd amount of padding has
/// its additional element at the end. Bool is not supported.
[[structured::composite("_convolution_mode")]]
Tensor convolution_mode(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                        IntArrayRef stride, std::string_view padding, IntArrayRef dilation, int64_t groups) {
  STRUCTURED_CHECK(padding == "valid" || padding == "same",
                   "convolution: expected `padding` to be \"valid\" or \"same\", got \"", padding, "\"");
  STRUCTURED_CHECK(input.dim() >= 3 && input.dim() == weight.dim(),
                   "convolution: expected `input` and `weight` to have 3 dimensions or more, and as many, got ",
                   input.dim(), " and ", weight.dim());
  if (padding == "same") return conv_same(input, weight, bias, stride, dilation, groups);
  return structured::convolution(input, weight, bias, stride, 0, dilation, false, 0, groups);
}

/// 1-d convolution (cross-correlation) of `input` [N, C, W] or [C, W] with `weight` [O, C / groups, K] plus `bias` [O]:
/// [N, O, W_out] or [O, W_out]. See `convolution` for the arguments. Bool is not supported.
[[structured::composite("conv1d")]]
Tensor conv1d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {},
              [[structured::size(1)]] IntArrayRef stride = 1, [[structured::size(1)]] IntArrayRef padding = 0,
              [[structured::size(1)]] IntArrayRef dilation = 1, int64_t groups = 1) {
  return conv("conv1d", 1, input, weight, bias, stride, padding, dilation, groups);
}

/// 2-d convolution (cross-correlation) of `input` [N, C, H, W] or [C, H, W] with `weight` [O, C / groups, KH, KW] plus
/// `bias` [O]: [N, O, H_out, W_out] or [O, H_out, W_out]. See `convolution` for the arguments. Bool is not supported.
[[structured::composite("conv2d")]]
Tensor conv2d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {},
              [[structured::size(2)]] IntArrayRef stride = 1, [[structured::size(2)]] IntArrayRef padding = 0,
              [[structured::size(2)]] IntArrayRef dilation = 1, int64_t groups = 1) {
  return conv("conv2d", 2, input, weight, bias, stride, padding, dilation, groups);
}

/// 3-d convolution (cross-correlation) of `input` [N, C, D, H, W] or [C, D, H, W] with `weight` [O, C / groups, KD, KH,
/// KW] plus `bias` [O]: [N, O, D_out, H_out, W_out] or [O, D_out, H_out, W_out]. See `convolution` for the arguments.
/// Bool is not supported.
[[structured::composite("conv3d")]]
Tensor conv3d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {},
              [[structured::size(3)]] IntArrayRef stride = 1, [[structured::size(3)]] IntArrayRef padding = 0,
              [[structured::size(3)]] IntArrayRef dilation = 1, int64_t groups = 1) {
  return conv("conv3d", 3, input, weight, bias, stride, padding, dilation, groups);
}

/// 1-d convolution of `input` [N, C, W] or [C, W] with `weight` [O, C / groups, K] plus `bias` [O] and padding "valid"
/// (none) or "same" (the output has the spatial size of the input; requires a `stride` of 1). Bool is not supported.
[[structured::composite("conv1d.padding"), structured::no_cpp_default("bias", "stride", "padding")]]
Tensor conv1d_padded(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {},
                     [[structured::size(1)]] IntArrayRef stride = 1, std::string_view padding = "valid",
                     [[structured::size(1)]] IntArrayRef dilation = 1, int64_t groups = 1) {
  return batched("conv1d", 1, input, [&](const Tensor& batch) {
    return convolution_mode(batch, weight, bias, stride, padding, dilation, groups);
  });
}

/// 2-d convolution of `input` [N, C, H, W] or [C, H, W] with `weight` [O, C / groups, KH, KW] plus `bias` [O] and
/// padding "valid" (none) or "same" (the output has the spatial size of the input; requires a `stride` of 1). Bool is
/// not supported.
[[structured::composite("conv2d.padding"), structured::no_cpp_default("bias", "stride", "padding")]]
Tensor conv2d_padded(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {},
                     [[structured::size(2)]] IntArrayRef stride = 1, std::string_view padding = "valid",
                     [[structured::size(2)]] IntArrayRef dilation = 1, int64_t groups = 1) {
  return batched("conv2d", 2, input, [&](const Tensor& batch) {
    return convolution_mode(batch, weight, bias, stride, padding, dilation, groups);
  });
}

/// 3-d convolution of `input` [N, C, D, H, W] or [C, D, H, W] with `weight` [O, C / groups, KD, KH, KW] plus `bias` [O]
/// and padding "valid" (none) or "same" (the output has the spatial size of the input; requires a `stride` of 1). Bool
/// is not supported.
[[structured::composite("conv3d.padding"), structured::no_cpp_default("bias", "stride", "padding")]]
Tensor conv3d_padded(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {},
                     [[structured::size(3)]] IntArrayRef stride = 1, std::string_view padding = "valid",
                     [[structured::size(3)]] IntArrayRef dilation = 1, int64_t groups = 1) {
  return batched("conv3d", 3, input, [&](const Tensor& batch) {
    return convolution_mode(batch, weight, bias, stride, padding, dilation, groups);
  });
}

/// 1-d transposed convolution of `input` [N, C, W] or [C, W] with `weight` [C, O / groups, K] plus `bias` [O]: [N, O,
/// W_out] or [O, W_out]. `output_padding` extends the result and must be less than `stride` or `dilation`. Bool is not
/// supported.
[[structured::composite("conv_transpose1d")]]
Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {},
                        [[structured::size(1)]] IntArrayRef stride = 1, [[structured::size(1)]] IntArrayRef padding = 0,
                        [[structured::size(1)]] IntArrayRef output_padding = 0, int64_t groups = 1,
                        [[structured::size(1)]] IntArrayRef dilation = 1) {
  return conv_transpose("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation);
}

/// 2-d transposed convolution of `input` [N, C, H, W] or [C, H, W] with `weight` [C, O / groups, KH, KW] plus `bias`
/// [O]: [N, O, H_out, W_out] or [O, H_out, W_out]. `output_padding` extends the result and must be less than `stride`
/// or `dilation`. Bool is not supported.
[[structured::composite("conv_transpose2d.input")]]
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {},
                        [[structured::size(2)]] IntArrayRef stride = 1, [[structured::size(2)]] IntArrayRef padding = 0,
                        [[structured::size(2)]] IntArrayRef output_padding = 0, int64_t groups = 1,
                        [[structured::size(2)]] IntArrayRef dilation = 1) {
  return conv_transpose("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation);
}

/// 3-d transposed convolution of `input` [N, C, D, H, W] or [C, D, H, W] with `weight` [C, O / groups, KD, KH, KW] plus
/// `bias` [O]: [N, O, D_out, H_out, W_out] or [O, D_out, H_out, W_out]. `output_padding` extends the result and must be
/// less than `stride` or `dilation`. Bool is not supported.
[[structured::composite("conv_transpose3d.input")]]
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {},
                        [[structured::size(3)]] IntArrayRef stride = 1, [[structured::size(3)]] IntArrayRef padding = 0,
                        [[structured::size(3)]] IntArrayRef output_padding = 0, int64_t groups = 1,
                        [[structured::size(3)]] IntArrayRef dilation = 1) {
  return conv_transpose("conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation);
}

}  // namespace structured::kernels
