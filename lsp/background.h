// Scans sources that are not open, in a separate thread.
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

/// A source to scan.
struct IndexJob {
  std::size_t source = 0;   ///< index in the workspace
  unsigned generation = 0;  ///< generation of the workspace; stale results are dropped
  gen::ScanOptions options;
  gen::SourceCommand command;
};

struct Indexed {
  std::size_t source = 0;
  unsigned generation = 0;
  std::chrono::steady_clock::time_point began;  ///< later changes on disk may be missing
  gen::LiveScan scan;
};

class Background {
 public:
  /// `done` is called in the background thread.
  explicit Background(std::function<void(Indexed)> done);
  /// Waits for the scan in progress.
  ~Background();

  void add(IndexJob job);
  /// Drops all sources whose scan has not begun.
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
