// Reads sources that nobody has open, in a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "incremental/live_source.h"

namespace structured::lsp {

/// A source to be read.
struct IndexJob {
  std::size_t source = 0;   ///< the workspace's number of it
  unsigned generation = 0;  ///< of the workspace: results of an older one are of no use
  gen::ScanOptions options;
  gen::SourceCommand command;
};

struct Indexed {
  std::size_t source = 0;
  unsigned generation = 0;
  std::chrono::steady_clock::time_point began;  ///< what is written later may be missing
  gen::LiveScan scan;
};

class Background {
 public:
  /// `done` is called in the thread that reads.
  explicit Background(std::function<void(Indexed)> done);
  /// Waits for the source that is being read.
  ~Background();

  void add(IndexJob job);
  /// What is not begun is not done.
  void clear();

 private:
  void run();

  std::function<void(Indexed)> done_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<IndexJob> jobs_;
  bool stops_ = false;
  std::thread thread_;
};

}  // namespace structured::lsp
