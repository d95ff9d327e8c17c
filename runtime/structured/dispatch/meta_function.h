#pragma once
// Meta functions of structured operators: other libraries find them in the operators' handles. A library that
// implements an operator for another backend calls its meta function on an object of its own.
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace structured {

/// Type-erased description of a meta function. A library must not call the function if it was compiled against other
/// values than these.
struct MetaFunction {
  std::string_view signature;   ///< C++ type, and the members of the precomputed values
  std::size_t base_size = 0;    ///< size of the operator's base class
  std::size_t result_size = 0;  ///< size of the precomputed values; 0 without any
};

/// Meta function of type `R(Base&, A...)`. Constant data.
template <class Signature>
struct TypedMetaFunction;

template <class R, class Base, class... A>
struct TypedMetaFunction<R(Base&, A...)> : MetaFunction {
  using Function = R (*)(Base&, A...);

  constexpr TypedMetaFunction(std::string_view text, Function meta) : MetaFunction(describe(text)), function(meta) {}

  /// Description of functions of this type.
  static constexpr MetaFunction describe(std::string_view text) {
    if constexpr (std::is_void_v<R>) {
      return {text, sizeof(Base), 0};
    } else {
      return {text, sizeof(Base), sizeof(R)};
    }
  }

  Function function;
};

}  // namespace structured
