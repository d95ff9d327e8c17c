#pragma once
// Kernels that stand before those of the backends: autograd, and versions of mutable arguments.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/GradMode.h>

#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch/arguments.h"
#include "structured/torch/text.h"

namespace structured::torch {

namespace detail {

/// Calls `visit` for each tensor among the arguments.
template <class Visit, class... Arguments>
void visit_all(const Visit& visit, const Arguments&... arguments) {
  (visit_tensors(arguments, visit), ...);
}

template <class... Arguments>
bool requires_grad(const Arguments&... arguments) {
  bool result = false;
  visit_all([&](const at::Tensor& tensor) { result = result || (tensor.defined() && tensor.requires_grad()); },
            arguments...);
  return result;
}

/// Throws if an argument has a tangent: emitted operators have no forward-mode derivatives. `name` is the operator's
/// name.
template <class... Arguments>
void check_tangents(std::string_view name, const Arguments&... arguments) {
  bool has_tangent = false;
  visit_all(
      [&](const at::Tensor& tensor) {
        has_tangent = has_tangent || (tensor.defined() && tensor._fw_grad(/*level=*/0).defined());
      },
      arguments...);
  TORCH_CHECK_NOT_IMPLEMENTED(!has_tangent, "Trying to use forward AD with ", name,
                              " that does not support it because it has not been implemented yet.");
}

/// Throws if autograd forbids to write to the tensor, such as a leaf that requires a gradient.
void check_writable(const at::Tensor& tensor);

/// A node of autograd that fails in a backward pass, for the results of one call.
class FailingNode {
 public:
  /// `inputs` are the arguments that require gradients.
  FailingNode(const std::string& operator_name, const std::vector<at::Tensor>& inputs);
  /// Adds a result. `is_written` says whether it is a mutable argument.
  void record(at::Tensor& result, bool is_written) const;

 private:
  std::shared_ptr<void> node_;
};

/// Calls `visit` for each tensor in a result.
template <class Result, class Visit>
void visit_results(Result& result, const Visit& visit) {
  if constexpr (requires { std::tuple_size<Result>::value; }) {
    std::apply([&](auto&... results) { (visit_results(results, visit), ...); }, result);
  } else if constexpr (std::is_same_v<Result, std::vector<at::Tensor>>) {
    for (at::Tensor& tensor : result) visit(tensor);
  } else if constexpr (std::is_same_v<Result, at::Tensor>) {
    visit(result);
  }
}

/// A call of a kernel, for the rest of the keys of a call. Its functions are not inline, so that operators of one type
/// share them.
template <class F>
class Redispatch;

template <class R, class... A>
class Redispatch<R(A...)> {
 public:
  using Handle = c10::TypedOperatorHandle<R(A...)>;
  static constexpr bool is_mutating = (std::is_same_v<A, at::Tensor&> || ...);

  [[gnu::noinline]] static R below_autograd(const Handle& op, c10::DispatchKeySet keys, A... arguments) {
    if constexpr (is_mutating) {
      const at::AutoDispatchBelowAutograd guard;
      return op.redispatch(keys & c10::after_autograd_keyset, std::forward<A>(arguments)...);
    } else {
      const at::AutoDispatchBelowADInplaceOrView guard;
      return op.redispatch(keys & c10::after_ADInplaceOrView_keyset, std::forward<A>(arguments)...);
    }
  }

  /// Calls the operator and bumps the versions of mutable arguments.
  [[gnu::noinline]] static R bump_versions(const Handle& op, c10::DispatchKeySet keys, A... arguments) {
    const auto call = [&]() -> R {
      const at::AutoDispatchBelowADInplaceOrView guard;
      return op.redispatch(keys & c10::after_ADInplaceOrView_keyset, std::forward<A>(arguments)...);
    };
    const auto bump = [&] { (bump_version<A>(arguments), ...); };
    if constexpr (std::is_void_v<R>) {
      call();
      bump();
    } else {
      R result = call();
      bump();
      return static_cast<R>(result);
    }
  }

  /// Calls the operator and gives results that require a gradient a node that fails. Mutable arguments are results,
  /// too.
  [[gnu::noinline]] static R fail_in_backward(const Handle& op, c10::DispatchKeySet keys, A... arguments) {
    (check_mutable<A>(arguments), ...);
    std::vector<at::Tensor> inputs;
    visit_all(
        [&](const at::Tensor& tensor) {
          if (tensor.defined() && tensor.requires_grad()) inputs.push_back(tensor);
        },
        arguments...);
    const FailingNode node(full_name(op), inputs);
    const auto record = [&](at::Tensor& tensor) { node.record(tensor, is_mutating); };
    if constexpr (std::is_void_v<R>) {
      below_autograd(op, keys, arguments...);
      (visit_mutable<A>(arguments, record), ...);
    } else {
      R result = below_autograd(op, keys, std::forward<A>(arguments)...);
      visit_results(result, record);
      return static_cast<R>(result);
    }
  }

 private:
  static std::string full_name(const Handle& op) {
    const c10::OperatorName& name = op.operator_name();
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
  }

  template <class Argument>
  static void bump_version(const std::remove_reference_t<Argument>& argument) {
    if constexpr (std::is_same_v<Argument, at::Tensor&>) {
      if (argument.defined()) argument.unsafeGetTensorImpl()->bump_version();
    }
  }

  template <class Argument, class Visit>
  static void visit_mutable(std::remove_reference_t<Argument>& argument, const Visit& visit) {
    if constexpr (std::is_same_v<Argument, at::Tensor&>) visit(argument);
  }

  template <class Argument>
  static void check_mutable(const std::remove_reference_t<Argument>& argument) {
    if constexpr (std::is_same_v<Argument, at::Tensor&>) {
      check_writable(argument);
    }
  }
};

}  // namespace detail

/// Kernels of the operator `name`, which includes the namespace, for the keys that calls pass before they reach a
/// backend. `F` is the type of its kernels; code that depends on F alone is in Redispatch, and is compiled once.
template <class F, Text name>
class Layers;

template <class R, class... A, Text name>
class Layers<R(A...), name> {
  using Below = detail::Redispatch<R(A...)>;

 public:
  static constexpr bool is_mutating = Below::is_mutating;

  /// Bumps the versions of mutable arguments.
  static R bump_versions(c10::DispatchKeySet keys, A... arguments) {
    return Below::bump_versions(handle(), keys, std::forward<A>(arguments)...);
  }

  /// Lets gradients that pass through an operator without derivative fail.
  static R without_derivative(c10::DispatchKeySet keys, A... arguments) {
    detail::check_tangents(name.view(), arguments...);
    const bool records = c10::GradMode::is_enabled() && detail::requires_grad(arguments...);
    if (!records) [[likely]] {
      return below_autograd(keys, std::forward<A>(arguments)...);
    }
    return Below::fail_in_backward(handle(), keys, std::forward<A>(arguments)...);
  }

  /// Calls the operator without recording the call.
  static R below_autograd(c10::DispatchKeySet keys, A... arguments) {
    return Below::below_autograd(handle(), keys, std::forward<A>(arguments)...);
  }

 private:
  static const c10::TypedOperatorHandle<R(A...)>& handle() {
    static const c10::TypedOperatorHandle<R(A...)> found =
        detail::find_operator_handle(name.view()).template typed<R(A...)>();
    return found;
  }
};

}  // namespace structured::torch
