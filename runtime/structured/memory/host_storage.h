#pragma once
// Storages in host memory: functions that are inlined where tensors are created and destroyed.
#include <cstddef>
#include <cstdint>
#include <new>

#include "structured/base/error.h"
#include "structured/memory/host_cache.h"
#include "structured/memory/storage.h"

namespace structured::detail {

/// Data begins at the next aligned address after the header.
inline constexpr std::size_t kStorageHeaderBytes =
    (sizeof(StorageImpl) + Allocator::kAlignment - 1) / Allocator::kAlignment * Allocator::kAlignment;

/// Size of a block for a header and `nbytes` bytes of data.
inline std::size_t with_storage_header(std::size_t nbytes) {
  STRUCTURED_CHECK(nbytes <= SIZE_MAX - kStorageHeaderBytes,
                   "storage: expected a number of bytes that fits memory, got ", nbytes);
  return kStorageHeaderBytes + nbytes;
}

/// Creates a storage on cpu. Precondition: uses_host_cache().
inline StorageImpl* StorageImpl::create_on_host(std::size_t nbytes) {
  const std::size_t block_bytes = with_storage_header(nbytes);
  char* const block = static_cast<char*>(allocate_host(block_bytes));
  guard_gap(block + sizeof(StorageImpl), block + kStorageHeaderBytes);
  return new (block) StorageImpl(Kind::inline_data, Device(DeviceType::CPU),
                                 nbytes == 0 ? nullptr : block + kStorageHeaderBytes, nbytes, block_bytes);
}

inline void StorageImpl::destroy_inlined(StorageImpl* storage) noexcept {
  if (storage->is_one_cached_block_) [[likely]] {
    deallocate_host(storage, storage->block_bytes_);
  } else {
    destroy_elsewhere(storage);
  }
}

}  // namespace structured::detail

namespace structured {

inline void Storage::drop_inlined() noexcept {
  detail::StorageImpl* const impl = std::exchange(impl_, nullptr);
  if (impl != nullptr && impl->references_.release()) detail::StorageImpl::destroy_inlined(impl);
}

}  // namespace structured
