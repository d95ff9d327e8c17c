// Second derivatives of deformable convolution.
#include <ATen/Parallel.h>
#include <geometry/ops.h>
#include <structured/torch.h>

#include <cstdint>
#include <tuple>

#include "deform_sampling.h"

namespace geometry {
namespace {

/// Pointers to the elements of one group of one image.
template <typename T>
struct GroupInputs {
  const T *by_input_grad, *by_offset_grad, *by_mask_grad;
  const T *columns_grad, *input, *mask;
};
template <typename T>
struct GroupOutputs {
  T *by_columns_grad, *by_input, *by_offset, *by_mask;
};

/// Computes the gradients for one sample.
///
/// The bilinear weights of a sample are `(1 - down or down) * (1 - right or right)`. Their second derivatives by one
/// coordinate are zero, and the mixed ones are 1 for the first and last corner, and -1 for the others.
template <typename T>
void differentiate_sample(const DeformShape& shape, int64_t tap, int64_t position, const Corners<T>& corners,
                          const GroupInputs<T>& in, const GroupOutputs<T>& out) {
  const int64_t block = shape.taps * shape.positions;
  const int64_t at = tap * shape.positions + position;
  const int64_t at_y = 2 * tap * shape.positions + position;
  const int64_t at_x = at_y + shape.positions;
  const T mask = in.mask[at], along_y = in.by_offset_grad[at_y], along_x = in.by_offset_grad[at_x],
          along_mask = in.by_mask_grad[at];
  T sum_mask = 0, sum_y = 0, sum_x = 0;
  for (int64_t c = 0; c < shape.channels_per_group(); ++c) {
    const T grad = in.columns_grad[c * block + at];
    T sum_grad = 0;
    for (int64_t i = 0; i < 4; ++i) {
      const Corner<T>& corner = corners[i];
      if (corner.pixel < 0) continue;
      const int64_t pixel = c * shape.pixels() + corner.pixel;
      const T value = in.input[pixel], direction = in.by_input_grad[pixel];
      const T mixed = i == 0 || i == 3 ? T(1) : T(-1);
      const T moved = along_y * corner.by_y + along_x * corner.by_x;
      const T without_mask = direction * corner.weight + value * moved;
      sum_grad += mask * without_mask + along_mask * corner.weight * value;
      sum_mask += grad * without_mask;
      sum_y += grad * (mask * (direction * corner.by_y + along_x * mixed * value) + along_mask * corner.by_y * value);
      sum_x += grad * (mask * (direction * corner.by_x + along_y * mixed * value) + along_mask * corner.by_x * value);
      out.by_input[pixel] += grad * (mask * moved + along_mask * corner.weight);
    }
    out.by_columns_grad[c * block + at] = sum_grad;
  }
  out.by_mask[at] = sum_mask;
  out.by_offset[at_y] = sum_y;
  out.by_offset[at_x] = sum_x;
}

}  // namespace

/// Gradients of `_deform_columns_backward` with respect to its tensors. The first three arguments are the gradients of
/// its results.
[[structured::meta("_deform_columns_double_backward"),
  structured::returns("by_columns_grad", "by_input", "by_offset", "by_mask"), structured::allow("missing-derivative")]]
void deform_columns_double_backward_meta(at::impl::MetaBase& op, const at::Tensor& by_input_grad,
                                         const at::Tensor& by_offset_grad, const at::Tensor& by_mask_grad,
                                         const at::Tensor& columns_grad, const at::Tensor& input,
                                         const at::Tensor& offset, const at::Tensor& mask,
                                         [[structured::size(2)]] at::IntArrayRef kernel_size,
                                         [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef stride,
                                         [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef padding,
                                         [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef dilation) {
  TORCH_CHECK(
      by_input_grad.sizes() == input.sizes() && by_offset_grad.sizes() == offset.sizes() &&
          by_mask_grad.sizes() == mask.sizes(),
      "_deform_columns_double_backward: expected gradients with the sizes of `input`, `offset` and `mask`, got ",
      by_input_grad.sizes(), ", ", by_offset_grad.sizes(), " and ", by_mask_grad.sizes());
  TORCH_CHECK(kernel_size[0] > 0 && kernel_size[1] > 0,
              "_deform_columns_double_backward: expected a positive `kernel_size`, got ", kernel_size);
  op.set_output_raw_strided(0, columns_grad.sizes(), {}, columns_grad.options());
  op.set_output_raw_strided(1, input.sizes(), {}, input.options());
  op.set_output_raw_strided(2, offset.sizes(), {}, offset.options());
  op.set_output_raw_strided(3, mask.sizes(), {}, mask.options());
}

[[structured::impl("_deform_columns_double_backward", "CPU")]]
void deform_columns_double_backward_cpu(const at::Tensor& by_input_grad, const at::Tensor& by_offset_grad,
                                        const at::Tensor& by_mask_grad, const at::Tensor& columns_grad,
                                        const at::Tensor& input, const at::Tensor& offset, const at::Tensor& mask,
                                        at::IntArrayRef kernel_size, at::IntArrayRef stride, at::IntArrayRef padding,
                                        at::IntArrayRef dilation, const at::Tensor& by_columns_grad,
                                        const at::Tensor& by_input, const at::Tensor& by_offset,
                                        const at::Tensor& by_mask) {
  const DeformShape shape(input, offset, kernel_size, stride, padding, dilation);
  const at::Tensor tensors[] = {by_input_grad.contiguous(), by_offset_grad.contiguous(), by_mask_grad.contiguous(),
                                columns_grad.contiguous(),  input.contiguous(),          mask.contiguous()};
  const at::Tensor offsets = offset.contiguous();
  const int64_t image_size = shape.channels_per_group() * shape.pixels();
  const int64_t block = shape.taps * shape.positions;
  const int64_t columns_size = shape.channels_per_group() * block;
  by_input.zero_();
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "_deform_columns_double_backward", [&] {
    at::parallel_for(0, shape.images * shape.groups, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const GroupInputs<scalar_t> in = {tensors[0].const_data_ptr<scalar_t>() + i * image_size,
                                          tensors[1].const_data_ptr<scalar_t>() + i * 2 * block,
                                          tensors[2].const_data_ptr<scalar_t>() + i * block,
                                          tensors[3].const_data_ptr<scalar_t>() + i * columns_size,
                                          tensors[4].const_data_ptr<scalar_t>() + i * image_size,
                                          tensors[5].const_data_ptr<scalar_t>() + i * block};
        const GroupOutputs<scalar_t> out = {
            by_columns_grad.data_ptr<scalar_t>() + i * columns_size, by_input.data_ptr<scalar_t>() + i * image_size,
            by_offset.data_ptr<scalar_t>() + i * 2 * block, by_mask.data_ptr<scalar_t>() + i * block};
        for_each_sample(shape, i / shape.groups, i % shape.groups, offsets.const_data_ptr<scalar_t>(),
                        [&](int64_t tap, int64_t position, const Corners<scalar_t>& corners) {
                          differentiate_sample(shape, tap, position, corners, in, out);
                        });
      }
    });
  });
}

[[structured::backward("_deform_columns_backward")]]
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> deform_columns_second_gradients(
    const at::Tensor& grad_by_input, const at::Tensor& grad_by_offset, const at::Tensor& grad_by_mask,
    const at::Tensor& columns_grad, const at::Tensor& input, const at::Tensor& offset, const at::Tensor& mask,
    at::IntArrayRef kernel_size, at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation) {
  return ops::_deform_columns_double_backward(grad_by_input, grad_by_offset, grad_by_mask, columns_grad, input, offset,
                                              mask, kernel_size, stride, padding, dilation);
}

}  // namespace geometry
