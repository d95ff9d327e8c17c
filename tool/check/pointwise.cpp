// Scalar functions (`pointwise`).
#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "model/parameter.h"
#include "model/scalar_function.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// Visits pointwise functions whose types are known, templates or not.
template <typename Function>
void for_each_pointwise(Checker& checker, Function function) {
  for (const DefinedOperator& op : checker.index().defined()) {
    const Declaration& declaration = op.definition.declaration();
    if (!op.is_structured() && is_understood(declaration)) function(op.definition, declaration);
  }
}

/// Whether a file of that name is a source rather than a header.
bool is_compiled(llvm::StringRef file) {
  constexpr llvm::StringLiteral extensions[] = {".c", ".cc", ".cpp", ".cxx", ".c++", ".cu"};
  return llvm::is_contained(extensions, llvm::sys::path::extension(file).lower());
}

constexpr llvm::StringLiteral ordered_dtypes = "dtypes(\"floating\", \"integral\", \"bool\")";

bool is_complex(llvm::StringRef dtype) { return dtype == "all" || dtype.starts_with("complex"); }

/// Whether the attribute names its scope, `structured::name(`, rather than following `using structured:`.
bool names_scope(const Attribute& attribute) {
  const Position& begin = attribute.range.begin;
  const Position& argument = attribute.arguments.front().range.begin;
  return begin.line != argument.line ||
         argument.column - begin.column >= attribute.name.size() + std::size("structured::");
}

/// Whether a gradient is derived from the scalar function.
bool has_derived_gradient(const DefinedOperator& op, const TypeTable& types) {
  const Declaration& declaration = op.definition.declaration();
  if (is_not_differentiable(declaration)) return false;
  std::vector<std::string> inputs = differentiable_inputs(op.definition, types);
  return is_dual_function(read_pointwise(declaration, types)) && llvm::any_of(inputs, [&](const std::string& input) {
           return llvm::none_of(op.backwards, [&](const OperatorRef& ref) {
             return llvm::is_contained(gradients_of(ref, op.definition, types), input);
           });
         });
}

void report_standard_uses(Checker& checker, const OperatorRef& ref) {
  for (const StandardUse& use : ref.declaration().standard_uses) {
    bool is_test = use.name == "is_floating_point_v";
    std::string better = (is_test ? "structured::" : "structured::math::") + use.name;
    const Code standard("std::" + use.name);
    checker
        .build(DiagnosticKind::dual_number, use.range, "{} for {} {}, from which derivatives are computed; expected {}",
               ref.role(), ref.name,
               is_test ? phrase("tests {}, which is false for dual numbers", standard)
                       : phrase("uses {}, which does not accept dual numbers", standard),
               Code(better))
        .fix(replacement(use.range, better))
        .emit();
  }
}

}  // namespace

void check_dual_numbers(Checker& checker) {
  if (!checker.types().has_gradients()) return;
  for (const DefinedOperator& op : checker.index().defined()) {
    if (op.is_imported() || op.is_structured() || !is_readable(op.definition.declaration())) continue;
    if (has_derived_gradient(op, checker.types())) report_standard_uses(checker, op.definition);
    for (const OperatorRef& ref : op.backwards) report_standard_uses(checker, ref);
  }
}

void check_pointwise_form(Checker& checker) {
  for_each_pointwise(checker, [&](const OperatorRef& ref, const Declaration& declaration) {
    std::size_t count = declaration.template_parameters.size();
    if (count != 1) {
      checker.report(DiagnosticKind::pointwise_form, declaration.name_range,
                     "`pointwise` for {} {}; expected a function template with one type parameter, "
                     "`template <typename T>`",
                     ref.name,
                     count == 0 ? Phrase("is not a template") : phrase("has {}", Count{count, "template parameter"}));
      return;
    }
    std::vector<const Parameter*> tensors;
    for (const Parameter& parameter : declaration.parameters) {
      auto role = pointwise_role(declaration, parameter, checker.types());
      if (role == Pointwise::Role::element || role == Pointwise::Role::boolean_element) tensors.push_back(&parameter);
    }
    if (tensors.empty()) {
      checker.report(DiagnosticKind::pointwise_form, declaration.parameters_range,
                     "`pointwise` for {} has no tensor; expected a parameter of type {}", ref.name,
                     Code(declaration.template_parameters.front()));
    } else if (tensors.size() > max_pointwise_inputs) {
      checker.report(DiagnosticKind::pointwise_form, tensors[max_pointwise_inputs]->range,
                     "`pointwise` for {} has {}; expected {} at most", ref.name, Count{tensors.size(), "tensor"},
                     max_pointwise_inputs);
    }
  });
}

