// Scalar functions (`pointwise`).
#include "check/rules.h"
#include "check/text.h"
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
    std::string subject = code(ref.attribute->name) + " for " + code(to_string(ref.name));
    std::string standard = code("std::" + use.name);
    checker
        .report(DiagnosticKind::dual_number, use.range,
                subject +
                    (is_test ? " tests " + standard + ", which is false for dual numbers"
                             : " uses " + standard + ", which does not accept dual numbers") +
                    ", from which derivatives are computed; expected " + code(better))
        .fixits.push_back({use.range, better});
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
    std::string subject = "`pointwise` for " + code(to_string(ref.name));
    std::size_t count = declaration.template_parameters.size();
    if (count != 1) {
      checker.report(DiagnosticKind::pointwise_form, declaration.name_range,
                     subject + (count == 0 ? " is not a template" : " has " + count_of(count, "template parameter")) +
                         "; expected a function template with one type parameter, `template <typename T>`");
      return;
    }
    std::vector<const Parameter*> tensors;
    for (const Parameter& parameter : declaration.parameters) {
      auto role = pointwise_role(declaration, parameter, checker.types());
      if (role == Pointwise::Role::element || role == Pointwise::Role::boolean_element) tensors.push_back(&parameter);
    }
    if (tensors.empty()) {
      checker.report(
          DiagnosticKind::pointwise_form, declaration.parameters_range,
          subject + " has no tensor; expected a parameter of type " + code(declaration.template_parameters.front()));
    } else if (tensors.size() > max_pointwise_inputs) {
      checker.report(DiagnosticKind::pointwise_form, tensors[max_pointwise_inputs]->range,
                     subject + " has " + count_of(tensors.size(), "tensor") + "; expected " +
                         std::to_string(max_pointwise_inputs) + " at most");
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
    std::string subject = code(ref.attribute->name) + " for " + code(to_string(ref.name)) + " is in " + code(file);
    if (is_compiled(file)) {
      checker.report(DiagnosticKind::pointwise_form, declaration.name_range,
                     subject + "; expected it in a header, which emitted code can include");
    } else if (checker.sees_everything() && !sources.contains(file)) {
      checker.report(DiagnosticKind::unlisted_header, declaration.name_range,
                     subject + ", which is not a source of the library; add it to the sources in " +
                         "`structured_add_library`, or scan it and pass its fragment to `emit`");
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
      if (pointwise_role(declaration, parameter, checker.types())) continue;
      std::string found = code(parameter.name) + " is " + code(parameter.type.written);
      if (const Attribute* scalar = find_attribute(parameter.attributes, "scalar")) {
        checker.report(DiagnosticKind::pointwise_parameter, scalar->range,
                       "`scalar` parameter " + found + "; expected " + code(element));
      } else if (const Attribute* tensor = find_attribute(parameter.attributes, "tensor")) {
        checker.report(
            DiagnosticKind::pointwise_parameter, tensor->range,
            "`tensor` parameter " + found + "; expected `bool`, as " + code(element) + " is a tensor without it");
      } else {
        checker.report(DiagnosticKind::pointwise_parameter, parameter.type_range,
                       "parameter " + found + "; expected " + code(element) +
                           ", `int64_t`, `double`, `bool` or `std::string_view`");
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
    Diagnostic& diagnostic = checker.report(
        DiagnosticKind::pointwise_order, ordering.range,
        "`pointwise` for " + code(to_string(ref.name)) + " compares elements by " + code(ordering.comparison) +
            ", which complex numbers do not have; expected " + code(ordered_dtypes) + ", or fewer dtypes");
    if (dtypes) {
      diagnostic.notes.push_back({"dtypes declared here", dtypes->range});
      return;
    }
    diagnostic.notes.push_back({"without `dtypes`, the function is compiled for all dtypes", ref.attribute->range});
    std::string scope = names_scope(*ref.attribute) ? "structured::" : "";
    const SourceRange& place = ref.attribute->range;
    diagnostic.fixits.push_back(insertion(place, place.end, ", " + scope + ordered_dtypes.str()));
  });
}

}  // namespace structured::gen
