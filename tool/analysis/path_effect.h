// Effect of one path through a body on the outputs of an operator.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "clang/Basic/SourceLocation.h"
#include "model/body_facts.h"

namespace structured::gen {

struct PathEffect {
  struct Setting {
    unsigned count = 0;  ///< 1, or 2 for more than once
    clang::SourceRange first;
    clang::SourceRange second;  ///< equal to `first` if a loop repeats the setting
  };
  std::map<int64_t, Setting> outputs;
  std::set<int64_t> maybe_set;  ///< in a later loop iteration, or by a call that threw
  bool may_set_any = false;
  clang::SourceLocation end;  ///< the return statement or the closing brace
  struct BranchNote {
    gen::BranchNote::Kind kind;
    clang::SourceRange range;
  };
  std::map<int64_t, BranchNote> branch_notes;  ///< branches after which an unset output can no longer be set

  static PathEffect of_output(int64_t index, clang::SourceRange place);
  static PathEffect of_any_output();

  bool may_set(int64_t index) const { return may_set_any || outputs.count(index) != 0 || maybe_set.count(index) != 0; }
  /// Sequences `next` after this effect; settings of one output add up.
  void append(const PathEffect& next);
  /// Like append(), but `next` may not happen.
  void append_perhaps(const PathEffect& next);
  /// Compares everything but source locations.
  bool is_like(const PathEffect& other) const;
};

}  // namespace structured::gen
