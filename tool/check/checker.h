// What every rule gets: the declarations, what the dialect knows, and a place for findings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "model/operator_index.h"
#include "model/type_table.h"

namespace structured::gen {

class Checker {
 public:
  Checker(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, const CheckOptions& options)
      : types_(types), options_(options), index_(fragments, options.schema_namespace, options.imports) {}

  const TypeTable& types() const { return types_; }
  const OperatorIndex& index() const { return index_; }
  const CheckOptions& options() const { return options_; }
  /// Whether what is not among the declarations does not exist.
  bool sees_everything() const { return options_.whole_library; }

  /// Adds a finding and returns it for notes and fix-its; the reference holds until the next one.
  Diagnostic& report(DiagnosticKind kind, const SourceRange& range, const llvm::Twine& message) {
    return diagnostics_.emplace_back(Diagnostic{kind, message.str(), range, {}, {}});
  }

  std::vector<Diagnostic> take_diagnostics() { return std::move(diagnostics_); }

 private:
  const TypeTable& types_;
  const CheckOptions& options_;
  OperatorIndex index_;
  std::vector<Diagnostic> diagnostics_;
};

/// Calls `function(Site)` for every attribute that gives a function a role and names an operator.
template <typename Function>
void for_each_site(const Checker& checker, Function function) {
  for (const DefinedOperator& op : checker.index().defined()) {
    function(op.definition);
    for (const Site& site : op.impls) function(site);
    for (const Site& site : op.kernels) function(site);
    for (const Site& site : op.backwards) function(site);
  }
  for (const PlainOperator& op : checker.index().plain()) {
    for (const Site& site : op.kernels) function(site);
    for (const Site& site : op.backwards) function(site);
  }
  for (const Site& site : checker.index().unresolved()) function(site);
}

/// The same for the functions whose parameters are arguments by their C++ type.
template <typename Function>
void for_each_signature(const Checker& checker, Function function) {
  for_each_site(checker, [&](const Site& site) {
    bool is_signature = site.role() == Role::meta || site.role() == Role::kernel || site.role() == Role::composite;
    if (is_signature && is_readable(site.declaration())) function(site);
  });
}

}  // namespace structured::gen
