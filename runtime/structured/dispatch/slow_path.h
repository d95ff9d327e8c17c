#pragma once
// Slow path of a call: through the active layers, or to the fallback of a backend without a kernel. Every operator's
// emitted source with its boxed call instantiates it.
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/base/export.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/fallback.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {
namespace detail {

/// Next step of a slow-path call: the operator's kernel for a layer, else a boxed fallback, else (both null) the
/// backend's kernel.
struct CallHandler {
  std::optional<Layer> layer;  ///< none: a backend's fallback
  DispatchState rest;
  AnyKernel kernel;
  BoxedKernel fallback;
};

STRUCTURED_API CallHandler next_handler(const OperatorBase& op, DispatchState state);
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_wrong_results(const BoxedCall& call, std::size_t expected,
                                                                     std::size_t found);
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_wrong_result(const BoxedCall& call, std::size_t position,
                                                                    const std::string& expected, const Value& found);

/// Mutable argument number `index`, which is the result of type `Tensor&` at that position.
template <std::size_t index, class First, class... Rest>
Tensor& mutable_argument(First& first, Rest&... rest) {
  if constexpr (std::is_same_v<First, Tensor>) {
    if constexpr (index == 0) {
      return first;
    } else {
      return mutable_argument<index - 1>(rest...);
    }
  } else {
    return mutable_argument<index>(rest...);
  }
}

/// The type of an argument with the value of a result: results own their elements, arguments refer to them.
template <class T>
struct ResultArgument {
  using type = T;
};
template <>
struct ResultArgument<std::string> {
  using type = std::string_view;
};
template <class T>
struct ResultArgument<std::vector<T>> {
  using type = ArrayRef<typename ResultArgument<T>::type>;
};
template <class T>
struct ResultArgument<std::optional<T>> {
  using type = std::optional<typename ResultArgument<T>::type>;
};

/// Returns the result that owns what `argument` refers to.
template <class T, class Argument>
T owned(const Argument& argument) {
  if constexpr (std::is_constructible_v<T, const Argument&>) {
    return T(argument);
  } else if constexpr (requires { argument.has_value(); }) {
    return argument.has_value() ? T(owned<typename T::value_type>(*argument)) : T();
  } else {
    return T(argument.begin(), argument.end());
  }
}

/// Converts `value`, result number `index`, to the operator's C++ type.
template <class T, std::size_t index, class... A>
T result_of(const BoxedCall& call, Value& value, [[maybe_unused]] A&... args) {
  using Expected = typename ResultArgument<std::remove_cvref_t<T>>::type;
  if (!Argument<Expected>::accepts(value)) [[unlikely]] {
    throw_wrong_result(call, index, Argument<Expected>::expected(), value);
  }
  if constexpr (std::is_same_v<T, Tensor&>) {
    return mutable_argument<index>(args...);
  } else if constexpr (std::is_same_v<T, Tensor>) {
    return std::move(value.to_tensor());
  } else {
    Argument<Expected> argument(value);
    return owned<T>(argument.get());
  }
}

template <class R>
struct TakeResults {
  template <class... A>
  static R from(const BoxedCall& call, Stack& stack, A&... args) {
    if (stack.size() != 1) [[unlikely]] {
      throw_wrong_results(call, 1, stack.size());
    }
    return result_of<R, 0>(call, stack[0], args...);
  }
};
template <>
struct TakeResults<void> {
  template <class... A>
  static void from(const BoxedCall& call, Stack& stack, A&...) {
    if (!stack.empty()) [[unlikely]] {
      throw_wrong_results(call, 0, stack.size());
    }
  }
};
template <class... T>
struct TakeResults<std::tuple<T...>> {
  template <class... A>
  static std::tuple<T...> from(const BoxedCall& call, Stack& stack, A&... args) {
    if (stack.size() != sizeof...(T)) [[unlikely]] {
      throw_wrong_results(call, sizeof...(T), stack.size());
    }
    return take(call, stack, std::index_sequence_for<T...>{}, args...);
  }

 private:
  template <std::size_t... I, class... A>
  static std::tuple<T...> take(const BoxedCall& call, Stack& stack, std::index_sequence<I...>, A&... args) {
    return {result_of<T, I>(call, stack[I], args...)...};
  }
};

}  // namespace detail

/// Continues a call of `op` from `state`. Operators with equal signatures share one instantiation; OperatorHooks holds
/// a function for each operator that calls it.
template <class R, class... A>
__attribute__((noinline)) R run_slow_path(const Operator<R(A...)>& op, DispatchState state,
                                          std::type_identity_t<A>... args) {
  const detail::CallHandler handler = detail::next_handler(op, state);
  if (handler.kernel != nullptr) {
    const auto kernel = reinterpret_cast<typename Operator<R(A...)>::LayerKernel>(handler.kernel);
    return kernel(handler.rest.layers, std::forward<A>(args)...);
  }
  if (handler.fallback == nullptr) {
    const Backend backend = handler.rest.backend != Backend::count    ? handler.rest.backend
                            : handler.rest.layers.is_below_autograd() ? dispatch_backend(args...)
                                                                      : dispatch_key(args...);
    return op.call(backend, std::forward<A>(args)...);
  }
  Stack stack;
  stack.reserve(sizeof...(A));
  (stack.emplace_back(args), ...);
  const BoxedCall call(op, handler.rest, handler.layer, [](const OperatorBase& same, LayerSet layers, Stack& s) {
    detail::call_boxed(static_cast<const Operator<R(A...)>&>(same), layers, s);
  });
  handler.fallback(call, stack);
  return detail::TakeResults<R>::from(call, stack, args...);
}

}  // namespace structured
