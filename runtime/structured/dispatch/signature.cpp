#include "structured/dispatch/signature.h"

#include "structured/dispatch/default_value.h"
#include "structured/dispatch/schema.h"
#include "structured/schema/parse.h"

namespace structured {
namespace {

Parameter parameter_of(const SchemaArgument& argument) {
  Parameter parameter;
  parameter.name = argument.name;
  parameter.kind = detail::kind_of(argument);
  parameter.is_optional = argument.is_optional();
  parameter.is_mutable = argument.is_mutable();
  parameter.is_alias = !argument.alias.empty();
  parameter.is_keyword_only = argument.is_keyword_only;
  for (const schema::Type::Wrapper& wrapper : type_of(argument).wrappers) {
    if (wrapper.size) parameter.length = static_cast<std::size_t>(*wrapper.size);
  }
  parameter.default_value = detail::default_value(argument);
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