void check_pointwise_places(Checker& checker) {
  if (!checker.options().cpp_types) return;
  llvm::StringSet<> sources;
  for (const Fragment& fragment : checker.fragments()) sources.insert(fragment.source);
  auto check = [&](const OperatorRef& ref) {
    const Declaration& declaration = ref.declaration();
    if (ref.found.is_imported || !is_readable(declaration)) return;
    const std::string& file = declaration.range.file;
    if (is_compiled(file)) {
      checker.report(DiagnosticKind::pointwise_form, declaration.name_range,
                     "{} for {} is in {}; expected it in a header, which emitted code can include", ref.role(),
                     ref.name, Code(file));
    } else if (checker.sees_everything() && !sources.contains(file)) {
      checker.report(DiagnosticKind::unlisted_header, declaration.name_range,
                     "{} for {} is in {}, which is not a source of the library; add it to the sources in "
                     "`structured_add_library`, or scan it and pass its fragment to `emit`",
                     ref.role(), ref.name, Code(file));
    }
  };
  for (const DefinedOperator& op : checker.index().defined()) {
    if (op.is_structured()) continue;
    check(op.definition);
    for (const OperatorRef& ref : op.backwards) {
      if (is_scalar_function(ref.declaration())) check(ref);
    }
  }
}

void check_pointwise_parameters(Checker& checker) {
  for_each_pointwise(checker, [&](const OperatorRef&, const Declaration& declaration) {
    if (!is_readable(declaration)) return;
    const std::string& element = declaration.template_parameters.front();
    for (const Parameter& parameter : declaration.parameters) {
      const std::optional<Pointwise::Role> role = pointwise_role(declaration, parameter, checker.types());
      const Code name(parameter.name);
      if (role == Pointwise::Role::promoting_scalar && checker.types().scalar() != Type::Base::Scalar) {
        checker.report(
            DiagnosticKind::pointwise_parameter, find_attribute(parameter.attributes, "scalar")->range,
            "`scalar` parameter {} takes part in type promotion, and the stable ABI of PyTorch has no Scalar, "
            "which tells integers from other numbers; expected `scalar` alone, or a tensor",
            name);
      }
      if (role) continue;
      if (const Attribute* scalar = find_attribute(parameter.attributes, "scalar")) {
        checker.report(DiagnosticKind::pointwise_parameter, scalar->range, "`scalar` parameter {} is {}; expected {}",
                       name, parameter.type, Code(element));
      } else if (const Attribute* tensor = find_attribute(parameter.attributes, "tensor")) {
        checker.report(DiagnosticKind::pointwise_parameter, tensor->range,
                       "`tensor` parameter {} is {}; expected `bool`, as {} is a tensor without it", name,
                       parameter.type, Code(element));
      } else {
        checker.report(DiagnosticKind::pointwise_parameter, parameter.type_range,
                       "parameter {} is {}; expected {}, `int64_t`, `double`, `bool` or `std::string_view`", name,
                       parameter.type, Code(element));
      }
    }
  });
}

void check_pointwise_order(Checker& checker) {
  for_each_pointwise(checker, [&](const OperatorRef& ref, const Declaration& declaration) {
    if (!is_readable(declaration) || !declaration.ordering) return;
    const Attribute* dtypes = find_attribute(declaration.attributes, "dtypes");
    bool has_complex = !dtypes || llvm::any_of(declaration.attributes, [](const Attribute& attribute) {
      return attribute.name == "dtypes" && llvm::any_of(string_arguments(attribute), is_complex);
    });
    if (!has_complex) return;
    const Ordering& ordering = *declaration.ordering;
    DiagnosticBuilder diagnostic = checker.build(
        DiagnosticKind::pointwise_order, ordering.range,
        "`pointwise` for {} compares elements by {}, which complex numbers do not have; expected {}, or fewer dtypes",
        ref.name, Code(ordering.comparison), Code(ordered_dtypes));
    if (dtypes) {
      diagnostic.note(dtypes->range, "dtypes declared here");
    } else {
      diagnostic.note(ref.attribute->range, "without `dtypes`, the function is compiled for all dtypes");
      std::string scope = names_scope(*ref.attribute) ? "structured::" : "";
      diagnostic.fix(insertion_after(ref.attribute->range, ", " + scope + ordered_dtypes.str()));
    }
    diagnostic.emit();
  });
}

}  // namespace structured::gen
