// Path condition: the branch conditions assumed so far, from which later conditions may follow.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "analysis/symbolic_expr.h"

namespace structured::gen {

/// A copyable value; each path has its own.
class PathConditions {
 public:
  /// Adds the assumption that `condition` is `value`. Returns false if it contradicts earlier assumptions, that is, if
  /// the path is infeasible.
  bool assume(const SymbolicExpr* condition, bool value);

  /// Returns the value of `condition` if it follows from the assumptions.
  std::optional<bool> value_of(const SymbolicExpr* condition) const;

  friend bool operator==(const PathConditions&, const PathConditions&) = default;

 private:
  struct Range {
    int64_t low;
    int64_t high;
    std::set<int64_t> excluded;

    bool contains(int64_t number) const;
    friend bool operator==(const Range&, const Range&) = default;
  };
  Range range_of(const SymbolicExpr* expr) const;
  bool restrict(const SymbolicExpr* expr, int64_t low, int64_t high);
  bool exclude(const SymbolicExpr* expr, int64_t number);
  bool note(const SymbolicExpr* expr, Range range);

  std::map<const SymbolicExpr*, Range> known_;
};

}  // namespace structured::gen
