#pragma once
// Sets of libtorch's dtypes, with the names that the attribute `dtypes` has for them.
#include <cstdint>

#include "structured/schema/dtype.h"
#include "structured/torch_loops/element_types.h"

namespace structured::torch_loops {

struct DtypeSet {
  constexpr DtypeSet(c10::ScalarType dtype) : bits(uint64_t{1} << static_cast<unsigned>(dtype)) {}
  constexpr explicit DtypeSet(uint64_t all) : bits(all) {}
  constexpr bool contains(c10::ScalarType dtype) const { return (bits & DtypeSet(dtype).bits) != 0; }
  friend constexpr DtypeSet operator|(DtypeSet a, DtypeSet b) { return DtypeSet(a.bits | b.bits); }

  uint64_t bits;
};

// kByte, kChar, ...: dtypes have libtorch's numbers, also those that an older libtorch does not have.
#define STRUCTURED_DTYPE(enumerator, ...)
#define STRUCTURED_PLAIN_DTYPE(enumerator, type, number, ...) \
  inline constexpr DtypeSet k##enumerator = static_cast<c10::ScalarType>(number);
#include "structured/schema/dtypes.def"

// kAllTypes, kAllFloatingTypes, ...
#define STRUCTURED_DTYPE_SET(name, constant, condition) inline constexpr DtypeSet constant(schema::constant);
#include "structured/schema/dtypes.def"

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

}  // namespace structured::torch_loops
