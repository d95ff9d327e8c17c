// The multivariate gamma function.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/kernel/resize.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/add.h>
#include <structured/ops/arange.h>
#include <structured/ops/copy.h>
#include <structured/ops/lgamma.h>
#include <structured/ops/sum.h>
#include <structured/ops/to.h>
#include <structured/ops/unsqueeze.h>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace structured::kernels {

/// Logarithm of the multivariate gamma function of dimension `p` >= 1: `p * (p - 1) / 4 * log(pi)` plus the sum over j
/// below `p` of `lgamma(self - j / 2)`. Integers give the default dtype; Bool and complex inputs are not supported.
[[structured::kernel("mvlgamma", "CompositeExplicitAutograd")]]
Tensor mvlgamma(const Tensor& self, int64_t p) {
  STRUCTURED_CHECK(p >= 1, "mvlgamma: expected `p` of 1 or more, got ", p);
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()), "mvlgamma: expected `self` of dtype ", kRealTypes, ", got ",
                   self.scalar_type());
  const Tensor numbers = self.is_floating_point() ? self : structured::to(self, default_dtype());
  const double order = static_cast<double>(p);
  const Tensor shifts = structured::arange(0.5 - order / 2, 0.5, 0.5, numbers.options());
  const Tensor terms = structured::lgamma(structured::add(structured::unsqueeze(numbers, -1), shifts));
  return structured::add(structured::sum(terms, -1), order * (order - 1) / 4 * std::log(std::numbers::pi));
}

/// Logarithm of the multivariate gamma function of dimension `p` >= 1, in place: `p * (p - 1) / 4 * log(pi)` plus the
/// sum over j below `p` of `lgamma(self - j / 2)`. Floating-point dtypes only.
[[structured::kernel("mvlgamma_", "CompositeExplicitAutograd")]]
Tensor& mvlgamma_(Tensor& self, int64_t p) {
  STRUCTURED_CHECK(self.is_floating_point(), "mvlgamma_: expected a floating-point dtype, got ", self.scalar_type());
  return structured::copy_(self, kernels::mvlgamma(self, p));
}

/// Writes the logarithm of the multivariate gamma function of dimension `p` >= 1, `p * (p - 1) / 4 * log(pi)` plus the
/// sum over j below `p` of `lgamma(self - j / 2)`, to `out`, which has the shape of `self`.
[[structured::kernel("mvlgamma.out", "CompositeExplicitAutograd")]]
Tensor& mvlgamma_out(const Tensor& self, int64_t p, Tensor& out) {
  const Tensor result = kernels::mvlgamma(self, p);
  STRUCTURED_CHECK(can_cast(result.scalar_type(), out.scalar_type()), "mvlgamma: expected `out` of a dtype to which ",
                   result.scalar_type(), " casts, got ", out.scalar_type());
  resize_output(out, result.sizes());
  return structured::copy_(out, result);
}

}  // namespace structured::kernels
