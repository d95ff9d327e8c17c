#pragma once
// Kernels that stand before those of the backends: autograd, and versions of mutable arguments.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
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

/// Whether a tensor among the arguments has a tangent, for forward-mode derivatives.
template <class... Arguments>
bool has_tangent(const Arguments&... arguments) {
  bool result = false;
  visit_all(
      [&](const at::Tensor& tensor) {
        // Tensors without a history, which are the most, take no call.
        const bool may_have_one = tensor.defined() && tensor.unsafeGetTensorImpl()->autograd_meta() != nullptr;
        result = result || (may_have_one && tensor._fw_grad(/*level=*/0).defined());
      },
      arguments...);
  return result;
}

/// Throws if an argument has a tangent: an opaque operator has no forward-mode derivative. `name` is the operator's
/// name.
template <class... Arguments>
void check_tangents(std::string_view name, const Arguments&... arguments) {
  TORCH_CHECK_NOT_IMPLEMENTED(!has_tangent(arguments...), "Trying to use forward AD with ",
                              known_name(std::string(name)),
                              " that does not support it because it has not been implemented yet.");
}

/// Throws if autograd forbids to write to the tensor, such as a leaf that requires a gradient.
void check_writable(const at::Tensor& tensor);

/// Whether two tensors are one, or share memory.
bool shares_memory(const at::Tensor& one, const at::Tensor& other);

/// Returns another tensor with the data of `tensor`, without history.
at::Tensor detached(const at::Tensor& tensor);

/// Throws: the result with this number shares memory with an argument, and the schema does not declare it.
[[noreturn]] void refuse_alias(const c10::FunctionSchema& schema, std::size_t result, std::size_t argument);

/// Makes backward passes through `results`, and through the tensors `written` to which the call has written, fail with
/// an error that names the operator. `inputs` are the tensors among the arguments that require gradients.
void fail_in_backward(const std::string& operator_name, const std::vector<at::Tensor>& inputs,
                      const std::vector<at::Tensor>& written, const std::vector<at::Tensor>& results);

