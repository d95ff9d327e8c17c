#include "derivatives/formula.h"

#include <structured/autograd/gradient_operators.h>
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/expand.h>
#include <structured/ops/mul.h>
#include <structured/ops/neg.h>
#include <structured/ops/reshape.h>
#include <structured/ops/select.h>
#include <structured/ops/stack.h>
#include <structured/ops/view_as_complex.h>
#include <structured/ops/view_as_real.h>

#include <algorithm>

namespace structured::derivatives {
namespace {

// Whether each dimension of a tensor of these sizes is reduced.
bool is_reduced(std::size_t dim, IntArrayRef sizes, IntArrayRef dims) {
  const auto rank = static_cast<std::int64_t>(sizes.size());
  return dims.empty() || std::any_of(dims.begin(), dims.end(), [&](std::int64_t reduced) {
           return wrap_dim(reduced, rank) == static_cast<std::int64_t>(dim);
         });
}

}  // namespace

Tensor conjugate(const Tensor& a) {
  if (!a.is_complex()) return a;
  const Tensor parts = structured::view_as_real(a);
  const Tensor imaginary = structured::neg(structured::select(parts, -1, 1));
  return structured::view_as_complex(structured::stack({structured::select(parts, -1, 0), imaginary}, -1));
}

Scalar conjugate(const Scalar& a) {
  if (!a.is_complex()) return a;
  const auto value = a.to<Complex<double>>();
  return Complex<double>(value.real(), -value.imag());
}

Tensor scaled(const Tensor& a, const Scalar& factor) {
  const bool is_one = !factor.is_complex() && factor.to<double>() == 1;
  return is_one ? a : structured::mul(a, factor);
}

Tensor expand_reduced(const Tensor& grad, IntArrayRef sizes, IntArrayRef dims, bool keepdim) {
  if (sizes.empty()) return grad;
  DimVector kept(sizes);
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (is_reduced(d, sizes, dims)) kept[d] = 1;
  }
  return structured::expand(keepdim ? grad : structured::reshape(grad, kept), sizes);
}

std::int64_t reduced_count(IntArrayRef sizes, IntArrayRef dims) {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (is_reduced(d, sizes, dims)) count *= sizes[d];
  }
  return count;
}

Tensor summed_to(const Tensor& grad, IntArrayRef sizes) { return autograd::sum_to_size(grad, sizes); }

TensorOptions defined_options(TensorList gradients) {
  const auto defined = std::find_if(gradients.begin(), gradients.end(), [](const Tensor& g) { return g.defined(); });
  STRUCTURED_INTERNAL_ASSERT(defined != gradients.end());
  return defined->options();
}

}  // namespace structured::derivatives
