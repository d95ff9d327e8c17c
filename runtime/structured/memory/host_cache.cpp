#include "structured/memory/host_cache.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <type_traits>

#include "structured/base/error.h"
#include "structured/memory/block_source.h"
#include "structured/memory/system_memory.h"

#if defined(__ELF__)
// A function of AddressSanitizer; null in a process without it. Whether this library was built with AddressSanitizer
// does not matter.
extern "C" __attribute__((weak)) void asan_poison(const volatile void* begin,
                                                  std::size_t bytes) asm("__asan_poison_memory_region");
#endif

namespace structured {
namespace detail {
namespace {

bool find_address_sanitizer() {
#if defined(__ELF__)
  has_address_sanitizer = asan_poison != nullptr;
#endif
  return has_address_sanitizer;
}

// Valgrind loads a library with its allocator into programs that it runs under memcheck.
bool has_memcheck() {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  return preloaded != nullptr && std::strstr(preloaded, "vgpreload_memcheck") != nullptr;
}

bool is_cache_disabled() {
  const char* const setting = std::getenv("STRUCTURED_HOST_CACHE");
  return setting != nullptr && std::strcmp(setting, "0") == 0;
}

// Placeholders that stay empty: for threads that have not opened a cache yet, and for threads that have ended.
constinit ThreadCache no_cache{/*may_keep=*/false};
constinit ThreadCache closed_cache{/*may_keep=*/false};
// Placeholder for threads with a block source, whose calls therefore reach the slow paths.
constinit ThreadCache replaced_cache{/*may_keep=*/false};
STRUCTURED_THREAD_LOCAL BlockSource* block_source = nullptr;
// The cache to which such a thread returns.
STRUCTURED_THREAD_LOCAL ThreadCache* own_cache = nullptr;

constinit std::atomic<std::size_t> system_bytes{0};
constinit std::atomic<uint64_t> system_allocations{0};

// Capacity of a block for `bytes` bytes. It depends on `bytes` alone, because deallocation receives nothing else.
// Without a cache a block has no unused bytes at its end, so that a memory checker detects every overrun.
std::size_t block_bytes(std::size_t bytes) {
  if (!keeps_blocks()) return bytes;
  if (bytes <= ThreadCache::kSmallBytes) return ThreadCache::class_bytes(ThreadCache::small_class(bytes));
  if (bytes <= ThreadCache::kLargestBytes) return ThreadCache::class_bytes(ThreadCache::medium_class(bytes));
  // Eight sizes for each doubling: a freed block fits later requests of similar size, and at most 1/8 is unused.
  const std::size_t step = std::bit_floor(bytes) / 8;
  return bytes > SIZE_MAX - step ? bytes : (bytes + step - 1) / step * step;
}

void* take_from_system(std::size_t bytes) {
  void* const block = allocate_system(bytes);
  if (block != nullptr) {
    system_bytes.fetch_add(bytes, std::memory_order_relaxed);
    system_allocations.fetch_add(1, std::memory_order_relaxed);
  }
  return block;
}

// Memory that keep_forever received. Immutable, in a list that only grows.
struct Kept {
  const char* begin;
  std::size_t bytes;
  Kept* next;
};
constinit std::atomic<Kept*> all_kept{nullptr};

bool is_kept(const void* block) {
  for (const Kept* kept = all_kept.load(std::memory_order_acquire); kept != nullptr; kept = kept->next) {
    if (block >= kept->begin && block < kept->begin + kept->bytes) return true;
  }
  return false;
}

void give_to_system(void* block, std::size_t bytes) noexcept {
  if (is_kept(block)) return;
  system_bytes.fetch_sub(bytes, std::memory_order_relaxed);
  deallocate_system(block, bytes);
}

// Cached large blocks, newest first, as an intrusive doubly linked list.
class LargeBlocks {
 public:
  void* take(std::size_t bytes) {
    for (Block* block = newest_; block != nullptr; block = block->older) {
      if (block->bytes != bytes) continue;
      remove(block);
      return block;
    }
    return nullptr;
  }
  void put(void* memory, std::size_t bytes) {
    auto* const block = new (memory) Block{bytes, nullptr, newest_};
    (newest_ == nullptr ? oldest_ : newest_->newer) = block;
    newest_ = block;
    cached_bytes_ += bytes;
  }
  // Removes and returns the oldest block if more than `limit` bytes are cached; returns null otherwise.
  void* take_surplus(std::size_t limit, std::size_t& bytes) {
    if (cached_bytes_ <= limit) return nullptr;
    Block* const block = oldest_;
    bytes = block->bytes;
    remove(block);
    return block;
  }
  std::size_t cached_bytes() const { return cached_bytes_; }

