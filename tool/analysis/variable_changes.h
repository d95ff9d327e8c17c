// Modifications of variables in a function body.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class Expr;
class Stmt;
class ValueDecl;
}  // namespace clang

namespace structured::gen {

/// Calls `see(variable, value)` for each variable that `statement` itself may change, without its subexpressions, which
/// are statements too. `value` is the assigned expression, or null if it is not known.
void for_each_change(const clang::Stmt& statement,
                     llvm::function_ref<void(const clang::ValueDecl&, const clang::Expr*)> see);

/// Variables that a body modifies after their initialization.
class VariableChanges {
 public:
  explicit VariableChanges(const clang::Stmt& body);

  /// Modified anywhere in the body.
  bool is_changed(const clang::ValueDecl* variable) const { return changed_.contains(variable); }
  /// Possibly modified through a pointer, another reference or a lambda.
  bool is_shared(const clang::ValueDecl* variable) const { return shared_.contains(variable); }

 private:
  using Variables = llvm::SmallPtrSet<const clang::ValueDecl*, 16>;
  class Finder;
  Variables changed_;
  Variables shared_;
};

}  // namespace structured::gen
