#include "derive/arguments.h"

#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"
#include "model/parameter.h"
#include "model/schema_default.h"

namespace structured::gen {

Argument make_argument(const Parameter& parameter, Type type) {
  Argument argument{parameter.name, std::move(type), std::nullopt, std::nullopt};
  const Attribute* attribute = find_attribute(parameter.attributes, "schema_default");
  if (auto text = attribute ? string_argument(*attribute, 0) : std::nullopt) {
    argument.default_value = text->str();
  } else if (parameter.default_argument) {
    argument.default_value = schema_default(argument.type, *parameter.default_argument);
  }
  return argument;
}

std::size_t count_positional(llvm::ArrayRef<Parameter> parameters) {
  const auto* first =
      llvm::find_if(parameters, [](const Parameter& p) { return has_attribute(p.attributes, "kwonly"); });
  return static_cast<std::size_t>(first - parameters.begin());
}

Inputs read_inputs(llvm::ArrayRef<Parameter> parameters, const TypeTable& types) {
  Inputs inputs;
  inputs.positional = count_positional(parameters);
  for (const Parameter& parameter : parameters) {
    inputs.arguments.push_back(make_argument(parameter, argument_type(parameter, types).value_or(Type{})));
    inputs.types.push_back(parameter.type.canonical);
  }
  return inputs;
}

void set_inputs(Schema& schema, const Inputs& inputs) {
  auto keyword_only = inputs.arguments.begin() + static_cast<std::ptrdiff_t>(inputs.positional);
  schema.positional.assign(inputs.arguments.begin(), keyword_only);
  schema.keyword_only.assign(keyword_only, inputs.arguments.end());
}

}  // namespace structured::gen
