// Calls of the public functions of operators with values.
#pragma once

#include <structured/dispatch/boxed.h>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace structured::test {

/// An operator of the recorded calls.
struct Unboxed {
  std::string_view name;    ///< with namespace and overload
  std::string_view schema;  ///< edge libraries do not have it
  Stack (*call)(Stack& arguments);
};

/// The table that run_flavours.py writes, sorted by name.
const Unboxed* find_unboxed(std::string_view name);

template <class T>
void push(Stack& results, T&& result) {
  results.emplace_back(std::forward<T>(result));
}
template <class... T>
void push(Stack& results, std::tuple<T...>&& tuple) {
  std::apply([&](auto&&... result) { (results.emplace_back(std::forward<T>(result)), ...); }, std::move(tuple));
}

template <std::size_t outputs, class R, class... A, std::size_t... I>
Stack call_function(R (*function)(A...), Stack& arguments, std::index_sequence<I...>) {
  // Outputs are the first parameters of the function and the last ones of the schema.
  constexpr std::size_t inputs = sizeof...(A) - outputs;
  const auto at = [&](std::size_t i) -> Value& { return arguments[i < outputs ? inputs + i : i - outputs]; };
  Stack results;
  if constexpr (std::is_void_v<R>) {
    function(detail::Argument<std::remove_cvref_t<A>>(at(I)).get()...);
  } else {
    push(results, function(detail::Argument<std::remove_cvref_t<A>>(at(I)).get()...));
  }
  return results;
}

/// Calls `function`, whose first `outputs` parameters are the last ones of the schema.
template <auto function, std::size_t outputs>
Stack call_function(Stack& arguments) {
  return [&]<class R, class... A>(R (*pointer)(A...)) {
    return call_function<outputs>(pointer, arguments, std::index_sequence_for<A...>{});
  }(function);
}

}  // namespace structured::test
