#pragma once
// Schemas at run time: types, names and defaults of arguments and results.
#include <cstddef>
#include <string_view>
#include <vector>

#include "structured/core/export.h"

namespace structured {

/// One argument of an operator. The text lives as long as the schema.
struct SchemaArgument {
  std::string_view type;           ///< `Tensor`, `Tensor(a!)`, `int[2]?`
  std::string_view name;           ///< empty for a result without a name
  std::string_view default_value;  ///< empty without a default
  bool is_keyword_only = false;

  bool is_optional() const { return type.ends_with('?'); }
  /// Whether the operator writes to the argument.
  bool is_mutable() const { return type.find('!') != std::string_view::npos; }
};

struct SchemaText {
  std::vector<SchemaArgument> arguments;
  std::vector<SchemaArgument> returns;
};

/// Parses `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`, the form of OperatorBase::schema. The
/// result views `text`. Malformed text gives fewer arguments, or none.
STRUCTURED_API SchemaText read_schema(std::string_view text);

namespace detail {

/// Removes the text up to the next comma outside brackets and strings, and the comma, from `rest` and returns it.
STRUCTURED_API std::string_view next_piece(std::string_view& rest);

}  // namespace detail

}  // namespace structured
