// Operator schemas: the text that ATen's native_functions.yaml uses, as values. Printing and parsing are
// inverse: for every schema s, parse_schema(to_string(s)) == s, and for every text t in canonical spacing that
// parses, to_string(parse_schema(t)) == t.
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
  std::string ns;  ///< empty: the library's own
  std::string base;
  std::string overload;
  /// Whether the base is `__...__`, as Python spells its operators.
  bool is_dunder() const;
  /// Whether the name belongs to an in-place variant: the base ends in `_`, or is a dunder name `__i...__`.
  bool is_inplace() const;
  /// The name of this functional operator's in-place variant: `add_`, `__iadd__`.
  OperatorName inplace() const;
  friend auto operator<=>(const OperatorName&, const OperatorName&) = default;
};

struct Schema {
  OperatorName name;
  std::vector<Argument> positional;
  std::vector<Argument> keyword_only;  ///< after `*, `, without the out arguments
  std::vector<Argument> out;           ///< trailing keyword-only arguments that are written
  std::vector<Return> returns;
  friend bool operator==(const Schema&, const Schema&) = default;
};

std::string to_string(const OperatorName& name);
std::string to_string(const Argument& argument);
std::string to_string(const Schema& schema);

/// Errors name the column, what was expected and what was found.
llvm::Expected<Type> parse_type(llvm::StringRef text);
llvm::Expected<OperatorName> parse_operator_name(llvm::StringRef text);
llvm::Expected<Schema> parse_schema(llvm::StringRef text);

}  // namespace structured::gen
