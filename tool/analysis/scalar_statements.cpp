// Statements of scalar functions.
#include <utility>

#include "analysis/scalar_evaluator.h"
#include "clang/AST/ASTContext.h"

namespace structured::gen {
namespace {

// Limits for loops whose number of iterations is a constant, for all loops together, and for loops that depend on
// elements.
constexpr unsigned most_iterations = 4096;
constexpr unsigned most_masked_iterations = 256;
constexpr std::size_t most_nodes = 16384;

/// Skips attributes, labels of attributes and parentheses around a statement.
const clang::Stmt* bare(const clang::Stmt* statement) {
  while (const auto* attributed = llvm::dyn_cast_or_null<clang::AttributedStmt>(statement)) {
    statement = attributed->getSubStmt();
  }
  return statement;
}

llvm::StringRef name_of_statement(const clang::Stmt& statement) {
  switch (statement.getStmtClass()) {
    case clang::Stmt::GotoStmtClass:
    case clang::Stmt::LabelStmtClass:
    case clang::Stmt::IndirectGotoStmtClass:
      return "`goto`";
    case clang::Stmt::CXXTryStmtClass:
      return "a `try` block";
    case clang::Stmt::GCCAsmStmtClass:
    case clang::Stmt::MSAsmStmtClass:
      return "assembler code";
    default:
      return statement.getStmtClassName();
  }
}

}  // namespace

void ScalarEvaluator::execute(const clang::Stmt* statement) {
  statement = bare(statement);
  if (!statement || has_stopped()) return;
  if (builder_.size() > most_nodes) {
    refuse(statement->getSourceRange(), "has too many operations");
    return;
  }
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) {
    if (expression->isGLValue()) {
      place(expression);
    } else {
      value(expression);
    }
    return;
  }
  switch (statement->getStmtClass()) {
    case clang::Stmt::NullStmtClass:
      return;
    case clang::Stmt::CompoundStmtClass:
      for (const clang::Stmt* inner : llvm::cast<clang::CompoundStmt>(statement)->body()) execute(inner);
      return;
    case clang::Stmt::DeclStmtClass:
      for (const clang::Decl* declaration : llvm::cast<clang::DeclStmt>(statement)->decls()) {
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) declare(*variable);
      }
      return;
    case clang::Stmt::IfStmtClass:
      execute_if(*llvm::cast<clang::IfStmt>(statement));
      return;
    case clang::Stmt::SwitchStmtClass:
      execute_switch(*llvm::cast<clang::SwitchStmt>(statement));
      return;
    case clang::Stmt::ReturnStmtClass: {
      const clang::Expr* expression = llvm::cast<clang::ReturnStmt>(statement)->getRetValue();
      SymbolicValue result;
      if (expression && expression->isGLValue()) {
        result = SymbolicValue::reference(place(expression));
      } else if (expression) {
        result = value(expression);
      }
      if (refusal_) return;
      ScalarFlow& flow = state_.flow;
      flow.result = builder_.is_true(flow.live) ? std::move(result) : merge(flow.live, result, flow.result);
      flow.live = builder_.constant(false);
      return;
    }
    case clang::Stmt::ForStmtClass: {
      const auto& loop = *llvm::cast<clang::ForStmt>(statement);
      if (loop.getConditionVariable()) break;
      const std::size_t cells = state_.cells.size();
      execute(loop.getInit());
      state_.flow.loops.push_back({builder_.constant(false), builder_.constant(false), cells, cells});
      execute_loop(loop, loop.getCond(), loop.getInc(), loop.getBody(), /*tests_first=*/true);
      return;
    }
    case clang::Stmt::WhileStmtClass:
    case clang::Stmt::DoStmtClass: {
      const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement);
      if (loop && loop->getConditionVariable()) break;
      const std::size_t cells = state_.cells.size();
      state_.flow.loops.push_back({builder_.constant(false), builder_.constant(false), cells, cells});
      if (loop) {
        execute_loop(*loop, loop->getCond(), nullptr, loop->getBody(), /*tests_first=*/true);
      } else {
        const auto& last = *llvm::cast<clang::DoStmt>(statement);
        execute_loop(last, last.getCond(), nullptr, last.getBody(), /*tests_first=*/false);
      }
      return;
    }
    case clang::Stmt::CXXForRangeStmtClass:
      execute_range_loop(*llvm::cast<clang::CXXForRangeStmt>(statement));
      return;
    case clang::Stmt::BreakStmtClass:
    case clang::Stmt::ContinueStmtClass: {
      if (state_.flow.loops.empty()) break;
      ScalarFlow& flow = state_.flow;
      ScalarLoop& loop = flow.loops.back();
      if (loop.is_switch && llvm::isa<clang::ContinueStmt>(statement)) break;
      Node& waiting = llvm::isa<clang::BreakStmt>(statement) ? loop.left : loop.continued;
      waiting = builder_.disjunction(waiting, flow.live);
      flow.live = builder_.constant(false);
      return;
    }
    default:
      break;
  }
  refuse(statement->getSourceRange(), "contains " + name_of_statement(*statement).str());
}

