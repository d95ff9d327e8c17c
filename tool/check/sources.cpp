// References between declarations, usually in different sources.
#include "check/rules.h"
#include "check/text.h"
#include "llvm/ADT/STLExtras.h"

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

void report_without_meta(Checker& checker, const OperatorRef& ref, const char* other, const SourceRange& place) {
  Diagnostic& diagnostic =
      checker.report(DiagnosticKind::impl_without_meta, ref.attribute->arguments.front().range,
                     "`impl` for " + code(to_string(ref.name)) + " has no `meta`; expected a function marked " +
                         code("meta(\"" + to_string(ref.name) + "\")"));
  if (other) diagnostic.notes.push_back({"the operator is declared by " + code(other) + " here", place});
}

void check_impl(Checker& checker, const OperatorRef& ref) {
  const OperatorIndex& index = checker.index();
  const SourceRange& range = ref.attribute->arguments.front().range;
  if (const DefinedOperator* op = index.find_defined(ref.name)) {
    report_without_meta(checker, ref, "pointwise", op->definition.attribute->range);
    return;
  }
  if (const PlainOperator* op = index.find_plain(ref.name)) {
    report_without_meta(checker, ref, name_of(op->kernels.front().role()), op->kernels.front().attribute->range);
    return;
  }
  std::string name = to_string(ref.name);
  std::vector<NamedOperator> operators = structured_operators(index, ref.name);
  std::vector<std::string> names, overloads;
  for (const NamedOperator& known : operators) {
    names.push_back(known.name);
    if (known.op->definition.name.base == ref.name.base) overloads.push_back(known.name);
  }
  llvm::sort(names);
  auto meant = nearest(name, overloads);
  if (!meant) meant = nearest(name, names);
  if (!meant && overloads.empty()) {
    report_without_meta(checker, ref, nullptr, {});
    return;
  }
  Diagnostic& diagnostic =
      checker.report(DiagnosticKind::unknown_operator, range, "`impl` for unknown operator " + code(name));
  if (!meant) {
    diagnostic.message += "; expected one of " + list_of(overloads, "or");
    return;
  }
  diagnostic.message += "; did you mean " + code(*meant) + "?";
  diagnostic.fixits.push_back({range, "\"" + *meant + "\""});
  auto known = llvm::find_if(operators, [&](const NamedOperator& candidate) { return candidate.name == *meant; });
  diagnostic.notes.push_back({code(*meant) + " is declared here", known->op->definition.declaration().name_range});
}

void check_backward(Checker& checker, const OperatorRef& ref) {
  const SourceRange& range = ref.attribute->arguments.front().range;
  std::string name = to_string(ref.name);
  Diagnostic& diagnostic =
      checker.report(DiagnosticKind::unknown_operator, range, "`backward` for unknown operator " + code(name));
  suggest_string(diagnostic, range, name, checker.index().names());
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
  for (const DefinedOperator& op : checker.index().defined()) {
    if (!op.is_structured() || !op.impls.empty() || !op.kernels.empty()) continue;
    if (checker.index().find_defined(op.definition.name) != &op) continue;  // reported as a duplicate
    checker.report(
        DiagnosticKind::meta_without_impl, op.definition.attribute->arguments.front().range,
        "`meta` for " + code(to_string(op.definition.name)) +
            " has no `impl`, so the operator computes shapes only; expected an `impl` for at least one backend");
  }
}

}  // namespace structured::gen
