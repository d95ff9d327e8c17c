// Where the time of a run goes.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace structured::gen {

/// The phases of a run, one after the other. Printed at its end to the standard error output, if that was asked for.
class Timing {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Timing(bool is_printed) : is_printed_(is_printed) {}
  ~Timing();
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;

  /// Ends the phase before, if there is one.
  void begin(std::string phase);

 private:
  void end();

  const bool is_printed_;
  std::string phase_;  ///< the current one; empty: none
  Clock::time_point start_;
  std::vector<std::pair<std::string, Clock::duration>> phases_;
};

}  // namespace structured::gen
