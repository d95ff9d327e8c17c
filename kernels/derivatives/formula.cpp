#include "derivatives/formula.h"

#include <structured/autograd/gradient.h>
#include <structured/autograd/gradient_operators.h>
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/wrap_dim.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/_to_copy.h>
#include <structured/ops/alias.h>
#include <structured/ops/conj_physical.h>
#include <structured/ops/expand.h>
#include <structured/ops/mul.h>
#include <structured/ops/reshape.h>
#include <structured/ops/select.h>
#include <structured/ops/transpose.h>
#include <structured/ops/view_as_real.h>

#include <algorithm>

namespace structured::derivatives {
namespace {

// Whether each dimension of a tensor of these sizes is reduced.
bool is_reduced(std::size_t dim, IntArrayRef sizes, IntArrayRef dims) {
  const auto rank = static_cast<int64_t>(sizes.size());
  return dims.empty() || std::any_of(dims.begin(), dims.end(), [&](int64_t reduced) {
           return wrap_dim(reduced, rank) == static_cast<int64_t>(dim);
         });
}

}  // namespace

Tensor conjugate(const Tensor& a) { return a.is_complex() ? structured::conj_physical(a) : a; }

Scalar conjugate(const Scalar& a) {
  if (!a.is_complex()) return a;
  const auto value = a.to<Complex<double>>();
  return Complex<double>(value.real(), -value.imag());
}

Tensor real_part(const Tensor& a) { return structured::select(structured::view_as_real(a), -1, 0); }
Tensor imaginary_part(const Tensor& a) { return structured::select(structured::view_as_real(a), -1, 1); }

Tensor adjoint(const Tensor& matrices) { return conjugate(structured::transpose(matrices, -2, -1)); }

Tensor converted(const Tensor& a, const Tensor& like) {
  return a.scalar_type() == like.scalar_type() ? a : structured::_to_copy(a, like.scalar_type());
}

Tensor widened(const Tensor& a) {
  const bool is_small = a.is_floating_point() && item_size(a.scalar_type()) == 2;
  return is_small ? structured::_to_copy(a, kFloat) : a;
}

Tensor square(const Tensor& a) { return structured::mul(a, a); }

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

int64_t reduced_count(IntArrayRef sizes, IntArrayRef dims) {
  int64_t count = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (is_reduced(d, sizes, dims)) count *= sizes[d];
  }
  return count;
}

Tensor summed_to(const Tensor& grad, IntArrayRef sizes) { return autograd::sum_to_size(grad, sizes); }

std::vector<Tensor> gradients_through(const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function,
                                      const std::vector<Tensor>& inputs, const std::vector<Tensor>& gradients) {
  const bool is_recorded = is_grad_enabled();
  const EnableGradGuard recording;
  // Ends of the graph of `function`, which keep the history of `inputs` if the gradients are recorded.
  std::vector<Tensor> ends;
  for (const Tensor& input : inputs) {
    const bool has_history = is_recorded && input.requires_grad();
    ends.push_back(has_history ? structured::alias(input) : input.detach().requires_grad_());
  }
  const std::vector<Tensor> results = function(ends);
  std::vector<Tensor> outputs;
  std::vector<Tensor> weights;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!gradients[i].defined() || !results[i].requires_grad()) continue;
    outputs.push_back(results[i]);
    weights.push_back(gradients[i]);
  }
  if (outputs.empty()) return std::vector<Tensor>(inputs.size());
  return structured::grad(outputs, ends, weights, {.create_graph = is_recorded, .allow_unused = true});
}

TensorOptions defined_options(TensorList gradients) {
  const auto defined = std::find_if(gradients.begin(), gradients.end(), [](const Tensor& g) { return g.defined(); });
  STRUCTURED_INTERNAL_ASSERT(defined != gradients.end());
  return defined->options();
}

}  // namespace structured::derivatives
