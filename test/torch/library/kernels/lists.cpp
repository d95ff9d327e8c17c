// Lists of tensors and of integers.
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <structured/torch.h>

namespace trial {

/// Concatenates matrices with equal numbers of columns, each scaled by a factor.
[[structured::meta("stack_rows", "stack_rows.out")]]
void stack_rows_meta(at::impl::MetaBase& op, at::TensorList tensors, double factor = 1) {
  TORCH_CHECK(!tensors.empty(), "stack_rows: expected at least one tensor");
  std::int64_t rows = 0;
  for (const at::Tensor& tensor : tensors) {
    TORCH_CHECK(tensor.dim() == 2 && tensor.size(1) == tensors[0].size(1), "stack_rows: expected matrices with ",
                tensors[0].size(-1), " columns, got ", tensor.sizes());
    rows += tensor.size(0);
  }
  op.set_output_raw_strided(0, {rows, tensors[0].size(1)}, {}, tensors[0].options());
}

[[structured::impl("stack_rows.out", "CPU")]]
void stack_rows_cpu(at::TensorList tensors, double factor, const at::Tensor& out) {
  std::int64_t row = 0;
  for (const at::Tensor& tensor : tensors) {
    at::Tensor part = out.narrow(0, row, tensor.size(0));
    part.copy_(tensor).mul_(factor);
    row += tensor.size(0);
  }
}

/// Copies of consecutive rows: `sizes[i]` rows in the i-th result.
[[structured::kernel("copy_rows", "CPU", "Meta")]]
std::vector<at::Tensor> copy_rows(const at::Tensor& self, at::IntArrayRef sizes) {
  std::vector<at::Tensor> parts;
  std::int64_t row = 0;
  for (const std::int64_t size : sizes) {
    parts.push_back(self.narrow(0, row, size).clone());
    row += size;
  }
  return parts;
}

/// Repeats a matrix along both dimensions.
[[structured::meta("tile", "tile.out")]]
void tile_meta(at::impl::MetaBase& op, const at::Tensor& self, [[structured::size(2)]] at::IntArrayRef counts) {
  TORCH_CHECK(self.dim() == 2, "tile: expected a matrix, got a tensor with ", self.dim(), " dimensions");
  op.set_output_raw_strided(0, {self.size(0) * counts[0], self.size(1) * counts[1]}, {}, self.options());
}

[[structured::impl("tile.out", "CPU")]]
void tile_cpu(const at::Tensor& self, at::IntArrayRef counts, const at::Tensor& out) {
  for (std::int64_t i = 0; i < counts[0]; ++i) {
    for (std::int64_t j = 0; j < counts[1]; ++j) {
      out.narrow(0, i * self.size(0), self.size(0)).narrow(1, j * self.size(1), self.size(1)).copy_(self);
    }
  }
}

}  // namespace trial
