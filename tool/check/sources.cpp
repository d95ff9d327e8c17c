// References between declarations, usually in different sources.
#include "check/rules.h"
#include "check/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace structured::gen {
namespace {

struct NamedOperator {
  std::string name;
  const DefinedOperator* op;
};

/// Returns the variants of structured operators by name, as candidates for suggestions. Imported names have no
/// namespace if `written` has none.
std::vector<NamedOperator> structured_operators(const OperatorIndex& index, const OperatorName& written) {
  std::vector<NamedOperator> operators;
  for (const DefinedOperator& op : index.defined()) {
    if (!op.is_structured()) continue;
    for (const NamedVariant& variant : op.variants) {
      OperatorName name = variant.name;
      if (op.is_imported() && written.ns.empty()) name.ns.clear();
      operators.push_back({to_string(name), &op});
    }
  }
  return operators;
}

bool is_ambiguous(const OperatorIndex& index, const OperatorRef& ref) {
  return llvm::any_of(index.ambiguous(),
                      [&](const AmbiguousName& name) { return name.ref.attribute == ref.attribute; });
}

/// The structured operator that an `impl` probably means.
struct Suggestion {
  std::optional<std::string> name;
  const DefinedOperator* op = nullptr;
  std::vector<std::string> overloads;  ///< variants of operators with the written base name
};

Suggestion suggestion_for(const OperatorIndex& index, const OperatorRef& ref) {
  Suggestion suggestion;
  std::vector<NamedOperator> operators = structured_operators(index, ref.name);
  std::vector<std::string> names;
  for (const NamedOperator& known : operators) {
    names.push_back(known.name);
    if (known.op->definition.name.base == ref.name.base) suggestion.overloads.push_back(known.name);
  }
  llvm::sort(names);
  std::string name = to_string(ref.name);
  suggestion.name = nearest(name, suggestion.overloads);
  if (!suggestion.name) suggestion.name = nearest(name, names);
  if (suggestion.name) {
    suggestion.op = llvm::find_if(operators, [&](const NamedOperator& candidate) {
                      return candidate.name == *suggestion.name;
                    })->op;
  }
  return suggestion;
}

/// Reports an `impl` without `meta`. `other` declares the operator otherwise; null if nothing does.
void report_without_meta(Checker& checker, const OperatorRef& ref, const OperatorRef* other) {
  DiagnosticBuilder diagnostic =
      checker.build(DiagnosticKind::impl_without_meta, ref.attribute->arguments.front().range,
                    "`impl` for {} has no `meta`; expected a function marked {}", ref.name,
                    Code("meta(\"" + to_string(ref.name) + "\")"));
  if (other) diagnostic.note(other->attribute->range, "the operator is declared by {} here", other->role());
  diagnostic.emit();
}

void check_impl(Checker& checker, const OperatorRef& ref) {
  const OperatorIndex& index = checker.index();
  const SourceRange& range = ref.attribute->arguments.front().range;
  if (const DefinedOperator* op = index.find_defined(ref.name)) {
    report_without_meta(checker, ref, &op->definition);
    return;
  }
  if (const PlainOperator* op = index.find_plain(ref.name)) {
    if (op->is_imported()) {
      checker
          .build(DiagnosticKind::impl_without_meta, range, "`impl` for {}, which is not structured; expected `kernel`",
                 ref.name)
          .note(op->kernels.front().declaration().name_range, "the operator is declared here")
          .emit();
      return;
    }
    report_without_meta(checker, ref, &op->kernels.front());
    return;
  }
  Suggestion suggestion = suggestion_for(index, ref);
  if (!suggestion.name && suggestion.overloads.empty()) {
    report_without_meta(checker, ref, nullptr);
    return;
  }
  if (!suggestion.name) {
    checker.report(DiagnosticKind::unknown_operator, range, "`impl` for unknown operator {}; expected one of {}",
                   ref.name, List(suggestion.overloads, "or"));
    return;
  }
  const Code meant(*suggestion.name);
  checker
      .build(DiagnosticKind::unknown_operator, range, "`impl` for unknown operator {}; did you mean {}?", ref.name,
             meant)
      .fix(string_replacement(range, *suggestion.name))
      .note(suggestion.op->definition.declaration().name_range, "{} is declared here", meant)
      .emit();
}

void check_backward(Checker& checker, const OperatorRef& ref) {
  const SourceRange& range = ref.attribute->arguments.front().range;
  const DidYouMean meant(to_string(ref.name), checker.index().names());
  checker.build(DiagnosticKind::unknown_operator, range, "`backward` for unknown operator {}{}", ref.name, meant)
      .fix(string_replacement(range, meant))
      .emit();
}

}  // namespace

void check_references(Checker& checker) {
  if (!checker.sees_everything()) return;
  for (const OperatorRef& ref : checker.index().unresolved()) {
    if (is_ambiguous(checker.index(), ref)) continue;  // reported by another rule
    if (ref.role() == Role::impl)
      check_impl(checker, ref);
    else
      check_backward(checker, ref);
  }
}

void check_metas_have_impls(Checker& checker) {
  if (!checker.sees_everything()) return;
  // The impl of an operator may have a misspelt name, which another rule reports.
  llvm::SmallPtrSet<const DefinedOperator*, 4> suggested;
  for (const OperatorRef& ref : checker.index().unresolved()) {
    if (ref.role() == Role::impl) suggested.insert(suggestion_for(checker.index(), ref).op);
  }
  for (const DefinedOperator& op : checker.index().defined()) {
    if (suggested.contains(&op)) continue;
    if (!op.is_structured() || !op.impls.empty() || !op.kernels.empty()) continue;
    if (checker.index().find_defined(op.definition.name) != &op) continue;  // reported as a duplicate
    checker.report(
        DiagnosticKind::meta_without_impl, op.definition.attribute->arguments.front().range,
        "`meta` for {} has no `impl`, so the operator computes shapes only; expected an `impl` for at least one "
        "backend",
        op.definition.name);
  }
}

}  // namespace structured::gen
