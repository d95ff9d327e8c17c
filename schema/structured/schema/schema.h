#pragma once
// Operator schemas, in the syntax of ATen's native_functions.yaml. Printing and parsing (parse.h) are inverses:
// parse_schema(to_string(s)) == s for every schema s, and to_string(parse_schema(t)) == t for every valid text t in
// canonical spacing.
#include <optional>
#include <string>
#include <vector>

#include "structured/schema/export.h"
#include "structured/schema/type.h"

namespace structured::schema {

/// `(a)`, `(a!)`, `(a -> *)`, `(a|b)`, `(a! -> a|b)`: the alias sets that a Tensor belongs to.
struct AliasSet {
  std::vector<std::string> before;
  bool is_write = false;
  std::vector<std::string> after;  ///< empty without `->`
  friend bool operator==(const AliasSet&, const AliasSet&) = default;
};

struct Argument {
  std::string name;
  Type type;
  std::optional<AliasSet> alias;
  std::optional<std::string> default_value;  ///< as the schema prints it: `None`, `[0,1]`, `Mean`, `"constant"`
  bool is_mutable() const { return alias && alias->is_write; }
  friend bool operator==(const Argument&, const Argument&) = default;
};

struct Return {
  Type type;
  std::optional<AliasSet> alias;
  std::string name;  ///< empty if unnamed
  friend bool operator==(const Return&, const Return&) = default;
};

/// `[namespace::]base[.overload]`
struct OperatorName {
  std::string ns;  ///< empty for the library's own namespace
  std::string base;
  std::string overload;
  /// Whether the base is `__...__`, as Python spells its operators.
  STRUCTURED_API bool is_dunder() const;
  /// Whether the name belongs to an in-place variant: the base ends in `_`, or is a dunder name `__i...__`.
  STRUCTURED_API bool is_inplace() const;
  /// Returns the name of the in-place variant of this functional operator: `add_`, `__iadd__`.
  STRUCTURED_API OperatorName inplace() const;
  friend auto operator<=>(const OperatorName&, const OperatorName&) = default;
};

struct Schema {
  OperatorName name;
  std::vector<Argument> positional;
  std::vector<Argument> keyword_only;  ///< after `*, `, without the out arguments
  std::vector<Argument> out;           ///< mutable keyword-only arguments at the end
  std::vector<Return> returns;
  friend bool operator==(const Schema&, const Schema&) = default;
};

STRUCTURED_API std::string to_string(const OperatorName& name);
STRUCTURED_API std::string to_string(const Argument& argument);
STRUCTURED_API std::string to_string(const Schema& schema);

}  // namespace structured::schema
