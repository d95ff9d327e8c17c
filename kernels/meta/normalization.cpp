// Meta functions of batch, layer and group normalization and renorm.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>

#include <cstdint>
#include <optional>
#include <tuple>

#include "meta/given.h"

namespace structured::kernels {
namespace {

// Parameters have the dtype of the input, or Float for 16-bit inputs.
void check_parameter(const char* name, const char* argument, const Tensor& input,
                     const std::optional<Tensor>& parameter, IntArrayRef sizes) {
  if (!is_given(parameter)) return;
  STRUCTURED_CHECK(parameter->sizes() == sizes, name, ": expected `", argument, "` to have sizes ", sizes, ", got ",
                   parameter->sizes());
  const ScalarType dtype = parameter->scalar_type();
  STRUCTURED_CHECK(dtype == input.scalar_type() || (dtype == kFloat && item_size(input.scalar_type()) == 2), name,
                   ": expected `", argument, "` of dtype ", input.scalar_type(), ", got ", dtype);
}

// Dtype of the statistics of `input`.
ScalarType statistics_dtype(const Tensor& input, const std::optional<Tensor>& weight,
                            const std::optional<Tensor>& bias) {
  const std::optional<Tensor>& parameter = is_given(weight) ? weight : bias;
  return is_given(parameter) ? parameter->scalar_type() : input.scalar_type();
}

}  // namespace

/// Batch normalization of `input` [N, C, ...]: `(input - mean) / sqrt(var + eps) * weight + bias` for each channel.
/// Returns the result, `save_mean` and `save_invstd`.
///
/// With `training`, mean and (biased) variance are those of the batch; they are returned as `save_mean` [C] and
/// `save_invstd` [C] (the inverse standard deviation), and `running_mean` and `running_var`, if given, are updated in
/// place with weight `momentum`. Otherwise `running_mean` and `running_var` are used and the saved statistics are
/// empty. Parameters are [C] and have the dtype of `input`, or Float for Half and BFloat16 input. Floating-point dtypes
/// only.
[[structured::meta("native_batch_norm", "native_batch_norm.out")]]
void native_batch_norm_meta(MetaBase& op, const Tensor& input, const std::optional<Tensor>& weight,
                            const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean,
                            const std::optional<Tensor>& running_var, bool training, [[maybe_unused]] double momentum,
                            [[maybe_unused]] double eps) {
  constexpr const char* name = "native_batch_norm";
  STRUCTURED_CHECK(input.dim() >= 2, name, ": expected `input` to have 2 dimensions or more, got ", input.dim());
  check_dtype(name, input.scalar_type(), kAllFloatingTypes);
  const int64_t channels = input.size(1);
  check_parameter(name, "weight", input, weight, channels);
  check_parameter(name, "bias", input, bias, channels);
  check_parameter(name, "running_mean", input, running_mean, channels);
  check_parameter(name, "running_var", input, running_var, channels);
  STRUCTURED_CHECK(training || (is_given(running_mean) && is_given(running_var)), name,
                   ": expected `running_mean` and `running_var`, which take the place of the batch's own statistics "
                   "outside of training");
  op.set_output_contiguous(0, input.sizes(), input.options().memory_format(input.suggest_memory_format()));
  const TensorOptions statistics = input.options().dtype(statistics_dtype(input, weight, bias));
  op.set_output_contiguous(1, {training ? channels : 0}, statistics);
  op.set_output_contiguous(2, {training ? channels : 0}, statistics);
}

/// Layer normalization over the last dimensions of `input`, whose sizes are `normalized_shape`: `(input - mean) /
/// sqrt(var + eps) * weight + bias`. Returns the result, the mean and the inverse standard deviation.
///
/// `weight` and `bias`, if given, have shape `normalized_shape` and the dtype of `input`, or Float for Half and
/// BFloat16 input. The statistics have size 1 in the normalized dimensions. Floating-point dtypes only.
[[structured::meta("native_layer_norm", "native_layer_norm.out"), structured::tags("core")]]
void native_layer_norm_meta(MetaBase& op, const Tensor& input, [[structured::symint]] IntArrayRef normalized_shape,
                            const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                            [[maybe_unused]] double eps) {
  constexpr const char* name = "native_layer_norm";
  const size_t count = normalized_shape.size();
  STRUCTURED_CHECK(count >= 1, name, ": expected `normalized_shape` to have 1 dimension or more, got none");
  const IntArrayRef sizes = input.sizes();
  STRUCTURED_CHECK(sizes.size() >= count && IntArrayRef(sizes.data() + sizes.size() - count, count) == normalized_shape,
                   name, ": expected the last sizes of `input` to be `normalized_shape`, ", normalized_shape, ", got ",
                   sizes);
  check_dtype(name, input.scalar_type(), kAllFloatingTypes);
  check_parameter(name, "weight", input, weight, normalized_shape);
  check_parameter(name, "bias", input, bias, normalized_shape);
  DimVector rows(sizes);
  for (size_t d = sizes.size() - count; d < sizes.size(); ++d) rows[d] = 1;
  op.set_output_contiguous(0, sizes, input.options());
  const TensorOptions statistics = input.options().dtype(statistics_dtype(input, weight, bias));
  op.set_output_contiguous(1, rows, statistics);
  op.set_output_contiguous(2, rows, statistics);
}

/// Group normalization of `input` [N, C, ...] with HxW elements per channel: each of `group` groups of channels of a
/// sample is normalized, then scaled by `weight` and shifted by `bias` [C]. Returns the result, the mean [N, group] and
/// the inverse standard deviation [N, group].
///
/// `group` must divide C. Parameters have the dtype of `input`, or Float for Half and BFloat16 input. Floating-point
/// dtypes only.
[[structured::meta("native_group_norm", "native_group_norm.out"), structured::tags("core")]]
void native_group_norm_meta(MetaBase& op, const Tensor& input, const std::optional<Tensor>& weight,
                            const std::optional<Tensor>& bias, [[structured::symint]] int64_t N,
                            [[structured::symint]] int64_t C, [[structured::symint]] int64_t HxW, int64_t group,
                            [[maybe_unused]] double eps) {
  constexpr const char* name = "native_group_norm";
  STRUCTURED_CHECK(N >= 0 && C >= 0 && HxW >= 0, name, ": expected sizes of 0 or more, got ", N, ", ", C, ", ", HxW);
  STRUCTURED_CHECK(group > 0 && C % group == 0, name, ": expected `group` to divide the number of channels, got ",
                   group, " for ", C);
  int64_t samples = 0;
  STRUCTURED_CHECK(!__builtin_mul_overflow(N, C, &samples) && !__builtin_mul_overflow(samples, HxW, &samples) &&
                       samples == input.numel(),
                   name, ": expected `input` to have ", N, " * ", C, " * ", HxW, " elements, got ", input.numel());
  check_dtype(name, input.scalar_type(), kAllFloatingTypes);
  check_parameter(name, "weight", input, weight, C);
  check_parameter(name, "bias", input, bias, C);
  op.set_output_contiguous(0, input.sizes(), input.options().memory_format(input.suggest_memory_format()));
  const TensorOptions statistics = input.options().dtype(statistics_dtype(input, weight, bias));
  op.set_output_contiguous(1, {N, group}, statistics);
  op.set_output_contiguous(2, {N, group}, statistics);
}

/// Scales each slice of `self` along `dim` whose `p`-norm exceeds `maxnorm` to that norm. `p` must be positive and
/// `self` have at least 2 dimensions. Floating-point and complex dtypes only.
[[structured::meta("renorm", "renorm_", "renorm.out")]]
void renorm_meta(MetaBase& op, const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  STRUCTURED_CHECK(!p.is_complex() && p.to<double>() > 0, "renorm: expected a positive `p`, got ", p);
  STRUCTURED_CHECK(!maxnorm.is_complex() && maxnorm.to<double>() >= 0,
                   "renorm: expected a `maxnorm` of 0 or more, got ", maxnorm);
  STRUCTURED_CHECK(self.dim() > 1, "renorm: expected `self` to have 2 dimensions or more, got ", self.dim());
  wrap_dim(dim, self.dim());
  check_dtype("renorm", self.scalar_type(), kAllFloatingTypes | kComplexTypes);
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace structured::kernels
