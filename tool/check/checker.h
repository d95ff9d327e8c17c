// The context of all rules: the declarations, the dialect's type table, and the list of findings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/diagnostic.h"
#include "check/diagnostic_builder.h"
#include "check/fixits.h"
#include "check/message.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/operator_index.h"
#include "model/type_table.h"

namespace structured::gen {

class Checker {
 public:
  Checker(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, const CheckOptions& options)
      : fragments_(fragments),
        types_(types),
        options_(options),
        index_(fragments, options.schema_namespace, options.imports) {}

  llvm::ArrayRef<Fragment> fragments() const { return fragments_; }

  const TypeTable& types() const { return types_; }
  const OperatorIndex& index() const { return index_; }
  const CheckOptions& options() const { return options_; }
  /// Whether the declarations are complete, so that a missing one is an error.
  bool sees_everything() const { return options_.whole_library; }

  /// Reports a diagnostic. The format has a `{}` for each value.
  template <typename... Values>
  void report(DiagnosticKind kind, const SourceRange& range, FormatFor<Values...> format, const Values&... values) {
    build<Values...>(kind, range, format, values...).emit();
  }

  /// Returns a diagnostic that takes notes and fix-its, and is reported by its `emit`.
  template <typename... Values>
  DiagnosticBuilder build(DiagnosticKind kind, const SourceRange& range, FormatFor<Values...> format,
                          const Values&... values) {
    return DiagnosticBuilder(diagnostics_, kind, range, format, values...);
  }

  std::vector<Diagnostic> take_diagnostics() { return std::move(diagnostics_); }

 private:
  llvm::ArrayRef<Fragment> fragments_;
  const TypeTable& types_;
  const CheckOptions& options_;
  OperatorIndex index_;
  std::vector<Diagnostic> diagnostics_;
};

/// Calls `function(OperatorRef)` for every attribute that gives a function a role in an operator.
template <typename Function>
void for_each_reference(const Checker& checker, Function function) {
  for (const DefinedOperator& op : checker.index().defined()) {
    function(op.definition);
    for (const OperatorRef& ref : op.impls) function(ref);
    for (const OperatorRef& ref : op.kernels) function(ref);
    for (const OperatorRef& ref : op.backwards) function(ref);
  }
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) function(ref);
    for (const OperatorRef& ref : op.backwards) function(ref);
  }
  for (const OperatorRef& ref : checker.index().unresolved()) function(ref);
}

/// Calls `function(OperatorRef)` for each readable `meta`, `kernel` and `composite`, whose parameters have schema
/// types.
template <typename Function>
void for_each_signature(const Checker& checker, Function function) {
  for_each_reference(checker, [&](const OperatorRef& ref) {
    bool is_signature = ref.role() == Role::meta || ref.role() == Role::kernel || ref.role() == Role::composite;
    if (is_signature && is_readable(ref.declaration())) function(ref);
  });
}

}  // namespace structured::gen