 private:
  struct Block {
    std::size_t bytes;
    Block* newer;
    Block* older;
  };

  void remove(Block* block) {
    (block->newer == nullptr ? newest_ : block->newer->older) = block->older;
    (block->older == nullptr ? oldest_ : block->older->newer) = block->newer;
    cached_bytes_ -= block->bytes;
  }

  Block* newest_ = nullptr;
  Block* oldest_ = nullptr;
  std::size_t cached_bytes_ = 0;
};

// State shared by threads. Constant-initialised and never destroyed, because tensors in static variables may be freed
// after the destructors of other static variables have run.
struct Shared {
  std::mutex mutex;
  LargeBlocks large;
  std::size_t limit = std::size_t{512} << 20;
  ThreadCache* caches = nullptr;  // linked list over all threads that have a cache
  std::once_flag knows_of_forks;
};
static_assert(std::is_trivially_destructible_v<Shared>);
constinit Shared shared;

// A pthread_atfork handler holds the lock during fork(). Otherwise another thread could hold it, and it would stay
// locked in the child process, where that thread does not exist. The handler is registered before the lock is first
// taken.
class SharedLock {
 public:
  SharedLock() {
#if !defined(_WIN32)
    std::call_once(shared.knows_of_forks, [] {
      pthread_atfork([] { shared.mutex.lock(); }, [] { shared.mutex.unlock(); }, [] { shared.mutex.unlock(); });
    });
#endif
    shared.mutex.lock();
  }
  ~SharedLock() { shared.mutex.unlock(); }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;
};

// Returns large blocks to the system until at most `limit` bytes are cached. System calls are made without the lock.
void shrink(std::size_t limit) noexcept {
  while (true) {
    std::size_t bytes = 0;
    void* block = nullptr;
    {
      const SharedLock lock;
      block = shared.large.take_surplus(limit, bytes);
    }
    if (block == nullptr) return;
    give_to_system(block, bytes);
  }
}

void close_thread_cache() noexcept {
  ThreadCache* const cache = thread_cache;
  thread_cache = &closed_cache;  // from here on, tensors that this thread frees are returned to the system
  {
    const SharedLock lock;
    cache->leave(shared.caches);
  }
  cache->flush(give_to_system);
  delete cache;
}

// Opens a cache for the calling thread if it has none. The cleanup is registered by a separate thread-local object, so
// that the pointer itself needs no destructor.
ThreadCache& open_thread_cache() {
  if (thread_cache != &no_cache || !keeps_blocks()) return *thread_cache;
  struct Closer {
    ~Closer() { close_thread_cache(); }
  };
  auto* const cache = new (std::nothrow) ThreadCache(/*may_keep=*/true);
  if (cache == nullptr) return no_cache;
  {
    const SharedLock lock;
    cache->join(shared.caches);
  }
  thread_cache = cache;
  static thread_local const Closer closer;
  return *cache;
}

}  // namespace

STRUCTURED_THREAD_LOCAL ThreadCache* thread_cache = &no_cache;

constinit bool has_address_sanitizer = false;

bool keeps_blocks() noexcept {
  static const bool keeps = !find_address_sanitizer() && !has_memcheck() && !is_cache_disabled();
  return keeps;
}

void forbid_access([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__ELF__)
  asan_poison(begin, bytes);
#endif
}

BlockSource* set_block_source(BlockSource* source) noexcept {
  BlockSource* const previous = block_source;
  block_source = source;
  if (previous == nullptr && source != nullptr) {
    own_cache = thread_cache;
    thread_cache = &replaced_cache;
  } else if (previous != nullptr && source == nullptr) {
    thread_cache = own_cache;
  }
  return previous;
}

std::size_t block_capacity(std::size_t bytes) { return block_bytes(bytes); }

void keep_forever(const void* begin, std::size_t bytes) {
  auto* const kept = new Kept{static_cast<const char*>(begin), bytes, all_kept.load(std::memory_order_relaxed)};
  while (!all_kept.compare_exchange_weak(kept->next, kept, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

// Cached blocks are looked for first: there are none if keeps_blocks() is false.
void* allocate_host_slow_path(std::size_t bytes) {
  if (block_source != nullptr) return block_source->allocate(bytes);
  void* block = nullptr;
  if (bytes > ThreadCache::kLargestBytes) {
    const std::size_t size = block_bytes(bytes);
    const SharedLock lock;
    block = shared.large.take(size);
  } else if (bytes > ThreadCache::kSmallBytes) {
    block = thread_cache->take(ThreadCache::medium_class(bytes));
  }
  if (block != nullptr) return block;
  const std::size_t size = block_bytes(bytes);
  block = take_from_system(size);
  if (block == nullptr) {  // retry after emptying the cache
    empty_host_cache();
    block = take_from_system(size);
  }
  STRUCTURED_CHECK(block != nullptr, "cpu allocator: expected room for ", bytes, " bytes, got none");
  return block;
}

void deallocate_host_slow_path(void* block, std::size_t bytes) noexcept {
  if (block_source != nullptr) return block_source->deallocate(block, bytes);
  if (bytes <= ThreadCache::kLargestBytes) {
    const std::size_t size_class =
        bytes <= ThreadCache::kSmallBytes ? ThreadCache::small_class(bytes) : ThreadCache::medium_class(bytes);
    if (!open_thread_cache().put(size_class, block)) give_to_system(block, block_bytes(bytes));
    return;
  }
  const std::size_t size = block_bytes(bytes);
  std::size_t limit = 0;
  if (keeps_blocks()) {
    const SharedLock lock;
    limit = shared.limit;
    if (size <= limit) {
      shared.large.put(block, size);
      block = nullptr;
    }
  }
  if (block != nullptr) {
    give_to_system(block, size);
  } else {
    shrink(limit);
  }
}

std::size_t ThreadCache::medium_class(std::size_t bytes) {
  // In (4096, 5120] the first, up to 6144 the second, ...
  const std::size_t above = bytes - 1;
  const auto doubling = static_cast<std::size_t>(std::bit_width(above) - std::bit_width(kSmallBytes));
  const std::size_t quarter = (above >> (std::bit_width(above) - 3)) - 4;
  return kSmallClasses + 4 * doubling + quarter;
}

std::size_t ThreadCache::cached_bytes() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kClasses; ++i) {
    bytes += __atomic_load_n(&lists_[i].count, __ATOMIC_RELAXED) * class_bytes(i);
  }
  return bytes;
}

void ThreadCache::flush(void (*release)(void* block, std::size_t bytes) noexcept) {
  for (std::size_t i = 0; i < kClasses; ++i) {
    while (void* const block = take(i)) release(block, class_bytes(i));
  }
}

void ThreadCache::join(ThreadCache*& all) {
  next_ = all;
  all = this;
}

void ThreadCache::leave(ThreadCache*& all) {
  ThreadCache** place = &all;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
}

}  // namespace detail

HostCacheStatistics host_cache_statistics() {
  const detail::SharedLock lock;
  HostCacheStatistics result{detail::system_bytes.load(std::memory_order_relaxed), detail::shared.large.cached_bytes(),
                             detail::system_allocations.load(std::memory_order_relaxed)};
  for (const detail::ThreadCache* cache = detail::shared.caches; cache != nullptr; cache = cache->next()) {
    result.cached_bytes += cache->cached_bytes();
  }
  return result;
}

void empty_host_cache() noexcept {
  detail::thread_cache->flush(detail::give_to_system);
  detail::shrink(0);
}

std::size_t set_host_cache_limit(std::size_t bytes) noexcept {
  std::size_t previous = 0;
  {
    const detail::SharedLock lock;
    previous = detail::shared.limit;
    detail::shared.limit = bytes;
  }
  detail::shrink(bytes);
  return previous;
}

}  // namespace structured
