// Statements of meta functions.
#include <utility>

#include "analysis/shape_translator.h"
#include "analysis/variable_changes.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace structured::gen {
namespace {

/// Returns the only statement of a block, of blocks in it, or the statement itself.
const clang::Stmt* only_statement(const clang::Stmt* statement) {
  while (true) {
    if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
      const clang::Stmt* found = nullptr;
      for (const clang::Stmt* each : compound->body()) {
        if (llvm::isa<clang::NullStmt>(each)) continue;
        if (found != nullptr) return statement;
        found = each;
      }
      if (found == nullptr) return statement;
      statement = found;
    } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(statement)) {
      statement = attributed->getSubStmt();
    } else {
      return statement;
    }
  }
}

std::string kind_of_error(llvm::StringRef thrown) {
  return llvm::StringSwitch<std::string>(thrown)
      .Cases("c10::IndexError", "std::out_of_range", "IndexError")
      .Cases("c10::ValueError", "std::invalid_argument", "ValueError")
      .Case("c10::TypeError", "TypeError")
      .Case("c10::NotImplementedError", "NotImplementedError")
      .Default("RuntimeError");
}

/// A statement that throws an error.
struct Failure {
  std::string kind;
  const clang::Expr* text = nullptr;      ///< the message, or null
  const clang::CallExpr* call = nullptr;  ///< a call whose arguments from `first` on are the message
  unsigned first = 0;
};

std::optional<Failure> failure_of(const clang::Stmt* statement) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(only_statement(statement));
  if (expression == nullptr) return std::nullopt;
  expression = without_wrapping(expression);
  if (const auto* thrown = llvm::dyn_cast<clang::CXXThrowExpr>(expression)) {
    if (thrown->getSubExpr() == nullptr) return std::nullopt;
    const clang::Expr* object = without_wrapping(thrown->getSubExpr());
    while (const auto* made = llvm::dyn_cast<clang::CastExpr>(object)) object = without_wrapping(made->getSubExpr());
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(object);
    if (made == nullptr) return Failure{"RuntimeError"};
    if (made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor()) {
      made = llvm::dyn_cast<clang::CXXConstructExpr>(without_wrapping(made->getArg(0)));
      if (made == nullptr) return Failure{"RuntimeError"};
    }
    Failure failure{kind_of_error(made->getConstructor()->getParent()->getQualifiedNameAsString())};
    for (unsigned i = 0; i < made->getNumArgs(); ++i) {
      if (!llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(i))) failure.text = made->getArg(i);
    }
    return failure;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (callee == nullptr) return std::nullopt;
  const std::string name = callee->getQualifiedNameAsString();
  if (name == "c10::detail::torchCheckFail" || name == "c10::detail::torchInternalAssertFail") {
    Failure failure{"RuntimeError"};
    if (call->getNumArgs() > 3) failure.text = call->getArg(call->getNumArgs() - 1);
    return failure;
  }
  if (name == "structured::detail::fail_check") return Failure{"RuntimeError", nullptr, call, 1};
  if (name == "structured::fail") return Failure{"RuntimeError", nullptr, call, 0};
  return std::nullopt;
}

/// Skips conversions to bool and hints about the likely value.
const clang::Expr* bare_condition(const clang::Expr* condition) {
  while (true) {
    condition = without_wrapping(condition);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(condition);
        cast && (cast->getType()->isBooleanType() || cast->getSubExpr()->getType()->isBooleanType())) {
      condition = cast->getSubExpr();
      continue;
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(condition);
    if (call == nullptr || call->getBuiltinCallee() != clang::Builtin::BI__builtin_expect) return condition;
    condition = call->getArg(0);
  }
}

}  // namespace

