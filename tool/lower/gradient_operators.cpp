#include "lower/gradient_operators.h"

#include <string>
#include <utility>

#include "language/dtypes.h"
#include "llvm/ADT/STLExtras.h"
#include "lower/calling_convention.h"
#include "lower/derivative_names.h"
#include "model/scalar_function.h"

namespace structured::gen {
namespace {

// The dtypes that have gradients. Functions that the author wrote do not conjugate the derivative, as complex numbers
// require.
std::vector<std::string> differentiable_dtypes(const Pointwise& pointwise, bool has_complex) {
  std::vector<std::string> dtypes;
  const auto add = [&](llvm::StringRef name) {
    const bool is_used = has_complex ? includes_differentiable(name) : includes_floating(name);
    if (is_used && !llvm::is_contained(dtypes, name)) dtypes.push_back(name.str());
  };
  for (const std::string& name : pointwise.dtypes.empty() ? std::vector<std::string>{"all"} : pointwise.dtypes) {
    if (name != "all") {
      add(name);
      continue;
    }
    add("floating");
    add("complex");
  }
  if (dtypes.empty()) dtypes.emplace_back("floating");  // no dtypes would mean all
  return dtypes;
}

GradientOperator gradient_operator(const CppTypes& cpp_types, const Operator& op, const Backward& backward) {
  const bool is_derived = backward.kind == Backward::Kind::derived;
  const std::string tensor = ("const " + cpp_types.wrapper_traits().tensor + " &").str();
  const Variant& functional = op.variants.front();
  const std::vector<const Argument*> inputs = inputs_of(functional.schema);
  const DerivativeNames names = derivative_names(op);
  GradientOperator result;
  result.op.checks_device = false;
  Variant& variant = result.op.variants.emplace_back();
  variant.schema.name = gradient_operator_name(functional.schema.name, backward.inputs.front());
  variant.schema.returns.push_back({Type{}, std::nullopt, ""});
  Pointwise pointwise = *op.pointwise;
  pointwise.function = backward.function;
  pointwise.roles.clear();
  pointwise.promotion = "default";
  pointwise.dtypes = differentiable_dtypes(*op.pointwise, is_derived);
  pointwise.bodies = backward.bodies;
  for (const std::string& name : backward.parameters) {
    const std::vector<DerivativeParameter> meanings = names.meanings(name);
    const bool is_gradient = !meanings.empty() && meanings.front().kind == DerivativeParameter::Kind::gradient;
    const std::optional<std::size_t> input = find_input(names, name);
    variant.schema.positional.push_back(
        {is_gradient ? "grad" : name, input ? inputs[*input]->type : Type{}, std::nullopt, std::nullopt});
    variant.input_types.push_back(input ? functional.input_types[*input] : tensor);
    pointwise.roles.push_back(input ? op.pointwise->roles[*input] : Pointwise::Role::element);
  }
  result.op.pointwise = std::move(pointwise);
  if (is_derived) result.derivative = {{backward.inputs.front()}, /*takes_weight=*/false};
  return result;
}

}  // namespace

OperatorName gradient_operator_name(const OperatorName& op, llvm::StringRef input) {
  return {op.ns, "_" + op.base + "_backward_" + input.str(), op.overload};
}

OperatorName second_gradient_operator_name(const OperatorName& gradient, llvm::StringRef input) {
  return {gradient.ns, gradient.base + "_by_" + input.str(), gradient.overload};
}

std::vector<GradientOperator> gradient_operators(const CppTypes& cpp_types, const Operator& op) {
  std::vector<GradientOperator> result;
  if (!op.pointwise || op.variants.front().kind != Variant::Kind::functional) return result;
  for (const Backward& backward : derivatives_of(op)) {
    if (backward.kind == Backward::Kind::tensors) continue;
    const GradientOperator first = gradient_operator(cpp_types, op, backward);
    result.push_back(first);
    const Schema& schema = first.op.variants.front().schema;
    for (const auto& [role, argument] : llvm::zip_equal(first.op.pointwise->roles, schema.positional)) {
      if (role != Pointwise::Role::element || argument.name == "grad") continue;
      GradientOperator second = first;
      second.is_second = true;
      second.op.pointwise->bodies.clear();
      second.op.variants.front().schema.name = second_gradient_operator_name(schema.name, argument.name);
      if (!second.derivative) second.derivative = PointwiseDerivative{{}, /*takes_weight=*/true};
      second.derivative->by.push_back(argument.name);
      result.push_back(std::move(second));
    }
  }
  return result;
}

}  // namespace structured::gen
