#include "analysis/precondition_analysis.h"

#include <set>
#include <utility>

#include "analysis/body_visitor.h"
#include "analysis/call_frame.h"
#include "analysis/control_flow_graph.h"
#include "analysis/definitions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {
namespace {

constexpr unsigned caller_depth_limit = 8;
constexpr unsigned helper_count_limit = 256;

std::string collapse_white_space(llvm::StringRef text) {
  std::string result;
  for (const char c : text) {
    if (!llvm::isSpace(c)) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  return result;
}

/// Appends the constraints under which `condition` equals `value`.
void add_constraints(const SymbolicExpr* condition, bool value, std::vector<Constraint>& constraints) {
  switch (condition->kind) {
    case SymbolicExpr::Kind::constant:
      return;
    case SymbolicExpr::Kind::negation:
      return add_constraints(condition->left, !value, constraints);
    case SymbolicExpr::Kind::equality:
      constraints.push_back({condition->left->text, condition->number, condition->number, !value});
      return;
    case SymbolicExpr::Kind::order:
      if (!value) {
        constraints.push_back({condition->left->text, condition->number, max_number, false});
      } else if (condition->number != min_number) {
        constraints.push_back({condition->left->text, min_number, condition->number - 1, false});
      }
      return;
    case SymbolicExpr::Kind::conjunction:
    case SymbolicExpr::Kind::disjunction:
      if (value != (condition->kind == SymbolicExpr::Kind::conjunction)) break;
      add_constraints(condition->left, value, constraints);
      return add_constraints(condition->right, value, constraints);
    case SymbolicExpr::Kind::opaque:
      break;
  }
  constraints.push_back({condition->text, value, value, false});
}

/// Returns C for a condition of the form `!C`, inside `__builtin_expect` if present; otherwise the condition.
const clang::Expr& negated_operand(const clang::Expr& condition) {
  const clang::Expr* expression = condition.IgnoreParenCasts();
  while (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    if (name_of(call->getDirectCallee()) != "__builtin_expect") break;
    expression = call->getArg(0)->IgnoreParenCasts();
  }
  const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(expression);
  return negation && negation->getOpcode() == clang::UO_LNot ? *negation->getSubExpr()->IgnoreParenImpCasts()
                                                             : *expression;
}

bool never_completes(const clang::Stmt* statement) {
  while (true) {
    if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement)) {
      statement = block->body_empty() ? nullptr : block->body_back();
    } else if (const auto* attributed = llvm::dyn_cast_or_null<clang::AttributedStmt>(statement)) {
      statement = attributed->getSubStmt();
    } else if (const auto* expression = llvm::dyn_cast_or_null<clang::FullExpr>(statement)) {
      statement = expression->getSubExpr();
    } else {
      break;
    }
  }
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(statement);
  return llvm::isa_and_nonnull<clang::CXXThrowExpr>(statement) ||
         (call && call->getDirectCallee() && call->getDirectCallee()->isNoReturn());
}

/// Whether a function without a visible body may check preconditions of its arguments.
bool may_be_check(const clang::FunctionDecl& function) {
  if (function.getReturnType()->isVoidType()) return true;
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"check", "assert", "expect", "require", "valid", "verify"},
                      [&](llvm::StringRef word) { return name_of(&function).contains_insensitive(word); });
}

class PreconditionVisitor : public BodyVisitor {
 public:
  PreconditionVisitor(clang::Sema& sema, const SourceMap& map, BodyFacts& facts)
      : sema_(sema), context_(sema.getASTContext()), map_(map), facts_(facts) {}

  void analyze(const clang::FunctionDecl& definition, const clang::FunctionDecl& declaration) {
    CallFrame frame(exprs_, context_, definition, declaration);
    frame_ = &frame;
    walk(definition.getBody());
    facts_.checked_elsewhere.assign(checked_elsewhere_.begin(), checked_elsewhere_.end());
    facts_.given_to_base.assign(given_to_base_.begin(), given_to_base_.end());
  }

