#pragma once
// The meta function of a structured operator, as other libraries find it: by the operator's name, in its handle. A
// library with kernels for the operator runs it on an object of its own.
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace structured {

/// What can be said of a meta function without its type. A library that was compiled against a function with other
/// values must not call this one.
struct MetaFunction {
  std::string_view signature;   ///< C++ type, and the members of the precomputed values
  std::size_t base_size = 0;    ///< of the operator's base class
  std::size_t result_size = 0;  ///< of the precomputed values; 0 where there are none
};

/// A meta function of the type `R(Base&, A...)`. Constant data.
template <class Signature>
struct TypedMetaFunction;

template <class R, class Base, class... A>
struct TypedMetaFunction<R(Base&, A...)> : MetaFunction {
  using Function = R (*)(Base&, A...);

  constexpr TypedMetaFunction(std::string_view signature, Function meta)
      : MetaFunction(describe(signature)), function(meta) {}

  /// The values for a function of this type.
  static constexpr MetaFunction describe(std::string_view signature) {
    if constexpr (std::is_void_v<R>) {
      return {signature, sizeof(Base), 0};
    } else {
      return {signature, sizeof(Base), sizeof(R)};
    }
  }

  Function function;
};

}  // namespace structured
