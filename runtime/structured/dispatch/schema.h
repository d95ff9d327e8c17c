#pragma once
// Schemas at run time: what an operator's text says about its arguments and results.
#include <cstddef>
#include <string_view>
#include <vector>

#include "structured/core/export.h"

namespace structured {

/// One argument of an operator, as text that lives as long as the schema's.
struct SchemaArgument {
  std::string_view type;           ///< `Tensor`, `Tensor(a!)`, `int[2]?`
  std::string_view name;           ///< empty for a result without a name
  std::string_view default_value;  ///< empty if there is none
  bool is_keyword_only = false;

  bool is_optional() const { return type.ends_with('?'); }
  /// Whether the operator writes to it.
  bool is_mutable() const { return type.find('!') != std::string_view::npos; }
};

struct SchemaText {
  std::vector<SchemaArgument> arguments;
  std::vector<SchemaArgument> returns;
};

/// Reads `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`, as emission writes it:
/// OperatorBase::schema. The result views `text`. What is no schema has no arguments, or fewer.
STRUCTURED_API SchemaText read_schema(std::string_view text);

namespace detail {

/// Takes the text up to the next comma outside of brackets and strings, and the comma, off `rest`.
std::string_view next_piece(std::string_view& rest);

}  // namespace detail

}  // namespace structured
