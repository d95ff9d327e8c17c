// Dropping elements at random, as networks do in training.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
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
#include <structured/ops/ones_like.h>
#include <structured/ops/zero.h>

#include <optional>
#include <tuple>

namespace structured::kernels {
namespace {

void check_share(const char* name, double p) {
  STRUCTURED_CHECK(p >= 0 && p <= 1, name, ": expected a probability from 0 to 1, got ", p);
}

// Where elements are kept, and what makes up for the others.
Tensor noise(const Tensor& input, double p, bool whole_features) {
  DimVector sizes(input.sizes());
  for (size_t d = 2; whole_features && d < sizes.size(); ++d) sizes[d] = 1;
  Tensor result = whole_features ? structured::empty(sizes, input.options()) : structured::empty_like(input);
  if (p == 1) return structured::zero_(result);
  structured::bernoulli_(result, 1 - p);
  return structured::div_(result, 1 - p);
}

// Whether there is anything to drop. Throws Error for arguments that are wrong.
bool drops(const char* name, const char* argument, const Tensor& input, double p, bool train, bool whole_features) {
  check_share(name, p);
  STRUCTURED_CHECK(!whole_features || input.dim() >= 2, name, ": expected `", argument,
                   "` to have 2 dimensions or more, got ", input.dim());
  return p != 0 && train && input.numel() != 0;
}

Tensor drop(const char* name, const Tensor& input, double p, bool train, bool whole_features) {
  if (!drops(name, "input", input, p, train, whole_features)) return input;
  return structured::mul(input, noise(input, p, whole_features));
}

Tensor& drop_(const char* name, Tensor& self, double p, bool train, bool whole_features) {
  if (!drops(name, "self", self, p, train, whole_features)) return self;
  return structured::mul_(self, noise(self, p, whole_features));
}

}  // namespace

/// In training, or where `train` is none: `input` with each element set to 0 with the probability `p`, and the others
/// divided by 1 - `p`; `input` itself otherwise. Besides, where elements were kept.
[[structured::kernel("native_dropout", "CompositeExplicitAutograd"),
  structured::tags("core", "nondeterministic_seeded")]]
std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  const TensorOptions truth = input.options().dtype(kBool);
  if (!train.value_or(true)) return {structured::clone(input), structured::ones_like(input, truth)};
  check_share("native_dropout", p);
  STRUCTURED_CHECK(is_floating(input.scalar_type()), "native_dropout: expected floating numbers, got ",
                   input.scalar_type());
  Tensor mask = structured::empty_like(input, truth);
  structured::bernoulli_(mask, 1 - p);
  Tensor result = structured::mul(input, mask);
  structured::mul_(result, p == 1 ? 0 : 1 / (1 - p));
  return {result, mask};
}

/// The same in tensors that are given.
[[structured::kernel("native_dropout.out", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
std::tuple<Tensor&, Tensor&> native_dropout_out(const Tensor& input, double p, std::optional<bool> train, Tensor& out0,
                                                Tensor& out1) {
  const auto [result, mask] = native_dropout(input, p, train);
  resize_output(out0, result.sizes());
  resize_output(out1, mask.sizes());
  structured::copy_(out0, result);
  structured::copy_(out1, mask);
  return {out0, out1};
}

/// What goes back through native_dropout: `grad_output` where elements were kept, times `scale`, and 0 elsewhere.
[[structured::kernel("native_dropout_backward", "CompositeExplicitAutograd")]]
Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale) {
  return structured::mul(structured::mul(grad_output, mask), scale);
}

/// The same in `out`.
[[structured::kernel("native_dropout_backward.out", "CompositeExplicitAutograd")]]
Tensor& native_dropout_backward_out(const Tensor& grad_output, const Tensor& mask, double scale, Tensor& out) {
  structured::mul_out(out, grad_output, mask);
  return structured::mul_(out, scale);
}

/// In training, `input` with each element set to 0 with the probability `p`, and the others divided by 1 - `p`; `input`
/// itself otherwise.
[[structured::composite("dropout"), structured::tags("nondeterministic_seeded")]]
Tensor dropout(const Tensor& input, double p, bool train) {
  return drop("dropout", input, p, train, false);
}

/// The same in place.
[[structured::composite("dropout_"), structured::tags("nondeterministic_seeded")]]
Tensor& dropout_(Tensor& self, double p, bool train) {
  return drop_("dropout_", self, p, train, false);
}

/// The same for `input` [N, C, ...] with each channel of a sample set to 0 as a whole.
[[structured::composite("feature_dropout"), structured::tags("nondeterministic_seeded")]]
Tensor feature_dropout(const Tensor& input, double p, bool train) {
  return drop("feature_dropout", input, p, train, true);
}

/// The same in place.
[[structured::composite("feature_dropout_"), structured::tags("nondeterministic_seeded")]]
Tensor& feature_dropout_(Tensor& self, double p, bool train) {
  return drop_("feature_dropout_", self, p, train, true);
}

}  // namespace structured::kernels
