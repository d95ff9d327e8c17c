// Derivatives of group normalization, and of the backward operators of normalizations, which are written as other
// operators.
#include <structured/autograd/grad_mode.h>
#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/add.h>
#include <structured/ops/gt.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/mean.h>
#include <structured/ops/mul.h>
#include <structured/ops/native_group_norm_backward.h>
#include <structured/ops/pow.h>
#include <structured/ops/reciprocal.h>
#include <structured/ops/renorm.h>
#include <structured/ops/reshape.h>
#include <structured/ops/rsqrt.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/where.h>

#include <array>
#include <cstdint>
#include <optional>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

DimVector dims_between(int64_t first, int64_t end) {
  DimVector dims;
  for (int64_t d = first; d < end; ++d) dims.push_back(d);
  return dims;
}

// Tensors over which a normalization shares its mean and its variance along `dims`.
struct Normalization {
  DimVector dims;
  Tensor variance_offset;  // added to the variance

  // `input` with mean 0 and variance 1.
  struct Normal {
    Tensor values;
    Tensor scale;
  };
  Normal normal(const Tensor& input) const {
    const Tensor centred = structured::sub(input, structured::mean(input, dims, true));
    const Tensor variance = structured::mean(structured::mul(centred, centred), dims, true);
    const Tensor scale = structured::rsqrt(structured::add(variance, variance_offset));
    return {structured::mul(centred, scale), scale};
  }
  // Gradient of the input of the normalization from that of its result.
  Tensor backward(const Normal& normal, const Tensor& grad) const {
    const Tensor shared = structured::mean(structured::mul(grad, normal.values), dims, true);
    const Tensor centred = structured::sub(grad, structured::mean(grad, dims, true));
    return structured::mul(structured::sub(centred, structured::mul(normal.values, shared)), normal.scale);
  }
};

// The number that was added to the variance of `input` to get `rstd`, one for each mean.
Tensor offset_of(const Tensor& input, const Tensor& rstd, const DimVector& dims) {
  const NoGradGuard guard;
  const Tensor centred = structured::sub(input, structured::mean(input, dims, true));
  const Tensor variance = structured::mean(structured::mul(centred, centred), dims, true);
  return structured::sub(structured::pow(structured::reshape(rstd, variance.sizes()), -2), variance);
}

bool is_given(const std::optional<Tensor>& tensor) { return tensor.has_value() && tensor->defined(); }

// Gradients of `function` by the gradient of the result, the input and the weight, if there is one.
ThreeTensors of_backward(const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function,
                         const Tensor& grad_out, const Tensor& input, const std::optional<Tensor>& weight,
                         const std::vector<Tensor>& gradients) {
  std::vector<Tensor> inputs{grad_out, input};
  if (is_given(weight)) inputs.push_back(*weight);
  std::vector<Tensor> result = gradients_through(function, inputs, gradients);
  result.resize(3);
  return {result[0], result[1], result[2]};
}

}  // namespace

[[structured::backward("native_batch_norm_backward", "grad_out", "input", "weight")]]
ThreeTensors batch_norm_backward(const Tensor& grad_out0, const Tensor& grad_out1, const Tensor& grad_out2,
                                 const Tensor& grad_out, const Tensor& input, const std::optional<Tensor>& weight,
                                 const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                                 bool train, double eps) {
  DimVector dims = dims_between(1, input.dim());
  dims[0] = 0;
  DimVector channels(static_cast<std::size_t>(input.dim()), 1);
  channels[1] = input.size(1);
  const Normalization normalization{dims, structured::detail::full({1}, eps, input.options())};
  const auto function = [&](const std::vector<Tensor>& inputs) {
    const Tensor scaled =
        is_given(weight) ? structured::mul(inputs[0], structured::reshape(inputs[2], channels)) : inputs[0];
    Normalization::Normal normal;
    Tensor of_input;
    if (train) {
      normal = normalization.normal(inputs[1]);
      of_input = normalization.backward(normal, scaled);
    } else {
      normal.scale = structured::rsqrt(structured::add(structured::reshape(*running_var, channels), eps));
      const Tensor centred = structured::sub(inputs[1], structured::reshape(*running_mean, channels));
      normal.values = structured::mul(centred, normal.scale);
      of_input = structured::mul(scaled, normal.scale);
    }
    return std::vector<Tensor>{of_input, structured::sum(structured::mul(inputs[0], normal.values), dims),
                               structured::sum(inputs[0], dims)};
  };
  return of_backward(function, grad_out, input, weight, {grad_out0, grad_out1, grad_out2});
}

