#pragma once
// The parser of schemas. It reads each rule of the grammar (parser.h) in one function, and builds views or values.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "structured/schema/export.h"
#include "structured/schema/schema.h"
#include "structured/schema/type.h"
#include "structured/schema/view.h"

namespace structured::schema {

/// Why a text was rejected.
struct ParseError {
  std::size_t column = 0;  ///< from 1
  std::string expected;    ///< "the name of an argument"
  std::string found;       ///< the token in the text, or "the end of the text"

  /// Returns "column 9: expected the name of an argument, found `)`".
  STRUCTURED_API std::string message() const;
};

/// Parses `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`. Returns nullopt, and sets `error` if it
/// is not null, unless the complete text is a schema.
STRUCTURED_API std::optional<Schema> parse_schema(std::string_view text, ParseError* error = nullptr);
/// Parses `aten::add.Tensor`.
STRUCTURED_API std::optional<OperatorName> parse_operator_name(std::string_view text, ParseError* error = nullptr);
/// Parses `int[2]?`, a type without an alias set.
STRUCTURED_API std::optional<Type> parse_type(std::string_view text, ParseError* error = nullptr);

/// Parses a schema without copying its text.
STRUCTURED_API std::optional<SchemaView> view_schema(std::string_view text, ParseError* error = nullptr);
/// Parses one argument: `Tensor(a!)[] tensors`, or a type alone.
STRUCTURED_API std::optional<ArgumentView> view_argument(std::string_view text, ParseError* error = nullptr);

/// Returns the type of a view, without its alias set.
STRUCTURED_API Type type_of(const ArgumentView& argument);
/// Returns the alias set of a view.
STRUCTURED_API std::optional<AliasSet> alias_of(const ArgumentView& argument);

}  // namespace structured::schema
