#include "analysis/path_conditions.h"

#include <algorithm>
#include <limits>

namespace structured::gen {
namespace {

constexpr std::int64_t min_number = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t max_number = std::numeric_limits<std::int64_t>::max();

std::optional<bool> decided(bool always, bool never) {
  if (always) return true;
  if (never) return false;
  return std::nullopt;
}

}  // namespace

bool PathConditions::Range::contains(std::int64_t number) const {
  return low <= number && number <= high && excluded.count(number) == 0;
}

PathConditions::Range PathConditions::range_of(const SymbolicExpr* term) const {
  if (term->kind == SymbolicExpr::Kind::constant) return {term->number, term->number, {}};
  const auto found = known_.find(term);
  if (found != known_.end()) return found->second;
  if (term->is_truth) return {0, 1, {}};
  return {term->is_count ? 0 : min_number, max_number, {}};
}

bool PathConditions::note(const SymbolicExpr* term, Range range) {
  while (range.low < range.high && range.excluded.count(range.low) != 0) ++range.low;
  while (range.low < range.high && range.excluded.count(range.high) != 0) --range.high;
  const bool is_possible = range.low <= range.high && range.contains(range.low);
  known_.insert_or_assign(term, std::move(range));
  return is_possible;
}

bool PathConditions::restrict(const SymbolicExpr* term, std::int64_t low, std::int64_t high) {
  Range range = range_of(term);
  range.low = std::max(range.low, low);
  range.high = std::min(range.high, high);
  return note(term, std::move(range));
}

bool PathConditions::exclude(const SymbolicExpr* term, std::int64_t number) {
  Range range = range_of(term);
  range.excluded.insert(number);
  return note(term, std::move(range));
}

bool PathConditions::assume(const SymbolicExpr* truth, bool value) {
  switch (truth->kind) {
    case SymbolicExpr::Kind::constant:
      return (truth->number != 0) == value;
    case SymbolicExpr::Kind::negation:
      return assume(truth->left, !value);
    case SymbolicExpr::Kind::equality:
      return value ? restrict(truth->left, truth->number, truth->number) : exclude(truth->left, truth->number);
    case SymbolicExpr::Kind::order:
      if (!value) return restrict(truth->left, truth->number, max_number);
      return truth->number != min_number&& restrict(truth->left, min_number, truth->number - 1);
    case SymbolicExpr::Kind::conjunction:
    case SymbolicExpr::Kind::disjunction: {
      const bool decides =
          truth->kind == SymbolicExpr::Kind::disjunction;  // the value of one part that is that of the whole
      if (value != decides) return assume(truth->left, value) && assume(truth->right, value);
      const auto left = value_of(truth->left);
      const auto right = value_of(truth->right);
      if (left == decides || right == decides) return true;
      if (left) return assume(truth->right, value);
      if (right) return assume(truth->left, value);
      return restrict(truth, value, value);
    }
    case SymbolicExpr::Kind::opaque:
      return restrict(truth, value, value);
  }
  return true;
}

std::optional<bool> PathConditions::value_of(const SymbolicExpr* truth) const {
  switch (truth->kind) {
    case SymbolicExpr::Kind::constant:
      return truth->number != 0;
    case SymbolicExpr::Kind::negation: {
      const auto value = value_of(truth->left);
      return value ? std::optional<bool>(!*value) : std::nullopt;
    }
    case SymbolicExpr::Kind::equality: {
      const Range range = range_of(truth->left);
      return decided(range.low == range.high && range.low == truth->number, !range.contains(truth->number));
    }
    case SymbolicExpr::Kind::order: {
      const Range range = range_of(truth->left);
      return decided(range.high < truth->number, range.low >= truth->number);
    }
    case SymbolicExpr::Kind::conjunction:
    case SymbolicExpr::Kind::disjunction: {
      const bool decides = truth->kind == SymbolicExpr::Kind::disjunction;
      const auto left = value_of(truth->left);
      const auto right = value_of(truth->right);
      if (left == decides || right == decides) return decides;
      if (left && right) return !decides;
      break;
    }
    case SymbolicExpr::Kind::opaque:
      break;
  }
  const Range range = range_of(truth);
  return decided(range.low == 1, range.high == 0);
}

}  // namespace structured::gen