void ScalarEvaluator::execute_if(const clang::IfStmt& statement) {
  execute(statement.getInit());
  if (const clang::VarDecl* variable = statement.getConditionVariable()) declare(*variable);
  const Node test = condition(statement.getCond());
  if (has_stopped()) return;
  if (builder_.is_constant(test)) {
    execute(builder_.is_true(test) ? statement.getThen() : statement.getElse());
    return;
  }
  ScalarState before = state_;
  const std::size_t cells = before.cells.size();
  const std::vector<ScalarLoop> loops = before.flow.loops;
  scope([&] { execute(statement.getThen()); });
  state_.cells.resize(cells);
  ScalarState yes = std::exchange(state_, std::move(before));
  scope([&] { execute(statement.getElse()); });
  state_.cells.resize(cells);
  if (refusal_) return;
  // A branch that has returned is merged later.
  const auto ends = [&](const ScalarFlow& flow) { return builder_.is_false(flow.live) && flow.loops == loops; };
  if (ends(yes.flow) && !builder_.is_false(state_.flow.live)) {
    frame().returned.push_back({test, true, std::move(yes)});
  } else if (ends(state_.flow) && !builder_.is_false(yes.flow.live)) {
    frame().returned.push_back({test, false, std::exchange(state_, std::move(yes))});
  } else {
    state_ = merge(test, std::move(yes), std::move(state_));
  }
}

void ScalarEvaluator::execute_switch(const clang::SwitchStmt& statement) {
  execute(statement.getInit());
  if (const clang::VarDecl* variable = statement.getConditionVariable()) declare(*variable);
  const Node test = number(statement.getCond());
  if (has_stopped()) return;
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(statement.getBody());
  const auto refuse_it = [&] { refuse(statement.getSourceRange(), "contains a `switch`"); };
  if (!body || !builder_.is_constant(test)) return refuse_it();
  const ScalarValue tested = builder_.value_of(test);
  const clang::SwitchCase* chosen = nullptr;
  for (const clang::SwitchCase* label = statement.getSwitchCaseList(); label; label = label->getNextSwitchCase()) {
    const auto* constant_case = llvm::dyn_cast<clang::CaseStmt>(label);
    if (!constant_case) {
      if (!chosen) chosen = label;  // `default`
      continue;
    }
    if (constant_case->getRHS()) return refuse_it();
    const llvm::APSInt constant = constant_case->getLHS()->EvaluateKnownConstInt(context_);
    const llvm::APInt bits = constant.extOrTrunc(8 * size_of(tested.type));
    if (bits.getZExtValue() == tested.bits) chosen = label;
  }
  if (!chosen) return;
  const std::size_t cells = state_.cells.size();
  state_.flow.loops.push_back({builder_.constant(false), builder_.constant(false), cells, cells, /*is_switch=*/true});
  bool is_reached = false;
  scope([&] {
    for (const clang::Stmt* inner : body->body()) {
      while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(inner)) {
        is_reached |= label == chosen;
        inner = label->getSubStmt();
      }
      if (is_reached) execute(inner);
    }
  });
  if (!is_reached) return refuse_it();  // the label is within another statement
  if (refusal_) return;
  ScalarFlow& flow = state_.flow;
  flow.live = builder_.disjunction(flow.live, flow.loops.back().left);
  state_.cells.resize(flow.loops.back().cells);
  flow.loops.pop_back();
}

void ScalarEvaluator::iterate(llvm::function_ref<void()> body) {
  const std::size_t cells = state_.cells.size();
  state_.flow.loops.back().outer_cells = cells;
  scope(body);
  state_.cells.resize(cells);
  ScalarLoop& loop = state_.flow.loops.back();
  state_.flow.live = builder_.disjunction(state_.flow.live, loop.continued);
  loop.continued = builder_.constant(false);
}

