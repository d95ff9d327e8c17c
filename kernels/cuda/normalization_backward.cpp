// Gradients of layer, group and batch normalization on CUDA, by elementwise operators and reductions.
//
// With x the normalized input, g the gradient times the weight and M the mean over normalized elements, the gradient of
// the input is (g - M(g) - x M(g x)) / deviation.
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/number/scalar.h>
#include <structured/ops/add.h>
#include <structured/ops/fill.h>
#include <structured/ops/mean.h>
#include <structured/ops/mul.h>
#include <structured/ops/rsqrt.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>

#include <array>
#include <cstdint>
#include <optional>

#include "shared/dense.h"

namespace structured::kernels {
namespace {

ScalarType computed(const Tensor& input) { return input.scalar_type() == kDouble ? kDouble : kFloat; }

Tensor shaped(const Tensor& tensor, IntArrayRef sizes) {
  return as_strided(tensor, sizes, contiguous_strides(sizes), tensor.storage_offset());
}

void store_shaped(const Tensor& out, const Tensor& values) { copy_into(out, shaped(values, out.sizes())); }

// Returns the product, or `tensor` if there is no weight.
Tensor times(const Tensor& tensor, const Tensor& weight) {
  return weight.defined() ? structured::mul(tensor, weight) : tensor;
}

// Writes the gradient of the input from the gradient of normalized elements.
void write_input_gradient(const Tensor& grad, const Tensor& normalized, const Tensor& factor, IntArrayRef dims,
                          const Tensor& out) {
  const Tensor level = structured::mean(grad, dims, true);
  const Tensor slope = structured::mean(structured::mul(grad, normalized), dims, true);
  const Tensor centered = structured::sub(structured::sub(grad, level), structured::mul(normalized, slope));
  store_shaped(out, structured::mul(centered, factor));
}

// Writes the gradients of weight and bias, those that are defined.
void write_parameter_gradients(const Tensor& grad, const Tensor& normalized, IntArrayRef dims, const Tensor& weight,
                               const Tensor& bias) {
  if (weight.defined()) store_shaped(weight, structured::sum(structured::mul(grad, normalized), dims));
  if (bias.defined()) store_shaped(bias, structured::sum(grad, dims));
}

void set_zero(const Tensor& tensor) {
  if (!tensor.defined()) return;
  Tensor out = tensor;
  structured::fill_(out, 0);
}

}  // namespace

[[structured::impl("native_layer_norm_backward.out", "CUDA")]]
void native_layer_norm_backward_cuda(const Tensor& grad_out, const Tensor& input, IntArrayRef normalized_shape,
                                     const Tensor& mean, const Tensor& rstd, const std::optional<Tensor>& weight,
                                     [[maybe_unused]] const std::optional<Tensor>& bias,
                                     [[maybe_unused]] std::array<bool, 3> output_mask, const Tensor& out0,
                                     const Tensor& out1, const Tensor& out2) {
  if (input.numel() == 0) {
    for (const Tensor* const out : {&out0, &out1, &out2}) set_zero(*out);
    return;
  }
  int64_t size = 1;
  for (const int64_t extent : normalized_shape) size *= extent;
  const ScalarType dtype = computed(input);
  const DimVector matrix{input.numel() / size, size};
  const DimVector column{matrix[0], 1};
  const Tensor grad = shaped(dense(grad_out, dtype), matrix);
  const Tensor factor = shaped(dense(rstd, dtype), column);
  const Tensor centered = structured::sub(shaped(dense(input, dtype), matrix), shaped(dense(mean, dtype), column));
  const Tensor normalized = structured::mul(centered, factor);
  if (out0.defined()) {
    Tensor scale;
    if (weight && weight->defined()) scale = shaped(dense(*weight, dtype), size);
    write_input_gradient(times(grad, scale), normalized, factor, 1, out0);
  }
  write_parameter_gradients(grad, normalized, 0, out1, out2);
}

[[structured::impl("native_group_norm_backward.out", "CUDA")]]
void native_group_norm_backward_cuda(const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                                     const Tensor& rstd, const std::optional<Tensor>& weight, int64_t N, int64_t C,
                                     int64_t HxW, int64_t group, [[maybe_unused]] std::array<bool, 3> output_mask,
                                     const Tensor& out0, const Tensor& out1, const Tensor& out2) {
  if (input.numel() == 0) {
    for (const Tensor* const out : {&out0, &out1, &out2}) set_zero(*out);
    return;
  }
  const ScalarType dtype = computed(input);
  const DimVector groups{N, group, C / group, HxW};
  const DimVector each{N, group, 1, 1};
  const Tensor grad = shaped(dense(grad_out, dtype), groups);
  const Tensor factor = shaped(dense(rstd, dtype), each);
  const Tensor centered = structured::sub(shaped(dense(input, dtype), groups), shaped(dense(mean, dtype), each));
  const Tensor normalized = structured::mul(centered, factor);
  if (out0.defined()) {
    Tensor scale;
    if (weight && weight->defined()) scale = shaped(dense(*weight, dtype), {1, group, C / group, 1});
    write_input_gradient(times(grad, scale), normalized, factor, {2, 3}, out0);
  }
  write_parameter_gradients(grad, normalized, {0, 3}, out1, out2);
}

[[structured::impl("native_batch_norm_backward.out", "CUDA")]]
void native_batch_norm_backward_cuda(const Tensor& grad_out, const Tensor& input, const std::optional<Tensor>& weight,
                                     const std::optional<Tensor>& running_mean,
                                     const std::optional<Tensor>& running_var, const std::optional<Tensor>& save_mean,
                                     const std::optional<Tensor>& save_invstd, bool train, double eps,
                                     [[maybe_unused]] std::array<bool, 3> output_mask, const Tensor& out0,
                                     const Tensor& out1, const Tensor& out2) {
  if (input.numel() == 0) {
    for (const Tensor* const out : {&out0, &out1, &out2}) set_zero(*out);
    return;
  }
  const ScalarType dtype = computed(input);
  const int64_t channels = input.size(1);
  const DimVector planes{input.size(0), channels, input.numel() / input.size(0) / channels};
  const DimVector each{1, channels, 1};
  const Tensor grad = shaped(dense(grad_out, dtype), planes);
  const Tensor means = shaped(dense(train ? *save_mean : *running_mean, dtype), each);
  const Tensor factor = shaped(
      train ? dense(*save_invstd, dtype) : structured::rsqrt(structured::add(dense(*running_var, dtype), eps)), each);
  const Tensor normalized = structured::mul(structured::sub(shaped(dense(input, dtype), planes), means), factor);
  if (out0.defined()) {
    Tensor scale;
    if (weight && weight->defined()) scale = shaped(dense(*weight, dtype), each);
    const Tensor scaled = times(grad, scale);
    if (train) {
      write_input_gradient(scaled, normalized, factor, {0, 2}, out0);
    } else {
      store_shaped(out0, structured::mul(scaled, factor));
    }
  }
  write_parameter_gradients(grad, normalized, {0, 2}, out1, out2);
}

}  // namespace structured::kernels
