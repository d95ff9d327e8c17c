#pragma once
// Definitions of functionalize.h.
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "structured/torch/functionalize.h"

namespace structured::torch::detail {

inline bool is_functional(const c10::IValue& value) {
  if (value.isTensor()) return at::functionalization::impl::isFunctionalTensor(value.toTensor());
  if (value.isTensorList() || value.isOptionalTensorList()) {
    for (const c10::IValue& element : value.toListRef()) {
      if (is_functional(element)) return true;
    }
  }
  return false;
}

/// Returns the argument with the current values of functional tensors in place of these.
inline c10::IValue unwrapped(const c10::IValue& value) {
  const auto unwrap = [](const at::Tensor& tensor) {
    if (!tensor.defined() || !at::functionalization::impl::isFunctionalTensor(tensor)) return tensor;
    at::functionalization::impl::sync(tensor);
    return at::functionalization::impl::from_functional_tensor(tensor);
  };
  if (value.isTensor()) return unwrap(value.toTensor());
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(unwrap(tensor));
    return list;
  }
  if (value.isOptionalTensorList()) {
    c10::List<c10::optional<at::Tensor>> list;
    for (const c10::optional<at::Tensor>& tensor : value.toOptionalTensorVector()) {
      list.push_back(tensor.has_value() ? c10::optional<at::Tensor>(unwrap(*tensor)) : c10::nullopt);
    }
    return list;
  }
  return value;
}

/// Gives `mutated` the value, converted to its dtype.
inline void replace(const at::Tensor& mutated, const at::Tensor& value, bool is_inplace) {
  TORCH_CHECK(c10::canCast(value.scalar_type(), mutated.scalar_type()), "result type ", value.scalar_type(),
              " can't be cast to the desired output type ", mutated.scalar_type());
  if (is_inplace) {
    TORCH_CHECK(mutated.sym_sizes() == value.sym_sizes(), "Bad in-place call: input tensor size ", mutated.sym_sizes(),
                " and output tensor size ", value.sym_sizes(), " should match");
  }
  at::functionalization::impl::replace_(mutated, value);
  at::functionalization::impl::commit_update(mutated);
  at::functionalization::impl::sync(mutated);
}

void call_functional(const c10::OperatorHandle& op, ::torch::jit::Stack* stack,
                     const c10::OperatorHandle& (*find_functional)()) {
  const c10::FunctionSchema& schema = op.schema();
  const std::size_t count = schema.arguments().size();
  std::vector<c10::IValue> arguments = ::torch::jit::pop(*stack, count);
  std::vector<at::Tensor> mutated;
  bool is_inplace = false;
  bool is_any_functional = false;
  for (std::size_t i = 0; i < count; ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    is_any_functional = is_any_functional || is_functional(arguments[i]);
    if (argument.alias_info() != nullptr && argument.alias_info()->isWrite()) {
      is_inplace = is_inplace || !argument.is_out();
      mutated.push_back(arguments[i].toTensor());
    }
  }
  bool is_mutated_functional = !mutated.empty();
  for (const at::Tensor& tensor : mutated) {
    is_mutated_functional = is_mutated_functional && at::functionalization::impl::isFunctionalTensor(tensor);
  }
  at::AutoDispatchSkipFunctionalize guard;
  if (!is_mutated_functional) {
    TORCH_CHECK(!is_any_functional,
                "mutating a non-functional tensor with a functional tensor is not allowed. Please ensure that all of "
                "your inputs are wrapped inside of a functionalize() call.");
    for (c10::IValue& argument : arguments) stack->push_back(std::move(argument));
    op.callBoxed(stack);
    return;
  }
  const c10::OperatorHandle& target = find_functional();
  std::vector<c10::IValue> values;
  for (std::size_t i = 0; i < target.schema().arguments().size(); ++i) values.push_back(unwrapped(arguments[i]));
  target.callBoxed(&values);
  for (std::size_t i = 0; i < mutated.size(); ++i) replace(mutated[i], values[i].toTensor(), is_inplace);
  for (at::Tensor& tensor : mutated) stack->push_back(std::move(tensor));
}

}  // namespace structured::torch::detail
