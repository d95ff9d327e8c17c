#include "model/scalar_function.h"

#include "language/dtypes.h"
#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"

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
  for (const auto& [role, input] : llvm::zip(op.pointwise->roles, llvm::drop_begin(parameters))) {
    const bool is_written = llvm::any_of(op.backwards, [&input = input](const Backward& backward) {
      return llvm::is_contained(backward.inputs, input);
    });
    if (role != Pointwise::Role::element || is_written) continue;
    derivatives.push_back({Backward::Kind::derived, op.pointwise->function, parameters, {input}});
  }
  return derivatives;
}

}  // namespace structured::gen
