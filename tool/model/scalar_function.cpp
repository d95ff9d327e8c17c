#include "model/scalar_function.h"

#include "language/dtypes.h"
#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"
#include "model/parameter.h"

namespace structured::gen {

std::string promotion_of(const Declaration& declaration) {
  const Attribute* promote = find_attribute(declaration.attributes, "promote");
  auto rule = promote ? string_argument(*promote, 0) : std::nullopt;
  return rule ? rule->str() : "default";
}

std::vector<std::string> pointwise_dtypes(const Declaration& declaration) {
  std::vector<std::string> dtypes;
  for (const Attribute& attribute : declaration.attributes) {
    if (attribute.name == "dtypes") llvm::append_range(dtypes, string_arguments(attribute));
  }
  return dtypes;
}

Pointwise read_pointwise(const Declaration& declaration, const TypeTable& types) {
  Pointwise pointwise;
  pointwise.returns_bool = declaration.result.canonical == "bool";
  pointwise.promotion = promotion_of(declaration);
  pointwise.dtypes = pointwise_dtypes(declaration);
  for (const Parameter& parameter : declaration.parameters) {
    pointwise.roles.push_back(pointwise_role(declaration, parameter, types).value_or(Pointwise::Role::value));
  }
  return pointwise;
}

const Pointwise* element_function(const Operator& op) {
  if (op.pointwise) return &*op.pointwise;
  return op.loop ? &*op.loop : nullptr;
}

bool is_dual_function(const Pointwise& pointwise) {
  const bool is_computed = pointwise.promotion == "default" || pointwise.promotion == "int_to_float";
  const bool has_flag = llvm::is_contained(pointwise.roles, Pointwise::Role::boolean_element);
  return is_computed && !pointwise.returns_bool && !has_flag &&
         (pointwise.dtypes.empty() || llvm::any_of(pointwise.dtypes, includes_floating));
}

std::vector<Backward> derivatives_of(const Operator& op) {
  if (!op.is_differentiable) return {};
  std::vector<Backward> derivatives = op.backwards;
  if (!op.pointwise || !is_dual_function(*op.pointwise)) return derivatives;
  std::vector<std::string> parameters{"grad"};
  const Schema& schema = op.variants.front().schema;
  for (const std::vector<Argument>* arguments : {&schema.positional, &schema.keyword_only}) {
    for (const Argument& argument : *arguments) parameters.push_back(argument.name);
  }
  // In derivatives, `grad` is the gradient of the result.
  if (llvm::is_contained(llvm::drop_begin(parameters), "grad")) return derivatives;
  for (const auto& [role, input] : llvm::zip(op.pointwise->roles, llvm::drop_begin(parameters))) {
    const bool is_written = llvm::any_of(
        op.backwards, [&input](const Backward& backward) { return llvm::is_contained(backward.inputs, input); });
    if (role != Pointwise::Role::element || is_written) continue;
    Backward& derived =
        derivatives.emplace_back(Backward{Backward::Kind::derived, op.pointwise->function, parameters, {input}});
    llvm::copy_if(op.pointwise->bodies, std::back_inserter(derived.bodies),
                  [&input](const ScalarBody& body) { return body.derivative == input; });
  }
  return derivatives;
}

bool is_differentiable_function(const Pointwise& pointwise) {
  const bool is_boolean = pointwise.returns_bool || pointwise.promotion == "bool";
  return !is_boolean && (pointwise.dtypes.empty() || llvm::any_of(pointwise.dtypes, includes_differentiable));
}

bool lacks_derivative(const Operator& op) {
  const Variant& first = op.variants.front();
  if (!op.is_differentiable || !derivatives_of(op).empty() || first.kind == Variant::Kind::out) return false;
  if (!first.derived_from.empty()) return false;  // calls of the in-place operator are recorded
  if (op.pointwise && !is_differentiable_function(*op.pointwise)) return false;
  const bool is_composite = llvm::any_of(op.variants, [](const Variant& variant) {
    return llvm::any_of(variant.kernels,
                        [](const Kernel& kernel) { return kernel.backend == "CompositeImplicitAutograd"; });
  });
  const auto is_tensor = [](const auto& item) { return item.type.is_tensor_like(); };
  return !is_composite && llvm::any_of(first.schema.returns, is_tensor) &&
         (llvm::any_of(first.schema.positional, is_tensor) || llvm::any_of(first.schema.keyword_only, is_tensor));
}

}  // namespace structured::gen
