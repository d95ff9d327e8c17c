#pragma once
// Sets of libtorch's dtypes, with the names that the attribute `dtypes` has for them.
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace structured::torch {

struct DtypeSet {
  constexpr DtypeSet(c10::ScalarType dtype) : bits(std::uint64_t{1} << static_cast<unsigned>(dtype)) {}
  constexpr explicit DtypeSet(std::uint64_t all) : bits(all) {}
  constexpr bool contains(c10::ScalarType dtype) const { return (bits & DtypeSet(dtype).bits) != 0; }
  friend constexpr DtypeSet operator|(DtypeSet a, DtypeSet b) { return DtypeSet(a.bits | b.bits); }

  std::uint64_t bits;
};

inline constexpr DtypeSet kByte = c10::ScalarType::Byte;
inline constexpr DtypeSet kChar = c10::ScalarType::Char;
inline constexpr DtypeSet kShort = c10::ScalarType::Short;
inline constexpr DtypeSet kInt = c10::ScalarType::Int;
inline constexpr DtypeSet kLong = c10::ScalarType::Long;
inline constexpr DtypeSet kHalf = c10::ScalarType::Half;
inline constexpr DtypeSet kFloat = c10::ScalarType::Float;
inline constexpr DtypeSet kDouble = c10::ScalarType::Double;
inline constexpr DtypeSet kComplexHalf = c10::ScalarType::ComplexHalf;
inline constexpr DtypeSet kComplexFloat = c10::ScalarType::ComplexFloat;
inline constexpr DtypeSet kComplexDouble = c10::ScalarType::ComplexDouble;
inline constexpr DtypeSet kBool = c10::ScalarType::Bool;
inline constexpr DtypeSet kBFloat16 = c10::ScalarType::BFloat16;

inline constexpr DtypeSet kIntegralTypes = kByte | kChar | kShort | kInt | kLong;
inline constexpr DtypeSet kAllFloatingTypes = kHalf | kFloat | kDouble | kBFloat16;
inline constexpr DtypeSet kAllComplexTypes = kComplexHalf | kComplexFloat | kComplexDouble;
inline constexpr DtypeSet kAllTypes = kIntegralTypes | kAllFloatingTypes | kAllComplexTypes | kBool;

/// Calls `function.operator()<T>()` for the C++ type T of the dtype. Does nothing if the dtype is not one of `types`.
template <DtypeSet types, class F>
void visit(c10::ScalarType dtype, const F& function) {
  switch (dtype) {
#define STRUCTURED_TORCH_CASE(T, enumerator)                     \
  case c10::ScalarType::enumerator:                              \
    if constexpr (types.contains(c10::ScalarType::enumerator)) { \
      function.template operator()<T>();                         \
    }                                                            \
    break;
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(STRUCTURED_TORCH_CASE)
#undef STRUCTURED_TORCH_CASE
    default:
      break;
  }
}

}  // namespace structured::torch
