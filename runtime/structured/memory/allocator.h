#pragma once
// Allocators of storages, one for each device type. The allocator for the CPU is built in.
#include <cstddef>
#include <cstdint>

#include "structured/base/export.h"
#include "structured/device/device.h"

namespace structured {

/// Allocates memory on one type of device. Implementations are thread-safe; a block may be freed by another thread than
/// the one that allocated it. An allocator must outlive every storage that it served.
///
/// `deallocate` receives the size, so that free lists by size class need no block header. Storage allocates its header
/// and the data as one block if the memory is host-accessible.
class STRUCTURED_API Allocator {
 public:
  virtual ~Allocator() = default;

  /// A block of at least `bytes` bytes at a multiple of kAlignment, its contents undefined. `device` is of the type
  /// that the allocator is set for. Throws Error if there is no memory.
  virtual void* allocate(std::size_t bytes, Device device) = 0;

  /// Takes back a block that `allocate(bytes, device)` returned.
  virtual void deallocate(void* block, std::size_t bytes, Device device) noexcept = 0;

  /// Copies between two blocks of this allocator that do not overlap. The copy is complete when the function returns.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;

  /// Whether the host may read and write the blocks.
  virtual bool is_host_accessible() const noexcept = 0;

  /// The size of a cache line and of the widest vector register.
  static constexpr std::size_t kAlignment = 64;
};

/// The allocator for a device type. Throws Error if there is none; meta has none, as its tensors have no data.
STRUCTURED_API Allocator& allocator(DeviceType type);

/// Replaces the allocator for new storages and returns the previous one; null removes it (on cpu: restores the built-in
/// one). Does not take ownership. Thread-safe.
STRUCTURED_API Allocator* set_allocator(DeviceType type, Allocator* allocator);

/// Statistics of the default CPU allocator. Freed blocks are cached for tensors of similar size: small ones per thread,
/// large ones for all threads, so that their pages stay mapped. No block is cached if the environment variable
/// STRUCTURED_HOST_CACHE is 0, and in a program that is built with AddressSanitizer or runs under Valgrind's memcheck:
/// every tensor then has a block of its exact size, and the tool detects overruns and uses after free.
struct HostCacheStatistics {
  std::size_t system_bytes;     ///< taken from the system and not returned: in use or cached
  std::size_t cached_bytes;     ///< cached for later allocations
  uint64_t system_allocations;  ///< number of blocks requested from the system
};

/// Thread-safe; blocks that other threads free meanwhile may or may not be counted.
STRUCTURED_API HostCacheStatistics host_cache_statistics();

/// Returns the blocks cached by the calling thread, and all cached large blocks, to the system. Other threads return
/// theirs when they end. Thread-safe.
STRUCTURED_API void empty_host_cache() noexcept;

/// Limits the bytes of cached large blocks (above 256 KiB), initially to 512 MiB, and returns the previous limit.
/// Thread-safe.
STRUCTURED_API std::size_t set_host_cache_limit(std::size_t bytes) noexcept;

}  // namespace structured
