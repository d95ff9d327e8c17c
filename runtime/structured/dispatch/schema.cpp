#include "structured/dispatch/schema.h"

#include <optional>
#include <utility>

#include "structured/base/error.h"
#include "structured/schema/parse.h"

namespace structured {
namespace {

using Base = schema::Type::Base;

Value::Kind kind_of_base(Base base) {
  switch (base) {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  case Base::enumerator:                                                                                            \
    return Value::Kind::value;
#define STRUCTURED_BASE_TYPE(enumerator, schema, native, native_header, value) \
  case Base::enumerator:                                                       \
    return Value::Kind::value;
#include "structured/schema/types.def"
    default:
      return Value::Kind::none;
  }
}

Value::Kind kind_of_list(Base element) {
  switch (element) {
#define STRUCTURED_LIST_TYPE(enumerator, value) \
  case Base::enumerator:                        \
    return Value::Kind::value;
#include "structured/schema/types.def"
    default:
      return Value::Kind::none;
  }
}

}  // namespace

SchemaText read_schema(std::string_view text) {
  if (text.empty()) return {};
  schema::ParseError error;
  std::optional<SchemaText> schema = schema::view_schema(text, &error);
  STRUCTURED_CHECK(schema, "schema `", text, "`: ", error.message());
  return *std::move(schema);
}

Value::Kind detail::kind_of(const SchemaArgument& argument) {
  if (argument.wrappers.find('[') == std::string_view::npos) return kind_of_base(argument.base);
  return argument.wrappers.starts_with('?') ? Value::Kind::optional_tensor_list : kind_of_list(argument.base);
}

}  // namespace structured
