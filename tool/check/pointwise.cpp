// Scalar functions (`pointwise`).
#include "check/rules.h"
#include "check/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "model/parameter.h"

namespace structured::gen {
namespace {

template <typename Function>
void for_each_pointwise(Checker& checker, Function function) {
  for (const DefinedOperator& op : checker.index().defined()) {
    const Declaration& declaration = op.definition.declaration();
    if (!op.is_structured() && is_readable(declaration)) function(op.definition, declaration);
  }
}

/// Whether a file of that name is a source rather than a header.
bool is_compiled(llvm::StringRef file) {
  constexpr llvm::StringLiteral extensions[] = {".c", ".cc", ".cpp", ".cxx", ".c++", ".cu"};
  return llvm::is_contained(extensions, llvm::sys::path::extension(file).lower());
}

}  // namespace

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
  for_each_pointwise(checker, [&](const OperatorRef& ref, const Declaration& declaration) {
    if (declaration.template_parameters.size() != 1 || !is_compiled(declaration.range.file)) return;
    checker.report(DiagnosticKind::pointwise_form, declaration.name_range,
                   "`pointwise` for " + code(to_string(ref.name)) + " is in " + code(declaration.range.file) +
                       "; expected it in a header, which emitted code can include");
  });
}

void check_pointwise_parameters(Checker& checker) {
  for_each_pointwise(checker, [&](const OperatorRef&, const Declaration& declaration) {
    if (declaration.template_parameters.size() != 1) return;
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

}  // namespace structured::gen
