// Calling operators as recorded, and counting what came of it.
#pragma once

#include <cstddef>
#include <functional>
#include <istream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "case.h"

namespace structured::replay {

/// Outcomes of the calls of one operator.
struct Counts {
  std::size_t value_passed = 0;
  std::size_t value_failed = 0;
  std::size_t error_passed = 0;
  std::size_t error_failed = 0;
  std::size_t value_known = 0;  ///< failed, as a known difference says
  std::size_t error_known = 0;
  std::size_t skipped = 0;  ///< calls of an operator that the library has not
};

/// A difference that is intended, or is to stay for a while.
struct KnownDifference {
  std::string op;    ///< its full name
  std::string text;  ///< part of what is said of a failed case
};

/// Lines of `aten::cat.out | part of the message | reason`; empty lines and those that begin with `#` are none. Throws
/// std::runtime_error for others.
std::vector<KnownDifference> read_known_differences(std::istream& lines);

struct Report {
  std::map<std::string, Counts> operators;  ///< by full name
  std::size_t malformed = 0;

  std::size_t passed() const;
  std::size_t failed() const;
  std::size_t known() const;
  std::size_t skipped() const;

  /// Operators of whose recorded results, or of whose recorded refusals, fewer passed. Known differences have not.
  std::vector<std::string> below(double percent) const;
};

struct ReplayOptions {
  /// Only calls of this operator: `add`, `aten::add`, or with the overload `add.Tensor`. Empty: all.
  std::string only;
  std::vector<KnownDifference> known;
  /// Called with a line for each case that is malformed or failed.
  std::function<void(const std::string&)> complain;
};

/// Replays the cases in a stream, one a line; empty lines are none.
Report replay(std::istream& cases, const ReplayOptions& options);

}  // namespace structured::replay
