#pragma once
// A lock of one byte for short critical sections.
#include <atomic>
#include <thread>

namespace structured::autograd {

/// Holds `flag` until the end of the scope. Not recursive.
class SpinLock {
 public:
  explicit SpinLock(std::atomic<bool>& flag) : flag_(flag) {
    while (flag_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;
  ~SpinLock() { flag_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool>& flag_;
};

}  // namespace structured::autograd
