#pragma once
// Operators of `.pt2` files that loading replaces, and operators that loading `.ptl` files calls.
// schema/program_operators.def lists them, also for selections of operators.
#include <string_view>

namespace structured::program {

struct RenamedOperator {
  std::string_view from;
  std::string_view to;
};
/// Operators that compute the same as another one from the same arguments.
inline constexpr RenamedOperator kRenamedOperators[] = {
#define STRUCTURED_RENAMED_OPERATOR(from, to) {from, to},
#include "structured/schema/program_operators.def"
};

/// Operators that return their first argument, since programs record no gradients.
inline constexpr std::string_view kIdentityOperators[] = {
#define STRUCTURED_IDENTITY_OPERATOR(name) name,
#include "structured/schema/program_operators.def"
};

struct PackedClass {
  std::string_view name;
  std::string_view op;
};
/// Classes of packed parameters, and the operators that restore them from the state that modules store.
inline constexpr PackedClass kPackedClasses[] = {
#define STRUCTURED_PACKED_CLASS(name, op) {name, op},
#include "structured/schema/program_operators.def"
};

}  // namespace structured::program
