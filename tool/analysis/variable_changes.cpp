#include "analysis/variable_changes.h"

#include "analysis/body_visitor.h"
#include "analysis/symbolic_expr_builder.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace structured::gen {
namespace {

bool may_write(clang::QualType type) {
  return type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
}

/// Returns the variable that `expression` or its base object names.
const clang::ValueDecl* whole_of(const clang::Expr* expression) {
  while (true) {
    expression = expression->IgnoreParenCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression); member && !member->isArrow()) {
      expression = member->getBase();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      expression = element->getBase();
    } else {
      return variable_of(expression);
    }
  }
}

}  // namespace

void for_each_change(const clang::Stmt& statement,
                     llvm::function_ref<void(const clang::ValueDecl&, const clang::Expr*)> see) {
  const auto change = [&](const clang::Expr* changed, const clang::Expr* value) {
    const clang::ValueDecl* variable = variable_of(changed);
    if (variable) return see(*variable, value);
    if (const clang::ValueDecl* whole = whole_of(changed)) see(*whole, nullptr);
  };
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
    if (binary->isAssignmentOp()) {
      change(binary->getLHS(), binary->getOpcode() == clang::BO_Assign ? binary->getRHS() : nullptr);
    }
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
    if (unary->isIncrementDecrementOp()) change(unary->getSubExpr(), nullptr);
  } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&statement)) {
    const clang::CXXConstructorDecl& constructor = *made->getConstructor();
    for (unsigned i = 0; i < constructor.getNumParams() && i < made->getNumArgs(); ++i) {
      if (may_write(constructor.getParamDecl(i)->getType())) change(made->getArg(i), nullptr);
    }
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const bool has_object = method && method->isInstance();
    if (has_object && !method->isConst()) {
      const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
      change(member ? member->getImplicitObjectArgument() : call->getArg(0), nullptr);
    }
    const unsigned shift = has_object && llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
    for (unsigned i = 0; callee && i < callee->getNumParams() && i + shift < call->getNumArgs(); ++i) {
      if (may_write(callee->getParamDecl(i)->getType())) change(call->getArg(i + shift), nullptr);
    }
  }
}

class VariableChanges::Finder : public BodyVisitor {
 public:
  explicit Finder(VariableChanges& found) : found_(found) {}

  bool enter(const clang::Stmt& statement) override {
    for_each_change(statement, [&](const clang::ValueDecl& variable, const clang::Expr*) {
      found_.changed_.insert(&variable);
      if (lambda_depth_ > 0) found_.shared_.insert(&variable);
    });
    if (llvm::isa<clang::LambdaExpr>(statement)) {
      ++lambda_depth_;
    } else if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
      const clang::Expr* object = address->getSubExpr();
      if (address->getOpcode() == clang::UO_AddrOf && !object->getType().isConstQualified()) share(object);
    } else if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&statement)) {
      if (may_write(loop->getLoopVariable()->getType())) share(loop->getRangeInit());
    }
    return true;
  }

  void leave(const clang::Stmt& statement) override { lambda_depth_ -= llvm::isa<clang::LambdaExpr>(statement); }

  void declare(const clang::VarDecl& variable) override {
    // A range-for refers to its range through a compiler-generated reference, which only the loop variable uses.
    if (!variable.isCXXForRangeDecl() && !variable.isImplicit() && variable.getInit() &&
        may_write(variable.getType())) {
      share(variable.getInit());
      share(&variable);
    }
  }

 private:
  void share(const clang::Expr* expression) { share(whole_of(expression)); }
  void share(const clang::ValueDecl* variable) {
    if (!variable) return;
    found_.changed_.insert(variable);
    found_.shared_.insert(variable);
  }

  VariableChanges& found_;
  unsigned lambda_depth_ = 0;
};

VariableChanges::VariableChanges(const clang::Stmt& body) { Finder(*this).walk(&body); }

}  // namespace structured::gen
