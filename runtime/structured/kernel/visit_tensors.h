#pragma once
// Visits the tensors among a call's arguments.
#include <optional>
#include <type_traits>

#include "structured/core/tensor.h"
#include "structured/dispatch/backend.h"

namespace structured::detail {

/// Calls `visit(const Tensor&)` for each defined tensor in an argument of any type.
template <class T, class Visit>
void visit_tensors(const T& argument, Visit&& visit) {
  if constexpr (std::is_same_v<T, Tensor>) {
    if (argument.defined()) {
      visit(argument);
    }
  } else if constexpr (std::is_same_v<T, std::optional<Tensor>>) {
    if (argument.has_value()) {
      visit_tensors(*argument, visit);
    }
  } else if constexpr (is_tensor_argument<T>) {
    for (const auto& element : argument) {
      visit_tensors(element, visit);
    }
  }
}

}  // namespace structured::detail
