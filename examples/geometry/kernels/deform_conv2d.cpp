// Deformable convolution: the product of a weight with samples of the input. deform_columns.cpp has the samples.
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <geometry/ops.h>
#include <structured/torch.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

#include "deform_sampling.h"

namespace geometry {
namespace {

/// Returns the number of positions of a kernel along one dimension.
int64_t output_size(int64_t size, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation) {
  return (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
}

}  // namespace

/// Deformable convolution: a convolution whose kernel samples `input` at offsets from its regular positions.
///
/// `input` is [N, C, H, W], and `weight` [O, C / groups, kH, kW], where the number of groups follows from C. `offset`
/// is [N, 2 * G * kH * kW, oH, oW], with a row and a column offset for each element of the kernel; C / G channels share
/// the offsets. `mask` [N, G * kH * kW, oH, oW] multiplies the samples, and `bias` [O] is added. The result is [N, O,
/// oH, oW], with the sizes oH and oW of a convolution with `stride`, `padding` and `dilation`. Pixels outside the input
/// are zero, and positions between pixels are interpolated bilinearly. All tensors have one dtype, float or double.
/// Throws for other shapes and dtypes. All tensors have first and second derivatives. Within torch.autocast the result
/// is computed in float.
///
/// Source: Zhu et al., Deformable ConvNets v2, 2018.
[[structured::meta("deform_conv2d"), structured::autocast("fp32")]]
void deform_conv2d_meta(at::impl::MetaBase& op, const at::Tensor& input, const at::Tensor& weight,
                        const at::Tensor& offset, const std::optional<at::Tensor>& mask = {},
                        const std::optional<at::Tensor>& bias = {},
                        [[structured::size(2)]] at::IntArrayRef stride = {1, 1},
                        [[structured::size(2)]] at::IntArrayRef padding = {0, 0},
                        [[structured::size(2)]] at::IntArrayRef dilation = {1, 1}) {
  TORCH_CHECK(input.dim() == 4, "deform_conv2d: expected `input` with sizes [N, C, H, W], got ", input.sizes());
  TORCH_CHECK(weight.dim() == 4, "deform_conv2d: expected `weight` with sizes [O, C / groups, kH, kW], got ",
              weight.sizes());
  TORCH_CHECK(weight.scalar_type() == input.scalar_type() && offset.scalar_type() == input.scalar_type(),
              "deform_conv2d: expected `weight` and `offset` of dtype ", input.scalar_type(), ", that of `input`, got ",
              weight.scalar_type(), " and ", offset.scalar_type());
  for (int64_t i = 0; i < 2; ++i) {
    TORCH_CHECK(
        stride[i] > 0 && padding[i] >= 0 && dilation[i] > 0,
        "deform_conv2d: expected a positive `stride` and `dilation`, and a `padding` that is not negative, got ",
        stride, ", ", dilation, " and ", padding);
  }
  const int64_t channels = input.size(1);
  const int64_t group_channels = weight.size(1);
  TORCH_CHECK(group_channels > 0 && channels % group_channels == 0 && weight.size(0) % (channels / group_channels) == 0,
              "deform_conv2d: expected `weight` for equal groups of ", channels, " channels, got sizes ",
              weight.sizes());
  const int64_t taps = weight.size(2) * weight.size(3);
  const int64_t rows = output_size(input.size(2), weight.size(2), stride[0], padding[0], dilation[0]);
  const int64_t columns = output_size(input.size(3), weight.size(3), stride[1], padding[1], dilation[1]);
  TORCH_CHECK(taps > 0 && rows > 0 && columns > 0, "deform_conv2d: expected a kernel that fits into `input`, got ",
              weight.sizes(), " and ", input.sizes());
  TORCH_CHECK(offset.dim() == 4 && offset.size(0) == input.size(0) && offset.size(1) > 0 &&
                  offset.size(1) % (2 * taps) == 0 && channels % (offset.size(1) / (2 * taps)) == 0 &&
                  offset.size(2) == rows && offset.size(3) == columns,
              "deform_conv2d: expected `offset` with sizes [", input.size(0), ", 2 * G * ", taps, ", ", rows, ", ",
              columns, "], where G divides ", channels, ", got ", offset.sizes());
  if (mask.has_value()) {
    TORCH_CHECK(mask->scalar_type() == input.scalar_type(), "deform_conv2d: expected `mask` of dtype ",
                input.scalar_type(), ", that of `input`, got ", mask->scalar_type());
    TORCH_CHECK(mask->dim() == 4 && mask->size(0) == input.size(0) && 2 * mask->size(1) == offset.size(1) &&
                    mask->size(2) == rows && mask->size(3) == columns,
                "deform_conv2d: expected `mask` with sizes [", input.size(0), ", ", offset.size(1) / 2, ", ", rows,
                ", ", columns, "], got ", mask->sizes());
  }
  if (bias.has_value()) {
    TORCH_CHECK(bias->scalar_type() == input.scalar_type(), "deform_conv2d: expected `bias` of dtype ",
                input.scalar_type(), ", that of `input`, got ", bias->scalar_type());
    TORCH_CHECK(bias->dim() == 1 && bias->size(0) == weight.size(0), "deform_conv2d: expected `bias` with sizes [",
                weight.size(0), "], got ", bias->sizes());
  }
  op.set_output_raw_strided(0, {input.size(0), weight.size(0), rows, columns}, {}, input.options());
}

[[structured::impl("deform_conv2d", "CPU")]]
void deform_conv2d_cpu(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offset,
                       const std::optional<at::Tensor>& mask, const std::optional<at::Tensor>& bias,
                       at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation,
                       const at::Tensor& out) {
  const DeformShape shape(input, offset, weight.sizes().slice(2), stride, padding, dilation);
  const at::Tensor images = input.contiguous();
  const at::Tensor offsets = offset.contiguous();
  const at::Tensor masks = mask.has_value() ? mask->contiguous() : at::Tensor();
  const int64_t groups = shape.channels / weight.size(1);
  const int64_t group_rows = weight.size(1) * shape.taps;
  const at::Tensor weights = weight.reshape({groups, weight.size(0) / groups, group_rows});
  const at::Tensor samples = at::empty({1, shape.channels * shape.taps, shape.positions}, input.options());
  DeformShape one_image = shape;
  one_image.images = 1;
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "deform_conv2d", [&] {
    for (int64_t n = 0; n < shape.images; ++n) {
      const at::Tensor image = images[n], own_offsets = offsets[n];
      const at::Tensor own_masks = masks.defined() ? masks[n] : at::Tensor();
      at::parallel_for(0, shape.groups, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
        for (int64_t group = begin; group < end; ++group) {
          sample_columns(one_image, 0, group, image.const_data_ptr<scalar_t>(), own_offsets.const_data_ptr<scalar_t>(),
                         own_masks.defined() ? own_masks.const_data_ptr<scalar_t>() : nullptr,
                         samples.data_ptr<scalar_t>());
        }
      });
      out[n].copy_(at::matmul(weights, samples.view({groups, group_rows, shape.positions})).view_as(out[n]));
    }
  });
  if (bias.has_value()) out.add_(bias->view({-1, 1, 1}));
}

