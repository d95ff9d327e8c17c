// Operators that write to lists and to optional tensors, that return an argument, or whose results have no gradients.
#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>
#include <structured/torch.h>

#include <tuple>
#include <vector>

namespace trial {

/// Doubles each tensor of a list.
[[structured::kernel("double_all_", "CPU", "Meta")]]
void double_all_([[structured::alias("a!")]] at::TensorList self) {
  for (const at::Tensor& tensor : self) tensor.mul_(2);
}

/// Writes `scale * self` to `out`.
[[structured::kernel("scale_into", "CPU", "Meta")]]
void scale_into(const at::Tensor& self, [[structured::alias("a!")]] const c10::optional<at::Tensor>& out,
                double scale = 2) {
  if (out.has_value()) out->copy_(self).mul_(scale);
}

/// Returns `2 * self` in `out`, if it is given.
[[structured::kernel("scaled", "CPU", "Meta"), structured::allow("missing-derivative")]]
at::Tensor scaled(const at::Tensor& self,
                  [[structured::kwonly]] [[structured::alias("a!")]] const c10::optional<at::Tensor>& out = {}) {
  return out.has_value() ? out->copy_(self).mul_(2) : self.mul(2);
}

/// Writes the products of each tensor and its number to the outputs.
[[structured::kernel("number_all.out", "CPU", "Meta"), structured::out]]
void number_all_out(at::TensorList self, [[structured::alias("a!")]] at::TensorList out) {
  for (std::size_t i = 0; i < self.size(); ++i) out[i].copy_(self[i]).mul_(static_cast<double>(i + 1));
}

/// Adds `self` to `total`, and returns `3 * self`.
[[structured::kernel("tally", "CPU", "Meta")]]
at::Tensor tally(const at::Tensor& self, [[structured::alias("a!")]] const c10::optional<at::Tensor>& total) {
  if (total.has_value()) total->add_(self);
  return self.mul(3);
}

[[structured::backward("tally")]]
at::Tensor tally_backward(const at::Tensor& grad) {
  return grad.mul(3);
}

/// Adds `self` to the statistics `total` and `totals`, and returns `3 * self`.
[[structured::kernel("observe", "CPU", "Meta"), structured::not_differentiable("total", "totals")]]
at::Tensor observe(const at::Tensor& self, at::Tensor& total, [[structured::alias("b!")]] at::TensorList totals) {
  total.add_(self);
  for (const at::Tensor& tensor : totals) tensor.add_(self);
  return self.mul(3);
}

[[structured::backward("observe")]]
at::Tensor observe_backward(const at::Tensor& grad) {
  return grad.mul(3);
}

/// Divides the tensor by its norm, and returns the norm.
[[structured::kernel("normalize_", "CPU", "Meta"), structured::allow("missing-derivative")]]
at::Tensor normalize_(at::Tensor& self) {
  at::Tensor norm = self.norm();
  self.div_(norm);
  return norm;
}

/// The tensor itself if it is contiguous.
[[structured::kernel("dense", "CPU", "Meta")]]
at::Tensor dense(const at::Tensor& self) {
  return self.contiguous();
}

[[structured::backward("dense")]]
at::Tensor dense_backward(const at::Tensor& grad) {
  return grad;
}

/// `dense` without a derivative.
[[structured::kernel("dense_constant", "CPU", "Meta"), structured::allow("missing-derivative")]]
at::Tensor dense_constant(const at::Tensor& self) {
  return self.contiguous();
}

/// `dense` whose result is a view by its schema.
[[structured::kernel("dense_view", "CPU", "Meta"), structured::allow("missing-derivative")]]
at::Tensor dense_view([[structured::alias("a")]] const at::Tensor& self) {
  return self.contiguous();
}

/// The sums, the sums of squares, the numbers of elements as floating-point and as integers, of each row.
[[structured::kernel("moments", "CPU", "Meta"), structured::returns("sum", "square", "count", "size"),
  structured::not_differentiable("count")]]
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> moments(const at::Tensor& self) {
  const at::Tensor sum = self.sum(-1);
  return {sum, self.square().sum(-1), at::full_like(sum, self.size(-1)),
          at::full_like(sum, self.size(-1), sum.options().dtype(at::kLong))};
}

[[structured::backward("moments")]]
at::Tensor moments_backward(const at::Tensor& grad_sum, const c10::optional<at::Tensor>& grad_square,
                            const at::Tensor& grad_size, const at::Tensor& self) {
  TORCH_CHECK(grad_size.defined() && grad_size.sizes() == grad_sum.sizes(), "moments: expected zeros for `grad_size`");
  const at::Tensor gradient = grad_sum.unsqueeze(-1).expand_as(self);
  return grad_square ? gradient.add(self.mul(grad_square->unsqueeze(-1)).mul(2)) : gradient;
}

/// Copies of the first and the last half.
[[structured::kernel("halves", "CPU", "Meta")]]
std::vector<at::Tensor> halves(const at::Tensor& self) {
  const int64_t half = self.size(0) / 2;
  return {self.narrow(0, 0, half).clone(), self.narrow(0, half, half).clone()};
}

[[structured::backward("halves")]]
at::Tensor halves_backward(const std::vector<c10::optional<at::Tensor>>& grad) {
  const c10::optional<at::Tensor>& first = grad[0];
  const c10::optional<at::Tensor>& last = grad[1];
  return at::cat({first ? *first : at::full_like(*last, 0), last ? *last : at::full_like(*first, 0)});
}

}  // namespace trial
