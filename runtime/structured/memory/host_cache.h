#pragma once
// Host memory cache for tensors and their elements: the inline fast path, internal to the runtime. allocator.h
// documents which blocks are cached.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "structured/memory/allocator.h"

namespace structured::detail {

/// Whether freed blocks are cached: false if STRUCTURED_HOST_CACHE is 0 and in a process with AddressSanitizer or
/// Valgrind's memcheck, which could not detect overruns and uses after free of a cached block. Constant while the
/// process runs. The fast path needs no test, because the caches stay empty.
bool keeps_blocks() noexcept;

/// Whether AddressSanitizer checks the process. May be read by threads that have called keeps_blocks().
extern constinit bool has_address_sanitizer;
STRUCTURED_COLD void forbid_access(const void* begin, std::size_t bytes) noexcept;

/// Makes AddressSanitizer, if present, report accesses to the gap between the headers in a block and the data that
/// follows them.
inline void guard_gap(const char* begin, const char* end) noexcept {
  if (has_address_sanitizer) [[unlikely]]
    forbid_access(begin, static_cast<std::size_t>(end - begin));
}

/// Free blocks of one thread, in one list per size class. Other threads read the counts for statistics.
class ThreadCache {
 public:
  /// Class n up to 64 holds blocks of n cache lines; above that there are four classes per doubling.
  static constexpr std::size_t kSmallBytes = 4096;
  static constexpr std::size_t kLargestBytes = 256 * 1024;
  static constexpr std::size_t kSmallClasses = kSmallBytes / Allocator::kAlignment + 1;
  static constexpr std::size_t kClasses = kSmallClasses + 4 * 6;

  /// With `may_keep` false the cache stays empty: for threads that have not opened a cache yet or have closed it.
  constexpr explicit ThreadCache(bool may_keep) {
    for (std::size_t i = 0; may_keep && i < kClasses; ++i) lists_[i].limit = blocks_kept(i);
  }

  /// Removes and returns a block of the class, or returns null.
  STRUCTURED_ALWAYS_INLINE void* take(std::size_t size_class) {
    List& list = lists_[size_class];
    FreeBlock* const block = list.first;
    if (block == nullptr) [[unlikely]]
      return nullptr;
    list.first = block->next;
    set_count(list, list.count - 1);
    return block;
  }
  /// Adds the block to its class. Returns false if the class is full.
  STRUCTURED_ALWAYS_INLINE bool put(std::size_t size_class, void* block) {
    List& list = lists_[size_class];
    if (list.count >= list.limit) [[unlikely]]
      return false;
    static_cast<FreeBlock*>(block)->next = list.first;
    list.first = static_cast<FreeBlock*>(block);
    set_count(list, list.count + 1);
    return true;
  }
  /// Removes all blocks and passes each of them to `release`.
  void flush(void (*release)(void* block, std::size_t bytes) noexcept);
  /// Bytes of all cached blocks. May be called by any thread.
  std::size_t cached_bytes() const;

  /// Adds this cache to a list of caches, or removes it. The caller holds the list's lock.
  void join(ThreadCache*& all);
  void leave(ThreadCache*& all);
  const ThreadCache* next() const { return next_; }

  static constexpr std::size_t small_class(std::size_t bytes) {
    return (bytes + Allocator::kAlignment - 1) / Allocator::kAlignment;
  }
  /// Precondition: `bytes` is in (kSmallBytes, kLargestBytes].
  static std::size_t medium_class(std::size_t bytes);
  /// Capacity of every block of a class.
  static constexpr std::size_t class_bytes(std::size_t size_class) {
    if (size_class < kSmallClasses) return size_class * Allocator::kAlignment;
    const std::size_t step = size_class - kSmallClasses;
    return (kSmallBytes << step / 4) / 4 * (5 + step % 4);
  }

 private:
  struct FreeBlock {
    FreeBlock* next;
  };
  struct List {
    FreeBlock* first = nullptr;
    uint32_t count = 0;
    uint32_t limit = 0;
  };

  static constexpr uint32_t blocks_kept(std::size_t size_class) {
    const std::size_t bytes = class_bytes(size_class);
    const std::size_t wanted = (size_class < kSmallClasses ? 64 * 1024 : kLargestBytes) / (bytes == 0 ? 64 : bytes);
    return static_cast<uint32_t>(wanted > 256 ? 256 : wanted);
  }
  static void set_count(List& list, uint32_t count) { __atomic_store_n(&list.count, count, __ATOMIC_RELAXED); }

  List lists_[kClasses];
  ThreadCache* next_ = nullptr;
};

/// Never null.
extern STRUCTURED_API STRUCTURED_THREAD_LOCAL ThreadCache* thread_cache;

void* allocate_host_slow_path(std::size_t bytes);
void deallocate_host_slow_path(void* block, std::size_t bytes) noexcept;

/// Takes a cached block for up to ThreadCache::kSmallBytes bytes, or returns null.
inline void* take_host_block(std::size_t bytes) { return thread_cache->take(ThreadCache::small_class(bytes)); }

/// Allocates at least `bytes` bytes at a multiple of Allocator::kAlignment. Throws Error if there is no memory.
inline void* allocate_host(std::size_t bytes) {
  if (bytes <= ThreadCache::kSmallBytes) [[likely]] {
    void* const block = take_host_block(bytes);
    if (block != nullptr) [[likely]]
      return block;
  }
  return allocate_host_slow_path(bytes);
}

/// Frees a block that `allocate_host(bytes)` returned. May be called by any thread.
inline void deallocate_host(void* block, std::size_t bytes) noexcept {
  if (bytes <= ThreadCache::kSmallBytes && thread_cache->put(ThreadCache::small_class(bytes), block)) [[likely]]
    return;
  deallocate_host_slow_path(block, bytes);
}

/// The built-in CPU allocator, which `set_allocator(kCPU, nullptr)` restores.
Allocator& host_allocator();

/// Allocators that set_allocator installed, by device type; null where none is installed.
extern constinit std::atomic<Allocator*> allocators[kDeviceTypeCount];

/// Whether storages on cpu are allocated by allocate_host.
inline bool uses_host_cache() {
  return allocators[static_cast<int>(DeviceType::CPU)].load(std::memory_order_acquire) == nullptr;
}

}  // namespace structured::detail
