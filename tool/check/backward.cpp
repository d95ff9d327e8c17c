// Derivatives: parameters are matched by name, and there is one result for each differentiable input.
#include <map>
#include <set>

#include "check/impl_alignment.h"
#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "model/cpp_type_tree.h"
#include "model/derivative_parameter.h"
#include "model/kernel_form.h"
#include "model/parameter.h"
#include "model/scalar_function.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// An operator with a `backward` function, structured or not.
struct Differentiated {
  const OperatorRef& definition;
  llvm::ArrayRef<OperatorRef> backwards;
  DerivativeNames names;
  bool knows_outputs = true;
};

Differentiated differentiated(const Checker& checker, const OperatorRef& definition,
                              llvm::ArrayRef<OperatorRef> backwards) {
  Differentiated result{definition, backwards, {}};
  result.names.without_gradient = not_differentiable_names(definition.declaration());
  for (const Parameter& input : input_parameters(definition, checker.types())) {
    result.names.inputs.push_back(input.name);
  }
  for (const ResultNames& names : read_result_names(definition, checker.index())) {
    for (std::size_t i = 0; i < names.names.size(); ++i) result.names.add_output(names.names[i], i);
  }
  return result;
}

/// Outputs have the names of results and of out arguments. A single unnamed output is `out`, several are `out0`, `out1`
/// and so on.
Differentiated differentiated(const Checker& checker, const DefinedOperator& op) {
  Differentiated result = differentiated(checker, op.definition, op.backwards);
  const Declaration& definition = op.definition.declaration();
  if (op.is_structured() && is_comparable(definition, checker.types())) {
    for (const OperatorRef& impl : op.impls) {
      std::size_t first = align_impl(impl.declaration(), definition, checker.types()).first_output;
      llvm::ArrayRef<Parameter> parameters = impl.declaration().parameters;
      for (std::size_t i = first; i < parameters.size(); ++i) result.names.add_output(parameters[i].name, i - first);
    }
    result.knows_outputs = checker.sees_everything() || !op.impls.empty();
  }
  result.names.name_others(1);
  return result;
}