/// Calls `visit(tensor, index)` for each tensor in a result. `index` is the position of a result in the schema.
template <class Result, class Visit>
void visit_results(Result& result, const Visit& visit, std::size_t index = 0) {
  if constexpr (requires { std::tuple_size<Result>::value; }) {
    std::apply([&](auto&... results) { (visit_results(results, visit, index++), ...); }, result);
  } else if constexpr (std::is_same_v<Result, std::vector<at::Tensor>> ||
                       std::is_same_v<Result, std::vector<c10::optional<at::Tensor>>>) {
    for (auto& element : result) visit_results(element, visit, index);
  } else if constexpr (std::is_same_v<Result, c10::optional<at::Tensor>> ||
                       std::is_same_v<Result, c10::optional<std::vector<at::Tensor>>>) {
    if (result.has_value()) visit_results(*result, visit, index);
  } else if constexpr (std::is_same_v<Result, at::Tensor>) {
    visit(result, index);
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
  /// Whether some operator of this type writes to an argument.
  static constexpr bool may_be_mutating =
      ((std::is_same_v<A, at::Tensor&> || is_collection_of_tensors<std::remove_cvref_t<A>>) || ...);

  [[gnu::noinline]] static R below_autograd(const Handle& op, c10::DispatchKeySet keys, A... arguments) {
    if (is_mutating(op)) {
      const at::AutoDispatchBelowAutograd guard;
      return op.redispatch(keys & c10::after_autograd_keyset, std::forward<A>(arguments)...);
    }
    const at::AutoDispatchBelowADInplaceOrView guard;
    return op.redispatch(keys & c10::after_ADInplaceOrView_keyset, std::forward<A>(arguments)...);
  }

  /// Calls the operator and bumps the versions of mutable arguments.
  [[gnu::noinline]] static R bump_versions(const Handle& op, c10::DispatchKeySet keys, A... arguments) {
    const auto call = [&]() -> R {
      const at::AutoDispatchBelowADInplaceOrView guard;
      return op.redispatch(keys & c10::after_ADInplaceOrView_keyset, std::forward<A>(arguments)...);
    };
    const auto bump = [&] {
      visit_mutable(
          op, [](const at::Tensor& tensor, std::size_t) { tensor.unsafeGetTensorImpl()->bump_version(); },
          arguments...);
    };
    if constexpr (std::is_void_v<R>) {
      call();
      bump();
    } else {
      R result = call();
      bump();
      return static_cast<R>(result);
    }
  }

  /// Whether the operator writes to a tensor that requires gradients.
  static bool writes_to_gradients(const Handle& op, const std::remove_reference_t<A>&... arguments) {
    bool result = false;
    visit_mutable(
        op, [&](const at::Tensor& tensor, std::size_t) { result = result || tensor.requires_grad(); }, arguments...);
    return result;
  }

  /// Calls the operator. A backward pass through a mutable argument or, if `records_results`, through a result fails.
  [[gnu::noinline]] static R fail_in_backward(const Handle& op, c10::DispatchKeySet keys, bool records_results,
                                              A... arguments) {
    const std::vector<at::Tensor> written = writable(op, {}, arguments...);
    const std::vector<at::Tensor> inputs = requiring_gradients(arguments...);
    if constexpr (std::is_void_v<R>) {
      below_autograd(op, keys, arguments...);
      detail::fail_in_backward(full_name(op), inputs, written, {});
    } else {
      R result = below_autograd(op, keys, arguments...);
      if (records_results) check_results(op, result, /*accepts_written=*/true, arguments...);
      std::vector<at::Tensor> results;
      visit_results(result, [&](at::Tensor& tensor, std::size_t) {
        if (!records_results || !tensor.defined() || is_among(tensor, written)) return;
        if (is_argument(tensor, arguments...)) tensor = detached(tensor);  // a view by the schema
        results.push_back(tensor);
      });
      detail::fail_in_backward(full_name(op), inputs, written, results);
      return static_cast<R>(result);
    }
  }

  /// Returns the tensors to which the operator writes, except those of the arguments at the positions `excepted`, and
  /// throws if autograd forbids to write to one of all.
  static std::vector<at::Tensor> writable(const Handle& op, std::initializer_list<std::size_t> excepted,
                                          const std::remove_reference_t<A>&... arguments) {
    std::vector<at::Tensor> written;
    const auto add = [&](const at::Tensor& tensor, std::size_t position) {
      check_writable(tensor);
      if (std::find(excepted.begin(), excepted.end(), position) == excepted.end()) written.push_back(tensor);
    };
    visit_mutable(op, add, arguments...);
    return written;
  }

  static std::vector<at::Tensor> requiring_gradients(const std::remove_reference_t<A>&... arguments) {
    std::vector<at::Tensor> inputs;
    const auto add = [&](const at::Tensor& tensor) {
      if (tensor.defined() && tensor.requires_grad()) inputs.push_back(tensor);
    };
    visit_all(add, arguments...);
    return inputs;
  }

  /// Throws if a result shares memory with an argument and the schema does not declare it: the history of the result
  /// would replace that of the argument. `accepts_written` says whether a result may be a mutable argument.
  template <class Result>
  static void check_results(const Handle& op, Result& result, bool accepts_written,
                            const std::remove_reference_t<A>&... arguments) {
    visit_results(result, [&](at::Tensor& tensor, std::size_t index) {
      std::size_t position = 0;
      const auto check = [&](const auto& argument) {
        visit_tensors(argument, [&](const at::Tensor& other) {
          if (!shares_memory(tensor, other)) return;
          const c10::FunctionSchema& schema = op.schema();
          const bool is_declared = schema.returns()[index].alias_info() != nullptr;
          const bool is_written = accepts_written && tensor.is_same(other) && writes_to(schema, position);
          if (!is_declared && !is_written) refuse_alias(schema, index, position);
        });
        ++position;
      };
      (check(arguments), ...);
    });
  }

  static std::string full_name(const Handle& op) { return known_name(op.operator_name()); }

 private:
  static bool writes_to(const c10::FunctionSchema& schema, std::size_t position) {
    const c10::AliasInfo* alias = schema.arguments()[position].alias_info();
    return alias != nullptr && alias->isWrite();
  }

  // Whether the operator writes to the argument. The schema is read only where the type leaves it open.
  template <class Argument>
  static bool is_written(const Handle& op, std::size_t position) {
    if constexpr (std::is_same_v<Argument, at::Tensor&>) return true;
    if constexpr (is_collection_of_tensors<std::remove_cvref_t<Argument>>) return writes_to(op.schema(), position);
    return false;
  }

  static bool is_mutating(const Handle& op) {
    std::size_t position = 0;
    return (is_written<A>(op, position++) || ...);
  }

  /// Calls `visit(tensor, position)` for each defined tensor of the mutable arguments.
  template <class Visit>
  static void visit_mutable(const Handle& op, const Visit& visit, const std::remove_reference_t<A>&... arguments) {
    std::size_t position = 0;
    const auto visit_one = [&]<class Argument>(std::type_identity<Argument>, const auto& argument) {
      if (is_written<Argument>(op, position)) {
        visit_tensors(argument, [&](const at::Tensor& tensor) {
          if (tensor.defined()) visit(tensor, position);
        });
      }
      ++position;
    };
    (visit_one(std::type_identity<A>(), arguments), ...);
  }

  static bool is_among(const at::Tensor& tensor, const std::vector<at::Tensor>& tensors) {
    return std::any_of(tensors.begin(), tensors.end(), [&](const at::Tensor& other) { return tensor.is_same(other); });
  }

  static bool is_argument(const at::Tensor& tensor, const std::remove_reference_t<A>&... arguments) {
    bool result = false;
    visit_all([&](const at::Tensor& other) { result = result || tensor.is_same(other); }, arguments...);
    return result;
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
  static constexpr bool may_be_mutating = Below::may_be_mutating;

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
    return Below::fail_in_backward(handle(), keys, /*records_results=*/true, std::forward<A>(arguments)...);
  }

  /// Calls an operator whose results never require gradients. Gradients that pass through mutable arguments fail.
  static R not_differentiable(c10::DispatchKeySet keys, A... arguments) {
    if constexpr (may_be_mutating) {
      if (c10::GradMode::is_enabled() && Below::writes_to_gradients(handle(), arguments...)) [[unlikely]] {
        return Below::fail_in_backward(handle(), keys, /*records_results=*/false, std::forward<A>(arguments)...);
      }
    }
    return below_autograd(keys, std::forward<A>(arguments)...);
  }

  /// Calls the operator without recording the call.
  static R below_autograd(c10::DispatchKeySet keys, A... arguments) {
    return Below::below_autograd(handle(), keys, std::forward<A>(arguments)...);
  }

 protected:
  static const c10::TypedOperatorHandle<R(A...)>& handle() {
    static const c10::TypedOperatorHandle<R(A...)> found =
        detail::find_operator_handle(name.view()).template typed<R(A...)>();
    return found;
  }
};

}  // namespace structured::torch
