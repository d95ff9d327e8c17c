// What a path knows from the conditions that it met, so that a condition which they decide goes one way only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "scan/terms.h"

namespace structured::gen {

/// The decisions of one path. A value: each path has its own copy.
class PathConditions {
 public:
  /// Notes that `truth` was `value`. False if that contradicts what was noted before: no such path exists.
  bool assume(const Term* truth, bool value);

  /// The value that follows from what was noted.
  std::optional<bool> value_of(const Term* truth) const;

  friend bool operator==(const PathConditions&, const PathConditions&) = default;

 private:
  struct Range {
    std::int64_t low;
    std::int64_t high;
    std::set<std::int64_t> excluded;

    bool contains(std::int64_t number) const;
    friend bool operator==(const Range&, const Range&) = default;
  };
  Range range_of(const Term* term) const;
  bool restrict(const Term* term, std::int64_t low, std::int64_t high);
  bool exclude(const Term* term, std::int64_t number);
  bool note(const Term* term, Range range);

  std::map<const Term*, Range> known_;
};

}  // namespace structured::gen
