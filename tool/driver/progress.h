// Progress of a long run, shown on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "llvm/Support/raw_ostream.h"

namespace structured::gen {

/// Shows the progress of a run over many sources and the estimated remaining time as a line on `out`:
/// `[12/40] 3 s left, now cpu/binary.cpp`. Prints nothing in the first second, or if `out` is not a terminal.
class Progress {
 public:
  Progress(std::size_t count, llvm::raw_ostream& out);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Must be called before each source.
  void begin(const std::string& source);
  /// Erases the line. Must be called before anything else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  llvm::raw_ostream& out_;
  const std::size_t count_;
  const bool is_terminal_;
  const Clock::time_point start_ = Clock::now();
  std::size_t done_ = 0;
  bool is_shown_ = false;
};

}  // namespace structured::gen