Differentiated differentiated(const Checker& checker, const PlainOperator& op) {
  const OperatorRef& kernel = op.kernels.front();
  Differentiated result = differentiated(checker, kernel, op.backwards);
  llvm::ArrayRef<Parameter> parameters = kernel.declaration().parameters;
  std::size_t outputs = kernel_form(kernel.declaration(), op.name, checker.types()).outputs;
  parameters = parameters.take_back(std::min(outputs, parameters.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) result.names.add_output(parameters[i].name, i);
  std::size_t results =
      checker.types().results(kernel.declaration().result.canonical).value_or(std::vector<Type>()).size();
  result.names.name_others(std::max<std::size_t>(results, 1));
  return result;
}

template <typename Function>
void for_each_backward(Checker& checker, Function function) {
  auto visit = [&](const Differentiated& op) {
    if (!is_readable(op.definition.declaration())) return;
    for (const OperatorRef& ref : op.backwards) {
      if (is_readable(ref.declaration())) function(op, ref);
    }
  };
  for (const DefinedOperator& op : checker.index().defined()) {
    if (!op.backwards.empty()) visit(differentiated(checker, op));
  }
  for (const PlainOperator& op : checker.index().plain()) {
    if (!op.backwards.empty()) visit(differentiated(checker, op));
  }
}

/// Whether all inputs have schema types; other rules report those without one.
bool knows_inputs(const Checker& checker, const OperatorRef& definition) {
  return llvm::all_of(input_parameters(definition, checker.types()), [&](const Parameter& input) {
    const TypeTable& types = checker.types();
    return definition.role() == Role::pointwise ? pointwise_role(definition.declaration(), input, types).has_value()
                                                : types.argument(input.type.canonical).has_value();
  });
}

/// Whether a gradient can have this type.
bool is_gradient(const CppTypeTree& tree, const TypeTable& types) {
  if (!tree.is_value()) return false;
  if (tree.name == types.tensor()) return tree.arguments.empty();
  bool is_wrapper = llvm::StringRef(tree.name).ends_with("::optional") || tree.name == "std::vector";
  return is_wrapper && tree.arguments.size() == 1 && is_gradient(tree.arguments.front(), types);
}

/// Returns the number of gradients in the result; nullopt if the result has any other type.
std::optional<std::size_t> count_gradients(const Declaration& declaration, const TypeTable& types) {
  auto tree = parse_cpp_type(declaration.result.canonical);
  if (!tree) return std::nullopt;
  if (tree->is_value() && tree->is_template("std::tuple")) {
    if (!llvm::all_of(tree->arguments, [&](const CppTypeTree& s) { return is_gradient(s, types); })) {
      return std::nullopt;
    }
    return tree->arguments.size();
  }
  return is_gradient(*tree, types) ? std::optional<std::size_t>(1) : std::nullopt;
}

/// Returns the meanings of a parameter of the function. Properties are those of tensors, for functions of tensors.
std::vector<DerivativeParameter> meanings_of(const Checker& checker, const Differentiated& op, const OperatorRef& ref,
                                             llvm::StringRef name) {
  using Kind = DerivativeParameter::Kind;
  std::vector<DerivativeParameter> meanings = op.names.meanings(name);
  const std::vector<std::string> tensors = differentiable_inputs(op.definition, checker.types());
  const bool is_scalar = is_scalar_function(ref.declaration());
  llvm::erase_if(meanings, [&](const DerivativeParameter& meaning) {
    if (meaning.kind == Kind::needs_gradient) return is_scalar;
    const bool is_property = meaning.kind == Kind::property;
    return is_property && (is_scalar || !llvm::is_contained(tensors, op.names.inputs[meaning.index]));
  });
  return meanings;
}

Phrase describe(const DerivativeNames& names, const DerivativeParameter& meaning) {
  using Kind = DerivativeParameter::Kind;
  const auto result = [&] {
    const bool is_only = llvm::all_of(names.outputs, [](const auto& output) { return output.index == 0; });
    const auto named = llvm::find_if(names.outputs, [&](const auto& output) { return output.index == meaning.index; });
    return is_only || named == names.outputs.end() ? Phrase("the result") : phrase("the result {}", Code(named->name));
  };
  switch (meaning.kind) {
    case Kind::gradient:
      return phrase("the gradient of {}", result());
    case Kind::needs_gradient:
      return Phrase("the array of needed gradients");
    case Kind::input:
      return phrase("the input {}", Code(names.inputs[meaning.index]));
    case Kind::property:
      return phrase("a property of the input {}", Code(names.inputs[meaning.index]));
    case Kind::output:
      return result();
  }
  llvm_unreachable("all kinds are handled");
}

constexpr MessageFormat<> parameters_are_here = "the operator's parameters are declared here";

/// Returns the hint, or else the known names.
Phrase meant_or_one_of(const DidYouMean& meant, const std::vector<std::string>& known) {
  if (meant || known.empty()) return Phrase(printed(meant));
  return phrase("; expected {}", List(known, "or"));
}

void report_ambiguous(Checker& checker, const Differentiated& op, const OperatorRef& ref, const Parameter& parameter,
                      llvm::ArrayRef<DerivativeParameter> meanings) {
  std::vector<std::string> remedies;
  for (const DerivativeParameter& meaning : meanings) {
    if (const std::string name = op.names.unambiguous_name(meaning); !name.empty()) {
      remedies.push_back(phrase("{} for {}", Code(name), describe(op.names, meaning)).text);
    }
  }
  checker
      .build(DiagnosticKind::backward_ambiguous, parameter.name_range,
             "`backward` for {} takes {}, which names both {} and {}; expected {}", ref.name, Code(parameter.name),
             describe(op.names, meanings[0]), describe(op.names, meanings[1]), Phrase(llvm::join(remedies, ", or ")))
      .note(op.definition.declaration().parameters_range, parameters_are_here)
      .emit();
}

/// Reports a parameter of a `backward` template whose type is neither the template's nor that of the operator's value.
void check_scalar_parameter(Checker& checker, const Differentiated& op, const OperatorRef& ref,
                            const Parameter& parameter) {
  std::string expected = ref.declaration().template_parameters.front();
  for (const Parameter& input : input_parameters(op.definition, checker.types())) {
    bool is_value = pointwise_role(op.definition.declaration(), input, checker.types()) == Pointwise::Role::value;
    const bool is_named = input.name == parameter.name || "input_" + input.name == parameter.name;
    if (is_value && is_named) expected = input.type.canonical;
  }
  if (parameter.type.canonical == expected) return;
  checker.report(DiagnosticKind::backward_parameter, parameter.type_range,
                 "`backward` for {} takes {} as {}; expected {}", ref.name, Code(parameter.name), parameter.type,
                 Code(expected));
}

/// Reports a `backward` template that returns another type than the template's, or is for several inputs.
void check_scalar_result(Checker& checker, const Differentiated& op, const OperatorRef& ref,
                         llvm::ArrayRef<std::string> inputs) {
  const std::string& expected = ref.declaration().template_parameters.front();
  if (ref.declaration().result.canonical != expected) {
    checker.report(DiagnosticKind::backward_result, ref.declaration().result_range,
                   "`backward` for {} returns {}; expected {}, an element of the gradient", ref.name,
                   ref.declaration().result, Code(expected));
  } else if (inputs.size() > 1) {
    checker
        .build(DiagnosticKind::backward_result, ref.attribute->range,
               "`backward` for {} is a template for {}; expected one input, as in {}", ref.name, List(inputs),
               Code("backward(\"" + to_string(ref.name) + "\", \"" + inputs.front() + "\")"))
        .note(op.definition.declaration().parameters_range, parameters_are_here)
        .emit();
  }
}

/// Reports a `backward` template for an operator without a scalar function. Returns whether it did.
bool check_is_pointwise(Checker& checker, const Differentiated& op, const OperatorRef& ref) {
  if (op.definition.role() == Role::pointwise) return false;
  checker
      .build(DiagnosticKind::template_function, ref.declaration().name_range,
             "`backward` for {} is a template; expected a function of tensors, as the operator is not `pointwise`",
             ref.name)
      .note(op.definition.declaration().name_range, "the operator is defined here")
      .emit();
  return true;
}

bool has_tensor(llvm::ArrayRef<Type> types) {
  return llvm::any_of(types, [](const Type& type) { return type.is_tensor_like(); });
}

/// Whether results of the operator, which has no derivative, may need one.
bool needs_derivative(const Checker& checker, const OperatorRef& definition, llvm::ArrayRef<OperatorRef> kernels) {
  const Declaration& declaration = definition.declaration();
  const TypeTable& types = checker.types();
  if (definition.found.is_imported || !is_readable(declaration)) return false;
  if (differentiable_inputs(definition, types).empty()) return false;
  bool is_settled = is_not_differentiable(declaration);
  for (const OperatorRef& kernel : kernels) {
    is_settled |= is_not_differentiable(kernel.declaration());
    is_settled |= llvm::is_contained(kernel.backends(), "CompositeImplicitAutograd");
  }
  if (is_settled) return false;
  if (definition.role() == Role::meta) return true;
  if (definition.role() != Role::pointwise) {
    auto results = types.results(declaration.result.canonical);
    bool writes_outputs = kernel_form(declaration, definition.name, types).outputs > 0;
    return results && has_tensor(*results) && !writes_outputs;
  }
  Pointwise pointwise = read_pointwise(declaration, types);
  return is_differentiable_function(pointwise) && !is_dual_function(pointwise);
}

}  // namespace

