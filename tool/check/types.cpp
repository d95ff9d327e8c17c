// C++ types and default arguments that schemas can express.
#include "check/rules.h"
#include "model/parameter.h"
#include "model/schema_default.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

void report_result(Checker& checker, const OperatorRef& ref, const Phrase& expected,
                   std::optional<std::string> replacement) {
  const Declaration& declaration = ref.declaration();
  DiagnosticBuilder diagnostic =
      checker.build(DiagnosticKind::result_type, declaration.result_range, "{} for {} returns {}; expected {}",
                    ref.role(), ref.name, declaration.result, expected);
  if (replacement) diagnostic.fix(retyped_result(declaration, *replacement));
  diagnostic.emit();
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
                       "parameter {} is the enumeration {}, which has no schema type; expected `int64_t`, converted in "
                       "the body by {}",
                       Code(parameter.name), parameter.type,
                       Code("static_cast<" + parameter.type.written + ">(" + parameter.name + ")"));
        continue;
      }
      auto suggestion = checker.types().suggestion(type);
      const llvm::StringRef advice = checker.types().advice(type);
      const Phrase remedy = suggestion       ? phrase("; expected {}", Code(*suggestion))
                            : advice.empty() ? Phrase("")
                                             : phrase("; expected {}", Phrase(advice));
      DiagnosticBuilder diagnostic =
          checker.build(DiagnosticKind::unsupported_type, parameter.type_range,
                        "parameter {} is {}, which has no schema type{}", Code(parameter.name), parameter.type, remedy);
      if (suggestion) diagnostic.fix(retyped(parameter, *suggestion));
      diagnostic.emit();
    }
  });
}

void check_defaults(Checker& checker) {
  auto check_one = [&](const Parameter& parameter, const std::optional<Type>& type) {
    if (!parameter.default_argument || !type || schema_default(*type, *parameter.default_argument)) return;
    const Phrase owner = parameter.name.empty() ? Phrase("an unnamed parameter") : phrase("{}", Code(parameter.name));
    checker.report(DiagnosticKind::unsupported_default, parameter.default_argument->range,
                   "the default of {} is {}, which a schema cannot express for {}; expected a literal of that type",
                   owner, Code(parameter.default_argument->text), *type);
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
        report_result(checker, ref, Phrase("`void`, or a class by value with precomputed values"), "void");
        return;
      case Role::impl:
        if (type != "void") report_result(checker, ref, Phrase("`void`, as outputs are parameters"), "void");
        return;
      case Role::kernel:
      case Role::composite:
        if (!checker.types().results(type)) {
          auto suggestion = checker.types().result_suggestion(type);
          Phrase expected = suggestion ? phrase("{}", Code(*suggestion)) : Phrase("a type that has a schema type");
          if (checker.types().result_mixes_references(type)) {
            // The fix would break the `return` statements of a body.
            if (declaration.is_definition) suggestion.reset();
            expected = phrase("{}, because a mutable argument is not returned beside other results: callers have it",
                              expected);
          }
          report_result(checker, ref, expected, suggestion);
        }
        return;
      case Role::pointwise:
        if (type != "bool" && type != declaration.template_parameters.front()) {
          report_result(checker, ref, phrase("{} or `bool`", Code(declaration.template_parameters.front())),
                        std::nullopt);
        }
        return;
      case Role::backward:
        return;  // checked by another rule
    }
  });
}

}  // namespace structured::gen
