// A walk through the statements of a function body.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace structured::gen {

/// Base of the visitors of this folder. Clang's RecursiveASTVisitor is a template of a visitor, and each instance of it
/// takes a compiler about 5 s; this class needs one instance in all. It visits what that class visits by default: the
/// source's own code, lambdas' bodies included, but no instances of templates and no implicit code.
class BodyVisitor {
 public:
  virtual ~BodyVisitor() = default;

  /// Visits `body` and everything in it, in the order of the source.
  void walk(const clang::Stmt* body);

  /// Called before what is inside `statement`, which is left out if the result is false.
  virtual bool enter(const clang::Stmt& statement) = 0;
  /// Called after what is inside `statement`, if enter returned true.
  virtual void leave(const clang::Stmt&) {}
  /// Called before the initialiser of `variable`.
  virtual void declare(const clang::VarDecl&) {}
};

}  // namespace structured::gen
