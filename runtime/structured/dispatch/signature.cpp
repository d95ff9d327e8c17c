#include "structured/dispatch/signature.h"

#include <charconv>

#include "structured/dispatch/default_value.h"
#include "structured/dispatch/schema.h"

namespace structured {
namespace {

struct KindName {
  std::string_view type;
  Value::Kind kind;
  Value::Kind list;
};
constexpr KindName kKinds[] = {
    {"Tensor", Value::Kind::tensor, Value::Kind::tensor_list},
    {"Scalar", Value::Kind::scalar, Value::Kind::scalar_list},
    {"int", Value::Kind::integer, Value::Kind::int_list},
    {"SymInt", Value::Kind::integer, Value::Kind::int_list},
    {"float", Value::Kind::floating, Value::Kind::double_list},
    {"bool", Value::Kind::boolean, Value::Kind::bool_list},
    {"str", Value::Kind::string, Value::Kind::string_list},
    {"ScalarType", Value::Kind::scalar_type, Value::Kind::none},
    {"Layout", Value::Kind::layout, Value::Kind::none},
    {"Device", Value::Kind::device, Value::Kind::none},
    {"MemoryFormat", Value::Kind::memory_format, Value::Kind::none},
    {"Generator", Value::Kind::generator, Value::Kind::none},
    {"Storage", Value::Kind::storage, Value::Kind::none},
    {"Stream", Value::Kind::stream, Value::Kind::none},
    {"QScheme", Value::Kind::qscheme, Value::Kind::none},
    {"Dimname", Value::Kind::dimname, Value::Kind::dimname_list},
};

Parameter parameter_of(const SchemaArgument& argument) {
  Parameter parameter;
  parameter.name = argument.name;
  parameter.is_optional = argument.is_optional();
  parameter.is_mutable = argument.is_mutable();
  parameter.is_keyword_only = argument.is_keyword_only;
  parameter.default_value = detail::default_value(argument);
  // `Tensor(a!)[]`, `Tensor?[]`, `int[2]?`
  const std::string_view type = argument.type;
  const std::string_view base = type.substr(0, type.find_first_of("([?"));
  const std::size_t open = type.find('[');
  parameter.is_alias = type.find('(') != std::string_view::npos;
  for (const KindName& entry : kKinds) {
    if (entry.type == base) parameter.kind = open == std::string_view::npos ? entry.kind : entry.list;
  }
  if (open != std::string_view::npos) {
    if (type[open - 1] == '?') parameter.kind = Value::Kind::optional_tensor_list;
    std::from_chars(type.data() + open + 1, type.data() + type.size(), parameter.length);
  }
  return parameter;
}

}  // namespace

OperatorSignature signature_of(const OperatorHandle& op) {
  if (op.parameters.first != nullptr) return detail::signature_from(op.parameters);
  OperatorSignature signature;
  const SchemaText schema = read_schema(op.schema());
  for (const SchemaArgument& argument : schema.arguments) signature.arguments.push_back(parameter_of(argument));
  for (const SchemaArgument& result : schema.returns) signature.results.push_back(parameter_of(result));
  return signature;
}

}  // namespace structured
