// Timing of a run.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace structured::gen {

/// Measures the consecutive phases of a run. The destructor prints them to standard error if requested.
class Timing {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Timing(bool is_printed) : is_printed_(is_printed) {}
  ~Timing();
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;

  /// Begins a phase and ends the previous one.
  void begin(std::string phase);

 private:
  void end();

  const bool is_printed_;
  std::string phase_;  ///< current phase; empty: none
  Clock::time_point start_;
  std::vector<std::pair<std::string, Clock::duration>> phases_;
};

}  // namespace structured::gen
