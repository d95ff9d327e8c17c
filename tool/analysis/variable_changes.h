// Where a body changes its variables.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class Expr;
class Stmt;
class ValueDecl;
}  // namespace clang

namespace structured::gen {

/// Calls `see` for each variable that `statement` itself may change, its parts aside: with the expression that is
/// assigned, or null where the new value is not to be seen.
void for_each_change(const clang::Stmt& statement,
                     llvm::function_ref<void(const clang::ValueDecl&, const clang::Expr*)> see);

/// The variables that a body changes after their initialisation.
class VariableChanges {
 public:
  explicit VariableChanges(const clang::Stmt& body);

  /// Somewhere.
  bool is_changed(const clang::ValueDecl* variable) const { return changed_.contains(variable); }
  /// Where it is not named: through a pointer or another reference, or by a lambda.
  bool is_shared(const clang::ValueDecl* variable) const { return shared_.contains(variable); }

 private:
  using Variables = llvm::SmallPtrSet<const clang::ValueDecl*, 16>;
  class Finder;
  Variables changed_;
  Variables shared_;
};

}  // namespace structured::gen
