// Progress of a long run, shown on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace structured::gen {

/// A line on the standard error output that tells how far a run over many sources has come and how long it may still
/// take: `[12/40] 3 s left, now cpu/binary.cpp`. Prints from a run's second second on, and only if the
/// output is a terminal.
class Progress {
 public:
  explicit Progress(std::size_t count);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// To be called before each source.
  void begin(const std::string& source);
  /// Takes the line away, before anything else is printed and at the end.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  const std::size_t count_;
  const bool is_terminal_;
  const Clock::time_point start_ = Clock::now();
  std::size_t done_ = 0;
  bool is_shown_ = false;
};

}  // namespace structured::gen
