// Composite kernels for dropout.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_options.h>
#include <structured/kernel/resize.h>
#include <structured/ops/bernoulli.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/div.h>
#include <structured/ops/empty.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/mul.h>
#include <structured/ops/native_dropout.h>
#include <structured/ops/ones_like.h>
#include <structured/ops/zero.h>

#include <optional>
#include <tuple>

namespace structured::kernels {
namespace {

void check_probability(const char* name, double p) {
  STRUCTURED_CHECK(p >= 0 && p <= 1, name, ": expected a probability from 0 to 1, got ", p);
}

// Random factors: 0 with probability `p`, otherwise 1 / (1 - p).
Tensor dropout_factors(const Tensor& input, double p, bool whole_features) {
  DimVector sizes(input.sizes());
  for (size_t d = 2; whole_features && d < sizes.size(); ++d) sizes[d] = 1;
  Tensor result = whole_features ? structured::empty(sizes, input.options()) : structured::empty_like(input);
  if (p == 1) return structured::zero_(result);
  structured::bernoulli_(result, 1 - p);
  return structured::div_(result, 1 - p);
}

// Returns whether elements may be dropped. Throws Error for invalid arguments.
bool may_drop(const char* name, const char* argument, const Tensor& input, double p, bool train, bool whole_features) {
  check_probability(name, p);
  STRUCTURED_CHECK(!whole_features || input.dim() >= 2, name, ": expected `", argument,
                   "` to have 2 dimensions or more, got ", input.dim());
  return p != 0 && train && input.numel() != 0;
}

Tensor drop(const char* name, const Tensor& input, double p, bool train, bool whole_features) {
  if (!may_drop(name, "input", input, p, train, whole_features)) return input;
  return structured::mul(input, dropout_factors(input, p, whole_features));
}

Tensor& drop_(const char* name, Tensor& self, double p, bool train, bool whole_features) {
  if (!may_drop(name, "self", self, p, train, whole_features)) return self;
  return structured::mul_(self, dropout_factors(self, p, whole_features));
}

}  // namespace

/// Dropout: zeroes each element of `input` with probability `p` and scales the others by 1 / (1 - p). Returns the
/// result and a Bool mask of the elements that are kept.
///
/// If `train` is false, returns a copy of `input` and a mask of ones; None counts as true. Floating-point dtypes only
/// in training.
[[structured::kernel("native_dropout", "CompositeExplicitAutograd"),
  structured::tags("core", "nondeterministic_seeded")]]
std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  const TensorOptions truth = input.options().dtype(kBool);
  if (!train.value_or(true)) return {structured::clone(input), structured::ones_like(input, truth)};
  check_probability("native_dropout", p);
  STRUCTURED_CHECK(is_floating(input.scalar_type()), "native_dropout: expected a floating-point dtype, got ",
                   input.scalar_type());
  Tensor mask = structured::empty_like(input, truth);
  structured::bernoulli_(mask, 1 - p);
  Tensor result = structured::mul(input, mask);
  structured::mul_(result, p == 1 ? 0 : 1 / (1 - p));
  return {result, mask};
}

/// Writes the results of dropout of `input` with probability `p` to `out0`, and the Bool mask of the elements that are
/// kept to `out1`. Both are resized. If `train` is false, copies `input`; None counts as true.
[[structured::kernel("native_dropout.out", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
std::tuple<Tensor&, Tensor&> native_dropout_out(const Tensor& input, double p, std::optional<bool> train, Tensor& out0,
                                                Tensor& out1) {
  const auto [result, mask] = structured::native_dropout(input, p, train);
  STRUCTURED_CHECK(out0.scalar_type() == result.scalar_type() && out1.scalar_type() == kBool,
                   "native_dropout: expected `out0` of dtype ", result.scalar_type(), " and `out1` of dtype Bool, got ",
                   out0.scalar_type(), " and ", out1.scalar_type());
  resize_output(out0, result.sizes());
  resize_output(out1, mask.sizes());
  structured::copy_(out0, result);
  structured::copy_(out1, mask);
  return {out0, out1};
}

/// Gradient of `native_dropout` with respect to `input`: `grad_output * mask * scale`.
[[structured::kernel("native_dropout_backward", "CompositeExplicitAutograd")]]
Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale) {
  return structured::mul(structured::mul(grad_output, mask), scale);
}

/// Writes the gradient of `native_dropout` with respect to `input`, `grad_output * mask * scale`, to `out`.
[[structured::kernel("native_dropout_backward.out", "CompositeExplicitAutograd")]]
Tensor& native_dropout_backward_out(const Tensor& grad_output, const Tensor& mask, double scale, Tensor& out) {
  structured::mul_out(out, grad_output, mask);
  return structured::mul_(out, scale);
}

/// Dropout: zeroes each element of `input` with probability `p` and scales the others by 1 / (1 - p). Returns `input`
/// itself unless `train`. Floating-point dtypes only.
[[structured::composite("dropout"), structured::tags("nondeterministic_seeded")]]
Tensor dropout(const Tensor& input, double p, bool train) {
  // One kernel on CUDA devices, with the elements that PyTorch drops for the seed.
  if (input.is_cuda() && p < 1 && may_drop("dropout", "input", input, p, train, false)) {
    return std::get<0>(structured::native_dropout(input, p, true));
  }
  return drop("dropout", input, p, train, false);
}

/// Dropout in place: zeroes each element of `self` with probability `p` and scales the others by 1 / (1 - p). Does
/// nothing unless `train`. Floating-point dtypes only.
[[structured::composite("dropout_"), structured::tags("nondeterministic_seeded")]]
Tensor& dropout_(Tensor& self, double p, bool train) {
  return drop_("dropout_", self, p, train, false);
}

/// Channel dropout of `input` [N, C, ...]: zeroes each channel of a sample with probability `p` and scales the others
/// by 1 / (1 - p). Returns `input` itself unless `train`. Floating-point dtypes only.
[[structured::composite("feature_dropout"), structured::tags("nondeterministic_seeded")]]
Tensor feature_dropout(const Tensor& input, double p, bool train) {
  return drop("feature_dropout", input, p, train, true);
}

/// Channel dropout of `self` [N, C, ...] in place: zeroes each channel of a sample with probability `p` and scales the
/// others by 1 / (1 - p). Does nothing unless `train`. Floating-point dtypes only.
[[structured::composite("feature_dropout_"), structured::tags("nondeterministic_seeded")]]
Tensor& feature_dropout_(Tensor& self, double p, bool train) {
  return drop_("feature_dropout_", self, p, train, true);
}

}  // namespace structured::kernels
