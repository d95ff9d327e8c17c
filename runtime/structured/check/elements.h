#pragma once
// Bytes of the elements of tensors on the CPU, and the positions of tensors in values.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "structured/core/tensor.h"
#include "structured/dispatch/value.h"
#include "structured/dispatch/value_tensors.h"

namespace structured::detail {

/// Calls `visit(byte)` for each element in row-major order, where `byte` is the element's offset from the first one.
template <class Visit>
void for_each_element(const Tensor& tensor, Visit&& visit) {
  const std::size_t rank = tensor.sizes().size();
  const auto item = static_cast<int64_t>(tensor.element_size());
  std::vector<int64_t> index(rank, 0);
  int64_t offset = 0;
  for (int64_t left = tensor.numel(); left > 0; --left) {
    visit(static_cast<std::size_t>(offset * item));
    for (std::size_t d = rank; d-- > 0;) {
      offset += tensor.strides()[d];
      if (++index[d] < tensor.sizes()[d]) break;
      offset -= index[d] * tensor.strides()[d];
      index[d] = 0;
    }
  }
}

/// Index of the element at this position in row-major order.
inline std::vector<int64_t> index_at(const Tensor& tensor, int64_t position) {
  std::vector<int64_t> index(tensor.sizes().size());
  for (std::size_t d = index.size(); d-- > 0;) {
    index[d] = position % tensor.sizes()[d];
    position /= tensor.sizes()[d];
  }
  return index;
}

/// Tensors in a value, undefined ones included, so that lists of equal length have equal positions.
inline std::vector<Tensor> tensors_in(const Value& value) {
  std::vector<Tensor> tensors;
  if (value.is(Value::Kind::tensor)) {
    tensors.push_back(value.to_tensor());
  } else if (value.is(Value::Kind::tensor_list)) {
    for (const Tensor& tensor : value.to_tensor_list()) tensors.push_back(tensor);
  } else if (value.is(Value::Kind::optional_tensor_list)) {
    for (const std::optional<Tensor>& tensor : value.to_optional_tensor_list()) {
      tensors.push_back(tensor.value_or(Tensor()));
    }
  }
  return tensors;
}

}  // namespace structured::detail
