#pragma once
// Dispatch from a dtype to its C++ type.
#include "structured/core/error.h"
#include "structured/core/scalar_type.h"

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

/// Calls `function.operator()<T>()` with the C++ type of `type`, and returns its result:
///
///     visit<kFloatingTypes | kHalf>("exp", self.scalar_type(), [&]<class T>() { loop<T>(...); });
///
/// Instantiates `function` for the types in `Types` only, and in a build for selected dtypes only for these. Throws
/// Error, which starts with `name`, for any other type.
template <ScalarTypeSet Types, class Function, ScalarTypeSet Selected = detail::kSelectedTypes>
auto visit(const char* name, ScalarType type, [[maybe_unused]] Function&& function) {
  static_assert((Types.bits & kQuantizedTypes.bits) == 0, "quantized types have no C++ type of their own");
  static_assert(Types.bits != 0 && Types.bits <= kAllTypes.bits, "expected types that tensors have");
  constexpr ScalarTypeSet types = {Types.bits & Selected.bits};
#define STRUCTURED_VISIT_CASE(TYPE, CPP_TYPE)                                   \
  case ScalarType::TYPE:                                                        \
    if constexpr (types.contains(ScalarType::TYPE)) {                           \
      return function.template operator()<CPP_TYPE>();                          \
    } else if constexpr (types.bits == 0 && Types.contains(ScalarType::TYPE)) { \
      using Result = decltype(function.template operator()<CPP_TYPE>());        \
      return detail::fail_unselected_as<Result>(name, type, Selected);          \
    } else {                                                                    \
      break;                                                                    \
    }
  switch (type) {
    STRUCTURED_VISIT_CASE(Byte, std::uint8_t)
    STRUCTURED_VISIT_CASE(Char, std::int8_t)
    STRUCTURED_VISIT_CASE(Short, std::int16_t)
    STRUCTURED_VISIT_CASE(Int, std::int32_t)
    STRUCTURED_VISIT_CASE(Long, std::int64_t)
    STRUCTURED_VISIT_CASE(Half, Half)
    STRUCTURED_VISIT_CASE(Float, float)
    STRUCTURED_VISIT_CASE(Double, double)
    STRUCTURED_VISIT_CASE(ComplexHalf, Complex<Half>)
    STRUCTURED_VISIT_CASE(ComplexFloat, Complex<float>)
    STRUCTURED_VISIT_CASE(ComplexDouble, Complex<double>)
    STRUCTURED_VISIT_CASE(Bool, bool)
    STRUCTURED_VISIT_CASE(BFloat16, BFloat16)
    default:
      break;
  }
#undef STRUCTURED_VISIT_CASE
  if constexpr (types != Types) {
    if (Types.contains(type)) detail::fail_unselected(name, type, Selected);
  }
  detail::fail_visit(name, type, Types);
}

}  // namespace structured
