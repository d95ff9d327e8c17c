#pragma once
// The reference count of tensors and storages. Uses compiler builtins instead of <atomic>, which would lengthen the
// compilation of every caller's source.
#include <cstdint>

#include "structured/base/export.h"

namespace structured::detail {

/// Starts at 1. Thread-safe, as long as each thread holds a reference of its own.
class RefCount {
 public:
  void retain() { __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED); }

  /// Drops a reference; true if it was the last one. A sole owner has no one to race with and skips the locked
  /// instruction, which costs more than everything else here.
  bool release() { return is_one() || __atomic_fetch_sub(&count_, 1, __ATOMIC_ACQ_REL) == 1; }
  /// Whether the caller's reference is the only one. If so, writes by threads that dropped theirs are visible.
  bool is_one() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE) == 1; }

  uint32_t count() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }

 private:
  uint32_t count_ = 1;
};

}  // namespace structured::detail