void ShapeTranslator::execute(const clang::Stmt* statement) {
  if (refusal_ || statement == nullptr) return;
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    for (const clang::Stmt* each : compound->body()) execute(each);
  } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(statement)) {
    execute(attributed->getSubStmt());
  } else if (llvm::isa<clang::NullStmt>(statement)) {
  } else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl* each : declaration->decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) declare(*variable);
    }
  } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    execute_if(*branch);
  } else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(statement)) {
    execute_for(*counted);
  } else if (const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) {
    execute_range_loop(*range);
  } else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement);
             loop && loop->getConditionVariable() == nullptr) {
    const Node test = value(loop->getCond());
    emit(ShapeOp::loop, {test, loop_body(nullptr, [&] { execute(loop->getBody()); })});
  } else if (const auto* once = llvm::dyn_cast<clang::DoStmt>(statement)) {
    // The macros of checks end in `while (false)`.
    const auto never = folded(*without_wrapping(once->getCond()));
    if (never && frame().function.nodes[static_cast<std::size_t>(*never)].op == ShapeOp::no) {
      execute(once->getBody());
    } else {
      refuse(once->getSourceRange(), "has a loop whose condition is tested last");
    }
  } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(statement)) {
    execute_switch(*choice);
  } else if (llvm::isa<clang::BreakStmt>(statement)) {
    if (frame().is_in_case) {
      refuse(statement->getSourceRange(), "leaves a `switch` from within a statement");
    } else {
      emit(ShapeOp::leave);
    }
  } else if (llvm::isa<clang::ContinueStmt>(statement)) {
    if (const clang::Expr* increment = frame().increments.back()) execute_expression(increment);
    emit(ShapeOp::next);
  } else if (const auto* end = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    std::vector<Node> operands;
    if (const clang::Expr* result = end->getRetValue(); result && !result->getType()->isVoidType()) {
      operands.push_back(value(result));
    } else if (result) {
      execute_expression(result);
    }
    emit(ShapeOp::result, std::move(operands));
  } else if (execute_failure(statement, nullptr)) {
  } else if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) {
    execute_expression(expression);
  } else {
    refuse(statement->getSourceRange(),
           "has a statement without a counterpart: " + std::string(statement->getStmtClassName()));
  }
}

void ShapeTranslator::execute_if(const clang::IfStmt& statement) {
  if (statement.isConstexpr()) {
    if (const auto taken = statement.getNondiscardedCase(context_)) {
      if (*taken != nullptr) execute(*taken);
      return;
    }
  }
  if (statement.getInit() != nullptr) execute(statement.getInit());
  if (const clang::VarDecl* variable = statement.getConditionVariable()) declare(*variable);
  const clang::Stmt* other = statement.getElse();
  if (other == nullptr && execute_failure(statement.getThen(), statement.getCond())) return;
  const Node test = value(statement.getCond());
  const ShapeNode& known = frame().function.nodes[static_cast<std::size_t>(test)];
  if (known.op == ShapeOp::yes || known.op == ShapeOp::no) {
    execute(known.op == ShapeOp::yes ? statement.getThen() : other);
    return;
  }
  std::vector<Node> operands{test, block_of(statement.getThen())};
  if (other != nullptr) operands.push_back(block_of(other));
  emit(ShapeOp::branch, std::move(operands));
}

bool ShapeTranslator::execute_failure(const clang::Stmt* statement, const clang::Expr* condition) {
  const std::optional<Failure> failure = failure_of(statement);
  if (!failure) return false;
  std::vector<Node> parts;
  if (failure->text != nullptr) parts = message(failure->text);
  for (unsigned i = failure->first; failure->call && i < failure->call->getNumArgs(); ++i) {
    llvm::append_range(parts, message(failure->call->getArg(i)));
  }
  if (condition == nullptr) {
    emit(ShapeOp::fail, std::move(parts), failure->kind);
  } else {
    add_checks(condition, /*is_negated=*/true, parts, failure->kind);
  }
  return true;
}

/// Adds a check for each part of a conjunction, so that each may be about sizes whose values are not known.
void ShapeTranslator::add_checks(const clang::Expr* condition, bool is_negated, const std::vector<Node>& message,
                                 const std::string& kind) {
  const clang::Expr* bare = bare_condition(condition);
  if (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(bare);
      negation && negation->getOpcode() == clang::UO_LNot) {
    add_checks(negation->getSubExpr(), !is_negated, message, kind);
    return;
  }
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (both && both->getOpcode() == (is_negated ? clang::BO_LOr : clang::BO_LAnd)) {
    add_checks(both->getLHS(), is_negated, message, kind);
    add_checks(both->getRHS(), is_negated, message, kind);
    return;
  }
  Node test = value(bare);
  if (is_negated) test = add(ShapeOp::unary, {test}, "!");
  std::vector<Node> operands{test};
  llvm::append_range(operands, message);
  emit(ShapeOp::check, std::move(operands), kind);
}

