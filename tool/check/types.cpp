// C++ types and default arguments that schemas can express.
#include "check/rules.h"
#include "check/text.h"
#include "model/parameter.h"
#include "model/schema_default.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

void report_result(Checker& checker, const OperatorRef& ref, const llvm::Twine& expected,
                   std::optional<std::string> replacement) {
  const Declaration& declaration = ref.declaration();
  Diagnostic& diagnostic =
      checker.report(DiagnosticKind::result_type, declaration.result_range,
                     code(name_of(ref.role())) + " for " + code(to_string(ref.name)) + " returns " +
                         code(declaration.result.written) + "; expected " + expected);
  if (replacement) diagnostic.fixits.push_back(retyped_result(declaration, *replacement));
}

/// Whether the result has a schema type. A meta function must not return one; only kernels do.
bool is_operator_result(const Checker& checker, const Declaration& declaration) {
  auto results = checker.types().results(declaration.result.canonical);
  return results && !results->empty();
}

}  // namespace

void check_argument_types(Checker& checker) {
  for_each_signature(checker, [&](const OperatorRef& ref) {
    llvm::ArrayRef<Parameter> parameters = ref.declaration().parameters;
    if (ref.role() == Role::meta) {
      // Another rule checks the first parameter.
      parameters = parameters.drop_front(std::min<std::size_t>(1, parameters.size()));
    }
    for (const Parameter& parameter : parameters) {
      const std::string& type = parameter.type.canonical;
      if (checker.types().argument(type)) continue;
      if (parameter.is_enum) {
        checker.report(DiagnosticKind::unsupported_type, parameter.type_range,
                       "parameter " + code(parameter.name) + " is the enumeration " + code(parameter.type.written) +
                           ", which has no schema type; expected `int64_t`, converted in the body by " +
                           code("static_cast<" + parameter.type.written + ">(" + parameter.name + ")"));
        continue;
      }
      auto suggestion = checker.types().suggestion(type);
      std::string expected = suggestion ? code(*suggestion) : checker.types().advice(type).str();
      if (!expected.empty()) expected.insert(0, "; expected ");
      Diagnostic& diagnostic =
          checker.report(DiagnosticKind::unsupported_type, parameter.type_range,
                         "parameter " + code(parameter.name) + " is " + code(parameter.type.written) +
                             ", which has no schema type" + expected);
      if (suggestion) diagnostic.fixits.push_back(retyped(parameter, *suggestion));
    }
  });
}

void check_defaults(Checker& checker) {
  auto check_one = [&](const Parameter& parameter, const std::optional<Type>& type) {
    if (!parameter.default_argument || !type || schema_default(*type, *parameter.default_argument)) return;
    std::string owner = parameter.name.empty() ? "an unnamed parameter" : code(parameter.name);
    checker.report(DiagnosticKind::unsupported_default, parameter.default_argument->range,
                   "the default of " + owner + " is " + code(parameter.default_argument->text) +
                       ", which a schema cannot express for " + code(to_string(*type)) +
                       "; expected a literal of that type");
  };
  for_each_signature(checker, [&](const OperatorRef& ref) {
    for (const Parameter& parameter : ref.declaration().parameters) {
      check_one(parameter, argument_type(parameter, checker.types()));
    }
  });
  for (const DefinedOperator& op : checker.index().defined()) {
    if (op.is_structured() || !is_readable(op.definition.declaration())) continue;
    for (const Parameter& parameter : op.definition.declaration().parameters) {
      check_one(parameter, pointwise_argument_type(op.definition.declaration(), parameter, checker.types()));
    }
  }
}

void check_results(Checker& checker) {
  for_each_reference(checker, [&](const OperatorRef& ref) {
    const Declaration& declaration = ref.declaration();
    const std::string& type = declaration.result.canonical;
    if (!is_readable(declaration) || llvm::is_contained(declaration.linkage_errors, LinkageError::returns_auto)) return;
    switch (ref.role()) {
      case Role::meta:
        if (type == "void" || (declaration.result_class && !is_operator_result(checker, declaration))) return;
        report_result(checker, ref, "`void`, or a class by value with precomputed values", "void");
        return;
      case Role::impl:
        if (type != "void") report_result(checker, ref, "`void`, as outputs are parameters", "void");
        return;
      case Role::kernel:
      case Role::composite:
        if (!checker.types().results(type)) {
          auto suggestion = checker.types().result_suggestion(type);
          std::string expected = suggestion ? code(*suggestion) : "a type that has a schema type";
          if (checker.types().result_mixes_references(type)) {
            // The fix would break the `return` statements of a body.
            if (declaration.is_definition) suggestion.reset();
            expected += ", because a mutable argument is not returned beside other results: callers have it";
          }
          report_result(checker, ref, expected, suggestion);
        }
        return;
      case Role::pointwise:
        if (type != "bool" && type != declaration.template_parameters.front()) {
          report_result(checker, ref, code(declaration.template_parameters.front()) + " or `bool`", std::nullopt);
        }
        return;
      case Role::backward:
        return;  // checked by another rule
    }
  });
}

}  // namespace structured::gen
