#pragma once
// Kernels of libraries that are built with CHECKED: their dispatch tables hold `Checked<op, kernel>::call`.
#include <optional>
#include <type_traits>
#include <utility>

#include "structured/check/check_call.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/slow_path.h"

namespace structured {

/// Calls `kernel` on behalf of `op` and checks the call, see check_call. Calls during a check are not checked.
template <auto& op, auto kernel, class Signature = std::remove_cvref_t<decltype(op)>>
struct Checked;
template <auto& op, auto kernel, class R, class... A>
struct Checked<op, kernel, Operator<R(A...)>> {
  static R call(A... args) {
    if (detail::is_checking_call()) {
      return kernel(std::forward<A>(args)...);
    }
    Stack stack;
    stack.reserve(sizeof...(A));
    (stack.emplace_back(args), ...);
    detail::check_call(op, {&call_kernel, nullptr}, stack);
    const BoxedCall described(op, {}, std::nullopt, nullptr);
    return detail::TakeResults<R>::from(described, stack, args...);
  }

 private:
  static void call_kernel(const void*, Stack& stack) { detail::call_boxed(op, LayerSet::below_autograd(), stack); }
};

}  // namespace structured
