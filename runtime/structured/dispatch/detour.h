#pragma once
// The way of a call that does not go straight to a kernel: through the active layers, or to the fallback of a backend
// without a kernel. Emitted for every operator, in sources with its boxed call.
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/core/export.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/fallback.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {
namespace detail {

/// What stops a call next: a kernel of the operator for a layer, else a boxed one, else nothing.
struct Stop {
  std::optional<Layer> layer;  ///< none: a backend's fallback
  Route rest;
  AnyKernel kernel;
  BoxedKernel fallback;
};

STRUCTURED_API Stop next_stop(const OperatorBase& op, Route route);
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_wrong_results(const BoxedCall& call, std::size_t expected,
                                                                     std::size_t found);
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_wrong_result(const BoxedCall& call, std::size_t position,
                                                                    const std::string& expected, const Value& found);

/// The `index`-th among the arguments that are written: what a result of type `Tensor&` is.
template <std::size_t index, class First, class... Rest>
Tensor& written_argument(First& first, Rest&... rest) {
  if constexpr (std::is_same_v<First, Tensor>) {
    if constexpr (index == 0) {
      return first;
    } else {
      return written_argument<index - 1>(rest...);
    }
  } else {
    return written_argument<index>(rest...);
  }
}

template <class T>
struct ResultArgument {
  using type = T;
};
template <class T>
struct ResultArgument<std::vector<T>> {
  using type = ArrayRef<T>;
};

/// Result `index`, as the operator's C++ type has it, out of a value.
template <class T, std::size_t index, class... A>
T result_of(const BoxedCall& call, Value& value, [[maybe_unused]] A&... args) {
  using Expected = typename ResultArgument<std::remove_cvref_t<T>>::type;
  if (!Argument<Expected>::accepts(value)) [[unlikely]] {
    throw_wrong_result(call, index, Argument<Expected>::expected(), value);
  }
  if constexpr (std::is_same_v<T, Tensor&>) {
    return written_argument<index>(args...);
  } else if constexpr (std::is_same_v<T, Tensor>) {
    return std::move(value.to_tensor());
  } else if constexpr (std::is_same_v<T, Expected>) {
    return Argument<Expected>(value).get();
  } else {
    Argument<Expected> list(value);
    return T(list.get().begin(), list.get().end());
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

/// Brings a call of `op` along `route`. The operator has been given a function that does this, see Operator; operators
/// whose kernels are of one type share this one.
template <class R, class... A>
__attribute__((noinline)) R take_detour(const Operator<R(A...)>& op, Route route, std::type_identity_t<A>... args) {
  const detail::Stop stop = detail::next_stop(op, route);
  if (stop.kernel != nullptr) {
    const auto kernel = reinterpret_cast<typename Operator<R(A...)>::LayerKernel>(stop.kernel);
    return kernel(stop.rest.layers, std::forward<A>(args)...);
  }
  if (stop.fallback == nullptr) {
    return op.call(stop.rest.backend == Backend::count ? dispatch_backend(args...) : stop.rest.backend,
                   std::forward<A>(args)...);
  }
  Stack stack;
  stack.reserve(sizeof...(A));
  (stack.emplace_back(args), ...);
  const BoxedCall call(op, stop.rest, stop.layer, [](const OperatorBase& same, LayerSet layers, Stack& s) {
    detail::call_boxed(static_cast<const Operator<R(A...)>&>(same), layers, s);
  });
  stop.fallback(call, stack);
  return detail::TakeResults<R>::from(call, stack, args...);
}

}  // namespace structured
