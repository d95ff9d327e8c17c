#pragma once
// Kernels that stand before those of the backends: autograd, and versions of mutable arguments.
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/csrc/autograd/VariableTypeUtils.h>

#include <memory>
#include <string>
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

/// Makes a node of autograd. Later versions of libtorch count nodes by intrusive pointers, earlier ones by shared
/// pointers.
template <class Node, class Pointer = decltype(::torch::autograd::Edge::function), class... Arguments>
Pointer make_node(Arguments&&... arguments) {
  if constexpr (std::is_same_v<Pointer, std::shared_ptr<::torch::autograd::Node>>) {
    return Pointer(new Node(std::forward<Arguments>(arguments)...), [](auto* node) { deleteNode(node); });
  } else {
    return c10::make_intrusive<Node>(std::forward<Arguments>(arguments)...);
  }
}

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

}  // namespace detail

/// Kernels of the operator `name`, which includes the namespace, for the keys that calls pass before they reach a
/// backend. `F` is the type of its kernels.
template <class F, Text name>
class Layers;

template <class R, class... A, Text name>
class Layers<R(A...), name> {
 public:
  static constexpr bool is_mutating = (std::is_same_v<A, at::Tensor&> || ...);

  /// Bumps the versions of mutable arguments.
  static R bump_versions(c10::DispatchKeySet keys, A... arguments) {
    const auto call = [&]() -> R {
      const at::AutoDispatchBelowADInplaceOrView guard;
      return handle().redispatch(keys & c10::after_ADInplaceOrView_keyset, std::forward<A>(arguments)...);
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

  /// Lets gradients that pass through an operator without derivative fail.
  static R without_derivative(c10::DispatchKeySet keys, A... arguments) {
    const bool records = ::torch::autograd::GradMode::is_enabled() && detail::requires_grad(arguments...);
    if (!records) [[likely]] {
      return below_autograd(keys, std::forward<A>(arguments)...);
    }
    (check_mutable<A>(arguments), ...);
    if constexpr (std::is_void_v<R>) {
      below_autograd(keys, std::forward<A>(arguments)...);
    } else {
      auto node = detail::make_node<::torch::autograd::NotImplemented>(std::string(name.view()));
      ::torch::autograd::edge_list edges;
      detail::visit_all(
          [&](const at::Tensor& tensor) {
            if (tensor.defined() && tensor.requires_grad()) {
              edges.push_back(::torch::autograd::impl::gradient_edge(tensor));
            }
          },
          arguments...);
      node->set_next_edges(std::move(edges));
      R result = below_autograd(keys, std::forward<A>(arguments)...);
      detail::visit_results(result, [&](at::Tensor& tensor) {
        if (!tensor.defined() || !::torch::autograd::isDifferentiableType(tensor.scalar_type())) {
          return;
        }
        if constexpr (is_mutating) {
          ::torch::autograd::rebase_history(tensor, node);
        } else {
          ::torch::autograd::set_history(tensor, node);
        }
      });
      return static_cast<R>(result);
    }
  }

 protected:
  static R below_autograd(c10::DispatchKeySet keys, A... arguments) {
    if constexpr (is_mutating) {
      const at::AutoDispatchBelowAutograd guard;
      return handle().redispatch(keys & c10::after_autograd_keyset, std::forward<A>(arguments)...);
    } else {
      const at::AutoDispatchBelowADInplaceOrView guard;
      return handle().redispatch(keys & c10::after_ADInplaceOrView_keyset, std::forward<A>(arguments)...);
    }
  }

 private:
  static const c10::TypedOperatorHandle<R(A...)>& handle() {
    static const c10::TypedOperatorHandle<R(A...)> found =
        detail::find_operator_handle(name.view()).template typed<R(A...)>();
    return found;
  }

  template <class Argument>
  static void bump_version(const std::remove_reference_t<Argument>& argument) {
    if constexpr (std::is_same_v<Argument, at::Tensor&>) {
      if (argument.defined()) ::torch::autograd::increment_version(argument);
    }
  }

  template <class Argument>
  static void check_mutable(const std::remove_reference_t<Argument>& argument) {
    if constexpr (std::is_same_v<Argument, at::Tensor&>) {
      ::torch::autograd::check_inplace(argument, /*requires_grad=*/true);
    }
  }
};

}  // namespace structured::torch
