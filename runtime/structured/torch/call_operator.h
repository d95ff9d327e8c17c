#pragma once
// Calls of operators by their names, for emitted functions.
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <utility>

#include "structured/torch/text.h"

namespace structured::torch {

namespace detail {

template <class F>
class OperatorCall;
template <class R, class... A>
class OperatorCall<R(A...)> {
 public:
  template <Text name>
  static R call(A... arguments) {
    static const auto op = find_operator_handle(name.view()).template typed<R(A...)>();
    return op.call(std::forward<A>(arguments)...);
  }
};

}  // namespace detail

/// Calls an operator of the library through the dispatcher, so that autograd, torch.compile and torch.vmap see the
/// call. `F` is the type of its kernels, and `name` includes the namespace.
template <class F, Text name, class... Arguments>
decltype(auto) call_operator(Arguments&&... arguments) {
  return detail::OperatorCall<F>::template call<name>(std::forward<Arguments>(arguments)...);
}

}  // namespace structured::torch