void check_backward_parameters(Checker& checker) {
  for_each_backward(checker, [&](const Differentiated& op, const OperatorRef& ref) {
    bool is_scalar = is_scalar_function(ref.declaration());
    if (is_scalar && check_is_pointwise(checker, op, ref)) return;
    const std::vector<std::string> known = op.names.known();
    for (const Parameter& parameter : ref.declaration().parameters) {
      if (parameter.name.empty()) continue;
      const std::vector<DerivativeParameter> meanings = meanings_of(checker, op, ref, parameter.name);
      if (meanings.size() > 1 && op.knows_outputs) {
        report_ambiguous(checker, op, ref, parameter, meanings);
        continue;
      }
      if (!meanings.empty()) {
        if (is_scalar) check_scalar_parameter(checker, op, ref, parameter);
        continue;
      }
      if (!op.knows_outputs) continue;
      const DidYouMean meant(parameter.name, known);
      DiagnosticBuilder diagnostic =
          checker
              .build(DiagnosticKind::backward_parameter, parameter.name_range,
                     "`backward` for {} takes {}, which is not a gradient, input or output of the operator{}", ref.name,
                     Code(parameter.name),
                     meant ? Phrase(printed(meant)) : phrase("; expected one of {}", List(known, "or")))
              .note(op.definition.declaration().parameters_range, parameters_are_here);
      if (meant) diagnostic.fix(renamed(ref.declaration(), parameter, *meant.name));
      diagnostic.emit();
    }
  });
}

void check_backward_results(Checker& checker) {
  for_each_backward(checker, [&](const Differentiated& op, const OperatorRef& ref) {
    if (!knows_inputs(checker, op.definition)) return;
    std::vector<std::string> inputs = gradients_of(ref, op.definition, checker.types());
    if (is_scalar_function(ref.declaration())) {
      check_scalar_result(checker, op, ref, inputs);
      return;
    }
    auto count = count_gradients(ref.declaration(), checker.types());
    if (count == inputs.size()) return;
    const Phrase tensors = inputs.empty() ? Phrase("an operator with a differentiable input")
                                          : phrase("{}, the {} of {}", Count{inputs.size(), "tensor"},
                                                   Phrase(inputs.size() == 1 ? "gradient" : "gradients"), List(inputs));
    checker
        .build(DiagnosticKind::backward_result, ref.declaration().result_range,
               "`backward` for {} returns {}; expected {}", ref.name, ref.declaration().result, tensors)
        .note(op.definition.declaration().parameters_range, parameters_are_here)
        .emit();
  });
}