/// The body of a loop, whose `continue` runs the increment first.
ShapeTranslator::Node ShapeTranslator::loop_body(const clang::Expr* increment, llvm::function_ref<void()> statements) {
  frame().increments.push_back(increment);
  const bool was_in_case = std::exchange(frame().is_in_case, false);
  const Node body = block(statements);
  frame().is_in_case = was_in_case;
  frame().increments.pop_back();
  return body;
}

void ShapeTranslator::execute_for(const clang::ForStmt& statement) {
  const Node whole = block([&] {
    const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(statement.getInit());
    const auto* variable = declaration && declaration->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(
        statement.getCond() ? without_wrapping(statement.getCond()) : nullptr);
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(
        statement.getInc() ? without_wrapping(statement.getInc()) : nullptr);
    const auto names = [&](const clang::Expr* expression) {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
      return reference != nullptr && reference->getDecl() == variable;
    };
    const VariableChanges in_body(*statement.getBody());
    // The end must be the same number in each iteration.
    const auto is_steady = [&](const clang::Expr* expression) {
      bool result = true;
      const auto visit = [&](const auto& self, const clang::Stmt* each) -> void {
        if (each == nullptr) return;
        if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(each)) {
          result = result && !in_body.is_changed(reference->getDecl()) && !in_body.is_shared(reference->getDecl());
        }
        for (const clang::Stmt* child : each->children()) self(self, child);
      };
      visit(visit, expression);
      return result;
    };
    const bool is_counted = variable && variable->getInit() && test && step && step->isIncrementOp() &&
                            (test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_NE) &&
                            names(test->getLHS()) && names(step->getSubExpr()) && !in_body.is_changed(variable) &&
                            !in_body.is_shared(variable) && is_steady(test->getRHS());
    if (is_counted) {
      const Node first = value(variable->getInit());
      const Node end = value(test->getRHS());
      const std::string name = declare_name(variable, variable->getName());
      const Node body = loop_body(nullptr, [&] { execute(statement.getBody()); });
      emit(ShapeOp::count, {first, end, body}, name);
      return;
    }
    if (statement.getInit() != nullptr) execute(statement.getInit());
    const Node condition = statement.getCond() ? value(statement.getCond()) : add(ShapeOp::yes);
    const Node body = loop_body(statement.getInc(), [&] {
      execute(statement.getBody());
      if (statement.getInc() != nullptr) execute_expression(statement.getInc());
    });
    emit(ShapeOp::loop, {condition, body});
  });
  frame().statements->push_back(whole);
}

void ShapeTranslator::execute_range_loop(const clang::CXXForRangeStmt& statement) {
  if (statement.getInit() != nullptr) execute(statement.getInit());
  const clang::VarDecl& variable = *statement.getLoopVariable();
  const clang::QualType type = variable.getType();
  const bool is_writable = type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
  const bool changes_numbers = is_writable && !type.getNonReferenceType()->isRecordType();
  const Node list = value(statement.getRangeInit());
  std::string name;
  const Node body = loop_body(nullptr, [&] {
    if (changes_numbers) {
      name = declare_name(nullptr, "index");
      frame().places[&variable] = add(ShapeOp::element, {list, add(ShapeOp::variable, {}, name)});
    } else if (const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(&variable)) {
      name = declare_name(&variable, "each");
      declare_bindings(*bindings);
    } else {
      name = declare_name(&variable, variable.getName());
    }
    execute(statement.getBody());
  });
  if (changes_numbers) {
    emit(ShapeOp::count, {add(ShapeOp::integer, {}, "0"), known("length", {list}), body}, name);
    return;
  }
  emit(ShapeOp::visit, {list, body}, name);
}

