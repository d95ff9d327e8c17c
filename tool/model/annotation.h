// Reads the attributes of declarations. Malformed attributes are treated as absent: `check` reports them, and nothing
// is derived from declarations with errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "language/attributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"

namespace structured::gen {

/// Returns the role of the first attribute that has one.
std::optional<Role> role_of(const Declaration& declaration);

/// Returns the first attribute of that name, or null.
const Attribute* find_attribute(llvm::ArrayRef<Attribute> attributes, llvm::StringRef name);
bool has_attribute(llvm::ArrayRef<Attribute> attributes, llvm::StringRef name);

/// Whether the attribute `not_differentiable` is for all results.
bool is_not_differentiable(const Declaration& declaration);
/// Returns the results and mutable arguments that `not_differentiable` names.
std::vector<std::string> not_differentiable_names(const Declaration& declaration);

/// Return the argument at `index`; nullopt if it is missing or has another type.
std::optional<llvm::StringRef> string_argument(const Attribute& attribute, std::size_t index);
std::optional<int64_t> integer_argument(const Attribute& attribute, std::size_t index);
std::optional<bool> boolean_argument(const Attribute& attribute, std::size_t index);

/// Returns the string arguments from `first` on; skips other arguments.
std::vector<std::string> string_arguments(const Attribute& attribute, std::size_t first = 0);

/// `alias("a")`, `alias("a!")`, `alias("a -> *")`, `alias("a", 1)`
struct AliasAttribute {
  std::string set;           ///< `a`
  bool is_write = false;     ///< `a!`
  bool is_wildcard = false;  ///< `a -> *`: the result is a list of views
  std::optional<std::size_t> result;
};
std::optional<AliasAttribute> read_alias(const Attribute& attribute);
/// Reads the parameter's `alias` attribute; std::nullopt if it is missing or malformed.
std::optional<AliasAttribute> alias_of(const Parameter& parameter);

/// Whether Clang understood the declaration and the types of its parameters.
bool is_understood(const Declaration& declaration);

/// Whether the function is applied to each element: it is `pointwise`, or a `backward` template.
bool is_scalar_function(const Declaration& declaration);

/// Whether the signature is usable: Clang understood it, and it is a template over one type if the function is a scalar
/// function, and not a template otherwise.
bool is_readable(const Declaration& declaration);

}  // namespace structured::gen
