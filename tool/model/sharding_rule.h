// Which dimensions of an operator's tensors may be spread over processes: `... i _, _ j -> ... i j`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/schema.h"

namespace structured::gen {

struct ShardingDim {
  enum class Kind {
    spread,    ///< may be spread over processes
    whole,     ///< the operator needs all of it: `_`
    broadcast  ///< any number of dimensions, which broadcast and may be spread: `...`
  };
  Kind kind = Kind::whole;
  /// The name of a spread dimension. In `...-dim`, the argument that lists dimensions the operator needs whole; or
  /// empty.
  std::string name = {};
  friend bool operator==(const ShardingDim&, const ShardingDim&) = default;
};

/// The dimensions of one tensor, or of each tensor of a list.
using ShardingTerm = std::vector<ShardingDim>;

/// A rule in the manner of Einstein's sums, as Shardy has them (https://openxla.org/shardy): a process that has a part
/// of the dimension `i` of all tensors with that name, and the whole of others, computes that part of each result. If a
/// result does not have the name, it is the sum of what all processes compute.
struct ShardingRule {
  std::vector<ShardingTerm> arguments;  ///< one for each argument that is a tensor or a list of them
  std::vector<ShardingTerm> results;

  friend bool operator==(const ShardingRule&, const ShardingRule&) = default;
};

/// Reads a rule. Errors say what was expected and found.
llvm::Expected<ShardingRule> parse_sharding_rule(llvm::StringRef text);

std::string to_string(const ShardingRule& rule);

/// Returns the rule of an operator that computes each element from those at the same place, with broadcasting.
ShardingRule pointwise_sharding_rule(const Schema& schema);

/// Why the rule does not fit an operator with these arguments, in words that follow the rule's name; nullopt if it
/// fits. Results are not compared if their number is unknown.
std::optional<std::string> misfit(const ShardingRule& rule, llvm::ArrayRef<Argument> arguments,
                                  std::optional<std::size_t> results);
std::optional<std::string> misfit(const ShardingRule& rule, const Schema& schema);

}  // namespace structured::gen
