// What one path through a body does to the outputs of an operator.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "clang/Basic/SourceLocation.h"
#include "model/body_facts.h"

namespace structured::gen {

struct PathEffect {
  struct Setting {
    unsigned count = 0;  ///< 1, or 2 for "more than once"
    clang::SourceRange first;
    clang::SourceRange second;  ///< the same as `first` where a loop comes by again
  };
  std::map<std::int64_t, Setting> outputs;
  std::set<std::int64_t> maybe_set;  ///< in another pass of a loop, or by a call that an exception left
  bool may_set_any = false;
  clang::SourceLocation end;  ///< of the return statement, or of the closing brace
  struct BranchNote {
    gen::BranchNote::Kind kind;
    clang::SourceRange range;
  };
  std::map<std::int64_t, BranchNote> branch_notes;  ///< where outputs that were not set could not be set any more

  static PathEffect of_output(std::int64_t index, clang::SourceRange place);
  static PathEffect of_any_output();

  bool may_set(std::int64_t index) const {
    return may_set_any || outputs.count(index) != 0 || maybe_set.count(index) != 0;
  }
  /// `next` happens after this: settings of one output add up.
  void append(const PathEffect& next);
  /// `next` happens or does not.
  void append_perhaps(const PathEffect& next);
  /// Places aside.
  bool is_like(const PathEffect& other) const;
};

}  // namespace structured::gen
