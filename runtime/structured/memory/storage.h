#pragma once
// The memory of tensors. Views share a storage and its version counter, which shows whether operators have written to
// the data since the counter was last read.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "structured/base/export.h"
#include "structured/device/device.h"
#include "structured/memory/allocator.h"
#include "structured/memory/ref_count.h"

namespace structured {

class Storage;
class TensorImpl;

namespace detail {

/// Version of the storages that this thread creates: 0, or StorageImpl::kUntracked while an InferenceModeGuard exists.
extern STRUCTURED_API STRUCTURED_THREAD_LOCAL uint32_t initial_version;

/// Header of a storage. With a host allocator, header and data share a block. Foreign memory, device memory and data
/// that has outgrown its block are separate. The header's block may also hold the tensor that the storage was created
/// with.
class StorageImpl {
 public:
  StorageImpl(const StorageImpl&) = delete;
  StorageImpl& operator=(const StorageImpl&) = delete;

  void* data() const { return data_; }
  std::size_t nbytes() const { return nbytes_; }
  Device device() const { return device_; }

  /// The version of storages of inference tensors, which do not count writes. Versions of others are lower.
  static constexpr uint32_t kUntracked = uint32_t{1} << 31;

  uint32_t version() const { return __atomic_load_n(&version_, __ATOMIC_RELAXED); }
  bool is_inference() const { return version() >= kUntracked; }
  /// Throws Error for the storage of an inference tensor outside of an InferenceModeGuard.
  void check_writable() const {
    if (is_inference() && initial_version != kUntracked) [[unlikely]]
      fail_inference_write();
  }
  /// Counts a write to the data. Throws as check_writable does. Deliberately not one atomic operation:
  /// writing to the same data from two threads is a race already.
  void bump_version() {
    const uint32_t next = version() + 1;
    if (next >= kUntracked) [[unlikely]]
      return bump_version_slow_path();
    __atomic_store_n(&version_, next, __ATOMIC_RELAXED);
  }

 private:
  friend class structured::Storage;
  friend class structured::TensorImpl;

  enum class Kind : uint8_t {
    inline_data,    // data_ lies in the block that begins with this header
    separate_data,  // data_ is a block of its own
    foreign_data,   // data_ belongs to the caller of from_blob
    no_data,        // meta: only the size is kept
  };

  StorageImpl(Kind kind, Device device, std::size_t nbytes)
      : nbytes_(nbytes), foreign_{nullptr, nullptr}, device_(device), kind_(kind) {}
  // Header at the start of a block from the host cache; freeing the block frees the whole storage. `data` is null for
  // storages of 0 bytes and on meta.
  StorageImpl(Kind kind, Device device, void* data, std::size_t nbytes, std::size_t block_bytes)
      : data_(data),
        nbytes_(nbytes),
        block_bytes_(block_bytes),
        device_(device),
        kind_(kind),
        is_one_cached_block_(true) {}

  STRUCTURED_API static StorageImpl* create(std::size_t nbytes, Device device);
  STRUCTURED_API static StorageImpl* create_foreign(void* data, std::size_t nbytes, Device device,
                                                    void (*release)(void* context), void* context);
  STRUCTURED_API static void destroy(StorageImpl* storage) noexcept;
  static void destroy_elsewhere(StorageImpl* storage) noexcept;
  STRUCTURED_API void resize(std::size_t nbytes);
  // Not STRUCTURED_COLD, see export.h.
  STRUCTURED_API void bump_version_slow_path();
  [[noreturn]] STRUCTURED_API static void fail_inference_write();
  // Defined in host_storage.h.
  static inline StorageImpl* create_on_host(std::size_t nbytes);
  static inline void destroy_inlined(StorageImpl* storage) noexcept;
  // `header_bytes` is the size of the header's block if the data is in another block.
  static StorageImpl* create_header(Kind kind, std::size_t nbytes, Device device,
                                    std::size_t header_bytes = sizeof(StorageImpl));
  static StorageImpl* create_elsewhere(std::size_t nbytes, Device device,
                                       std::size_t header_bytes = sizeof(StorageImpl));
  Allocator& data_allocator() const;
  std::size_t capacity() const;
  void release_separate_data() noexcept;

  RefCount references_;
  uint32_t version_ = initial_version;
  void* data_ = nullptr;
  std::size_t nbytes_;
  std::size_t block_bytes_ = 0;  // size of the block that begins with this header
  union {                        // unset if is_one_cached_block_
    struct {
      Allocator* allocator;  // null: host_allocator()
      std::size_t capacity;  // bytes allocated at data_
    } owned_;
    struct {
      void (*release)(void* context);
      void* context;
    } foreign_;
  };
  Device device_;
  Kind kind_;
  bool block_is_allocators_ = false;  // this header's block is from owned_.allocator; else from the host cache
  bool is_one_cached_block_ = false;  // the whole storage is one block from the host cache
};

}  // namespace detail

/// Reference-counted handle on shared memory; may be empty. Several threads may read one handle or own copies of it;
/// access to the data is not synchronised.
class Storage {
 public:
  Storage() = default;
  /// Allocates `nbytes` uninitialised bytes with the device's allocator. Throws Error if the device has no allocator or
  /// there is no memory. A storage on meta has no data.
  Storage(std::size_t nbytes, Device device) : impl_(detail::StorageImpl::create(nbytes, device)) {}
  /// Wraps foreign memory. Calls `release(context)`, unless null, when the last handle is destroyed.
  Storage(void* data, std::size_t nbytes, Device device, void (*release)(void* context), void* context)
      : impl_(detail::StorageImpl::create_foreign(data, nbytes, device, release, context)) {}
  Storage(const Storage& other) : impl_(other.impl_) {
    if (impl_ != nullptr) impl_->references_.retain();
  }
  Storage(Storage&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  Storage& operator=(Storage other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~Storage() {
    if (impl_ != nullptr && impl_->references_.release()) detail::StorageImpl::destroy(impl_);
  }

  explicit operator bool() const { return impl_ != nullptr; }
  /// Null on meta and for 0 bytes. Precondition of this and all following functions: the handle is not empty.
  void* data() const { return impl_->data(); }
  std::size_t nbytes() const { return impl_->nbytes(); }
  Device device() const { return impl_->device(); }
  uint32_t version() const { return impl_->version(); }
  /// Whether the storage was created in the scope of an InferenceModeGuard.
  bool is_inference() const { return impl_->is_inference(); }
  void check_writable() const { impl_->check_writable(); }
  void bump_version() const { impl_->bump_version(); }

  /// Changes the size and keeps the contents up to the smaller size. The data may move, so that no other thread may use
  /// it meanwhile. Throws Error for foreign memory that is too small.
  void resize(std::size_t nbytes) const { impl_->resize(nbytes); }

  bool is_same(const Storage& other) const { return impl_ == other.impl_; }
  uint32_t use_count() const { return impl_ == nullptr ? 0 : impl_->references_.count(); }

 private:
  friend class TensorImpl;

  // Takes over a reference to `impl`, which may be null.
  explicit Storage(detail::StorageImpl* impl) : impl_(impl) {}
  // adopt() assigns without releasing; drop_inlined() is the destructor as inlined code (host_storage.h).
  void adopt(detail::StorageImpl* impl) { impl_ = impl; }
  inline void drop_inlined() noexcept;

  detail::StorageImpl* impl_ = nullptr;
};

}  // namespace structured
