#include "analysis/body_visitor.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace structured::gen {
namespace {

class Walker : public clang::RecursiveASTVisitor<Walker> {
 public:
  explicit Walker(BodyVisitor& visitor) : visitor_(visitor) {}

  // Clang calls these two, unlike VisitStmt, in pairs around a statement.
  bool dataTraverseStmtPre(clang::Stmt* statement) { return visitor_.enter(*statement); }
  bool dataTraverseStmtPost(clang::Stmt* statement) {
    visitor_.leave(*statement);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    visitor_.declare(*variable);
    return true;
  }

 private:
  BodyVisitor& visitor_;
};

}  // namespace

void BodyVisitor::walk(const clang::Stmt* body) { Walker(*this).TraverseStmt(const_cast<clang::Stmt*>(body)); }

}  // namespace structured::gen
