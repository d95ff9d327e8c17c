// Pointwise operators: one scalar function is the whole operator.
#include "derive/conventions.h"
#include "derive/facts.h"
#include "derive/variants.h"
#include "model/parameter.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// The C++ type with which the operator, not the scalar function, takes the argument.
std::string operator_type(Pointwise::Role role, const Parameter& parameter, const TypeTable& types) {
  switch (role) {
    case Pointwise::Role::element:
    case Pointwise::Role::boolean_element:
      return ("const " + types.tensor() + " &").str();
    case Pointwise::Role::scalar:
    case Pointwise::Role::promoting_scalar:
    case Pointwise::Role::converted_scalar: {
      // The numbers' class is the tensors' neighbour in every dialect.
      std::string scalar = (types.tensor().rsplit("::").first + "::Scalar").str();
      bool is_optional = parameter.type.canonical.starts_with("std::optional<");
      return "const " + (is_optional ? "std::optional<" + scalar + ">" : scalar) + " &";
    }
    case Pointwise::Role::value:
      break;
  }
  return parameter.type.canonical;
}

}  // namespace

Operator derive_pointwise(const DefinedOperator& definition, const OperatorIndex& index, const TypeTable& types) {
  const OperatorRef& ref = definition.definition;
  const Declaration& declaration = ref.declaration();
  Pointwise pointwise;
  pointwise.function = make_function(ref.found);
  // Emitted code goes with the header that it includes, whichever source that was seen through first.
  if (!pointwise.function.range.file.empty()) pointwise.function.source = pointwise.function.range.file;
  if (!declaration.template_parameters.empty()) pointwise.type_parameter = declaration.template_parameters.front();
  pointwise.returns_bool = declaration.result.canonical == "bool";
  pointwise.promotion = "default";
  if (const Attribute* promote = find_attribute(declaration.attributes, "promote")) {
    if (auto rule = string_argument(*promote, 0)) pointwise.promotion = rule->str();
  }
  for (const Attribute& attribute : declaration.attributes) {
    if (attribute.name != "dtypes") continue;
    for (std::string& dtype : string_arguments(attribute)) pointwise.dtypes.push_back(std::move(dtype));
  }

  Inputs inputs;
  inputs.positional = count_positional(declaration.parameters);
  for (const Parameter& parameter : declaration.parameters) {
    auto role = pointwise_role(declaration, parameter, types).value_or(Pointwise::Role::element);
    pointwise.roles.push_back(role);
    Type type = pointwise_argument_type(declaration, parameter, types).value_or(Type{});
    inputs.arguments.push_back(make_argument(parameter, std::move(type)));
    inputs.types.push_back(operator_type(role, parameter, types));
  }
  Operator op;
  op.variants = derive_variants(definition, inputs, {"out"}, index, types);
  op.pointwise = std::move(pointwise);
  add_modifiers(op, declaration);
  set_backward(op, definition.backwards, ref, types);
  return op;
}

}  // namespace structured::gen
