// The attributes of the language, from attributes.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// The part of an operator that a function implements.
enum class Role {
#define STRUCTURED_ROLE(name, minimum, maximum, arguments, expected, example, help) name,
#include "language/attributes.def"
};

/// Returns the role that an attribute of this name gives a function; nullopt if it gives none.
/// Returns the arguments that the attribute `autocast` may have.
llvm::ArrayRef<llvm::StringLiteral> autocast_rules();
std::optional<Role> role_named(llvm::StringRef attribute);
const char* name_of(Role role);

enum class AttributeTarget { function, parameter };

/// Kind of an attribute's arguments, which are strings unless noted otherwise.
enum class ArgumentKind {
  none,
  variants,               ///< names of an operator's variants
  operator_name,          ///< the name of an operator
  operator_and_backends,  ///< the name of an operator, then backends
  operator_and_inputs,    ///< the name of an operator, then names of its inputs
  result_names,
  parameter_names,
  differentials,  ///< names of results and of mutable arguments
  dtypes,         ///< dtypes and sets of them, after an optional backend
  tags,
  promotion_rule,
  autocast_rule,
  sharding_rule,
  properties,         ///< properties of a tensor: a dtype, `rank 2`, `contiguous`, a device type
  diagnostic_kinds,   ///< names of kinds of diagnostics, with or without `structured-`
  alias_set,          ///< `a`, `a!` or `a -> *`, then the index of a result as an integer
  schema_default,     ///< a default in the syntax of schemas
  scalar_conversion,  ///< `promotes` or `converts`
  length,             ///< an integer
  boolean,            ///< a boolean
};

/// A literal of an attribute's argument.
enum class LiteralForm { string, integer, boolean };

struct AttributeSpec {
  llvm::StringLiteral scoped_name;  ///< `structured::meta`
  AttributeTarget target;
  unsigned roles;  ///< bit set of Roles of the functions to which, or to whose parameters, it applies
  std::size_t minimum_arguments;
  std::size_t maximum_arguments;
  ArgumentKind arguments;
  llvm::StringLiteral expected;  ///< description of the arguments
  llvm::StringLiteral example;   ///< `size(2)`
  llvm::StringLiteral help;      ///< one sentence

  /// Returns the name without its scope: `meta`.
  constexpr llvm::StringRef name() const {
    constexpr std::size_t scope_size = sizeof("structured::") - 1;
    return {scoped_name.data() + scope_size, scoped_name.size() - scope_size};
  }
  bool allows(Role role) const { return roles >> static_cast<unsigned>(role) & 1; }
  /// Whether `example` has an argument list.
  bool shows_arguments() const { return example.ends_with(")"); }
};

/// Every attribute of the language.
llvm::ArrayRef<AttributeSpec> attribute_table();

/// Returns the attribute of that name, which has no scope, or null.
const AttributeSpec* find_attribute(llvm::StringRef name);

/// Whether `scope` is not the namespace of the attributes, but so similar that it was probably meant to be.
bool resembles_scope(llvm::StringRef scope);

/// Names of the C++ standard's attributes.
llvm::ArrayRef<llvm::StringLiteral> standard_attributes();

/// Returns the form of the argument at `index`.
LiteralForm literal_form(ArgumentKind arguments, std::size_t index);

}  // namespace structured::gen
