#include <structured/torch_stable.h>

namespace my_ops {

using structured::torch_stable::MetaBase;
using structured::torch_stable::options_of;
using torch::stable::Tensor;

/// The matrix with one more column, whose elements are `value`.
[[structured::meta("add_column", "add_column.out")]]
void add_column_meta(MetaBase& op, const Tensor& self, double value = 1) {
  STD_TORCH_CHECK(self.dim() == 2, "add_column: expected a matrix, got a tensor with ", self.dim(), " dimensions");
  op.set_output_raw_strided(0, {self.size(0), self.size(1) + 1}, {}, options_of(self));
}

[[structured::impl("add_column.out", "CPU")]]
void add_column_cpu(const Tensor& self, double value, const Tensor& out) {
  Tensor whole = out;
  torch::stable::fill_(whole, value);
  Tensor columns = torch::stable::narrow(whole, 1, 0, self.size(1));
  torch::stable::copy_(columns, self);
}

[[structured::backward("add_column")]]
Tensor add_column_backward(const Tensor& grad) {
  Tensor whole = grad;
  return torch::stable::clone(torch::stable::narrow(whole, 1, 0, grad.size(1) - 1));
}

}  // namespace my_ops
