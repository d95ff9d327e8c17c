#include "analysis/path_conditions.h"

#include <algorithm>

namespace structured::gen {
namespace {

std::optional<bool> decided(bool always, bool never) {
  if (always) return true;
  if (never) return false;
  return std::nullopt;
}

}  // namespace

bool PathConditions::Range::contains(int64_t number) const {
  return low <= number && number <= high && excluded.count(number) == 0;
}

PathConditions::Range PathConditions::range_of(const SymbolicExpr* expr) const {
  if (expr->kind == SymbolicExpr::Kind::constant) return {expr->number, expr->number, {}};
  const auto found = known_.find(expr);
  if (found != known_.end()) return found->second;
  if (expr->is_bool) return {0, 1, {}};
  return {expr->is_nonnegative ? 0 : min_number, max_number, {}};
}

bool PathConditions::note(const SymbolicExpr* expr, Range range) {
  while (range.low < range.high && range.excluded.count(range.low) != 0) ++range.low;
  while (range.low < range.high && range.excluded.count(range.high) != 0) --range.high;
  const bool is_possible = range.low <= range.high && range.contains(range.low);
  known_.insert_or_assign(expr, std::move(range));
  return is_possible;
}

bool PathConditions::restrict(const SymbolicExpr* expr, int64_t low, int64_t high) {
  Range range = range_of(expr);
  range.low = std::max(range.low, low);
  range.high = std::min(range.high, high);
  return note(expr, std::move(range));
}

bool PathConditions::exclude(const SymbolicExpr* expr, int64_t number) {
  Range range = range_of(expr);
  range.excluded.insert(number);
  return note(expr, std::move(range));
}

bool PathConditions::assume(const SymbolicExpr* condition, bool value) {
  switch (condition->kind) {
    case SymbolicExpr::Kind::constant:
      return (condition->number != 0) == value;
    case SymbolicExpr::Kind::negation:
      return assume(condition->left, !value);
    case SymbolicExpr::Kind::equality:
      return value ? restrict(condition->left, condition->number, condition->number)
                   : exclude(condition->left, condition->number);
    case SymbolicExpr::Kind::order:
      if (!value) return restrict(condition->left, condition->number, max_number);
      if (condition->number == min_number) return false;
      return restrict(condition->left, min_number, condition->number - 1);
    case SymbolicExpr::Kind::conjunction:
    case SymbolicExpr::Kind::disjunction: {
      // Value of an operand that determines the result of the operation.
      const bool decides = condition->kind == SymbolicExpr::Kind::disjunction;
      if (value != decides) return assume(condition->left, value) && assume(condition->right, value);
      const auto left = value_of(condition->left);
      const auto right = value_of(condition->right);
      if (left == decides || right == decides) return true;
      if (left) return assume(condition->right, value);
      if (right) return assume(condition->left, value);
      return restrict(condition, value, value);
    }
    case SymbolicExpr::Kind::opaque:
      return restrict(condition, value, value);
  }
  return true;
}

std::optional<bool> PathConditions::value_of(const SymbolicExpr* condition) const {
  switch (condition->kind) {
    case SymbolicExpr::Kind::constant:
      return condition->number != 0;
    case SymbolicExpr::Kind::negation: {
      const auto value = value_of(condition->left);
      return value ? std::optional<bool>(!*value) : std::nullopt;
    }
    case SymbolicExpr::Kind::equality: {
      const Range range = range_of(condition->left);
      return decided(range.low == range.high && range.low == condition->number, !range.contains(condition->number));
    }
    case SymbolicExpr::Kind::order: {
      const Range range = range_of(condition->left);
      return decided(range.high < condition->number, range.low >= condition->number);
    }
    case SymbolicExpr::Kind::conjunction:
    case SymbolicExpr::Kind::disjunction: {
      const bool decides = condition->kind == SymbolicExpr::Kind::disjunction;
      const auto left = value_of(condition->left);
      const auto right = value_of(condition->right);
      if (left == decides || right == decides) return decides;
      if (left && right) return !decides;
      break;
    }
    case SymbolicExpr::Kind::opaque:
      break;
  }
  const Range range = range_of(condition);
  return decided(range.low == 1, range.high == 0);
}

}  // namespace structured::gen
