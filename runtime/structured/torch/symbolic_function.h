#pragma once
// Calls of meta functions that the library's Python package has for symbolic sizes (shapes.py).
#include <ATen/core/Tensor.h>
#include <ATen/core/boxing/impl/boxing.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch/saved_integers.h"

// Earlier versions have no dynamic shapes.
#define STRUCTURED_TORCH_HAS_SYMBOLS (TORCH_VERSION_MAJOR >= 2)

namespace structured::torch {

/// The form of an operator.
enum class Variant { functional, inplace, out };

}  // namespace structured::torch

namespace structured::torch::detail {

/// An operator of the Python package that computes the results of a meta function from the inputs, and from the outputs
/// of the caller if there are any; without a name if there is none.
struct SymbolicFunction {
  const char* name = nullptr;  ///< `my::_symbolic_crop`
  Variant variant = Variant::functional;
};

#if STRUCTURED_TORCH_HAS_SYMBOLS

/// Returns the operator of the Python package, if it was imported.
c10::optional<c10::OperatorHandle> find_symbolic(const SymbolicFunction& symbolic);
/// Calls an operator of the Python package with the arguments of the kernel, and gives the outputs of the caller the
/// sizes of the results.
std::vector<at::Tensor> call_symbolic(const c10::OperatorHandle& op, Variant variant, std::vector<c10::IValue> stack,
                                      const std::vector<at::Tensor*>& outputs);

/// Whether an argument is a symbol, or a list that has one.
template <class Argument>
bool is_symbol(const Argument& argument) {
  if constexpr (std::is_same_v<Argument, c10::SymInt>) {
    return !argument.maybe_as_int();
  } else if constexpr (std::is_same_v<Argument, c10::SymIntArrayRef>) {
    return std::any_of(argument.begin(), argument.end(), [](const c10::SymInt& each) { return is_symbol(each); });
  } else if constexpr (requires { argument.has_value(); }) {
    return argument.has_value() && is_symbol(*argument);
  } else {
    return false;
  }
}

/// Returns an argument for a function that takes numbers in place of symbols.
template <class A>
decltype(auto) as_number(std::remove_reference_t<A>& argument) {
  if constexpr (std::is_same_v<A, c10::SymInt>) {
    return SavedInteger(argument);
  } else if constexpr (std::is_same_v<A, c10::SymIntArrayRef>) {
    return SavedIntegers(argument);
  } else if constexpr (std::is_same_v<A, c10::optional<c10::SymInt>>) {
    return OptionalSaved<SavedInteger>(argument);
  } else if constexpr (std::is_same_v<A, at::OptionalSymIntArrayRef>) {
    return OptionalSaved<SavedIntegers>(argument);
  } else {
    return std::forward<A>(argument);
  }
}

template <class F>
class PackageCall;
/// Calls of operators of the Python package by kernels for Meta.
template <class R, class... A>
class PackageCall<R(A...)> {
 public:
  [[gnu::noinline]] static R call(const c10::OperatorHandle& op, Variant variant,
                                  std::remove_reference_t<A>&... arguments) {
    const std::vector<at::Tensor*> outputs = outputs_of(variant, arguments...);
    std::vector<c10::IValue> stack = c10::impl::boxArgs<A...>(std::forward<A>(arguments)...);
    return results(call_symbolic(op, variant, std::move(stack), outputs), outputs);
  }

 private:
  template <class Argument>
  static at::Tensor* mutable_tensor(Argument& argument) {
    if constexpr (std::is_same_v<Argument, at::Tensor>) {
      return &argument;
    } else {
      return nullptr;
    }
  }

  /// The arguments that are results.
  static std::vector<at::Tensor*> outputs_of(Variant variant, std::remove_reference_t<A>&... arguments) {
    const std::array<at::Tensor*, sizeof...(A)> all{mutable_tensor(arguments)...};
    if (variant == Variant::functional) return {};
    if (variant == Variant::inplace) return {all.front()};
    std::size_t count = 1;
    if constexpr (requires { std::tuple_size<R>::value; }) count = std::tuple_size_v<R>;
    return {all.end() - static_cast<std::ptrdiff_t>(count), all.end()};
  }

  template <class Each>
  static Each result(const std::vector<at::Tensor>& computed, const std::vector<at::Tensor*>& outputs, std::size_t i) {
    if constexpr (std::is_reference_v<Each>) {
      return *outputs.at(i);
    } else {
      return computed.at(i);
    }
  }

  static R results(const std::vector<at::Tensor>& computed, const std::vector<at::Tensor*>& outputs) {
    if constexpr (requires { std::tuple_size<R>::value; }) {
      return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return R(result<std::tuple_element_t<i, R>>(computed, outputs, i)...);
      }(std::make_index_sequence<std::tuple_size_v<R>>());
    } else {
      return result<R>(computed, outputs, 0);
    }
  }
};

#endif

}  // namespace structured::torch::detail
