#pragma once
// Allocators of storages, one for each device type. The allocator for the CPU is built in.
#include <cstddef>
#include <cstdint>

#include "structured/core/device.h"
#include "structured/core/export.h"

namespace structured {

/// Allocates memory on one type of device. Implementations are thread-safe; a block may be freed by another thread than
/// the one that allocated it. An allocator must outlive every storage that it served.
///
/// The size comes back with the block, so that free lists by size class need no header of their own. Storage asks a
/// host allocator for one block that holds its own header and the data.
class STRUCTURED_API Allocator {
 public:
  virtual ~Allocator() = default;

  /// A block of at least `bytes` bytes at a multiple of kAlignment, its contents undefined. `device` is of the type
  /// that the allocator is set for. Throws Error if there is no memory.
  virtual void* allocate(std::size_t bytes, Device device) = 0;

  /// Takes back a block that `allocate(bytes, device)` returned.
  virtual void deallocate(void* block, std::size_t bytes, Device device) noexcept = 0;

  /// Copies between two blocks of this allocator that do not overlap; done when it returns.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;

  /// Whether the host may read and write the blocks.
  virtual bool is_host_accessible() const noexcept = 0;

  /// A cache line, and the widest vector register.
  static constexpr std::size_t kAlignment = 64;
};

/// The allocator for a device type. Throws Error if there is none; meta has none, as its tensors have no data.
STRUCTURED_API Allocator& allocator(DeviceType type);

/// Replaces the allocator for new storages and returns the previous one; null removes it (cpu: brings the first one
/// back). Not owned. Thread-safe.
STRUCTURED_API Allocator* set_allocator(DeviceType type, Allocator* allocator);

/// Statistics of the default CPU allocator. Freed blocks stay for the next tensor of about their size: small ones with
/// the thread that freed them, large ones for all, so that they come with their pages. With AddressSanitizer nothing is
/// kept, so that it sees every use of a freed block.
struct HostCacheStatistics {
  std::size_t system_bytes;          ///< taken from the system and not given back: in use or kept
  std::size_t cached_bytes;          ///< kept for tensors to come
  std::uint64_t system_allocations;  ///< how often the system was asked for a block
};

/// Thread-safe; blocks that threads free meanwhile may be counted or not.
STRUCTURED_API HostCacheStatistics host_cache_statistics();

/// Returns the blocks that the calling thread keeps, and all large blocks, to the system. Other threads return theirs
/// when they end. Thread-safe.
STRUCTURED_API void empty_host_cache() noexcept;

/// Limits the bytes of large blocks (above 256 KiB) that are kept, 512 MiB at first, and returns the previous limit.
/// Thread-safe.
STRUCTURED_API std::size_t set_host_cache_limit(std::size_t bytes) noexcept;

}  // namespace structured
