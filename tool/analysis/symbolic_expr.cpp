#include "analysis/symbolic_expr.h"

#include <utility>

namespace structured::gen {
namespace {

Reads reads_of(const SymbolicExpr* left, const SymbolicExpr* right) { return Reads(left->reads).add(right->reads); }

std::string joined(const SymbolicExpr* left, llvm::StringRef op, const SymbolicExpr* right) {
  return "(" + left->text + op.str() + right->text + ")";
}

}  // namespace

Reads& Reads::add(const Reads& other) {
  only_shapes &= other.only_shapes && !is_tensor && !other.is_tensor;
  is_tensor = false;
  tensors.insert(other.tensors.begin(), other.tensors.end());
  return *this;
}

const SymbolicExpr* SymbolicExprContext::add(SymbolicExpr expr) {
  const std::string key = expr.text;
  return &exprs_.try_emplace(key, std::move(expr)).first->second;
}

const SymbolicExpr* SymbolicExprContext::constant(int64_t number) {
  SymbolicExpr expr;
  expr.kind = SymbolicExpr::Kind::constant;
  expr.text = std::to_string(number);
  expr.number = number;
  expr.is_bool = number == 0 || number == 1;
  return add(std::move(expr));
}

const SymbolicExpr* SymbolicExprContext::opaque(Opaque value) {
  SymbolicExpr expr;
  expr.text = std::move(value.text);
  expr.is_bool = value.is_bool;
  expr.is_nonnegative = value.is_nonnegative;
  expr.reads = std::move(value.reads);
  return add(std::move(expr));
}

const SymbolicExpr* SymbolicExprContext::unknown(bool is_bool) {
  return opaque({"?" + std::to_string(++unknowns_), is_bool, false, Reads::anything()});
}

const SymbolicExpr* SymbolicExprContext::condition(const SymbolicExpr* expr) {
  return expr->is_bool ? expr : negation(equal(expr, constant(0)));
}

const SymbolicExpr* SymbolicExprContext::negation(const SymbolicExpr* condition) {
  if (condition->kind == SymbolicExpr::Kind::constant) return constant(condition->number == 0);
  if (condition->kind == SymbolicExpr::Kind::negation) return condition->left;
  SymbolicExpr expr;
  expr.kind = SymbolicExpr::Kind::negation;
  expr.text = "!" + condition->text;
  expr.left = condition;
  expr.is_bool = true;
  expr.reads = condition->reads;
  return add(std::move(expr));
}

const SymbolicExpr* SymbolicExprContext::conjunction(const SymbolicExpr* left, const SymbolicExpr* right) {
  if (left->kind == SymbolicExpr::Kind::constant) return left->number != 0 ? right : left;
  if (right->kind == SymbolicExpr::Kind::constant) return right->number != 0 ? left : right;
  if (right->text < left->text) std::swap(left, right);
  SymbolicExpr expr;
  expr.kind = SymbolicExpr::Kind::conjunction;
  expr.text = joined(left, " && ", right);
  expr.left = left;
  expr.right = right;
  expr.is_bool = true;
  expr.reads = reads_of(left, right);
  return add(std::move(expr));
}

const SymbolicExpr* SymbolicExprContext::disjunction(const SymbolicExpr* left, const SymbolicExpr* right) {
  if (left->kind == SymbolicExpr::Kind::constant) return left->number != 0 ? left : right;
  if (right->kind == SymbolicExpr::Kind::constant) return right->number != 0 ? right : left;
  if (right->text < left->text) std::swap(left, right);
  SymbolicExpr expr;
  expr.kind = SymbolicExpr::Kind::disjunction;
  expr.text = joined(left, " || ", right);
  expr.left = left;
  expr.right = right;
  expr.is_bool = true;
  expr.reads = reads_of(left, right);
  return add(std::move(expr));
}

std::pair<const SymbolicExpr*, bool> SymbolicExprContext::difference(const SymbolicExpr* left,
                                                                     const SymbolicExpr* right) {
  const bool is_swapped = right->text < left->text;
  if (is_swapped) std::swap(left, right);
  return {opaque({joined(left, " - ", right), false, false, reads_of(left, right)}), is_swapped};
}

const SymbolicExpr* SymbolicExprContext::compare(SymbolicExpr::Kind kind, const SymbolicExpr* left, int64_t number) {
  SymbolicExpr expr;
  expr.kind = kind;
  expr.text = "(" + left->text + (kind == SymbolicExpr::Kind::equality ? " == " : " < ") + std::to_string(number) + ")";
  expr.number = number;
  expr.left = left;
  expr.is_bool = true;
  expr.reads = left->reads;
  return add(std::move(expr));
}

const SymbolicExpr* SymbolicExprContext::equal(const SymbolicExpr* left, const SymbolicExpr* right) {
  if (left->kind == SymbolicExpr::Kind::constant) std::swap(left, right);
  if (left->kind == SymbolicExpr::Kind::constant) return constant(left->number == right->number);
  if (left == right) return constant(1);
  if (right->kind == SymbolicExpr::Kind::constant) {
    if (left->is_bool && right->is_bool) return right->number != 0 ? left : negation(left);
    return compare(SymbolicExpr::Kind::equality, left, right->number);
  }
  return compare(SymbolicExpr::Kind::equality, difference(left, right).first, 0);
}

const SymbolicExpr* SymbolicExprContext::less(const SymbolicExpr* left, const SymbolicExpr* right) {
  if (left == right) return constant(0);
  if (left->kind == SymbolicExpr::Kind::constant && right->kind == SymbolicExpr::Kind::constant) {
    return constant(left->number < right->number);
  }
  if (right->kind == SymbolicExpr::Kind::constant) return compare(SymbolicExpr::Kind::order, left, right->number);
  if (left->kind == SymbolicExpr::Kind::constant) {
    if (left->number == max_number) return constant(0);
    return negation(compare(SymbolicExpr::Kind::order, right, left->number + 1));
  }
  const auto [sign, is_swapped] = difference(left, right);
  return is_swapped ? negation(compare(SymbolicExpr::Kind::order, sign, 1))
                    : compare(SymbolicExpr::Kind::order, sign, 0);
}

}  // namespace structured::gen
