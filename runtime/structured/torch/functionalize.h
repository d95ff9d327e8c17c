#pragma once
// Functionalization of in-place and out= variants: torch.compile and torch.export replace them by the functional
// variant, whose result then replaces the mutable arguments.
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "structured/torch/text.h"

namespace structured::torch::detail {

/// Calls the functional variant in place of an in-place or out= operator. `find_functional` returns the variant.
void call_functional(const c10::OperatorHandle& op, ::torch::jit::Stack* stack,
                     const c10::OperatorHandle& (*find_functional)());

/// The kernel of an in-place or out= operator for the key Functionalize. `functional` is the full name of the
/// functional variant.
template <Text functional>
void functionalize(const c10::OperatorHandle& op, c10::DispatchKeySet, ::torch::jit::Stack* stack) {
  call_functional(op, stack, []() -> const c10::OperatorHandle& {
    static const c10::OperatorHandle found = find_operator_handle(functional.view());
    return found;
  });
}

}  // namespace structured::torch::detail
