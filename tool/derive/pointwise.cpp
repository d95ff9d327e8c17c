// Pointwise operators, each defined by one scalar function.
#include "derive/conventions.h"
#include "derive/facts.h"
#include "derive/variants.h"
#include "model/annotation.h"
#include "model/parameter.h"
#include "model/scalar_function.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// Returns the C++ type of the operator's argument, which may differ from that of the scalar function's parameter.
std::string operator_type(Pointwise::Role role, const Type& type, const Parameter& parameter, const TypeTable& types) {
  if (role == Pointwise::Role::value) return parameter.type.canonical;
  return types.canonical_argument(type).value_or(parameter.type.canonical);
}

}  // namespace

Operator derive_pointwise(const DefinedOperator& definition, const OperatorIndex& index, const TypeTable& types,
                          llvm::ArrayRef<std::string> backends) {
  const OperatorRef& ref = definition.definition;
  const Declaration& declaration = ref.declaration();
  Pointwise pointwise;
  pointwise.function = make_scalar_function(ref.found);
  if (!declaration.template_parameters.empty()) pointwise.type_parameter = declaration.template_parameters.front();
  pointwise.returns_bool = declaration.result.canonical == "bool";
  pointwise.backends = types.pointwise_backends(backends);
  pointwise.promotion = promotion_of(declaration);
  pointwise.dtypes = pointwise_dtypes(declaration);
  pointwise.is_opaque = has_attribute(declaration.attributes, "opaque");
  pointwise.bodies = declaration.scalar_bodies;

  Inputs inputs;
  inputs.positional = count_positional(declaration.parameters);
  for (const Parameter& parameter : declaration.parameters) {
    auto role = pointwise_role(declaration, parameter, types).value_or(Pointwise::Role::element);
    pointwise.roles.push_back(role);
    Type type = pointwise_argument_type(declaration, parameter, types).value_or(Type{});
    inputs.types.push_back(operator_type(role, type, parameter, types));
    inputs.arguments.push_back(make_argument(parameter, std::move(type)));
  }
  Operator op;
  op.variants = derive_variants(definition, inputs, {"out"}, index, types);
  op.pointwise = std::move(pointwise);
  add_modifiers(op, declaration);
  if (op.pointwise->returns_bool) op.is_differentiable = false;
  set_backwards(op, definition.backwards, ref, types);
  return op;
}

}  // namespace structured::gen