void ShapeTranslator::execute_switch(const clang::SwitchStmt& statement) {
  struct Case {
    std::vector<const clang::Expr*> labels;
    bool is_default = false;
    std::vector<const clang::Stmt*> statements;
  };
  std::vector<Case> cases;
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(statement.getBody());
  if (statement.getInit() || statement.getConditionVariable() || body == nullptr) {
    refuse(statement.getSourceRange(), "has a `switch` that declares a variable");
    return;
  }
  const auto ends = [](const clang::Stmt* last) {
    return llvm::isa<clang::BreakStmt, clang::ReturnStmt>(last) || failure_of(last).has_value();
  };
  for (const clang::Stmt* each : body->body()) {
    const bool starts = llvm::isa<clang::SwitchCase>(each);
    if (starts && !cases.empty() && (cases.back().statements.empty() || !ends(cases.back().statements.back()))) {
      refuse(each->getSourceRange(), "has a `case` into which the one before falls through");
      return;
    }
    if (starts) cases.emplace_back();
    while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(each)) {
      if (const auto* one = llvm::dyn_cast<clang::CaseStmt>(label)) cases.back().labels.push_back(one->getLHS());
      if (llvm::isa<clang::DefaultStmt>(label)) cases.back().is_default = true;
      each = label->getSubStmt();
    }
    if (cases.empty()) continue;
    if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(each)) {
      llvm::append_range(cases.back().statements, compound->body());
    } else {
      cases.back().statements.push_back(each);
    }
  }
  const std::string name = declare_name(nullptr, "chosen");
  const Node chosen = add(ShapeOp::variable, {}, name);
  emit(ShapeOp::set, {chosen, value(statement.getCond())});
  // Later cases are the other branches of earlier ones; the default comes last.
  llvm::stable_sort(cases, [](const Case& a, const Case& b) { return a.is_default < b.is_default; });
  const auto add_from = [&](const auto& self, std::size_t index) -> void {
    if (index == cases.size() || refusal_) return;
    const Case& one = cases[index];
    const auto run = [&] {
      const bool was_in_case = std::exchange(frame().is_in_case, true);
      for (const clang::Stmt* each : one.statements) {
        if (llvm::isa<clang::BreakStmt>(each)) break;
        execute(each);
      }
      frame().is_in_case = was_in_case;
    };
    if (one.is_default) return run();
    std::optional<Node> test;
    for (const clang::Expr* label : one.labels) {
      const Node is_equal = add(ShapeOp::binary, {chosen, value(label)}, "==");
      test = test ? add(ShapeOp::binary, {*test, is_equal}, "||") : is_equal;
    }
    std::vector<Node> operands{*test, block(run)};
    if (index + 1 < cases.size()) operands.push_back(block([&] { self(self, index + 1); }));
    emit(ShapeOp::branch, std::move(operands));
  };
  add_from(add_from, 0);
}

void ShapeTranslator::execute_expression(const clang::Expr* expression) {
  expression = without_wrapping(expression);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression); cast && cast->getType()->isVoidType()) {
    execute_expression(cast->getSubExpr());
    return;
  }
  if (llvm::isa<clang::DeclRefExpr>(expression) || expression->isCXX11ConstantExpr(context_)) return;
  if (execute_assignment(expression)) return;
  emit(ShapeOp::run, {value(expression)});
}

void ShapeTranslator::note_assignment(const clang::Expr* target) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(without_wrapping(target));
  if (reference == nullptr) return;
  const clang::ValueDecl* variable = reference->getDecl();
  if (frame().places.contains(variable)) return;
  if (variable->getType()->isReferenceType()) {
    refuse(target->getSourceRange(), "assigns to the reference `" + variable->getNameAsString() + "`");
    return;
  }
  for (std::size_t i = frame().closures.size(); i-- > 0;) {
    if (frame().closures[i].contains(variable)) break;
    frame().outer[i].insert(frame().names[variable]);
  }
}

