#include "structured/memory/storage.h"

#include <algorithm>
#include <new>

#include "structured/base/error.h"
#include "structured/memory/exports.h"
#include "structured/memory/host_storage.h"

namespace structured::detail {

STRUCTURED_THREAD_LOCAL uint32_t initial_version = 0;

StorageImpl* StorageImpl::create(std::size_t nbytes, Device device) {
  return device.is_cpu() && uses_host_cache() ? create_on_host(nbytes) : create_elsewhere(nbytes, device);
}

// Creates the header of a storage whose data is in another block.
StorageImpl* StorageImpl::create_header(Kind kind, std::size_t nbytes, Device device, std::size_t header_bytes) {
  auto* const storage = new (allocate_host(header_bytes)) StorageImpl(kind, device, nbytes);
  storage->block_bytes_ = header_bytes;
  return storage;
}

StorageImpl* StorageImpl::create_elsewhere(std::size_t nbytes, Device device, std::size_t header_bytes) {
  if (device.is_meta()) {
    return new (allocate_host(sizeof(StorageImpl)))
        StorageImpl(Kind::no_data, device, nullptr, nbytes, sizeof(StorageImpl));
  }

  Allocator& allocator = structured::allocator(device.type());
  if (allocator.is_host_accessible()) {
    const std::size_t block_bytes = with_storage_header(nbytes);
    char* const block = static_cast<char*>(allocator.allocate(block_bytes, device));
    auto* const storage = new (block) StorageImpl(Kind::inline_data, device, nbytes);
    storage->data_ = nbytes == 0 ? nullptr : block + kStorageHeaderBytes;
    storage->block_bytes_ = block_bytes;
    storage->owned_ = {&allocator, nbytes};
    storage->block_is_allocators_ = true;
    return storage;
  }
  StorageImpl* const storage = create_header(Kind::separate_data, nbytes, device, header_bytes);
  storage->owned_ = {&allocator, nbytes};
  try {
    if (nbytes != 0) storage->data_ = allocator.allocate(nbytes, device);
  } catch (...) {
    destroy(storage);
    throw;
  }
  return storage;
}

StorageImpl* StorageImpl::create_foreign(void* data, std::size_t nbytes, Device device, void (*release)(void* context),
                                         void* context) {
  StorageImpl* const storage = create_header(Kind::foreign_data, nbytes, device);
  storage->data_ = data;
  storage->foreign_ = {release, context};
  return storage;
}

Allocator& StorageImpl::data_allocator() const {
  return owned_.allocator != nullptr ? *owned_.allocator : host_allocator();
}

void StorageImpl::release_separate_data() noexcept {
  if (kind_ == Kind::separate_data && data_ != nullptr) {
    data_allocator().deallocate(data_, owned_.capacity, device_);
  }
}

void StorageImpl::destroy(StorageImpl* storage) noexcept { destroy_inlined(storage); }

void StorageImpl::destroy_elsewhere(StorageImpl* storage) noexcept {
  if (storage->kind_ == Kind::foreign_data && storage->foreign_.release != nullptr) {
    storage->foreign_.release(storage->foreign_.context);
  }
  storage->release_separate_data();
  if (storage->block_is_allocators_) {
    storage->owned_.allocator->deallocate(storage, storage->block_bytes_, storage->device_);
  } else {
    deallocate_host(storage, storage->block_bytes_);
  }
}

// The capacity of owned data in bytes.
std::size_t StorageImpl::capacity() const {
  if (!is_one_cached_block_) return owned_.capacity;
  if (data_ == nullptr) return 0;
  return block_bytes_ - static_cast<std::size_t>(static_cast<char*>(data_) - reinterpret_cast<const char*>(this));
}

// A version that has reached the highest number starts again from 0.
void StorageImpl::bump_version_slow_path() {
  if (is_inference()) return check_writable();
  __atomic_store_n(&version_, 0, __ATOMIC_RELAXED);
}

void StorageImpl::fail_inference_write() {
  fail(
      "Inplace update to inference tensor outside InferenceMode is not allowed. You can make a clone to get a normal "
      "tensor before doing inplace update.");
}

void StorageImpl::resize(std::size_t nbytes) {
  const bool is_owned = kind_ == Kind::inline_data || kind_ == Kind::separate_data;
  if (is_owned && nbytes > capacity()) {
    STRUCTURED_CHECK(!is_exported(data_), "storage: the memory cannot be resized from ", nbytes_, " to ", nbytes,
                     " bytes while another library uses it");
    Allocator& allocator = is_one_cached_block_ ? host_allocator() : data_allocator();
    void* const data = allocator.allocate(nbytes, device_);
    if (const std::size_t kept = std::min(nbytes_, nbytes); kept != 0) {
      try {
        allocator.copy(data, data_, kept);
      } catch (...) {
        allocator.deallocate(data, nbytes, device_);
        throw;
      }
    }
    // The space of data that followed the header stays unused until the storage is destroyed: the header cannot move.
    release_separate_data();
    owned_ = {is_one_cached_block_ ? nullptr : owned_.allocator, nbytes};
    kind_ = Kind::separate_data;
    is_one_cached_block_ = false;
    data_ = data;
  }
  STRUCTURED_CHECK(kind_ != Kind::foreign_data || nbytes <= nbytes_, "storage: expected at most the ", nbytes_,
                   " bytes of the memory it was created from, got ", nbytes);
  nbytes_ = nbytes;
}

}  // namespace structured::detail
