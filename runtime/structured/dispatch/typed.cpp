#include "structured/dispatch/typed.h"

#include "structured/core/error.h"
#include "structured/dispatch/schema.h"

namespace structured::detail {
namespace {

// Normalizes a schema type as SchemaType does: `Tensor(a!)` to `Tensor(!)`, `SymInt[2]` to `int[]`. Lists of booleans
// keep their length.
std::string normal_type(std::string_view type) {
  std::string text(type);
  if (const std::size_t open = text.find('('); open != std::string::npos) {
    const std::size_t close = text.find(')', open);
    const bool is_written_tensor = text.find('!') < close && close + 1 == text.size();
    text.replace(open, close + 1 - open, is_written_tensor ? "(!)" : "");
  }
  if (text.starts_with("SymInt")) {
    text.replace(0, 6, "int");
  }
  if (const std::size_t open = text.find('['); open != std::string::npos && !text.starts_with("bool")) {
    text.replace(open, text.find(']') + 1 - open, "[]");
  }
  return text;
}

bool agree(const std::vector<SchemaArgument>& schema, const std::vector<std::string>& types) {
  if (schema.size() != types.size()) {
    return false;
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (normal_type(schema[i].type) != types[i]) {
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
