// What a path knows from the conditions that it met, so that a condition which they decide goes one way only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "analysis/symbolic_expr.h"

namespace structured::gen {

/// The decisions of one path. A value: each path has its own copy.
class PathConditions {
 public:
  /// Notes that `truth` was `value`. False if that contradicts what was noted before: no such path exists.
  bool assume(const SymbolicExpr* truth, bool value);

  /// The value that follows from what was noted.
  std::optional<bool> value_of(const SymbolicExpr* truth) const;

  friend bool operator==(const PathConditions&, const PathConditions&) = default;

 private:
  struct Range {
    std::int64_t low;
    std::int64_t high;
    std::set<std::int64_t> excluded;

    bool contains(std::int64_t number) const;
    friend bool operator==(const Range&, const Range&) = default;
  };
  Range range_of(const SymbolicExpr* term) const;
  bool restrict(const SymbolicExpr* term, std::int64_t low, std::int64_t high);
  bool exclude(const SymbolicExpr* term, std::int64_t number);
  bool note(const SymbolicExpr* term, Range range);

  std::map<const SymbolicExpr*, Range> known_;
};

}  // namespace structured::gen
