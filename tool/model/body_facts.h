// Facts about the body of an annotated function. The plugin, the editor and `check` parse bodies; emission does not.
// These facts live in memory only; fragments do not hold them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/source_range.h"

namespace structured::gen {

/// A place where a path through a body sets an output for the second time.
struct SecondSetting {
  SourceRange first;
  SourceRange second;  ///< equal to `first` if a loop sets the output in each iteration
  friend bool operator==(const SecondSetting&, const SecondSetting&) = default;
};

/// Where a path took the way on which an output cannot be set any more.
struct BranchNote {
  enum class Kind { when_true, when_false, loop_ends, case_applies, no_case_applies, throws, caught };
  Kind kind = Kind::when_true;
  SourceRange range;  ///< the condition, the loop's head, the label, the throwing call, or `catch`
  friend bool operator==(const BranchNote&, const BranchNote&) = default;
};

/// Effects of the paths through a meta function on one output.
struct OutputFact {
  std::int64_t index = 0;
  std::optional<SourceRange> unset_at;     ///< where a path ends that did not set it and called nothing that could have
  std::optional<BranchNote> unset_branch;  ///< on that path; nothing if it is all the same which way it goes
  std::optional<SecondSetting> set_twice;
  friend bool operator==(const OutputFact&, const OutputFact&) = default;
};

/// A use of a parameter that changes what the tensor handle is, or the size of what it refers to.
struct HandleChange {
  enum class Kind { resizes, assigns };
  Kind kind = Kind::resizes;
  std::string parameter;
  SourceRange range;
  std::optional<SourceRange> called_at;  ///< in this body, if the use is in a function that it calls
  friend bool operator==(const HandleChange&, const HandleChange&) = default;
};

/// That a value is in [low, high], or outside. The value of a condition is 0 or 1.
struct Constraint {
  std::string subject;  ///< equal text means equal values, in all functions that call their parameters alike
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool is_outside = false;
  friend bool operator==(const Constraint&, const Constraint&) = default;
};

/// A condition that the function requires of its arguments.
struct Precondition {
  std::string text;  ///< the condition as written, white space folded
  SourceRange range;
  std::optional<SourceRange> called_at;  ///< in this body, if the condition is in a function that it calls
  std::vector<Constraint> constraints;   ///< their conjunction is the condition
  bool is_check = false;                 ///< by `STRUCTURED_CHECK` or `TORCH_CHECK`, not by an `if` that throws
  /// It depends on sizes, dims and dtypes of tensors, and values of other parameters, and nothing else.
  bool reads_shapes_only = false;
  std::vector<std::string> tensors;  ///< the tensor parameters that it reads, sorted
  friend bool operator==(const Precondition&, const Precondition&) = default;
};

struct BodyFacts {
  /// Outputs that some path sets by a constant index, in order. Empty where the paths are too many to follow.
  std::vector<OutputFact> outputs;
  /// Where a path ends on which nothing was called that could have set an output that `outputs` does not list.
  std::optional<SourceRange> others_unset_at;
  std::vector<HandleChange> handle_changes;
  std::vector<Precondition> preconditions;
  /// Tensor parameters that functions with unseen bodies may check.
  std::vector<std::string> checked_elsewhere;
  /// Tensor parameters that the operator's base was given, which may demand that they fit one another.
  std::vector<std::string> given_to_base;
  friend bool operator==(const BodyFacts&, const BodyFacts&) = default;
};

}  // namespace structured::gen
