// Composite kernels for batch, instance, layer and group normalization.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/ops/clone.h>
#include <structured/ops/mean.h>
#include <structured/ops/native_batch_norm.h>
#include <structured/ops/native_group_norm.h>
#include <structured/ops/native_layer_norm.h>
#include <structured/ops/repeat.h>
#include <structured/ops/view.h>
#include <structured/structured.h>

#include <optional>
#include <tuple>

namespace structured::kernels {
namespace {

bool is_given(const std::optional<Tensor>& tensor) { return tensor && tensor->defined(); }

// Repeats `tensor` [channels] for each sample: [samples * channels].
std::optional<Tensor> repeated(const std::optional<Tensor>& tensor, int64_t samples) {
  if (!is_given(tensor)) return std::nullopt;
  return structured::repeat(*tensor, samples);
}

// Stores the mean over samples of repeated statistics in `running`.
void store_mean(const std::optional<Tensor>& running, const std::optional<Tensor>& rows, int64_t samples) {
  if (!is_given(running)) return;
  Tensor target = *running;
  structured::mean_out(target, structured::view(*rows, {samples, running->numel()}), 0);
}

}  // namespace

/// Batch normalization of `input` [N, C, ...]: `(input - mean) / sqrt(var + eps) * weight + bias` for each channel.
/// With `training`, uses the statistics of the batch and updates `running_mean` and `running_var`; otherwise uses
/// these. `cudnn_enabled` has no effect. Floating-point dtypes only.
[[structured::composite("batch_norm")]]
Tensor batch_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                  const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var, bool training,
                  double momentum, double eps, [[maybe_unused]] bool cudnn_enabled) {
  return std::get<0>(
      structured::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps));
}

/// Batch normalization of `input` [N, C, ...] with running statistics that the schema declares as mutable. Returns the
/// result, the mean and the inverse standard deviation; see `native_batch_norm`. Floating-point dtypes only.
[[structured::composite("_native_batch_norm_legit"), structured::tags("core")]]
std::tuple<Tensor, Tensor, Tensor> native_batch_norm_legit(const Tensor& input, const std::optional<Tensor>& weight,
                                                           const std::optional<Tensor>& bias, Tensor& running_mean,
                                                           Tensor& running_var, bool training, double momentum,
                                                           double eps) {
  return structured::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
}

/// Batch normalization of `input` [N, C, ...] with `running_mean` and `running_var`, as in inference. Returns the
/// result and two empty statistics; see `native_batch_norm`. Floating-point dtypes only.
[[structured::composite("_native_batch_norm_legit_no_training"),
  structured::variants("_native_batch_norm_legit_no_training.out"), structured::tags("core")]]
std::tuple<Tensor, Tensor, Tensor> native_batch_norm_legit_no_training(
    const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
    const Tensor& running_mean, const Tensor& running_var, double momentum, double eps) {
  return structured::native_batch_norm(input, weight, bias, running_mean, running_var, false, momentum, eps);
}

/// Batch normalization of `input` [N, C, ...] with the statistics of the batch and without running statistics. Returns
/// the result, the mean and the inverse standard deviation. `training` must be true. Floating-point dtypes only.
[[structured::composite("_native_batch_norm_legit.no_stats"), structured::tags("core")]]
std::tuple<Tensor, Tensor, Tensor> native_batch_norm_legit_no_stats(const Tensor& input,
                                                                    const std::optional<Tensor>& weight,
                                                                    const std::optional<Tensor>& bias, bool training,
                                                                    double momentum, double eps) {
  return structured::native_batch_norm(input, weight, bias, std::nullopt, std::nullopt, training, momentum, eps);
}

/// Writes the batch normalization of `input` [N, C, ...] with the statistics of the batch to `out`, and its mean and
/// inverse standard deviation to `save_mean` and `save_invstd`. `training` must be true. Floating-point dtypes only.
[[structured::kernel("_native_batch_norm_legit.no_stats_out", "CompositeExplicitAutograd")]]
std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_legit_no_stats_out(
    const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, bool training,
    double momentum, double eps, Tensor& out, Tensor& save_mean, Tensor& save_invstd) {
  structured::native_batch_norm_out(out, save_mean, save_invstd, input, weight, bias, std::nullopt, std::nullopt,
                                    training, momentum, eps);
  return {out, save_mean, save_invstd};
}