bool ShapeTranslator::execute_assignment(const clang::Expr* expression) {
  if (const auto* change = llvm::dyn_cast<clang::CompoundAssignOperator>(expression)) {
    note_assignment(change->getLHS());
    const auto kind = clang::BinaryOperator::getOpForCompoundAssignment(change->getOpcode());
    const Node place = target(change->getLHS());
    const Node right = value(change->getRHS());
    emit(ShapeOp::set, {place, arithmetic(kind, change->getComputationResultType(), place, right, *expression)});
    return true;
  }
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(expression);
      assignment && assignment->getOpcode() == clang::BO_Assign) {
    note_assignment(assignment->getLHS());
    const Node right = value(assignment->getRHS());
    emit(ShapeOp::set, {target(assignment->getLHS()), right});
    return true;
  }
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(expression); step && step->isIncrementDecrementOp()) {
    note_assignment(step->getSubExpr());
    emit(ShapeOp::update, {target(step->getSubExpr()), add(ShapeOp::integer, {}, "1")},
         step->isIncrementOp() ? "+" : "-");
    return true;
  }
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  if (call && call->getOperator() == clang::OO_Equal) {
    note_assignment(call->getArg(0));
    Node right = value(call->getArg(1));
    const bool is_moved = call->getArg(1)->isXValue() || without_wrapping(call->getArg(1))->isPRValue();
    if (!is_moved && (owns_elements(call->getType()) || shape_class(call->getType()).empty()))
      right = known("copy", {right});
    emit(ShapeOp::set, {target(call->getArg(0)), right});
    return true;
  }
  if (call && call->getOperator() == clang::OO_PlusEqual && shape_class(call->getArg(0)->getType()) == "String") {
    note_assignment(call->getArg(0));
    const Node right = value(call->getArg(1));
    emit(ShapeOp::update, {target(call->getArg(0)), right}, "+");
    return true;
  }
  return false;
}

void ShapeTranslator::declare(const clang::VarDecl& variable) {
  if (const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(&variable)) {
    const Node whole = value(variable.getInit());
    const std::string name = declare_name(&variable, "parts");
    emit(ShapeOp::set, {add(ShapeOp::variable, {}, name), whole});
    declare_bindings(*bindings);
    return;
  }
  const clang::QualType type = variable.getType();
  const bool is_writable = type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
  const clang::Expr* init = variable.getInit();
  if (is_writable && !type.getNonReferenceType()->isRecordType()) {
    frame().places[&variable] = target(init);
    return;
  }
  if (init != nullptr) {
    const clang::Expr* bare = without_wrapping(init->IgnoreImpCasts());
    while (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(bare)) {
      if (made->getNumArgs() != 1) break;
      bare = without_wrapping(made->getArg(0));
    }
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(bare)) {
      closure(*lambda, declare_name(&variable, variable.getName()));
      return;
    }
  }
  const Node initial = init ? value(init) : default_value(type, nullptr);
  const std::string name = declare_name(&variable, variable.getName());
  emit(ShapeOp::set, {add(ShapeOp::variable, {}, name), initial});
}

void ShapeTranslator::declare_bindings(const clang::DecompositionDecl& variable) {
  const Node whole = add(ShapeOp::variable, {}, frame().names[&variable]);
  const bool is_tuple = shape_class(variable.getType()) == "Tuple";
  const clang::CXXRecordDecl* record = variable.getType().getNonReferenceType()->getAsCXXRecordDecl();
  const bool is_list = owns_elements(variable.getType()) || variable.getType().getNonReferenceType()->isArrayType();
  if (!is_tuple && !is_list && (record == nullptr || record->getNumBases() > 0)) {
    refuse(variable.getSourceRange(), "takes an object apart whose members are not known");
    return;
  }
  auto field = record ? record->field_begin() : clang::RecordDecl::field_iterator();
  unsigned index = 0;
  for (const clang::BindingDecl* binding : variable.bindings()) {
    const Node place = is_tuple || is_list ? add(ShapeOp::integer, {}, std::to_string(index)) : 0;
    const Node part = is_tuple || is_list ? add(ShapeOp::element, {whole, place})
                                          : add(ShapeOp::member, {whole}, (*field)->getNameAsString());
    if (!is_tuple && !is_list) ++field;
    ++index;
    emit(ShapeOp::set, {add(ShapeOp::variable, {}, declare_name(binding, binding->getName())), part});
    if (is_tuple && binding->getHoldingVar()) frame().names[binding->getHoldingVar()] = frame().names[binding];
  }
}

}  // namespace structured::gen