[[structured::backward("deform_conv2d")]]
std::tuple<at::Tensor, at::Tensor, at::Tensor, std::optional<at::Tensor>, std::optional<at::Tensor>>
deform_conv2d_backward(const at::Tensor& grad, const at::Tensor& input, const at::Tensor& weight,
                       const at::Tensor& offset, const std::optional<at::Tensor>& mask, at::IntArrayRef stride,
                       at::IntArrayRef padding, at::IntArrayRef dilation, std::array<bool, 5> needs_gradient) {
  const auto number = [](const c10::SymInt& size) { return size.guard_int(__FILE__, __LINE__); };
  const int64_t kernel_size[] = {number(weight.sym_size(2)), number(weight.sym_size(3))};
  const c10::SymInt images = input.sym_size(0), channels = input.sym_size(1);
  const c10::SymInt positions = grad.sym_size(2) * grad.sym_size(3);
  const c10::SymInt groups = channels / weight.sym_size(1);
  const c10::SymInt outputs = weight.sym_size(0) / groups;
  const c10::SymInt group_rows = weight.sym_size(1) * weight.sym_size(2) * weight.sym_size(3);
  const at::Tensor grads = grad.reshape_symint({images, groups, outputs, positions});
  const at::Tensor factors =
      mask.has_value()
          ? *mask
          : at::ones_symint({images, offset.sym_size(1) / 2, grad.sym_size(2), grad.sym_size(3)}, offset.options());
  at::Tensor by_input, by_weight, by_offset, by_mask, by_bias;
  if (needs_gradient[1]) {
    const at::Tensor columns = ops::_deform_columns(input, offset, factors, kernel_size, stride, padding, dilation)
                                   .reshape_symint({images, groups, group_rows, positions});
    by_weight = at::matmul(grads, columns.transpose(2, 3)).sum(0).view_symint(weight.sym_sizes());
  }
  if (needs_gradient[0] || needs_gradient[2] || needs_gradient[3]) {
    const at::Tensor weights = weight.reshape_symint({groups, outputs, group_rows});
    const at::Tensor by_columns =
        at::matmul(weights.transpose(1, 2), grads).reshape_symint({images, groups * group_rows, positions});
    std::tie(by_input, by_offset, by_mask) =
        ops::_deform_columns_backward(by_columns, input, offset, factors, kernel_size, stride, padding, dilation);
  }
  if (needs_gradient[4]) by_bias = grad.sum(at::IntArrayRef{0, 2, 3});
  return {by_input, by_weight, by_offset, by_mask, by_bias};
}

}  // namespace geometry
