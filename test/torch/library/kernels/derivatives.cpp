// Derivatives of operators of the other sources.
#include <ATen/ops/cat.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <structured/torch.h>
#include <trial/ops.h>

#include <array>
#include <tuple>
#include <vector>

namespace trial {

[[structured::backward("soft_clip")]]
at::Tensor soft_clip_backward(const at::Tensor& grad, const c10::optional<at::Tensor>& self, const at::Scalar& limit,
                              const at::Tensor& out) {
  // limit / (limit + |self|) is 1 - |out| / limit.
  const at::Tensor root =
      self.has_value() ? self->abs().add(limit).reciprocal().mul(limit) : out.abs().div(limit).neg().add(1);
  return root.square().mul(grad);
}

[[structured::backward("blend.Tensor", "self")]]
at::Tensor blend_self(const at::Tensor& grad) {
  return grad;
}

[[structured::backward("blend.Tensor", "other")]]
at::Tensor blend_other(const at::Tensor& grad, const at::Scalar& alpha, const c10::optional<at::Tensor>& mask) {
  const at::Tensor scaled = grad.mul(alpha);
  return mask.has_value() && mask->defined() ? scaled.masked_fill(mask->eq(0), 0) : scaled;
}

[[structured::backward("extrema")]]
at::Tensor extrema_backward(const at::Tensor& grad_low, const at::Tensor& grad_high, const at::Tensor& self,
                            int64_t dim, bool keepdim, const at::Tensor& low, const at::Tensor& high) {
  at::Tensor result;
  const auto add = [&](const at::Tensor& grad, const at::Tensor& extreme) {
    if (!grad.defined()) return;
    const auto whole = [&](const at::Tensor& tensor) { return keepdim ? tensor : tensor.unsqueeze(dim); };
    const at::Tensor is_extreme = self.eq(whole(extreme)).to(self.scalar_type());
    const at::Tensor part = is_extreme.div(is_extreme.sum(dim, /*keepdim=*/true)).mul(whole(grad));
    result = result.defined() ? result.add(part) : part;
  };
  add(grad_low, low);
  add(grad_high, high);
  return result;
}

[[structured::backward("stack_rows")]]
std::vector<at::Tensor> stack_rows_backward(const at::Tensor& grad, double factor,
                                            const std::vector<std::vector<int64_t>>& tensors_sizes) {
  std::vector<at::Tensor> gradients;
  int64_t row = 0;
  for (const std::vector<int64_t>& sizes : tensors_sizes) {
    gradients.push_back(grad.narrow(0, row, sizes[0]).mul(factor));
    row += sizes[0];
  }
  return gradients;
}

// Gradients of results that are not used are zeros.
[[structured::backward("copy_rows")]]
at::Tensor copy_rows_backward(at::TensorList grad, at::IntArrayRef self_sizes) {
  std::vector<at::Tensor> parts = grad.vec();
  int64_t rest = self_sizes[0];
  for (const at::Tensor& part : grad) rest -= part.size(0);
  parts.push_back(at::zeros({rest, self_sizes[1]}, grad[0].options()));
  return at::cat(parts);
}

[[structured::backward("axpy.Tensor")]]
std::tuple<at::Tensor, at::Tensor> axpy_backward(const at::Tensor& grad, const at::Scalar& alpha,
                                                 std::array<bool, 2> needs_gradient) {
  return {grad, needs_gradient[1] ? grad.mul(alpha) : at::Tensor()};
}

[[structured::backward("tile")]]
at::Tensor tile_backward(const at::Tensor& grad, at::IntArrayRef counts, at::IntArrayRef self_sizes) {
  return grad.reshape({counts[0], self_sizes[0], counts[1], self_sizes[1]}).sum(at::IntArrayRef{0, 2});
}

// Inputs that broadcast get their gradients in the shape of the result.
[[structured::backward("choose")]]
std::tuple<at::Tensor, at::Tensor> choose_backward(const at::Tensor& grad, const at::Tensor& self,
                                                   const at::Tensor& other, const at::Tensor& mask,
                                                   const c10::optional<at::Scalar>& most) {
  at::Tensor passed = grad;
  if (most.has_value()) passed = grad.masked_fill(at::where(mask, other, self).gt(*most), 0);
  return {passed.masked_fill(mask, 0), passed.masked_fill(mask.logical_not(), 0)};
}

[[structured::backward("jitter")]]
at::Tensor jitter_backward(const at::Tensor& grad) {
  return grad;
}

[[structured::backward("cube")]]
at::Tensor cube_gradient(const at::Tensor& grad, const at::Tensor& self) {
  return ops::cube_backward(grad, self);
}

// The operator has an input `grad`.
[[structured::backward("cube_backward")]]
std::tuple<at::Tensor, at::Tensor> cube_second_gradient(const at::Tensor& grad_out, const at::Tensor& input_grad,
                                                        const at::Tensor& self) {
  return {ops::cube_backward(grad_out, self), grad_out.mul(input_grad).mul(self).mul(6)};
}

// Default arguments of the emitted functions are those of the schemas.
[[structured::composite("stack_clipped")]]
at::Tensor stack_clipped(at::TensorList tensors) {
  return ops::soft_clip(ops::stack_rows(tensors));
}

[[structured::composite("count_all_defaults")]]
int64_t count_all_defaults(const at::Tensor& self) {
  return ops::count_defaults(self);
}

}  // namespace trial
