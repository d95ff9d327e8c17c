#pragma once
// Dispatch from a dtype to its C++ type.
#include "structured/base/error.h"
#include "structured/number/scalar_type.h"

namespace structured {

namespace detail {

[[noreturn]] STRUCTURED_API STRUCTURED_COLD void fail_visit(const char* name, ScalarType type, ScalarTypeSet expected);
/// Reports a dtype that is supported, but not selected.
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void fail_unselected(const char* name, ScalarType type,
                                                                 ScalarTypeSet selected);
/// Gives `visit` the type of its result where no supported dtype is selected.
template <class Result>
[[noreturn]] Result fail_unselected_as(const char* name, ScalarType type, ScalarTypeSet selected) {
  fail_unselected(name, type, selected);
}

/// Dtypes for which kernels are compiled: all, or those of SELECT in structured_add_library.
#if defined(STRUCTURED_SELECTED_DTYPES)
constexpr ScalarTypeSet kSelectedTypes = ScalarTypeSet{0} | STRUCTURED_SELECTED_DTYPES;
#else
constexpr ScalarTypeSet kSelectedTypes = kAllTypes;
#endif

}  // namespace detail

/// Calls `function.operator()<T>()` with the C++ type of `dtype`, and returns its result:
///
///     visit<kFloatingTypes | kHalf>("exp", self.scalar_type(), [&]<class T>() { loop<T>(...); });
///
/// Instantiates `function` for the types in `Types` only, and in a build for selected dtypes only for these. Throws
/// Error, which starts with `name`, for any other type.
template <ScalarTypeSet Types, class Function, ScalarTypeSet Selected = detail::kSelectedTypes>
auto visit(const char* name, ScalarType dtype, [[maybe_unused]] Function&& function) {
  static_assert((Types.bits & kQuantizedTypes.bits) == 0, "quantized types have no C++ type of their own");
  static_assert(Types.bits != 0 && (Types.bits & ~kAllTypes.bits) == 0, "expected types that tensors have");
  constexpr ScalarTypeSet types = {Types.bits & Selected.bits};
  switch (dtype) {
#define STRUCTURED_DTYPE(enumerator, ...)
#define STRUCTURED_PLAIN_DTYPE(enumerator, type, ...)                                 \
  case ScalarType::enumerator:                                                        \
    if constexpr (types.contains(ScalarType::enumerator)) {                           \
      return function.template operator()<type>();                                    \
    } else if constexpr (types.bits == 0 && Types.contains(ScalarType::enumerator)) { \
      using Result = decltype(function.template operator()<type>());                  \
      return detail::fail_unselected_as<Result>(name, dtype, Selected);               \
    } else {                                                                          \
      break;                                                                          \
    }
#include "structured/schema/dtypes.def"
    default:
      break;
  }
  if constexpr (types != Types) {
    if (Types.contains(dtype)) detail::fail_unselected(name, dtype, Selected);
  }
  detail::fail_visit(name, dtype, Types);
}

}  // namespace structured