  bool enter(const clang::Stmt& statement) override {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&statement)) {
      enter_branch(*branch);
    } else if (llvm::isa<clang::LambdaExpr>(statement)) {
      ++lambda_depth_;
    } else if (llvm::isa<clang::ReturnStmt>(statement)) {
      if (!non_shape_branches_.empty() && lambda_depth_ == 0) returned_under_non_shape_condition_ = true;
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
      add_handle_changes(*call);
      add_memory_access(*call);
      if (!visit_helper(*call)) add_unseen_checks(*call);
    }
    return true;
  }

  void leave(const clang::Stmt& statement) override {
    lambda_depth_ -= llvm::isa<clang::LambdaExpr>(statement);
    if (!non_shape_branches_.empty() && non_shape_branches_.back() == &statement) non_shape_branches_.pop_back();
  }

 private:
  void enter_branch(const clang::IfStmt& statement) {
    const bool is_check = is_check_macro(statement);
    if (is_check || (!statement.getElse() && never_completes(statement.getThen()))) {
      add_precondition(*statement.getCond(), is_check);
    } else if (!frame_->condition(statement.getCond())->reads.only_shapes) {
      non_shape_branches_.push_back(&statement);
    }
  }

  bool is_check_macro(const clang::IfStmt& statement) const {
    const clang::SourceLocation place = statement.getIfLoc();
    if (!place.isMacroID()) return false;
    const llvm::StringRef macro =
        clang::Lexer::getImmediateMacroName(place, context_.getSourceManager(), context_.getLangOpts());
    return macro == "STRUCTURED_CHECK" || macro.starts_with("TORCH_CHECK");
  }

  void add_precondition(const clang::Expr& condition, bool is_check) {
    const clang::Expr& requirement = negated_operand(condition);
    const clang::SourceManager& sources = context_.getSourceManager();
    const clang::SourceRange written(sources.getFileLoc(requirement.getBeginLoc()),
                                     sources.getFileLoc(requirement.getEndLoc()));
    const clang::CharSourceRange in_file = map_.in_file(written);
    const SymbolicExpr* failure = frame_->condition(&condition);
    Precondition precondition;
    precondition.text = collapse_white_space(map_.text(in_file));
    precondition.range = map_.range(in_file);
    precondition.called_at = called_at();
    add_constraints(failure, false, precondition.constraints);
    precondition.is_check = is_check;
    precondition.reads_shapes_only = failure->reads.only_shapes && !failure->reads.tensors.empty() &&
                                     non_shape_branches_.empty() && !returned_under_non_shape_condition_;
    precondition.tensors.assign(failure->reads.tensors.begin(), failure->reads.tensors.end());
    facts_.preconditions.push_back(std::move(precondition));
  }

  /// Location of the call in the outermost body that leads to the current body.
  std::optional<SourceRange> called_at() const {
    if (!frame_->caller()) return std::nullopt;
    return map_.range(outermost_call_);
  }

  void add_handle_changes(const clang::CallExpr& call) {
    if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call)) {
      const clang::FunctionDecl* callee = op->getDirectCallee();
      const bool assigns_tensor = op->getOperator() == clang::OO_Equal && callee && callee->getNumParams() == 1 &&
                                  is_tensor(callee->getParamDecl(0)->getType());
      if (assigns_tensor) add_assignment(op->getArg(0), call);
    } else if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) {
      constexpr llvm::StringLiteral resizing[] = {
          "resize_",     "resize_as_",        "set_", "set_sizes_and_strides", "set_sizes_contiguous",
          "set_storage", "set_storage_offset"};
      constexpr llvm::StringLiteral assigning[] = {"reset", "swap"};
      const llvm::StringRef name = name_of(member->getMethodDecl());
      if (llvm::is_contained(resizing, name)) add_resizing(member->getImplicitObjectArgument(), call);
      if (llvm::is_contained(assigning, name)) add_assignment(member->getImplicitObjectArgument(), call);
    } else if (call.getNumArgs() > 0) {
      constexpr llvm::StringLiteral resizing[] = {"resize",     "resize_",       "resize_as_",
                                                  "resize_out", "resize_output", "resize_strided"};
      constexpr llvm::StringLiteral assigning[] = {"exchange", "swap"};
      const llvm::StringRef name = name_of(call.getDirectCallee());
      if (llvm::is_contained(resizing, name)) add_resizing(call.getArg(0), call);
      if (llvm::is_contained(assigning, name)) {
        for (const clang::Expr* argument : call.arguments()) add_assignment(argument, call);
      }
    }
  }

  // A copy of a handle refers to the same tensor, so resizing it changes the parameter's tensor.
  void add_resizing(const clang::Expr* object, const clang::Expr& whole) {
    const SymbolicExpr* expr = frame_->evaluate(object);
    if (expr->reads.tensors.size() != 1) return;
    const bool is_implementation = object->getType()->isPointerType();
    if (!expr->reads.is_tensor && !is_implementation) return;
    add_change(HandleChange::Kind::resizes, *expr->reads.tensors.begin(), whole);
  }

  void add_assignment(const clang::Expr* object, const clang::Expr& whole) {
    if (const auto name = frame_->handle(object)) add_change(HandleChange::Kind::assigns, *name, whole);
  }

  void add_change(HandleChange::Kind kind, const std::string& parameter, const clang::Expr& whole) {
    facts_.handle_changes.push_back({kind, parameter, map_.range(whole.getSourceRange()), called_at()});
  }

  void add_memory_access(const clang::CallExpr& call) {
    constexpr llvm::StringLiteral accessing[] = {"accessor",          "const_data_ptr",   "data_ptr",
                                                 "mutable_data_ptr",  "raw_data_ptr",     "packed_accessor",
                                                 "packed_accessor32", "packed_accessor64"};
    const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
    const clang::CXXMethodDecl* method = member ? member->getMethodDecl() : nullptr;
    const llvm::StringRef name = name_of(method);
    const bool is_old_name = name == "data" && method->getReturnType()->isPointerType();
    if (!is_old_name && !llvm::is_contained(accessing, name)) return;
    if (!name_of(method->getParent()).starts_with("Tensor")) return;
    facts_.memory_accesses.push_back({name.str(), map_.range(call.getSourceRange()), called_at()});
  }

  // Does not follow functions of headers, which are too many.
  bool visit_helper(const clang::CallExpr& call) {
    const clang::FunctionDecl* callee = plain_callee(call);
    if (!callee || !is_in_source(*callee) || helper_count_ == helper_count_limit) return false;
    const clang::FunctionDecl* definition = definition_of(*callee, sema_);
    if (!definition || is_active(*definition)) return false;
    ++helper_count_;
    CallFrame frame(*frame_, *definition, call);
    if (!frame_->caller()) outermost_call_ = call.getSourceRange();
    CallFrame* caller = std::exchange(frame_, &frame);
    const bool left = returned_under_non_shape_condition_;
    walk(definition->getBody());
    returned_under_non_shape_condition_ = left;
    frame_ = caller;
    return true;
  }

  bool is_active(const clang::FunctionDecl& definition) const {
    unsigned depth = 0;
    for (const CallFrame* frame = frame_; frame; frame = frame->caller()) {
      if (&frame->function() == &definition || ++depth == caller_depth_limit) return true;
    }
    return false;
  }

  void add_unseen_checks(const clang::CallExpr& call) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
    const bool is_base = member && member->getMethodDecl() && !member->getMethodDecl()->isConst() &&
                         variable_of(member->getImplicitObjectArgument()) == outermost_base();
    if (!is_base && callee && !may_be_check(*callee)) return;
    for (const clang::Expr* argument : call.arguments()) {
      const SymbolicExpr* expr = frame_->evaluate(argument);
      (is_base ? given_to_base_ : checked_elsewhere_).insert(expr->reads.tensors.begin(), expr->reads.tensors.end());
    }
  }

  const clang::ValueDecl* outermost_base() const {
    const clang::FunctionDecl& function = frame_->function();
    return frame_->caller() || function.getNumParams() == 0 ? nullptr : function.getParamDecl(0);
  }

  clang::Sema& sema_;
  clang::ASTContext& context_;
  const SourceMap& map_;
  BodyFacts& facts_;
  SymbolicExprContext exprs_;
  CallFrame* frame_ = nullptr;
  clang::SourceRange outermost_call_;
  unsigned helper_count_ = 0;
  unsigned lambda_depth_ = 0;
  /// Branches around the current statement that do not depend on shapes only: neither do preconditions inside them, nor
  /// those after a return in them.
  llvm::SmallVector<const clang::Stmt*> non_shape_branches_;
  bool returned_under_non_shape_condition_ = false;
  std::set<std::string> checked_elsewhere_;
  std::set<std::string> given_to_base_;
};

}  // namespace

void analyze_preconditions(const clang::FunctionDecl& definition, const clang::FunctionDecl& declaration,
                           clang::Sema& sema, const SourceMap& map, BodyFacts& facts) {
  PreconditionVisitor(sema, map, facts).analyze(definition, declaration);
}

}  // namespace structured::gen
