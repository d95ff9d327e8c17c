// Operators whose work processes share, by rules of the attribute `sharding`.
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <structured/torch.h>

#include <tuple>
#include <vector>

namespace trial {

/// Rows of `self` times rows of `weight`, plus `bias`. Processes have parts of the rows of `self`, or of the columns of
/// the result.
[[structured::kernel("row_products", "CPU", "Meta"), structured::sharding("... _, o _, o -> ... o")]]
at::Tensor row_products(const at::Tensor& self, const at::Tensor& weight, const c10::optional<at::Tensor>& bias) {
  return at::linear(self, weight, bias).clone();
}

[[structured::backward("row_products")]]
std::tuple<at::Tensor, at::Tensor, at::Tensor> row_products_backward(const at::Tensor& grad, const at::Tensor& self,
                                                                     const at::Tensor& weight,
                                                                     const c10::optional<at::Tensor>& bias) {
  const at::Tensor rows = grad.flatten(0, -2);
  at::Tensor bias_grad;
  if (bias.has_value() && bias->defined()) bias_grad = rows.sum(0);
  return {at::matmul(grad, weight), at::matmul(rows.t(), self.flatten(0, -2)), bias_grad};
}

/// The transpose of `self` times `other`: processes with parts of their rows have parts of a sum.
[[structured::kernel("gram", "CPU", "Meta"), structured::sharding("n i, n j -> i j"), structured::not_differentiable]]
at::Tensor gram(const at::Tensor& self, const at::Tensor& other) {
  return at::matmul(self.t(), other);
}

/// softmax over one dimension: processes have parts of others.
[[structured::kernel("shares", "CPU", "Meta"), structured::sharding("...-dim -> ..."), structured::not_differentiable]]
at::Tensor shares(const at::Tensor& self, int64_t dim) {
  return at::softmax(self, dim);
}

/// The tensors side by side, and the sums of their columns.
[[structured::kernel("side_by_side", "CPU", "Meta"), structured::sharding("n _, n -> n _, _"),
  structured::not_differentiable]]
std::tuple<at::Tensor, at::Tensor> side_by_side(at::TensorList tensors, const c10::optional<at::Tensor>& factors) {
  at::Tensor whole = at::cat(tensors, 1);
  if (factors.has_value() && factors->defined()) whole = whole * factors->unsqueeze(1);
  return {whole, whole.sum(0)};
}

/// Multiplies rows, in place.
[[structured::kernel("scale_rows_", "CPU", "Meta"), structured::sharding("n ..., n -> n ..."),
  structured::not_differentiable]]
at::Tensor& scale_rows_(at::Tensor& self, const at::Tensor& factors) {
  TORCH_CHECK(self.dim() > 0, "scale_rows_: expected `self` to have rows");
  std::vector<int64_t> sizes(static_cast<std::size_t>(self.dim()), 1);
  sizes[0] = factors.numel();
  return self.mul_(factors.view(sizes));
}

/// Running sums. The operator has no rule, so that each process computes all of them.
[[structured::kernel("running", "CPU", "Meta"), structured::not_differentiable]]
at::Tensor running(const at::Tensor& self) {
  return self.cumsum(0);
}

}  // namespace trial
