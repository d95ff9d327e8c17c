// Timing of a run.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "llvm/Support/raw_ostream.h"

namespace structured::gen {

/// Measures the consecutive phases of a run. The destructor prints them to `out`, if given.
class Timing {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Timing(llvm::raw_ostream* out) : out_(out) {}
  ~Timing();
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;

  /// Begins a phase and ends the previous one.
  void begin(std::string phase);

 private:
  void end();

  llvm::raw_ostream* const out_;
  std::string phase_;  ///< current phase; empty: none
  Clock::time_point start_;
  std::vector<std::pair<std::string, Clock::duration>> phases_;
};

}  // namespace structured::gen
