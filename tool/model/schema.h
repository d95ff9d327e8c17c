// Operator schemas, in the syntax of ATen's native_functions.yaml. Printing and parsing are inverses:
// parse_schema(to_string(s)) == s for every schema s, and to_string(parse_schema(t)) == t for every valid text t in
// canonical spacing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/type.h"

namespace structured::gen {

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
  bool is_dunder() const;
  /// Whether the name belongs to an in-place variant: the base ends in `_`, or is a dunder name `__i...__`.
  bool is_inplace() const;
  /// Returns the name of the in-place variant of this functional operator: `add_`, `__iadd__`.
  OperatorName inplace() const;
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

std::string to_string(const OperatorName& name);
std::string to_string(const Argument& argument);
std::string to_string(const Schema& schema);

/// Errors state the column, and what was expected and found.
llvm::Expected<Type> parse_type(llvm::StringRef text);
llvm::Expected<OperatorName> parse_operator_name(llvm::StringRef text);
llvm::Expected<Schema> parse_schema(llvm::StringRef text);

}  // namespace structured::gen