/// Instance normalization of `input` [N, C, ...]: `(input - mean) / sqrt(var + eps) * weight + bias` for each channel
/// of each sample.
///
/// With `use_input_stats`, uses the statistics of the input and updates `running_mean` and `running_var` [C], if given,
/// with the mean over samples; otherwise uses these. `cudnn_enabled` has no effect. Floating-point dtypes only.
[[structured::composite("instance_norm")]]
Tensor instance_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                     const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                     bool use_input_stats, double momentum, double eps, [[maybe_unused]] bool cudnn_enabled) {
  STRUCTURED_CHECK(input.dim() >= 2, "instance_norm: expected `input` to have 2 dimensions or more, got ", input.dim());
  STRUCTURED_CHECK(use_input_stats || (is_given(running_mean) && is_given(running_var)),
                   "instance_norm: expected `running_mean` and `running_var` unless `use_input_stats`");
  const int64_t samples = input.size(0);
  const auto check = [&](const char* name, const std::optional<Tensor>& tensor) {
    STRUCTURED_CHECK(!is_given(tensor) || tensor->sizes() == IntArrayRef(input.size(1)), "instance_norm: expected `",
                     name, "` to have ", input.size(1), " elements, as `input` has channels, got sizes ",
                     tensor->sizes());
  };
  check("weight", weight);
  check("bias", bias);
  check("running_mean", running_mean);
  check("running_var", running_var);
  DimVector sizes(input.sizes());
  sizes[0] = 1;
  sizes[1] *= samples;
  const Tensor dense = input.is_contiguous() ? input : structured::clone(input, MemoryFormat::Contiguous);
  const std::optional<Tensor> means = repeated(running_mean, samples);
  const std::optional<Tensor> variances = repeated(running_var, samples);
  const Tensor result = std::get<0>(structured::native_batch_norm(structured::view(dense, sizes),
                                                                  repeated(weight, samples), repeated(bias, samples),
                                                                  means, variances, use_input_stats, momentum, eps));
  if (use_input_stats && samples != 0) {
    store_mean(running_mean, means, samples);
    store_mean(running_var, variances, samples);
  }
  return structured::view(result, input.sizes());
}

/// Layer normalization over the last dimensions of `input`, whose sizes are `normalized_shape`: `(input - mean) /
/// sqrt(var + eps) * weight + bias`. `cudnn_enable` has no effect. Floating-point dtypes only.
[[structured::composite("layer_norm")]]
Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, const std::optional<Tensor>& weight = {},
                  const std::optional<Tensor>& bias = {}, double eps = 1e-05,
                  [[maybe_unused]] bool cudnn_enable = true) {
  return std::get<0>(structured::native_layer_norm(input, normalized_shape, weight, bias, eps));
}

/// Group normalization of `input` [N, C, ...]: normalizes each of `num_groups` groups of channels of a sample, then
/// applies `weight` [C] and `bias` [C]. `num_groups` must divide C. `cudnn_enabled` has no effect. Floating-point
/// dtypes only.
[[structured::composite("group_norm")]]
Tensor group_norm(const Tensor& input, int64_t num_groups, const std::optional<Tensor>& weight = {},
                  const std::optional<Tensor>& bias = {}, double eps = 1e-05,
                  [[maybe_unused]] bool cudnn_enabled = true) {
  STRUCTURED_CHECK(input.dim() >= 2, "group_norm: expected `input` to have 2 dimensions or more, got ", input.dim());
  STRUCTURED_CHECK(num_groups > 0 && input.size(1) % num_groups == 0,
                   "group_norm: expected `num_groups` to divide the number of channels, got ", num_groups, " for ",
                   input.size(1));
  int64_t size = 1;
  for (int64_t d = 2; d < input.dim(); ++d) size *= input.size(d);
  return std::get<0>(
      structured::native_group_norm(input, weight, bias, input.size(0), input.size(1), size, num_groups, eps));
}

/// Batch normalization of `input` [N, C, ...] with the statistics of the batch, which update `running_mean` and
/// `running_var`. Returns the result, the mean, the inverse standard deviation and an empty tensor (Byte); see
/// `native_batch_norm`. Floating-point dtypes only.
[[structured::composite("_batch_norm_with_update")]]
std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_with_update(const Tensor& input,
                                                                  const std::optional<Tensor>& weight,
                                                                  const std::optional<Tensor>& bias,
                                                                  Tensor& running_mean, Tensor& running_var,
                                                                  double momentum, double eps) {
  const auto [result, mean, deviation] =
      structured::native_batch_norm(input, weight, bias, running_mean, running_var, true, momentum, eps);
  return {result, mean, deviation, structured::empty({0}, input.options().dtype(kByte))};
}

}  // namespace structured::kernels
