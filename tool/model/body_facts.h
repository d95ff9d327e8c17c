// Facts about the body of an annotated function. The plugin, the language server and `check` parse bodies; emission
// does not. Fragments do not store these facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/source_range.h"

namespace structured::gen {

/// Locations where a path through a body sets one output twice.
struct SecondSetting {
  SourceRange first;
  SourceRange second;  ///< equal to `first` if a loop sets the output in each iteration
  friend bool operator==(const SecondSetting&, const SecondSetting&) = default;
};

/// The branch after which a path can no longer set an output.
struct BranchNote {
  enum class Kind { when_true, when_false, loop_ends, case_applies, no_case_applies, throws, caught };
  Kind kind = Kind::when_true;
  SourceRange range;  ///< condition, head of the loop, label, throwing call, or `catch`
  friend bool operator==(const BranchNote&, const BranchNote&) = default;
};

/// Effects of the paths through a meta function on one output.
struct OutputFact {
  int64_t index = 0;
  std::optional<SourceRange> unset_at;     ///< end of a path that cannot have set the output
  std::optional<BranchNote> unset_branch;  ///< on that path; nullopt if no branch matters
  std::optional<SecondSetting> set_twice;
  friend bool operator==(const OutputFact&, const OutputFact&) = default;
};

/// A use of a tensor parameter that resizes the tensor or assigns to the handle.
struct HandleChange {
  enum class Kind { resizes, assigns };
  Kind kind = Kind::resizes;
  std::string parameter;
  SourceRange range;
  std::optional<SourceRange> called_at;  ///< call in this body, if the use is in a callee
  friend bool operator==(const HandleChange&, const HandleChange&) = default;
};

/// Requires a value to be inside or outside of [low, high]. The value of a condition is 0 or 1.
struct Constraint {
  std::string subject;  ///< equal text means equal values, also across functions with equal parameter names
  int64_t low = 0;
  int64_t high = 0;
  bool is_outside = false;
  friend bool operator==(const Constraint&, const Constraint&) = default;
};

/// A condition that the function requires of its arguments.
struct Precondition {
  std::string text;  ///< the condition as written, white space collapsed
  SourceRange range;
  std::optional<SourceRange> called_at;  ///< call in this body, if the condition is in a callee
  std::vector<Constraint> constraints;   ///< their conjunction is the condition
  bool is_check = false;                 ///< from `STRUCTURED_CHECK` or `TORCH_CHECK`, not from an `if` that throws
  /// Depends only on sizes, dims and dtypes of tensors and on values of other parameters.
  bool reads_shapes_only = false;
  std::vector<std::string> tensors;  ///< tensor parameters that it reads, sorted
  friend bool operator==(const Precondition&, const Precondition&) = default;
};

/// A call that gives access to the memory of a tensor: `grad.data_ptr()`.
struct MemoryAccess {
  std::string function;  ///< `data_ptr`
  SourceRange range;
  std::optional<SourceRange> called_at;  ///< call in this body, if the access is in a callee
  friend bool operator==(const MemoryAccess&, const MemoryAccess&) = default;
};

struct BodyFacts {
  /// Outputs that some path sets by a constant index, in order. Empty if there are too many paths.
  std::vector<OutputFact> outputs;
  /// End of a path that cannot have set any output that `outputs` does not list.
  std::optional<SourceRange> others_unset_at;
  std::vector<HandleChange> handle_changes;
  std::vector<MemoryAccess> memory_accesses;
  std::vector<Precondition> preconditions;
  /// Tensor parameters that functions without a visible body may check.
  std::vector<std::string> checked_elsewhere;
  /// Tensor parameters passed to member functions of the operator's base, which may check that they are compatible.
  std::vector<std::string> given_to_base;
  friend bool operator==(const BodyFacts&, const BodyFacts&) = default;
};

}  // namespace structured::gen
