// Derivatives of reductions.
#include <structured/autograd/grad_mode.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/ops/_strong_zero_mul.h>
#include <structured/ops/_to_copy.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/cat.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/cumprod.h>
#include <structured/ops/cumsum.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/exp.h>
#include <structured/ops/expand.h>
#include <structured/ops/flip.h>
#include <structured/ops/gt.h>
#include <structured/ops/isnan.h>
#include <structured/ops/log.h>
#include <structured/ops/logcumsumexp.h>
#include <structured/ops/logical_and.h>
#include <structured/ops/logical_or.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/mean.h>
#include <structured/ops/mul.h>
#include <structured/ops/narrow.h>
#include <structured/ops/ne.h>
#include <structured/ops/neg.h>
#include <structured/ops/pow.h>
#include <structured/ops/reshape.h>
#include <structured/ops/scatter.h>
#include <structured/ops/scatter_add.h>
#include <structured/ops/sgn.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/where.h>
#include <structured/ops/zeros_like.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

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

/// An equal share for each element that is chosen along `dims`, in the dtype of `like`. No `dims` means all.
Tensor equal_shares(const Tensor& is_chosen, IntArrayRef dims, const Tensor& like) {
  const Tensor chosen = structured::_to_copy(is_chosen, like.scalar_type());
  return structured::div(chosen, structured::sum(chosen, dims, true));
}

