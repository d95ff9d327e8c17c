#include "scan/path_conditions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace structured::gen {
namespace {

using clang::BinaryOperatorKind;

const clang::VarDecl* variable_of(const clang::Expr* expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

// A reference that is not read at once or bound to const may change its variable.
class ChangeFinder : public clang::RecursiveASTVisitor<ChangeFinder> {
 public:
  explicit ChangeFinder(llvm::SmallPtrSetImpl<const clang::VarDecl*>& changed) : changed_(changed) {}

  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    if (op->isAssignmentOp()) add(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) add(op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    if (call->isAssignmentOp()) add(call->getArg(0));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
      const clang::CXXMethodDecl* method = member->getMethodDecl();
      if (method && !method->isConst()) add(member->getImplicitObjectArgument());
    }
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const bool is_operator_member =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee);
    for (unsigned i = 0; callee && i < callee->getNumParams(); ++i) {
      const unsigned argument = i + (is_operator_member ? 1 : 0);
      const clang::QualType type = callee->getParamDecl(i)->getType();
      const bool may_write = type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
      if (may_write && argument < call->getNumArgs()) add(call->getArg(argument));
    }
    return true;
  }

 private:
  void add(const clang::Expr* expression) {
    if (const clang::VarDecl* variable = variable_of(expression)) changed_.insert(variable);
  }
  llvm::SmallPtrSetImpl<const clang::VarDecl*>& changed_;
};

class StabilityVisitor : public clang::RecursiveASTVisitor<StabilityVisitor> {
 public:
  explicit StabilityVisitor(const ChangedVariables& changed) : changed_(changed) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable &&
        (changed_.contains(variable) || (!variable->hasLocalStorage() && !variable->getType().isConstQualified()))) {
      is_stable = false;
    }
    return is_stable;
  }
  bool is_stable = true;

 private:
  const ChangedVariables& changed_;
};

// A comparison, built in or overloaded.
struct Comparison {
  BinaryOperatorKind kind;
  const clang::Expr* left;
  const clang::Expr* right;
};

std::optional<Comparison> comparison(const clang::Expr& expression) {
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(&expression); op && op->isComparisonOp()) {
    return Comparison{op->getOpcode(), op->getLHS(), op->getRHS()};
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expression);
      call && call->isComparisonOp() && call->getNumArgs() == 2) {
    const BinaryOperatorKind kind = clang::BinaryOperator::getOverloadedOpcode(call->getOperator());
    return Comparison{kind, call->getArg(0), call->getArg(1)};
  }
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(&expression)) {
    const auto parts = rewritten->getDecomposedForm();
    return Comparison{parts.Opcode, parts.LHS, parts.RHS};
  }
  return std::nullopt;
}

void profile(llvm::FoldingSetNodeID& id, const clang::Expr* expression, const clang::ASTContext& context) {
  expression->IgnoreParenImpCasts()->Profile(id, context, /*Canonical=*/true);
}

// Of the six comparisons, `==` and `<` remain, with a negation or the operands exchanged.
void profile(ConditionKey& key, const Comparison& parts, const clang::ASTContext& context) {
  const clang::Expr* left = parts.left;
  const clang::Expr* right = parts.right;
  const bool is_equality = parts.kind == clang::BO_EQ || parts.kind == clang::BO_NE;
  if (parts.kind == clang::BO_GT || parts.kind == clang::BO_LE) std::swap(left, right);
  if (parts.kind == clang::BO_NE || parts.kind == clang::BO_GE || parts.kind == clang::BO_LE) {
    key.is_negated = !key.is_negated;
  }
  key.id.AddInteger(is_equality ? 1 : 2);
  profile(key.id, left, context);
  profile(key.id, right, context);
}

}  // namespace

ChangedVariables::ChangedVariables(const clang::Stmt& body) {
  ChangeFinder(changed_).TraverseStmt(const_cast<clang::Stmt*>(&body));
}

std::optional<ConditionKey> condition_key(const clang::Expr& condition, const ChangedVariables& changed,
                                          const clang::ASTContext& context) {
  StabilityVisitor stability(changed);
  stability.TraverseStmt(const_cast<clang::Expr*>(&condition));
  if (!stability.is_stable) return std::nullopt;
  ConditionKey key;
  const clang::Expr* expression = condition.IgnoreParenImpCasts();
  while (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (op->getOpcode() != clang::UO_LNot) break;
    key.is_negated = !key.is_negated;
    expression = op->getSubExpr()->IgnoreParenImpCasts();
  }
  if (const auto parts = comparison(*expression); parts && parts->kind != clang::BO_Cmp) {
    profile(key, *parts, context);
  } else {
    key.id.AddInteger(0);
    profile(key.id, expression, context);
  }
  return key;
}

bool PathConditions::assume(const ConditionKey& key, bool value) {
  const bool positive = value != key.is_negated;
  for (const auto& [id, known] : known_) {
    if (id == key.id) return known == positive;
  }
  known_.emplace_back(key.id, positive);
  return true;
}

}  // namespace structured::gen
