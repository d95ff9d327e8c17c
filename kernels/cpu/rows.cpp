#include "cpu/rows.h"

#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>

namespace structured::kernels {
namespace {

Tensor with_last(const Tensor& tensor, int64_t dim) {
  if (tensor.dim() == 0 || dim == tensor.dim() - 1) return tensor;
  DimVector sizes(tensor.sizes());
  DimVector strides(tensor.strides());
  const auto at = static_cast<size_t>(dim);
  sizes.erase(at);
  strides.erase(at);
  sizes.push_back(tensor.size(dim));
  strides.push_back(tensor.stride(dim));
  return as_strided(tensor, sizes, strides, tensor.storage_offset());
}

int64_t row_length(const Tensor& tensor) { return tensor.dim() == 0 ? 1 : tensor.size(-1); }

}  // namespace

InputRows::InputRows(const Tensor& self, int64_t dim) : rows_(with_last(self, wrap_dim(dim, self.dim()))) {
  if (!rows_.is_contiguous()) {
    const Tensor copy = empty(rows_.sizes(), rows_.options());
    copy_into(copy, rows_);
    rows_ = copy;
  }
  data_ = static_cast<const char*>(rows_.data());
  length_ = row_length(rows_);
  count_ = length_ == 0 ? 0 : rows_.numel() / length_;
  row_bytes_ = length_ << item_size_log2(rows_.scalar_type());
}

OutputRows::OutputRows(const Tensor& out, int64_t dim)
    : in_order_(with_last(out, wrap_dim(dim, out.dim()))), rows_(in_order_) {
  if (!rows_.is_contiguous()) rows_ = empty(rows_.sizes(), rows_.options());
  data_ = static_cast<char*>(rows_.data());
  row_bytes_ = row_length(rows_) << item_size_log2(rows_.scalar_type());
}

void OutputRows::finish() const {
  if (!rows_.is_same(in_order_)) copy_into(in_order_, rows_);
}

}  // namespace structured::kernels
