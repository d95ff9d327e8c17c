// Meta functions of the gradients of normalization.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <array>
#include <cstdint>
#include <optional>

#include "meta/given.h"

namespace structured::kernels {
namespace {

void check_gradient(const char* name, const Tensor& grad_out, const Tensor& input) {
  STRUCTURED_CHECK(grad_out.sizes() == input.sizes(), name, ": expected `grad_out` to have the sizes of `input`, ",
                   input.sizes(), ", got ", grad_out.sizes());
  check_dtype(name, input.scalar_type(), kAllFloatingTypes);
  STRUCTURED_CHECK(grad_out.scalar_type() == input.scalar_type(), name, ": expected `grad_out` of dtype ",
                   input.scalar_type(), ", as `input` has, got ", grad_out.scalar_type());
}

void check_count(const char* name, const char* argument, const std::optional<Tensor>& tensor, int64_t count) {
  STRUCTURED_CHECK(!is_given(tensor) || tensor->numel() == count, name, ": expected `", argument, "` to have ", count,
                   " elements, got sizes ", tensor->sizes());
}

// Sets the gradients of the parameters, with their dtype.
void set_parameters(MetaBase& op, const Tensor& input, const std::optional<Tensor>& weight, IntArrayRef sizes,
                    const std::array<bool, 3>& mask) {
  const TensorOptions options = is_given(weight) ? input.options().dtype(weight->scalar_type()) : input.options();
  for (int64_t i : {1, 2}) {
    if (mask[static_cast<size_t>(i)]) {
      op.set_output_contiguous(i, sizes, options);
    } else {
      op.set_output_undefined(i);
    }
  }
}

}  // namespace

/// Gradients of `native_batch_norm` with respect to `input`, `weight` and `bias`; `output_mask` selects which are
/// computed. The others are undefined.
///
/// With `train`, uses `save_mean` and `save_invstd` as returned by native_batch_norm, otherwise `running_mean` and
/// `running_var`. `grad_out` has the shape and dtype of `input`. Floating-point dtypes only.
[[structured::meta("native_batch_norm_backward", "native_batch_norm_backward.out")]]
void native_batch_norm_backward_meta(MetaBase& op, const Tensor& grad_out, const Tensor& input,
                                     const std::optional<Tensor>& weight, const std::optional<Tensor>& running_mean,
                                     const std::optional<Tensor>& running_var, const std::optional<Tensor>& save_mean,
                                     const std::optional<Tensor>& save_invstd, bool train, [[maybe_unused]] double eps,
                                     std::array<bool, 3> output_mask) {
  constexpr const char* name = "native_batch_norm_backward";
  STRUCTURED_CHECK(input.dim() >= 2, name, ": expected `input` to have 2 dimensions or more, got ", input.dim());
  check_gradient(name, grad_out, input);
  const int64_t channels = input.size(1);
  check_count(name, "weight", weight, channels);
  if (train) {
    STRUCTURED_CHECK(is_given(save_mean) && is_given(save_invstd), name,
                     ": expected `save_mean` and `save_invstd` where `train` is true");
    check_count(name, "save_mean", save_mean, channels);
    check_count(name, "save_invstd", save_invstd, channels);
  } else {
    STRUCTURED_CHECK(is_given(running_mean) && is_given(running_var), name,
                     ": expected `running_mean` and `running_var` where `train` is false");
    check_count(name, "running_mean", running_mean, channels);
    check_count(name, "running_var", running_var, channels);
  }
  if (output_mask[0]) {
    op.set_output_raw_strided(0, input.sizes(), {}, input.options().memory_format(input.suggest_memory_format()));
  } else {
    op.set_output_undefined(0);
  }
  set_parameters(op, input, weight, channels, output_mask);
}

/// Gradients of `native_layer_norm` with respect to `input`, `weight` and `bias`; `output_mask` selects which are
/// computed. The others are undefined.
///
/// `mean` and `rstd` are those returned by native_layer_norm. `grad_out` has the shape and dtype of `input`.
/// Floating-point dtypes only.
[[structured::meta("native_layer_norm_backward", "native_layer_norm_backward.out"), structured::tags("core")]]
void native_layer_norm_backward_meta(MetaBase& op, const Tensor& grad_out, const Tensor& input,
                                     [[structured::symint]] IntArrayRef normalized_shape, const Tensor& mean,
                                     const Tensor& rstd, const std::optional<Tensor>& weight,
                                     [[maybe_unused]] const std::optional<Tensor>& bias,
                                     std::array<bool, 3> output_mask) {
  constexpr const char* name = "native_layer_norm_backward";
  const size_t count = normalized_shape.size();
  const IntArrayRef sizes = input.sizes();
  STRUCTURED_CHECK(count >= 1, name, ": expected `normalized_shape` to have 1 dimension or more, got none");
  STRUCTURED_CHECK(sizes.size() >= count && IntArrayRef(sizes.data() + sizes.size() - count, count) == normalized_shape,
                   name, ": expected the last sizes of `input` to be `normalized_shape`, ", normalized_shape, ", got ",
                   sizes);
  check_gradient(name, grad_out, input);
  int64_t rows = 1;
  for (size_t d = 0; d < sizes.size() - count; ++d) rows *= sizes[d];
  int64_t size = 1;
  for (const int64_t extent : normalized_shape) size *= extent;
  check_count(name, "mean", mean, rows);
  check_count(name, "rstd", rstd, rows);
  check_count(name, "weight", weight, size);
  if (output_mask[0]) {
    op.set_output_raw_strided(0, sizes, {}, input.options());
  } else {
    op.set_output_undefined(0);
  }
  set_parameters(op, input, weight, normalized_shape, output_mask);
}

/// Gradients of `native_group_norm` with respect to `input`, `weight` and `bias`; `output_mask` selects which are
/// computed. The others are undefined.
///
/// `mean` and `rstd` are those returned by native_group_norm. `grad_out` has the shape and dtype of `input`.
/// Floating-point dtypes only.
[[structured::meta("native_group_norm_backward", "native_group_norm_backward.out"), structured::tags("core")]]
void native_group_norm_backward_meta(MetaBase& op, const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                                     const Tensor& rstd, const std::optional<Tensor>& weight,
                                     [[structured::symint]] int64_t N, [[structured::symint]] int64_t C,
                                     [[structured::symint]] int64_t HxW, int64_t group,
                                     std::array<bool, 3> output_mask) {
  constexpr const char* name = "native_group_norm_backward";
  STRUCTURED_CHECK(N >= 0 && C >= 0 && HxW >= 0, name, ": expected sizes of 0 or more, got ", N, ", ", C, ", ", HxW);
  STRUCTURED_CHECK(group > 0 && C % group == 0, name, ": expected `group` to divide the number of channels, got ",
                   group, " for ", C);
  int64_t count = 0;
  STRUCTURED_CHECK(
      !__builtin_mul_overflow(N, C, &count) && !__builtin_mul_overflow(count, HxW, &count) && count == input.numel(),
      name, ": expected `input` to have ", N, " * ", C, " * ", HxW, " elements, got ", input.numel());
  check_gradient(name, grad_out, input);
  check_count(name, "mean", mean, N * group);
  check_count(name, "rstd", rstd, N * group);
  check_count(name, "weight", weight, C);
  if (output_mask[0]) {
    op.set_output_raw_strided(0, input.sizes(), {}, input.options());
  } else {
    op.set_output_undefined(0);
  }
  set_parameters(op, input, weight, C, output_mask);
}

}  // namespace structured::kernels
