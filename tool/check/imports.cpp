// Kernels and impls for operators of imported libraries.
#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

void check_role(Checker& checker, const OperatorRef& ref, const SourceRange& definition) {
  if (ref.found.is_imported) return;
  auto report = [&](const SourceRange& range, const Phrase& function, const char* expected) {
    checker
        .build(DiagnosticKind::imported_role, range, "{} for {}, which is imported; expected {}", function, ref.name,
               Phrase(expected))
        .note(definition, "the operator is declared here")
        .emit();
  };
  constexpr const char* single = "`impl` or `kernel` for single backends";
  if (ref.role() == Role::backward) {
    report(ref.attribute->range, phrase("`backward`"), "the derivative in the operator's own library");
  } else if (ref.role() == Role::composite) {
    report(ref.attribute->range, phrase("`composite`"), single);
  } else if (ref.role() == Role::kernel) {
    for (std::size_t i = 1; i < ref.attribute->arguments.size(); ++i) {
      auto backend = string_argument(*ref.attribute, i);
      if (!backend || !is_composite_backend(*backend)) continue;
      report(ref.attribute->arguments[i].range, phrase("`kernel` on {}", Code(*backend)), single);
    }
  }
}

bool is_of_another_library(const Checker& checker, const OperatorRef& definition) {
  return llvm::any_of(checker.options().imports, [&](const ImportedLibrary& library) {
    return !library.is_last_build && definition.found.fragment == &library.definitions;
  });
}

bool is_import(const Checker& checker, llvm::StringRef schema_namespace) {
  return llvm::any_of(checker.options().imports,
                      [&](const ImportedLibrary& library) { return library.schema_namespace == schema_namespace; });
}

}  // namespace

void check_imported_roles(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    if (!is_of_another_library(checker, op.definition)) continue;
    for (const std::vector<OperatorRef>* refs : {&op.kernels, &op.backwards}) {
      for (const OperatorRef& ref : *refs) check_role(checker, ref, op.definition.declaration().name_range);
    }
  }
  for (const PlainOperator& op : checker.index().plain()) {
    if (!is_of_another_library(checker, op.kernels.front())) continue;
    for (const std::vector<OperatorRef>* refs : {&op.kernels, &op.backwards}) {
      for (const OperatorRef& ref : *refs) check_role(checker, ref, op.kernels.front().declaration().name_range);
    }
  }
}

void check_imported_names(Checker& checker) {
  for (const AmbiguousName& ambiguous : checker.index().ambiguous()) {
    std::vector<std::string> names;
    for (const OperatorName& candidate : ambiguous.candidates) names.push_back(to_string(candidate));
    checker.report(DiagnosticKind::unknown_operator, ambiguous.ref.attribute->arguments.front().range,
                   "{} for {}, which several imported libraries define; expected {}", ambiguous.ref.role(),
                   ambiguous.ref.name, List(names, "or"));
  }
  // A kernel for an operator of an imported library defines no operator itself.
  for (const PlainOperator& op : checker.index().plain()) {
    if (op.is_imported() || op.name.ns.empty() || !is_import(checker, op.name.ns)) continue;
    for (const OperatorRef& ref : op.kernels) {
      const SourceRange& range = ref.attribute->arguments.front().range;
      std::string name = to_string(ref.name);
      std::vector<std::string> known = checker.index().names();
      llvm::erase(known, name);
      const DidYouMean meant(name, known);
      checker
          .build(DiagnosticKind::unknown_operator, range, "{} for {}, which the imported library does not define{}",
                 ref.role(), ref.name, meant)
          .fix(string_replacement(range, meant))
          .emit();
    }
  }
}

}  // namespace structured::gen
