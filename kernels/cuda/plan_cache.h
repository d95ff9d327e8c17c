#pragma once
// Bounded caches of plans, which NVIDIA's libraries make for each shape.
#include <structured/cuda/graph.h>
#include <structured/cuda/stream.h>
#include <structured/device/device.h>
#include <structured/kernel/guards.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace structured::kernels {

/// Streams of one device, by id.
using StreamSet = uint64_t;
static_assert(cuda::kPooledStreams < 64);

/// Waits until the work in the streams has ended. Returns false, without having waited for all, if another thread
/// captures a graph in one of them.
bool wait_for_streams(int device, StreamSet streams);

/// Plans of all devices and threads, one for each key. A full cache destroys the quarter of its plans that has not been
/// used for the longest time, after their work has ended. Plans that a captured graph uses stay, because the graph may
/// be launched at any time. Thread-safe: one plan is in use at a time.
template <class Key, class Plan>
class PlanCache {
 public:
  static constexpr std::size_t kMostPlans = 1024;

  /// Returns `run(plan)` for the plan of `key`, which enqueues work in the current stream. `make` returns a new plan as
  /// a unique_ptr.
  template <class Make, class Run>
  auto use(const Key& key, const Make& make, const Run& run) {
    const std::lock_guard lock(mutex_);
    auto found = entries_.find(key);
    if (found == entries_.end()) {
      if (entries_.size() >= kMostPlans && !cuda::is_capturing()) evict();
      found = entries_.emplace(key, Entry{make()}).first;
    }
    Entry& entry = found->second;
    const Stream stream = cuda::current_stream();
    entry.device = stream.device();
    entry.streams |= StreamSet{1} << stream.id();
    entry.is_captured |= cuda::is_capturing();
    entry.last_use = ++uses_;
    return run(*entry.plan);
  }

 private:
  struct Entry {
    std::unique_ptr<Plan> plan;
    Device device = Device(DeviceType::CUDA);
    StreamSet streams = 0;     ///< in which the plan has been used
    bool is_captured = false;  ///< whether a graph uses the plan
    uint64_t last_use = 0;
  };
  using Entries = std::map<Key, Entry>;

  void evict() {
    std::vector<typename Entries::iterator> oldest;
    for (auto each = entries_.begin(); each != entries_.end(); ++each) {
      if (!each->second.is_captured) oldest.push_back(each);
    }
    const auto count = std::min(oldest.size(), kMostPlans / 4);
    const auto end = oldest.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(oldest.begin(), end, oldest.end(),
                      [](const auto& a, const auto& b) { return a->second.last_use < b->second.last_use; });
    for (auto each = oldest.begin(); each != end; ++each) {
      const Entry& entry = (*each)->second;
      const DeviceGuard guard(entry.device);
      if (wait_for_streams(entry.device.index(), entry.streams)) entries_.erase(*each);
    }
  }

  std::mutex mutex_;
  Entries entries_;
  uint64_t uses_ = 0;
};

}  // namespace structured::kernels
