// Translation of meta functions from Clang's tree to data: statement by statement, with the functions of the author
// that they call. Functions of libraries are those of shape_calls.def. Whatever else a function does is a reason to
// refuse it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "model/shape_program.h"

namespace clang {
class Sema;
}  // namespace clang

namespace structured::gen {

class VariableChanges;
struct ShapePosition;

class ShapeTranslator {
 public:
  explicit ShapeTranslator(clang::Sema& sema);
  ~ShapeTranslator();

  struct Refusal {
    std::string reason;
    clang::SourceRange range;
  };

  /// Translates the function, and before it those that it calls.
  void translate(const clang::FunctionDecl& function);
  /// The first reason for which the functions are not complete.
  const std::optional<Refusal>& refusal() const { return refusal_; }
  std::vector<ShapeFunction> take_functions() { return std::move(functions_); }

 private:
  using Node = int64_t;

  /// The function that is being translated.
  struct Frame {
    ShapeFunction function;
    std::map<const clang::ValueDecl*, std::string> names;
    std::map<const clang::ValueDecl*, Node> places;  ///< objects of references to numbers
    std::set<std::string> used;                      ///< names of variables in scope
    std::unique_ptr<VariableChanges> changes;
    std::vector<Node>* statements = nullptr;                  ///< statements of the current block
    std::vector<const clang::Expr*> increments;               ///< of the enclosing loops; null where a loop has none
    bool is_in_case = false;                                  ///< whether `break` leaves a `switch`
    std::vector<std::set<const clang::ValueDecl*>> closures;  ///< variables of the enclosing lambdas
    std::vector<std::set<std::string>> outer;                 ///< variables outside that they assign
  };
  class Scope;

  // shape_translator.cpp: functions, names and nodes
  std::string function_name(const clang::FunctionDecl& function);
  Node refuse(clang::SourceRange range, std::string reason);
  Node add(ShapeOp op, std::vector<Node> operands = {}, std::string text = "");
  Node known(llvm::StringRef name, std::vector<Node> operands);
  void emit(ShapeOp op, std::vector<Node> operands = {}, std::string text = "");
  std::string declare_name(const clang::ValueDecl* variable, llvm::StringRef wanted);
  Node block(llvm::function_ref<void()> statements);
  Node block_of(const clang::Stmt* statement);

  // shape_statements.cpp
  void execute(const clang::Stmt* statement);
  Node loop_body(const clang::Expr* increment, llvm::function_ref<void()> statements);
  void execute_if(const clang::IfStmt& statement);
  void execute_for(const clang::ForStmt& statement);
  void execute_range_loop(const clang::CXXForRangeStmt& statement);
  void execute_switch(const clang::SwitchStmt& statement);
  void execute_expression(const clang::Expr* expression);
  bool execute_assignment(const clang::Expr* expression);
  bool execute_failure(const clang::Stmt* statement, const clang::Expr* condition);
  void add_checks(const clang::Expr* condition, bool is_negated, const std::vector<Node>& message,
                  const std::string& kind);
  void declare(const clang::VarDecl& variable);
  void declare_bindings(const clang::DecompositionDecl& variable);
  void note_assignment(const clang::Expr* target);

  // shape_expressions.cpp
  Node value(const clang::Expr* expression);
  Node target(const clang::Expr* expression);
  std::optional<Node> folded(const clang::Expr& expression);
  std::optional<Node> folded_dtypes(const clang::Expr& expression);
  Node enumerator(const clang::EnumDecl& type, const llvm::APSInt& value, const clang::Expr& use);
  Node variable(const clang::DeclRefExpr& expression);
  Node member(const clang::MemberExpr& expression);
  Node cast(const clang::CastExpr& expression);
  Node unary(const clang::UnaryOperator& expression);
  Node binary(const clang::BinaryOperator& expression);
  Node arithmetic(clang::BinaryOperatorKind kind, clang::QualType type, Node left, Node right, const clang::Expr& use);
  Node stored(const clang::Expr* variable, Node value);
  Node initializer_list(const clang::InitListExpr& expression);
  Node constructed(const clang::CXXConstructExpr& expression);
  Node default_value(clang::QualType type, const clang::Expr* use);
  Node closure(const clang::LambdaExpr& expression, std::string name);

  // shape_calls.cpp
  Node called(const clang::CallExpr& call);
  Node overloaded(const clang::CXXOperatorCallExpr& call);
  Node method(const clang::CXXMemberCallExpr& call);
  std::optional<Node> list_method(const clang::CXXMemberCallExpr& call, llvm::StringRef name);
  std::optional<Node> library_call(const clang::CallExpr& call, const clang::FunctionDecl& function);
  std::optional<Node> overflow_check(const clang::CallExpr& call, llvm::StringRef name);
  Node own_call(const clang::CallExpr& call, const clang::FunctionDecl& function, std::vector<Node> operands);
  /// Values of the arguments from `first` on, without defaults if `drops_defaults`.
  std::vector<Node> arguments(const clang::CallExpr& call, unsigned first, bool drops_defaults);
  std::vector<Node> message(const clang::Expr* text);
  Node between(const ShapePosition& first, const ShapePosition& last);
  Node sum_of(llvm::ArrayRef<const clang::Expr*> terms);

  clang::Sema& sema_;
  clang::ASTContext& context_;
  std::vector<ShapeFunction> functions_;
  std::map<const clang::FunctionDecl*, std::string> function_names_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::optional<Refusal> refusal_;

  Frame& frame() { return *frames_.back(); }
};

/// Kinds of classes whose values have a counterpart: `Tensor`, `MetaBase`, `Options`, `Scalar`, `List`, `Optional`,
/// `String`, `Tuple`, `DtypeSet`; empty for others.
llvm::StringRef shape_class(clang::QualType type);
/// Whether copies of a list are independent of the original, unlike those of a reference to elements.
bool owns_elements(clang::QualType type);
/// Skips what bare() skips, temporaries, and the spelling of comparisons.
const clang::Expr* without_wrapping(const clang::Expr* expression);
/// A position `list.begin() + a + b`, or `list.end() - a - b`.
struct ShapePosition {
  const clang::Expr* list = nullptr;
  std::vector<const clang::Expr*> offsets;
  bool is_end = false;
};
/// Returns nullopt for another expression.
std::optional<ShapePosition> shape_position(const clang::Expr* expression);

}  // namespace structured::gen
