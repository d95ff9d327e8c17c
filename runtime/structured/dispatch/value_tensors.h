#pragma once
// Tensors in values.
#include <optional>

#include "structured/core/tensor.h"
#include "structured/dispatch/value.h"

namespace structured::detail {

/// Calls `visit(const Tensor&)` for each defined tensor in a value: the value itself, or the elements of a list.
template <class Visit>
void visit_tensors_in(const Value& value, Visit&& visit) {
  if (value.is(Value::Kind::tensor)) {
    if (value.to_tensor().defined()) visit(value.to_tensor());
  } else if (value.is(Value::Kind::tensor_list)) {
    for (const Tensor& tensor : value.to_tensor_list()) {
      if (tensor.defined()) visit(tensor);
    }
  } else if (value.is(Value::Kind::optional_tensor_list)) {
    for (const std::optional<Tensor>& tensor : value.to_optional_tensor_list()) {
      if (tensor && tensor->defined()) visit(*tensor);
    }
  }
}

}  // namespace structured::detail