[[structured::backward("native_layer_norm_backward", "grad_out", "input", "weight")]]
ThreeTensors layer_norm_backward(const Tensor& grad_out0, const Tensor& grad_out1, const Tensor& grad_out2,
                                 const Tensor& grad_out, const Tensor& input, IntArrayRef normalized_shape,
                                 const Tensor& rstd, const std::optional<Tensor>& weight) {
  const int64_t leading = input.dim() - static_cast<int64_t>(normalized_shape.size());
  const DimVector dims = dims_between(leading, input.dim());
  const DimVector rows = dims_between(0, leading);
  const Normalization normalization{dims, offset_of(input, rstd, dims)};
  const auto function = [&](const std::vector<Tensor>& inputs) {
    const Normalization::Normal normal = normalization.normal(inputs[1]);
    const Tensor scaled = is_given(weight) ? structured::mul(inputs[0], inputs[2]) : inputs[0];
    const auto summed = [&](const Tensor& a) { return rows.empty() ? a : structured::sum(a, rows); };
    return std::vector<Tensor>{normalization.backward(normal, scaled),
                               summed(structured::mul(inputs[0], normal.values)), summed(inputs[0])};
  };
  return of_backward(function, grad_out, input, weight, {grad_out0, grad_out1, grad_out2});
}

[[structured::backward("native_group_norm_backward", "grad_out", "input", "weight")]]
ThreeTensors group_norm_backward(const Tensor& grad_out0, const Tensor& grad_out1, const Tensor& grad_out2,
                                 const Tensor& grad_out, const Tensor& input, const Tensor& rstd,
                                 const std::optional<Tensor>& weight, int64_t N, int64_t C, int64_t HxW,
                                 int64_t group) {
  const DimVector split{N, group, C / group, HxW};
  const DimVector dims{2, 3};
  const Normalization normalization{dims, offset_of(structured::reshape(input, split), rstd, dims)};
  const auto function = [&](const std::vector<Tensor>& inputs) {
    const Tensor grad = structured::reshape(inputs[0], split);
    const Normalization::Normal normal = normalization.normal(structured::reshape(inputs[1], split));
    const Tensor scaled =
        is_given(weight) ? structured::mul(grad, structured::reshape(inputs[2], {group, C / group, 1})) : grad;
    const auto by_channel = [&](const Tensor& a) {
      return structured::reshape(structured::sum(a, IntArrayRef{0, 3}), {C});
    };
    return std::vector<Tensor>{structured::reshape(normalization.backward(normal, scaled), input.sizes()),
                               by_channel(structured::mul(grad, normal.values)), by_channel(grad)};
  };
  return of_backward(function, grad_out, input, weight, {grad_out0, grad_out1, grad_out2});
}

[[structured::backward("native_group_norm")]]
ThreeTensors group_norm(const Tensor& grad, const Tensor& grad_out1, const Tensor& grad_out2, const Tensor& input,
                        const std::optional<Tensor>& weight, int64_t N, int64_t C, int64_t HxW, int64_t group,
                        double eps, const Tensor& out1, const Tensor& out2, std::array<bool, 3> needs_gradient) {
  ThreeTensors of_result;
  if (grad.defined()) {
    of_result =
        structured::native_group_norm_backward(grad, input, out1, out2, weight, N, C, HxW, group, needs_gradient);
  }
  if (!needs_gradient[0] || (!grad_out1.defined() && !grad_out2.defined())) return of_result;
  // The mean and the reciprocal standard deviation are rarely used.
  const auto statistics = [&](const std::vector<Tensor>& inputs) {
    const Tensor groups = structured::reshape(inputs[0], {N, group, C / group * HxW});
    const Tensor mean = structured::mean(groups, -1);
    const Tensor centred = structured::sub(groups, structured::unsqueeze(mean, -1));
    const Tensor variance = structured::mean(structured::mul(centred, centred), -1);
    return std::vector<Tensor>{mean, structured::rsqrt(structured::add(variance, eps))};
  };
  const Tensor of_statistics = gradients_through(statistics, {input}, {grad_out1, grad_out2})[0];
  Tensor& of_input = std::get<0>(of_result);
  of_input = of_input.defined() ? structured::add(of_input, of_statistics) : of_statistics;
  return of_result;
}

/// Slices along `dim` are scaled by `maxnorm` over their norm where that is larger. Norms of 16-bit numbers are
/// computed in Float, as by the operator.
[[structured::backward("renorm")]]
Tensor renorm(const Tensor& grad, const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  DimVector dims = dims_between(0, self.dim());
  dims.erase(static_cast<std::size_t>(wrap_dim(dim, self.dim())));
  const auto function = [&](const std::vector<Tensor>& inputs) {
    const Tensor numbers = widened(inputs[0]);
    const Tensor norms = structured::linalg_vector_norm(numbers, p, dims, true);
    const Tensor factors = structured::mul(structured::reciprocal(structured::add(norms, 1e-7)), maxnorm);
    return std::vector<Tensor>{
        structured::mul(numbers, structured::where(structured::gt(norms, maxnorm), factors, Scalar(1.0)))};
  };
  return gradients_through(function, {self}, {widened(grad)})[0];
}

}  // namespace structured::derivatives
