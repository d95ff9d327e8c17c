// Replays recorded calls and counts the outcomes.
#pragma once

#include <structured/device/device.h>

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
  std::size_t value_known = 0;  ///< failed as a known difference describes
  std::size_t error_known = 0;
  std::size_t skipped = 0;  ///< calls of operators that the library lacks
};

/// A difference that is intended or tolerated for now.
struct KnownDifference {
  std::string op;    ///< full name
  std::string text;  ///< part of the message of a failed case
};

/// Parses lines of the form `aten::cat.out | part of the message | reason`. Skips empty lines and lines that begin with
/// `#`; throws std::runtime_error for any other line.
std::vector<KnownDifference> read_known_differences(std::istream& lines);

struct Report {
  std::map<std::string, Counts> operators;  ///< by full name
  std::size_t malformed = 0;

  std::size_t passed() const;
  std::size_t failed() const;
  std::size_t known() const;
  std::size_t skipped() const;

  /// Operators whose recorded results, or recorded errors, passed in fewer cases. Known differences count as failed.
  std::vector<std::string> below(double percent) const;
};

struct ReplayOptions {
  /// Operator to replay: `add`, `aten::add`, or with an overload `add.Tensor`. Empty: all.
  std::string only;
  std::vector<KnownDifference> known;
  /// Whether calls are checked, see structured::check_call.
  bool checks_calls = false;
  /// Device that the calls run on. Results are compared on the CPU.
  Device device = Device(DeviceType::CPU);
  /// Called with a line for each case that is malformed or failed.
  std::function<void(const std::string&)> complain;
};

/// Replays the cases in a stream, one per line. Skips empty lines.
Report replay(std::istream& cases, const ReplayOptions& options);

}  // namespace structured::replay
