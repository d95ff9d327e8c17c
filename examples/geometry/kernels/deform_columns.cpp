// The samples of deformable convolution as operators, which its derivatives call.
#include <ATen/Parallel.h>
#include <geometry/ops.h>
#include <structured/torch.h>

#include <cstdint>
#include <tuple>

#include "deform_sampling.h"

namespace geometry {
namespace {

/// Checks the shapes that the operators of this file have in common.
void check_columns(const char* name, const at::Tensor& input, const at::Tensor& offset, const at::Tensor& mask,
                   at::IntArrayRef kernel_size) {
  const int64_t taps = kernel_size[0] * kernel_size[1];
  TORCH_CHECK(input.dim() == 4, name, ": expected `input` with sizes [N, C, H, W], got ", input.sizes());
  TORCH_CHECK(offset.dim() == 4 && offset.size(0) == input.size(0) && taps > 0 && offset.size(1) % (2 * taps) == 0,
              name, ": expected `offset` with sizes [", input.size(0), ", 2 * G * ", taps, ", oH, oW], got ",
              offset.sizes());
  TORCH_CHECK(mask.dim() == 4 && mask.size(0) == offset.size(0) && 2 * mask.size(1) == offset.size(1) &&
                  mask.size(2) == offset.size(2) && mask.size(3) == offset.size(3),
              name, ": expected `mask` with half as many channels as `offset`, got ", mask.sizes(), " and ",
              offset.sizes());
}

/// Calls `function(image, group)` for each group of each image, which share no memory but the weights.
template <class Function>
void for_each_group(const DeformShape& shape, Function function) {
  at::parallel_for(0, shape.images * shape.groups, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) function(i / shape.groups, i % shape.groups);
  });
}

}  // namespace

/// Samples of `input` at the positions of a deformable convolution, times `mask`, as columns of a matrix for each
/// image.
///
/// The arguments are those of `deform_conv2d`, with `kernel_size` in place of the weight. The result is
/// [N, C * kH * kW, oH * oW].
[[structured::meta("_deform_columns")]]
void deform_columns_meta(at::impl::MetaBase& op, const at::Tensor& input, const at::Tensor& offset,
                         const at::Tensor& mask, [[structured::size(2)]] at::IntArrayRef kernel_size,
                         [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef stride,
                         [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef padding,
                         [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef dilation) {
  check_columns("_deform_columns", input, offset, mask, kernel_size);
  op.set_output_raw_strided(
      0, {input.size(0), input.size(1) * kernel_size[0] * kernel_size[1], offset.size(2) * offset.size(3)}, {},
      input.options());
}

[[structured::impl("_deform_columns", "CPU")]]
void deform_columns_cpu(const at::Tensor& input, const at::Tensor& offset, const at::Tensor& mask,
                        at::IntArrayRef kernel_size, at::IntArrayRef stride, at::IntArrayRef padding,
                        at::IntArrayRef dilation, const at::Tensor& out) {
  const DeformShape shape(input, offset, kernel_size, stride, padding, dilation);
  const at::Tensor images = input.contiguous(), offsets = offset.contiguous(), masks = mask.contiguous();
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "_deform_columns", [&] {
    for_each_group(shape, [&](int64_t image, int64_t group) {
      sample_columns(shape, image, group, images.const_data_ptr<scalar_t>(), offsets.const_data_ptr<scalar_t>(),
                     masks.const_data_ptr<scalar_t>(), out.data_ptr<scalar_t>());
    });
  });
}

/// Gradients of `_deform_columns` with respect to `input`, `offset` and `mask`.
[[structured::meta("_deform_columns_backward"), structured::returns("by_input", "by_offset", "by_mask")]]
void deform_columns_backward_meta(at::impl::MetaBase& op, const at::Tensor& columns_grad, const at::Tensor& input,
                                  const at::Tensor& offset, const at::Tensor& mask,
                                  [[structured::size(2)]] at::IntArrayRef kernel_size,
                                  [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef stride,
                                  [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef padding,
                                  [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef dilation) {
  check_columns("_deform_columns_backward", input, offset, mask, kernel_size);
  TORCH_CHECK(columns_grad.dim() == 3,
              "_deform_columns_backward: expected `columns_grad` with 3 dimensions, got sizes ", columns_grad.sizes());
  op.set_output_raw_strided(0, input.sizes(), {}, input.options());
  op.set_output_raw_strided(1, offset.sizes(), {}, offset.options());
  op.set_output_raw_strided(2, mask.sizes(), {}, mask.options());
}

[[structured::impl("_deform_columns_backward", "CPU")]]
void deform_columns_backward_cpu(const at::Tensor& columns_grad, const at::Tensor& input, const at::Tensor& offset,
                                 const at::Tensor& mask, at::IntArrayRef kernel_size, at::IntArrayRef stride,
                                 at::IntArrayRef padding, at::IntArrayRef dilation, const at::Tensor& by_input,
                                 const at::Tensor& by_offset, const at::Tensor& by_mask) {
  const DeformShape shape(input, offset, kernel_size, stride, padding, dilation);
  const at::Tensor grads = columns_grad.contiguous();
  const at::Tensor images = input.contiguous(), offsets = offset.contiguous(), masks = mask.contiguous();
  const int64_t channels = shape.channels_per_group();
  const int64_t block = shape.taps * shape.positions;
  by_input.zero_();
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "_deform_columns_backward", [&] {
    for_each_group(shape, [&](int64_t image, int64_t group) {
      const int64_t index = image * shape.groups + group;
      const scalar_t* grad = grads.const_data_ptr<scalar_t>() + index * channels * block;
      const scalar_t* pixels = images.const_data_ptr<scalar_t>() + index * channels * shape.pixels();
      const scalar_t* factors = masks.const_data_ptr<scalar_t>() + index * block;
      scalar_t* input_grad = by_input.data_ptr<scalar_t>() + index * channels * shape.pixels();
      scalar_t* offset_grad = by_offset.data_ptr<scalar_t>() + index * 2 * block;
      scalar_t* mask_grad = by_mask.data_ptr<scalar_t>() + index * block;
      for_each_sample(shape, image, group, offsets.const_data_ptr<scalar_t>(),
                      [&](int64_t tap, int64_t position, const Corners<scalar_t>& corners) {
                        const int64_t at = tap * shape.positions + position;
                        scalar_t sum = 0, sum_y = 0, sum_x = 0;
                        for (int64_t c = 0; c < channels; ++c) {
                          const scalar_t g = grad[c * block + at];
                          for (const Corner<scalar_t>& corner : corners) {
                            if (corner.pixel < 0) continue;
                            const int64_t pixel = c * shape.pixels() + corner.pixel;
                            input_grad[pixel] += g * factors[at] * corner.weight;
                            sum += g * corner.weight * pixels[pixel];
                            sum_y += g * corner.by_y * pixels[pixel];
                            sum_x += g * corner.by_x * pixels[pixel];
                          }
                        }
                        mask_grad[at] = sum;
                        offset_grad[2 * tap * shape.positions + position] = factors[at] * sum_y;
                        offset_grad[(2 * tap + 1) * shape.positions + position] = factors[at] * sum_x;
                      });
    });
  });
}

[[structured::backward("_deform_columns")]]
std::tuple<at::Tensor, at::Tensor, at::Tensor> deform_columns_gradients(
    const at::Tensor& grad, const at::Tensor& input, const at::Tensor& offset, const at::Tensor& mask,
    at::IntArrayRef kernel_size, at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation) {
  return ops::_deform_columns_backward(grad, input, offset, mask, kernel_size, stride, padding, dilation);
}

}  // namespace geometry
