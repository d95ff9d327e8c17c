#include "structured/core/storage.h"

#include <algorithm>
#include <memory>
#include <new>

#include "structured/core/error.h"

namespace structured::detail {

namespace {

// Data begins at the next aligned address behind the header.
constexpr std::size_t kHeaderBytes =
    (sizeof(StorageImpl) + Allocator::kAlignment - 1) / Allocator::kAlignment * Allocator::kAlignment;

}  // namespace

StorageImpl* StorageImpl::create(std::size_t nbytes, Device device) {
  if (device.is_meta()) return new StorageImpl(Kind::no_data, device, nbytes);

  Allocator& allocator = structured::allocator(device.type());
  if (!allocator.is_host_accessible()) {
    std::unique_ptr<StorageImpl> storage(new StorageImpl(Kind::separate_data, device, nbytes));
    if (nbytes != 0) storage->data_ = allocator.allocate(nbytes, device);
    storage->owned_ = {&allocator, nbytes};
    return storage.release();
  }

  STRUCTURED_CHECK(nbytes <= SIZE_MAX - kHeaderBytes, "storage: expected a number of bytes that fits memory, got ",
                   nbytes);
  const std::size_t block_bytes = kHeaderBytes + nbytes;
  char* const block = static_cast<char*>(allocator.allocate(block_bytes, device));
  auto* const storage = new (block) StorageImpl(Kind::inline_data, device, nbytes);
  storage->data_ = nbytes == 0 ? nullptr : block + kHeaderBytes;
  storage->block_bytes_ = block_bytes;
  storage->owned_ = {&allocator, nbytes};
  return storage;
}

StorageImpl* StorageImpl::create_foreign(void* data, std::size_t nbytes, Device device, void (*release)(void* context),
                                         void* context) {
  auto* const storage = new StorageImpl(Kind::foreign_data, device, nbytes);
  storage->data_ = data;
  storage->foreign_ = {release, context};
  return storage;
}

void StorageImpl::release_separate_data() noexcept {
  if (kind_ == Kind::separate_data && data_ != nullptr) {
    owned_.allocator->deallocate(data_, owned_.capacity, device_);
  }
}

void StorageImpl::destroy(StorageImpl* storage) noexcept {
  if (storage->kind_ == Kind::foreign_data && storage->foreign_.release != nullptr) {
    storage->foreign_.release(storage->foreign_.context);
  }
  storage->release_separate_data();
  const std::size_t block_bytes = storage->block_bytes_;
  if (block_bytes == 0) {
    delete storage;
  } else {
    Allocator& allocator = *storage->owned_.allocator;
    const Device device = storage->device_;
    storage->~StorageImpl();
    allocator.deallocate(storage, block_bytes, device);
  }
}

void StorageImpl::resize(std::size_t nbytes) {
  const bool is_owned = kind_ == Kind::inline_data || kind_ == Kind::separate_data;
  if (is_owned && nbytes > owned_.capacity) {
    void* const data = owned_.allocator->allocate(nbytes, device_);
    if (const std::size_t kept = std::min(nbytes_, nbytes); kept != 0) owned_.allocator->copy(data, data_, kept);
    // Data that lay behind the header leaves its room unused until the storage goes: the header cannot move.
    release_separate_data();
    kind_ = Kind::separate_data;
    data_ = data;
    owned_.capacity = nbytes;
  }
  STRUCTURED_CHECK(kind_ != Kind::foreign_data || nbytes <= nbytes_, "storage: expected at most the ", nbytes_,
                   " bytes of memory that was handed in, got ", nbytes);
  nbytes_ = nbytes;
}

}  // namespace structured::detail