void ScalarEvaluator::execute_loop(const clang::Stmt& loop, const clang::Expr* condition_expression,
                                   const clang::Expr* increment_expression, const clang::Stmt* body, bool tests_first) {
  bool tests = tests_first;
  for (;; tests = true) {
    if (tests && condition_expression) {
      const Node test = condition(condition_expression);
      if (refusal_) return;
      ScalarFlow& flow = state_.flow;
      if (!builder_.is_constant(test)) ++masked_iterations_;
      flow.loops.back().left =
          builder_.disjunction(flow.loops.back().left, builder_.conjunction(flow.live, builder_.negation(test)));
      flow.live = builder_.conjunction(flow.live, test);
    }
    if (has_stopped()) break;
    if (masked_iterations_ > most_masked_iterations || builder_.size() > most_nodes) {
      refuse(loop.getSourceRange(), "has a loop whose number of iterations depends on elements");
      return;
    }
    if (++iterations_ > most_iterations) {
      refuse(loop.getSourceRange(), "has a loop with too many iterations");
      return;
    }
    iterate([&] { execute(body); });
    if (has_stopped()) break;
    if (increment_expression) execute(increment_expression);
  }
  if (refusal_) return;
  ScalarFlow& flow = state_.flow;
  flow.live = builder_.disjunction(flow.live, flow.loops.back().left);
  state_.cells.resize(flow.loops.back().cells);
  flow.loops.pop_back();
}

void ScalarEvaluator::execute_range_loop(const clang::CXXForRangeStmt& statement) {
  const clang::Expr* range = statement.getRangeInit();
  const auto* array = context_.getAsConstantArrayType(range->getType());
  if (!array || statement.getInit()) {
    refuse(statement.getSourceRange(), "has a loop over something other than an array");
    return;
  }
  const std::size_t cells = state_.cells.size();
  const ScalarPlace elements = place(range);
  if (refusal_) return;
  state_.flow.loops.push_back({builder_.constant(false), builder_.constant(false), cells, cells});
  const clang::VarDecl& variable = *statement.getLoopVariable();
  const auto size = static_cast<unsigned>(array->getSize().getZExtValue());
  for (unsigned i = 0; i < size && !has_stopped(); ++i) {
    iterate([&] {
      const ScalarPlace element = elements.part(i);
      const bool is_reference = variable.getType()->isReferenceType();
      frame().variables[&variable] = is_reference ? element : new_place(load(element, *range));
      execute(statement.getBody());
    });
    if (++iterations_ > most_iterations) {
      refuse(statement.getSourceRange(), "has a loop with too many iterations");
      return;
    }
  }
  if (refusal_) return;
  ScalarFlow& flow = state_.flow;
  flow.live = builder_.disjunction(flow.live, flow.loops.back().left);
  state_.cells.resize(flow.loops.back().cells);
  flow.loops.pop_back();
}

void ScalarEvaluator::declare(const clang::VarDecl& variable) {
  const clang::Expr* init = variable.getInit();
  if (variable.isInvalidDecl()) {
    refuse(variable.getSourceRange(), does_not_compile.str());
    return;
  }
  if (variable.isStaticLocal() && !variable.getType().isConstQualified()) {
    refuse(variable.getSourceRange(), "has the static variable `" + variable.getNameAsString() + "`");
    return;
  }
  if (variable.getType()->isReferenceType()) {
    frame().variables[&variable] = init ? place(init) : ScalarPlace();
    return;
  }
  SymbolicValue initial;
  if (init) {
    initial = value(init);
  } else if (const clang::CXXRecordDecl* record = variable.getType()->getAsCXXRecordDecl()) {
    refuse(variable.getSourceRange(), "has a variable of the type `" + record->getNameAsString() + "`");
  } else if (!scalar_type(variable.getType(), context_)) {
    refuse(variable.getSourceRange(), "has a variable of the type `" + variable.getType().getAsString() + "`");
  }
  if (refusal_) return;
  frame().variables[&variable] = new_place(std::move(initial));
}

void ScalarEvaluator::construct(const clang::CXXConstructorDecl& constructor) {
  const clang::CXXRecordDecl& record = *constructor.getParent();
  const ScalarPlace self = *frame().self;
  for (const clang::CXXCtorInitializer* initializer : constructor.inits()) {
    if (refusal_) return;
    const clang::Expr* init = initializer->getInit();
    if (initializer->isDelegatingInitializer()) {
      at(self) = value(init);
      continue;
    }
    unsigned index = 0;
    if (initializer->isBaseInitializer()) {
      for (const clang::CXXBaseSpecifier& base : record.bases()) {
        if (context_.hasSameUnqualifiedType(base.getType(), clang::QualType(initializer->getBaseClass(), 0))) break;
        ++index;
      }
    } else if (const clang::FieldDecl* field = initializer->getMember()) {
      index = record.getNumBases() + field->getFieldIndex();
    } else {
      refuse(initializer->getSourceLocation(), "initialises a member of an anonymous union");
      return;
    }
    const bool is_reference =
        initializer->isMemberInitializer() && initializer->getMember()->getType()->isReferenceType();
    SymbolicValue part = is_reference ? SymbolicValue::reference(place(init)) : value(init);
    at(self.part(index)) = std::move(part);
  }
}

}  // namespace structured::gen