void check_backward_inputs(Checker& checker) {
  std::map<const OperatorRef*, std::map<std::string, const OperatorRef*>> seen;
  for_each_backward(checker, [&](const Differentiated& op, const OperatorRef& ref) {
    if (!knows_inputs(checker, op.definition)) return;
    std::vector<std::string> known = differentiable_inputs(op.definition, checker.types());
    std::vector<std::string> inputs = gradients_of(ref, op.definition, checker.types());
    bool is_written = ref.attribute->arguments.size() > 1;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const SourceRange& range = is_written ? ref.attribute->arguments[i + 1].range : ref.attribute->range;
      if (!llvm::is_contained(known, inputs[i])) {
        const DidYouMean meant(inputs[i], known);
        checker
            .build(DiagnosticKind::backward_input, range,
                   "`backward` names {}, which is not a differentiable input of {}{}", Code(inputs[i]), ref.name,
                   meant_or_one_of(meant, known))
            .fix(string_replacement(range, meant))
            .note(op.definition.declaration().parameters_range, parameters_are_here)
            .emit();
        continue;
      }
      auto [first, is_new] = seen[&op.definition].try_emplace(inputs[i], &ref);
      if (is_new) continue;
      checker
          .build(DiagnosticKind::backward_input, range,
                 "a second `backward` for {} of {}; expected one function for each input", Code(inputs[i]), ref.name)
          .note(first->second->attribute->range, "the first one is here")
          .emit();
      break;
    }
  });
}

void check_missing_derivatives(Checker& checker) {
  if (!checker.types().has_gradients() || !checker.sees_everything()) return;
  auto has_own = [](const auto& op) {
    return llvm::any_of(op.backwards, [](const OperatorRef& ref) { return !ref.found.is_imported; });
  };
  if (!llvm::any_of(checker.index().defined(), has_own) && !llvm::any_of(checker.index().plain(), has_own)) return;
  std::set<OperatorName> reported;
  auto check = [&](const OperatorRef& definition, llvm::ArrayRef<OperatorRef> kernels) {
    if (!needs_derivative(checker, definition, kernels)) return;
    reported.insert(definition.name);
    checker.report(DiagnosticKind::missing_derivative, definition.attribute->arguments.front().range,
                   "{} has no derivative, so that a backward pass through it throws; expected a `backward` function "
                   "for it, or `not_differentiable`",
                   definition.name);
  };
  for (const DefinedOperator& op : checker.index().defined()) {
    if (op.backwards.empty()) check(op.definition, op.kernels);
  }
  // An in-place kernel belongs to the operator that the functional variant's warning is about.
  auto is_reported = [&](const PlainOperator& op) {
    return llvm::any_of(reported, [&](const OperatorName& name) { return name.inplace() == op.name; });
  };
  for (bool is_inplace : {false, true}) {
    for (const PlainOperator& op : checker.index().plain()) {
      if (op.name.is_inplace() != is_inplace || !op.backwards.empty() || is_reported(op)) continue;
      check(op.kernels.front(), op.kernels);
    }
  }
}

void check_not_differentiable(Checker& checker) {
  auto check = [&](const Differentiated& op) {
    const OperatorRef& definition = op.definition;
    if (!is_readable(definition.declaration()) || !op.knows_outputs) return;
    std::vector<std::string> known;
    for (const DerivativeNames::Output& output : op.names.outputs) known.push_back(output.name);
    for (const Parameter& input : input_parameters(definition, checker.types())) {
      if (is_mutable(input, checker.types())) known.push_back(input.name);
    }
    for (const Attribute& attribute : definition.declaration().attributes) {
      if (attribute.name != "not_differentiable") continue;
      for (std::size_t i = 0; i < attribute.arguments.size(); ++i) {
        auto name = string_argument(attribute, i);
        if (!name || name->empty() || llvm::is_contained(known, *name)) continue;
        const SourceRange& range = attribute.arguments[i].range;
        const DidYouMean meant(*name, known);
        checker
            .build(DiagnosticKind::bad_attribute_argument, range,
                   "`not_differentiable` names {}, which is neither a result nor a mutable argument of {}{}",
                   Code(*name), definition.name, meant_or_one_of(meant, known))
            .fix(string_replacement(range, meant))
            .emit();
      }
    }
  };
  for (const DefinedOperator& op : checker.index().defined()) check(differentiated(checker, op));
  for (const PlainOperator& op : checker.index().plain()) check(differentiated(checker, op));
}

}  // namespace structured::gen
