#pragma once
// Boxed calls of operators in libraries without schema text (flavours `edge` and `static`).
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "structured/base/export.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {
namespace detail {

/// Checks that `stack` holds at least `expected` values and returns the first argument.
STRUCTURED_API Value* boxed_arguments(const char* op, Stack& stack, std::size_t expected);
/// Reports a value of the wrong kind for argument `position` (from 0).
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_wrong_argument(const char* op, std::size_t position,
                                                                      const std::string& expected, const Value& found);

template <class A>
void check_argument(const char* op, std::size_t position, const Value& value) {
  if (!Argument<A>::accepts(value)) [[unlikely]] {
    throw_wrong_argument(op, position, Argument<A>::expected(), value);
  }
}

template <class R, class... A, class Callee, std::size_t... I>
void unbox(const char* op, Callee& callee, Stack& stack, std::index_sequence<I...>) {
  [[maybe_unused]] Value* arguments = boxed_arguments(op, stack, sizeof...(A));
  (check_argument<std::remove_cvref_t<A>>(op, I, arguments[I]), ...);
  Results<R>::replace(stack, sizeof...(A),
                      [&]() -> R { return callee(Argument<std::remove_cvref_t<A>>(arguments[I]).get()...); });
}

}  // namespace detail

/// Takes the operator's arguments from the end of `stack`, calls it and pushes its results, as `call_boxed` does. `op`
/// is its name, for errors. Operators with equal signatures share one instantiation.
template <class R, class... A>
__attribute__((noinline)) void unbox(const char* op, const Operator<R(A...)>& callee, Stack& stack) {
  detail::unbox<R, A...>(op, callee, stack, std::index_sequence_for<A...>{});
}
template <class R, class... A>
__attribute__((noinline)) void unbox(const char* op, R (&callee)(A...), Stack& stack) {
  detail::unbox<R, A...>(op, callee, stack, std::index_sequence_for<A...>{});
}

}  // namespace structured
