#include "structured/dispatch/typed.h"

#include "structured/base/error.h"
#include "structured/dispatch/schema.h"
#include "structured/schema/parse.h"

namespace structured::detail {
namespace {

// Returns the type as SchemaType spells it: `Tensor(!)` for `Tensor(a!)`, `int[]` for `SymInt[2]`. Lists of booleans
// keep their length.
std::string normal_type(const SchemaArgument& argument) {
  schema::Type type = type_of(argument);
  if (type.base == schema::Type::Base::SymInt) type.base = schema::Type::Base::Int;
  if (type.base != schema::Type::Base::Bool) {
    for (schema::Type::Wrapper& wrapper : type.wrappers) wrapper.size.reset();
  }
  return to_string(type) + (argument.is_mutable() && type.wrappers.empty() ? "(!)" : "");
}

bool agree(const std::vector<SchemaArgument>& schema, const std::vector<std::string>& types) {
  if (schema.size() != types.size()) {
    return false;
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (normal_type(schema[i]) != types[i]) {
      return false;
    }
  }
  return true;
}

std::string list(const std::vector<std::string>& types) {
  std::string text;
  for (const std::string& type : types) {
    text += (text.empty() ? "" : ", ") + type;
  }
  return "(" + text + ")";
}

}  // namespace

void check_signature(const OperatorBase& op, const std::vector<std::string>& arguments,
                     const std::vector<std::string>& results) {
  const SchemaText schema = read_schema(op.schema());
  STRUCTURED_CHECK(agree(schema.arguments, arguments) && agree(schema.returns, results), "`", op.name(),
                   "`: expected a C++ type for `", op.schema(), "`, got one for `", list(arguments), " -> ",
                   list(results), "`");
}

}  // namespace structured::detail
