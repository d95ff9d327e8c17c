#pragma once
// Anomaly mode: finding the call whose derivative fails.
#include <cstdint>
#include <string>
#include <utility>

#include "structured/base/export.h"

namespace structured {

enum class AnomalyMode : uint8_t {
  off,
  on,         ///< recorded calls remember where they are made
  check_nan,  ///< also, derivatives that return NaN are errors
};

namespace detail {

extern STRUCTURED_API STRUCTURED_THREAD_LOCAL AnomalyMode current_anomaly_mode;

}  // namespace detail

/// The anomaly mode of this thread.
inline AnomalyMode anomaly_mode() { return detail::current_anomaly_mode; }
/// Sets the mode, and returns the previous one.
inline AnomalyMode set_anomaly_mode(AnomalyMode mode) { return std::exchange(detail::current_anomaly_mode, mode); }

/// Sets the anomaly mode of this thread until the end of the scope. While it is on, recorded calls remember the running
/// functions, and a backward pass whose derivative throws first warns with those of the recorded call.
class DetectAnomalyGuard {
 public:
  explicit DetectAnomalyGuard(AnomalyMode mode = AnomalyMode::check_nan) : previous_(set_anomaly_mode(mode)) {}
  DetectAnomalyGuard(const DetectAnomalyGuard&) = delete;
  DetectAnomalyGuard& operator=(const DetectAnomalyGuard&) = delete;
  ~DetectAnomalyGuard() { set_anomaly_mode(previous_); }

 private:
  AnomalyMode previous_;
};

/// Describes the running functions, in lines.
using DescribeCallStack = std::string (*)();
/// Replaces the description that recorded calls remember. Null restores the initial one, the names of C++ functions.
STRUCTURED_API void set_call_stack_description(DescribeCallStack describe);

}  // namespace structured
