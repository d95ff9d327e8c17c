#pragma once
// Schemas as views of their text, without copies: for code that reads a schema once.
#include <string_view>
#include <vector>

#include "structured/schema/type.h"

namespace structured::schema {

/// One argument or result. The texts live as long as the schema's.
struct ArgumentView {
  Type::Base base = Type::Base::Tensor;
  bool is_keyword_only = false;
  std::string_view type;           ///< with its alias set: `Tensor`, `Tensor(a!)[]`, `int[2]?`
  std::string_view alias;          ///< the alias set without parentheses: `a!`, `a -> *`; empty if there is none
  std::string_view wrappers;       ///< the rest of the type: `?`, `[2]?`; empty if there is none
  std::string_view name;           ///< empty for a result without a name
  std::string_view default_value;  ///< empty without a default

  /// Whether the type is the base alone.
  bool is(Type::Base b) const { return base == b && wrappers.empty(); }
  bool is_optional() const { return wrappers.ends_with('?'); }
  /// Whether the operator writes to the argument.
  bool is_mutable() const { return alias.find('!') != std::string_view::npos; }
};

struct SchemaView {
  std::string_view ns;  ///< empty without `::`
  std::string_view base;
  std::string_view overload;
  std::vector<ArgumentView> arguments;  ///< in the order of the text
  std::vector<ArgumentView> returns;
};

}  // namespace structured::schema
