// Which way a path went at the conditions that it met, so that an equal condition met again goes the same way.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class ASTContext;
class Expr;
class Stmt;
class VarDecl;
}  // namespace clang

namespace structured::gen {

/// The variables that a body changes after their initialisation, or lets others change.
class ChangedVariables {
 public:
  explicit ChangedVariables(const clang::Stmt& body);
  bool contains(const clang::VarDecl* variable) const { return changed_.contains(variable); }

 private:
  llvm::SmallPtrSet<const clang::VarDecl*, 16> changed_;
};

/// A condition in a form under which `a != b`, `!(a == b)` and `b == a` negated are one.
struct ConditionKey {
  llvm::FoldingSetNodeID id;
  bool is_negated = false;
};

/// Nothing for a condition whose value may differ from one evaluation to the next.
std::optional<ConditionKey> condition_key(const clang::Expr& condition, const ChangedVariables& changed,
                                          const clang::ASTContext& context);

/// The decisions of one path. A value: each path has its own copy.
class PathConditions {
 public:
  /// Notes that the condition was `value`. False if it was noted with the other value before: no such path exists.
  bool assume(const ConditionKey& key, bool value);

 private:
  std::vector<std::pair<llvm::FoldingSetNodeID, bool>> known_;
};

}  // namespace structured::gen