/// Gradient of a maximum or minimum: shared equally by all elements that are equal to it.
[[structured::backward("amax")]] [[structured::backward("amin")]]
Tensor extremum(const Tensor& grad, const Tensor& self, const Tensor& out, IntArrayRef dim, bool keepdim) {
  const Tensor is_chosen = structured::eq(self, expand_reduced(out, self.sizes(), dim, keepdim));
  return structured::mul(expand_reduced(grad, self.sizes(), dim, keepdim), equal_shares(is_chosen, dim, self));
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

/// Gradient of the p-norm. Where the norm is 0, so is the gradient. Elements are divided by the norm first: powers of
/// elements or of the norm may overflow or vanish.
[[structured::backward("linalg_vector_norm", "self")]]
Tensor vector_norm(const Tensor& grad, const Tensor& self, const Tensor& out, const Scalar& ord,
                   OptionalIntArrayRef dim, bool keepdim) {
  const IntArrayRef dims = dim.has_value() ? *dim : IntArrayRef();
  const double p = ord.to<double>();
  if (p == 0) return structured::zeros_like(self);
  const Tensor of_norm = expand_reduced(grad, self.sizes(), dims, keepdim);
  if (p == 1) return structured::mul(of_norm, structured::sgn(self));
  const Tensor norm = expand_reduced(out, self.sizes(), dims, keepdim);
  const Tensor is_zero = structured::eq(norm, 0);
  if (p == 2) return structured::mul(of_norm, structured::masked_fill(structured::div(self, norm), is_zero, 0));
  const Tensor size = structured::abs(self);
  if (std::isinf(p)) {
    const Tensor is_chosen = structured::eq(size, norm);
    return structured::mul(of_norm, structured::mul(equal_shares(is_chosen, dims, self), structured::sgn(self)));
  }
  // The powers of elements that are 0 have infinite derivatives for p < 2, and are infinite themselves for p < 1.
  const Tensor is_flat = structured::logical_or(is_zero, structured::eq(self, 0));
  const Tensor share = structured::masked_fill(structured::div(size, norm), is_flat, 1);
  const Tensor slope = structured::mul(structured::sgn(self), structured::pow(share, p - 1));
  return structured::mul(of_norm, structured::masked_fill(slope, is_flat, 0));
}

[[structured::backward("nansum")]]
Tensor nansum(const Tensor& grad, const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  const Tensor whole = expand_reduced(grad, self.sizes(), dim.has_value() ? *dim : IntArrayRef(), keepdim);
  return structured::masked_fill(whole, structured::isnan(self), 0);
}

/// The product along `dim`, which is kept, as a tree of multiplications. Its derivatives are exact where elements are
/// 0, since they divide by none, and where products overflow.
Tensor tree_of_products(Tensor factors, int64_t dim) {
  while (factors.size(dim) > 1) {
    const int64_t half = factors.size(dim) / 2;
    const Tensor products = structured::_strong_zero_mul(structured::narrow(factors, dim, 0, half),
                                                         structured::narrow(factors, dim, half, half));
    const bool is_even = factors.size(dim) % 2 == 0;
    factors = is_even ? products : structured::cat({products, structured::narrow(factors, dim, 2 * half, 1)}, dim);
  }
  return factors;
}

/// Gradient of the product of `self` along `dim`, which `grad` keeps.
Tensor of_product(const Tensor& grad, const Tensor& self, int64_t dim) {
  const auto product = [&](const std::vector<Tensor>& inputs) {
    return std::vector<Tensor>{tree_of_products(converted(inputs[0], grad), dim)};
  };
  return gradients_through(product, {self}, {grad})[0];
}

[[structured::backward("prod")]]
Tensor prod(const Tensor& grad, const Tensor& self) {
  if (self.numel() == 0) return structured::zeros_like(self);
  const Tensor of_flat = of_product(structured::reshape(grad, 1), structured::reshape(self, -1), 0);
  return structured::reshape(of_flat, self.sizes());
}

[[structured::backward("prod.dim_int")]]
Tensor prod_dim(const Tensor& grad, const Tensor& self, int64_t dim, bool keepdim) {
  if (self.numel() == 0) return structured::zeros_like(self);
  if (self.dim() == 0) return grad;
  return of_product(keepdim ? grad : structured::unsqueeze(grad, dim), self, dim);
}

/// The products of the elements up to each along `dim`, in steps of 1, 2, 4 and so on. Their derivatives have the
/// properties of those of tree_of_products().
Tensor scan_of_products(Tensor factors, int64_t dim) {
  const int64_t size = factors.size(dim);
  for (int64_t step = 1; step < size; step *= 2) {
    const Tensor products = structured::_strong_zero_mul(structured::narrow(factors, dim, 0, size - step),
                                                         structured::narrow(factors, dim, step, size - step));
    factors = structured::cat({structured::narrow(factors, dim, 0, step), products}, dim);
  }
  return factors;
}

/// For element x_i, the sum over j >= i of g_j times the product of x_0 to x_j without x_i. Elements after the first 0
/// need no division: with the 0 replaced by 1, all later products are those without it. This is not so for second
/// derivatives; a gradient that is itself recorded uses scan_of_products().
[[structured::backward("cumprod")]]
Tensor cumprod(const Tensor& grad, const Tensor& self, const Tensor& out, int64_t dim) {
  if (self.dim() == 0 || self.numel() == 0) return grad;
  if (is_grad_enabled()) {
    const auto products = [&](const std::vector<Tensor>& inputs) {
      return std::vector<Tensor>{scan_of_products(converted(inputs[0], grad), dim)};
    };
    return gradients_through(products, {self}, {grad})[0];
  }
  const auto sum_of_later = [&](const Tensor& products) {
    const Tensor terms = structured::_strong_zero_mul(grad, conjugate(products));
    return structured::flip(structured::cumsum(structured::flip(terms, dim), dim), dim);
  };
  const Tensor is_zero = structured::eq(self, 0);
  const Tensor divisor = structured::masked_fill(self, is_zero, 1);
  const Tensor zeros_so_far = structured::cumsum(is_zero, dim);
  const Tensor has_zero = structured::gt(zeros_so_far, 0);
  // Products with a 0 are NaN if the product of the other elements overflowed.
  const Tensor usual = structured::div(sum_of_later(structured::masked_fill(out, has_zero, 0)), conjugate(divisor));
  const Tensor is_first_zero = structured::logical_and(is_zero, structured::eq(zeros_so_far, 1));
  const Tensor without = structured::masked_fill(structured::cumprod(divisor, dim), structured::ne(zeros_so_far, 1), 0);
  return structured::where(is_first_zero, sum_of_later(without), structured::masked_fill(usual, has_zero, 0));
}

/// Gradients of both signs are summed as logarithms, since exponentials of elements may overflow.
[[structured::backward("logcumsumexp")]]
Tensor logcumsumexp(const Tensor& grad, const Tensor& self, const Tensor& out, int64_t dim) {
  if (grad.dim() == 0) return structured::mul(grad, structured::exp(structured::sub(self, out)));
  const auto sum_of_later = [&](const Tensor& positive) {
    const Tensor logarithm = structured::sub(structured::log(structured::clamp_min(positive, 0)), out);
    const Tensor summed = structured::flip(structured::logcumsumexp(structured::flip(logarithm, dim), dim), dim);
    return structured::exp(structured::add(summed, self));
  };
  return structured::sub(sum_of_later(grad), sum_of_later(structured::neg(grad)));
}

[[structured::backward("cummax")]] [[structured::backward("cummin")]]
Tensor running_extremum(const Tensor& grad_values, IntArrayRef self_sizes, const Tensor& indices, int64_t dim) {
  if (!grad_values.defined()) return Tensor();
  if (self_sizes.empty()) return grad_values;
  return structured::scatter_add(structured::zeros(self_sizes, grad_values.options()), dim, indices, grad_values);
}

[[structured::backward("kthvalue")]] [[structured::backward("median.dim")]] [[structured::backward(
    "nanmedian.dim")]] [[structured::backward("mode")]]
Tensor chosen_of_dim(const Tensor& grad_values, IntArrayRef self_sizes, const Tensor& indices, int64_t dim,
                     bool keepdim) {
  return extremum_of_dim(grad_values, self_sizes, indices, dim, keepdim);
}

/// Elements that are equal to the median share its gradient.
[[structured::backward("median")]] [[structured::backward("nanmedian")]]
Tensor median(const Tensor& grad, const Tensor& self, const Tensor& out) {
  const Tensor both_nan = structured::logical_and(structured::isnan(self), structured::isnan(out));
  const Tensor is_chosen = structured::logical_or(structured::eq(self, out), both_nan);
  return structured::mul(grad, equal_shares(is_chosen, {}, self));
}

[[structured::backward("aminmax")]]
Tensor aminmax(const Tensor& grad_min, const Tensor& grad_max, const Tensor& self, const Tensor& min, const Tensor& max,
               std::optional<int64_t> dim, bool keepdim) {
  const DimVector dims = dim.has_value() ? DimVector{*dim} : DimVector();
  Tensor result;
  if (grad_min.defined()) result = extremum(grad_min, self, min, dims, keepdim);
  if (grad_max.defined()) {
    const Tensor of_max = extremum(grad_max, self, max, dims, keepdim);
    result = result.defined() ? structured::add(result, of_max) : of_max;
  }
  return result;
}

[[structured::backward("norm.ScalarOpt_dim")]] [[structured::backward("norm.ScalarOpt_dim_dtype")]]
Tensor norm(const Tensor& grad, const Tensor& self, const Tensor& out, const std::optional<Scalar>& p, IntArrayRef dim,
            bool keepdim) {
  return vector_norm(grad, self, out, p.value_or(2), dim, keepdim);
}

}  // namespace structured::derivatives
