// Errors of boxed calls of operators with schema text. A file of its own: edge programs link boxed.cpp without the
// parser of schemas.
#include <string>

#include "structured/base/error.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/schema.h"
#include "structured/schema/parse.h"

namespace structured::detail {

void throw_wrong_argument(const OperatorBase& op, std::size_t position, const std::string& expected,
                          const Value& found) {
  // The message repeats a malformed schema as it is.
  const SchemaText schema = schema::view_schema(op.schema()).value_or(SchemaText());
  const std::string name =
      position < schema.arguments.size() ? " `" + std::string(schema.arguments[position].name) + "`" : "";
  std::string kind(to_string(found.kind()));
  if (found.is(Value::Kind::bool_list)) {
    kind = "bool[" + std::to_string(found.to_bool_list().size()) + "]";
  }
  fail("`", op.name(), "`: argument ", position + 1, name, ": expected `", expected, "`, got `", kind,
       "`; the schema is `", op.schema(), "`");
}

}  // namespace structured::detail
