// One call of a function whose body is read without regard to paths: what its variables mean to the caller.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "scan/term_reader.h"
#include "scan/variable_changes.h"

namespace structured::gen {

/// `Tensor`, an optional one, or a list of either.
bool holds_tensors(clang::QualType type);

class CallFrame final : TermScope {
 public:
  /// The outermost call: parameters stand for themselves, by the names that `declaration` gives them.
  CallFrame(Terms& terms, const clang::ASTContext& context, const clang::FunctionDecl& definition,
            const clang::FunctionDecl& declaration);
  /// A call from `caller`; every argument has a parameter.
  CallFrame(CallFrame& caller, const clang::FunctionDecl& definition, const clang::CallExpr& call);

  const clang::FunctionDecl& function() const { return definition_; }
  const CallFrame* caller() const { return caller_; }

  const Term* read(const clang::Expr* expression) { return reader_.read(expression); }
  const Term* truth(const clang::Expr* expression) { return reader_.truth(expression); }
  /// The outermost call's parameter whose tensor handle, not a copy of it, `expression` is.
  std::optional<std::string> handle(const clang::Expr* expression) const;

 private:
  const Term* variable(const clang::ValueDecl& variable) override;

  Terms& terms_;
  const clang::ASTContext& context_;
  const clang::FunctionDecl& definition_;
  const CallFrame* caller_ = nullptr;
  VariableChanges changes_;
  TermReader reader_;
  std::map<const clang::ParmVarDecl*, const Term*> values_;
  std::map<const clang::ParmVarDecl*, std::string> handles_;
};

}  // namespace structured::gen
