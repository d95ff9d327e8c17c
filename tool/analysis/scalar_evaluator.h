// Symbolic execution of scalar functions: the result as a graph of operations on the arguments.
//
// Both branches of a condition on elements are executed, and their effects merged by selections. Calls are inlined,
// loops unrolled. A loop that some elements leave earlier than others runs on for the others, without effect on the
// former. Functions of <cmath> are operations. Whatever else a function does is a reason to refuse it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/scalar_state.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class APValue;
class ASTContext;
class Sema;
}  // namespace clang

namespace structured::gen {

/// Returns the type of a C++ arithmetic type; nullopt for others and for `long double`.
std::optional<ScalarType> scalar_type(clang::QualType type, const clang::ASTContext& context);
/// Reason to refuse code for which Clang has reported an error.
inline constexpr llvm::StringLiteral does_not_compile = "does not compile";
/// Whether the type is std::optional, whose value has the type `value`.
bool is_optional(clang::QualType type, clang::QualType& value);

class ScalarEvaluator {
 public:
  ScalarEvaluator(clang::Sema& sema, ScalarGraphBuilder& builder);
  ScalarEvaluator(const ScalarEvaluator&) = delete;
  ScalarEvaluator& operator=(const ScalarEvaluator&) = delete;
  virtual ~ScalarEvaluator() = default;

  struct Refusal {
    std::string reason;
    clang::SourceRange range;
    bool is_failure = false;  ///< the code throws an exception or ends the process
  };

  /// Returns the result of a function, which must be instantiated, for these arguments.
  SymbolicValue call(const clang::FunctionDecl& function, std::vector<SymbolicValue> arguments);
  /// The first reason for which the result of call() is not valid.
  const std::optional<Refusal>& refusal() const { return refusal_; }
  /// See ScalarGraph::masked_iterations.
  unsigned masked_iterations() const { return masked_iterations_; }

 protected:
  using Node = ScalarNodeId;

  // A derived class overrides these to evaluate code that is more than a function of numbers.
  /// Returns the result of a call that is not executed; nullopt for others.
  virtual std::optional<SymbolicValue> known_call(const clang::CallExpr&, const clang::FunctionDecl&) {
    return std::nullopt;
  }
  /// Returns the object of a constructor that is not executed; nullopt for others.
  virtual std::optional<SymbolicValue> known_object(const clang::CXXConstructExpr&) { return std::nullopt; }
  virtual Node condition(const clang::Expr* expression);
  virtual void assign(const ScalarPlace& place, const SymbolicValue& value, const clang::Expr& use);

  // scalar_evaluator.cpp: state and calls
  SymbolicValue refuse(clang::SourceRange range, std::string reason);
  SymbolicValue refuse_failure(clang::SourceRange range, std::string reason);
  bool has_stopped() const { return refusal_ || builder_.is_false(state_.flow.live); }
  ScalarFrame& frame() { return frames_.back(); }
  ScalarPlace new_place(SymbolicValue value);
  SymbolicValue& at(const ScalarPlace& place);
  SymbolicValue load(const ScalarPlace& place, const clang::Expr& use);
  /// Follows a reference that is stored at the place.
  ScalarPlace target_of(ScalarPlace place);
  /// Condition on which an assignment to the cell has an effect that is visible.
  Node mask_for(std::size_t cell);
  SymbolicValue merge(Node condition, const SymbolicValue& yes, const SymbolicValue& no);
  ScalarState merge(Node condition, ScalarState yes, ScalarState no);
  bool has_returned(const ScalarFlow& flow) const;
  SymbolicValue fork(Node condition, llvm::function_ref<SymbolicValue()> yes, llvm::function_ref<SymbolicValue()> no);
  /// Runs `statements` and merges the branches that have returned.
  void scope(llvm::function_ref<void()> statements);
  SymbolicValue run(const clang::FunctionDecl& function, const clang::Expr* call, std::optional<ScalarPlace> self,
                    std::vector<SymbolicValue> arguments);
  /// Stores arguments for parameters that are references.
  std::vector<SymbolicValue> passed(const clang::FunctionDecl& function, std::vector<SymbolicValue> arguments);

  // scalar_statements.cpp
  void execute(const clang::Stmt* statement);
  void execute_if(const clang::IfStmt& statement);
  void execute_switch(const clang::SwitchStmt& statement);
  void execute_range_loop(const clang::CXXForRangeStmt& statement);
  void execute_loop(const clang::Stmt& loop, const clang::Expr* condition, const clang::Expr* increment,
                    const clang::Stmt* body, bool tests_first);
  void iterate(llvm::function_ref<void()> body);
  void declare(const clang::VarDecl& variable);
  void construct(const clang::CXXConstructorDecl& constructor);

  // scalar_expressions.cpp
  SymbolicValue value(const clang::Expr* expression);
  ScalarPlace place(const clang::Expr* expression);
  Node number(const clang::Expr* expression);
  std::optional<SymbolicValue> wide_constant(const clang::Expr& expression);
  std::optional<SymbolicValue> folded(const clang::Expr& expression);
  SymbolicValue constant(const clang::APValue& value, clang::QualType type);
  SymbolicValue zero(clang::QualType type);
  SymbolicValue cast(const clang::CastExpr& expression);
  SymbolicValue unary(const clang::UnaryOperator& expression);
  SymbolicValue binary(const clang::BinaryOperator& expression);
  SymbolicValue arithmetic(const clang::Expr& expression, clang::BinaryOperatorKind kind, Node left, Node right);
  ScalarPlace compound_assignment(const clang::CompoundAssignOperator& expression);
  ScalarPlace increment(const clang::UnaryOperator& expression);
  SymbolicValue initializer_list(const clang::InitListExpr& expression);
  SymbolicValue lambda(const clang::LambdaExpr& expression);
  ScalarPlace variable(const clang::DeclRefExpr& expression);

  // scalar_calls.cpp
  SymbolicValue called(const clang::CallExpr& call);
  SymbolicValue constructed(const clang::CXXConstructExpr& expression);
  SymbolicValue default_object(const clang::CXXRecordDecl& record, const clang::Expr& use);
  std::optional<SymbolicValue> of_optional(const clang::CallExpr& call, const clang::CXXMethodDecl& method);
  std::optional<SymbolicValue> operation(const clang::CallExpr& call, const clang::FunctionDecl& function);
  SymbolicValue argument(const clang::Expr* expression, clang::QualType parameter);

  clang::Sema& sema_;
  clang::ASTContext& context_;
  ScalarGraphBuilder& builder_;
  ScalarState state_;

 private:
  std::vector<ScalarFrame> frames_;
  std::vector<std::size_t> read_only_;  ///< cells of selections, through which the selected variable cannot be changed
  std::optional<Refusal> refusal_;
  unsigned iterations_ = 0;
  unsigned masked_iterations_ = 0;
};

}  // namespace structured::gen
