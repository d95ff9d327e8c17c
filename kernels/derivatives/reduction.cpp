// Derivatives of reductions.
#include <structured/core/factory.h>
#include <structured/ops/abs.h>
#include <structured/ops/cumsum.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/exp.h>
#include <structured/ops/expand.h>
#include <structured/ops/flip.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/mean.h>
#include <structured/ops/mul.h>
#include <structured/ops/pow.h>
#include <structured/ops/scatter.h>
#include <structured/ops/sgn.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/where.h>
#include <structured/ops/zeros_like.h>

#include <cmath>
#include <cstdint>
#include <optional>

#include "derivatives/formula.h"

namespace structured::derivatives {

[[structured::backward("sum")]]
Tensor sum(const Tensor& grad, IntArrayRef self_sizes) {
  return structured::expand(grad, self_sizes);
}

[[structured::backward("sum.dim_IntList")]]
Tensor sum_dims(const Tensor& grad, IntArrayRef self_sizes, OptionalIntArrayRef dim, bool keepdim) {
  return expand_reduced(grad, self_sizes, dim.has_value() ? *dim : IntArrayRef(), keepdim);
}

[[structured::backward("mean")]]
Tensor mean(const Tensor& grad, IntArrayRef self_sizes) {
  return structured::div(structured::expand(grad, self_sizes), reduced_count(self_sizes, {}));
}

[[structured::backward("mean.dim")]]
Tensor mean_dims(const Tensor& grad, IntArrayRef self_sizes, OptionalIntArrayRef dim, bool keepdim) {
  const IntArrayRef dims = dim.has_value() ? *dim : IntArrayRef();
  return structured::div(expand_reduced(grad, self_sizes, dims, keepdim), reduced_count(self_sizes, dims));
}

/// Gradient of a maximum or minimum: shared equally by all elements that are equal to it.
[[structured::backward("amax")]] [[structured::backward("amin")]]
Tensor extremum(const Tensor& grad, const Tensor& self, const Tensor& out, IntArrayRef dim, bool keepdim) {
  const Tensor is_chosen = structured::eq(self, expand_reduced(out, self.sizes(), dim, keepdim));
  const Tensor share = structured::div(is_chosen, structured::sum(is_chosen, dim, true));
  return structured::mul(expand_reduced(grad, self.sizes(), dim, keepdim), share);
}

[[structured::backward("max")]] [[structured::backward("min")]]
Tensor extremum_of_all(const Tensor& grad, const Tensor& self, const Tensor& out) {
  return extremum(grad, self, out, {}, false);
}

/// Gradient of values that a function has selected along `dim`.
Tensor selected(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& indices) {
  return structured::scatter(structured::zeros(self_sizes, grad.options()), dim, indices, grad);
}

[[structured::backward("max.dim")]] [[structured::backward("min.dim")]]
Tensor extremum_of_dim(const Tensor& grad_values, IntArrayRef self_sizes, const Tensor& indices, int64_t dim,
                       bool keepdim) {
  if (keepdim || self_sizes.empty()) return selected(grad_values, self_sizes, dim, indices);
  return selected(structured::unsqueeze(grad_values, dim), self_sizes, dim, structured::unsqueeze(indices, dim));
}

[[structured::backward("sort")]] [[structured::backward("sort.stable")]] [[structured::backward("topk")]]
Tensor sorted(const Tensor& grad_values, IntArrayRef self_sizes, const Tensor& indices, int64_t dim) {
  return selected(grad_values, self_sizes, dim, indices);
}

[[structured::backward("var.correction")]]
Tensor var(const Tensor& grad, const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
           bool keepdim) {
  const IntArrayRef dims = dim.has_value() ? *dim : IntArrayRef();
  const double degrees = static_cast<double>(reduced_count(self.sizes(), dims)) - correction.value_or(1).to<double>();
  const Tensor centred = structured::sub(self, structured::mean(self, dims, true));
  return structured::mul(expand_reduced(grad, self.sizes(), dims, keepdim), structured::mul(centred, 2.0 / degrees));
}

[[structured::backward("std.correction")]]
Tensor std(const Tensor& grad, const Tensor& self, const Tensor& out, OptionalIntArrayRef dim,
           const std::optional<Scalar>& correction, bool keepdim) {
  const Tensor of_variance =
      structured::where(structured::eq(out, 0), 0.0, structured::div(grad, structured::mul(out, 2)));
  return var(of_variance, self, dim, correction, keepdim);
}

[[structured::backward("logsumexp")]]
Tensor logsumexp(const Tensor& grad, const Tensor& self, const Tensor& out, IntArrayRef dim, bool keepdim) {
  const Tensor shares = structured::exp(structured::sub(self, expand_reduced(out, self.sizes(), dim, keepdim)));
  return structured::mul(expand_reduced(grad, self.sizes(), dim, keepdim), shares);
}

[[structured::backward("cumsum")]]
Tensor cumsum(const Tensor& grad, int64_t dim) {
  if (grad.dim() == 0) return grad;
  return structured::flip(structured::cumsum(structured::flip(grad, dim), dim), dim);
}

/// Gradient of the p-norm. Where the norm is 0, so is the gradient.
[[structured::backward("linalg_vector_norm", "self")]]
Tensor vector_norm(const Tensor& grad, const Tensor& self, const Tensor& out, const Scalar& ord,
                   OptionalIntArrayRef dim, bool keepdim) {
  const IntArrayRef dims = dim.has_value() ? *dim : IntArrayRef();
  const double p = ord.to<double>();
  const Tensor of_norm = expand_reduced(grad, self.sizes(), dims, keepdim);
  const Tensor norm = expand_reduced(out, self.sizes(), dims, keepdim);
  const Tensor is_zero = structured::eq(norm, 0);
  if (p == 0) return structured::zeros_like(self);
  if (p == 1) return structured::mul(of_norm, structured::sgn(self));
  if (p == 2) return structured::mul(self, structured::masked_fill(structured::div(of_norm, norm), is_zero, 0));
  const Tensor size = structured::abs(self);
  if (std::isinf(p)) {
    const Tensor is_chosen = structured::eq(size, norm);
    const Tensor share = structured::div(is_chosen, structured::sum(is_chosen, dims, true));
    return structured::mul(of_norm, structured::mul(share, structured::sgn(self)));
  }
  const Tensor power = structured::mul(structured::sgn(self), structured::pow(size, p - 1));
  const Tensor scale = structured::div(of_norm, structured::pow(norm, p - 1));
  return structured::masked_fill(structured::mul(power, scale), is_zero, 0);
}

}  // namespace structured::derivatives
