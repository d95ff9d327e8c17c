#pragma once
// The memory behind tensors. Views share a storage and its version counter, which shows whether the data was written to
// since the counter was last read.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "structured/core/allocator.h"
#include "structured/core/device.h"
#include "structured/core/ref_count.h"

namespace structured {

class Storage;
class TensorImpl;

namespace detail {

/// Header of a storage. On host allocators header and data are one block, in which the tensor that the storage was made
/// with may live, too; foreign and device memory, and data that has outgrown its block, is elsewhere.
class StorageImpl {
 public:
  StorageImpl(const StorageImpl&) = delete;
  StorageImpl& operator=(const StorageImpl&) = delete;

  void* data() const { return data_; }
  std::size_t nbytes() const { return nbytes_; }
  Device device() const { return device_; }

  std::uint32_t version() const { return __atomic_load_n(&version_, __ATOMIC_RELAXED); }
  /// Deliberately not one atomic operation: writing to the same data from two threads is a race already.
  void bump_version() {
    __atomic_store_n(&version_, __atomic_load_n(&version_, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  }

 private:
  friend class structured::Storage;
  friend class structured::TensorImpl;

  enum class Kind : std::uint8_t {
    inline_data,    // data_ lies in the block that begins with this header
    separate_data,  // data_ is a block of its own
    foreign_data,   // data_ belongs to the caller of from_blob
    no_data,        // meta: only the size is kept
  };

  StorageImpl(Kind kind, Device device, std::size_t nbytes)
      : nbytes_(nbytes), foreign_{nullptr, nullptr}, device_(device), kind_(kind) {}
  // The beginning of a block from the host's cache that is all there is to give back. Without `data` (no bytes, or
  // meta) the kind decides.
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
  // In host_storage.h.
  static inline StorageImpl* create_on_host(std::size_t nbytes);
  static inline void destroy_inlined(StorageImpl* storage) noexcept;
  static StorageImpl* create_header(Kind kind, std::size_t nbytes, Device device);
  static StorageImpl* create_elsewhere(std::size_t nbytes, Device device);
  Allocator& data_allocator() const;
  std::size_t capacity() const;
  void release_separate_data() noexcept;

  RefCount references_;
  std::uint32_t version_ = 0;
  void* data_ = nullptr;
  std::size_t nbytes_;
  std::size_t block_bytes_ = 0;  // size of the block that begins with this header
  union {                        // unset if is_one_cached_block_
    struct {
      Allocator* allocator;  // null: the host's own
      std::size_t capacity;  // bytes that fit at data_
    } owned_;
    struct {
      void (*release)(void* context);
      void* context;
    } foreign_;
  };
  Device device_;
  Kind kind_;
  bool block_is_allocators_ = false;  // the block that begins with this header; else it comes from the host's cache
  bool is_one_cached_block_ = false;  // that one, and nothing else is to be released
};

}  // namespace detail

/// A handle on shared memory; may be empty. Reading a handle from several threads is safe, and so is owning copies of
/// it in several threads; access to the data is not synchronised.
class Storage {
 public:
  Storage() = default;
  /// `nbytes` bytes from the allocator of the device, contents undefined. Throws Error if there is no such allocator or
  /// no memory. Meta: no data.
  Storage(std::size_t nbytes, Device device) : impl_(detail::StorageImpl::create(nbytes, device)) {}
  /// Foreign memory; `release(context)`, if not null, is called when the last handle is destroyed.
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
  /// Null for meta, and where there are no bytes. As all that follow: the handle must not be empty.
  void* data() const { return impl_->data(); }
  std::size_t nbytes() const { return impl_->nbytes(); }
  Device device() const { return impl_->device(); }
  std::uint32_t version() const { return impl_->version(); }
  void bump_version() const { impl_->bump_version(); }

  /// Changes the number of bytes, and keeps the contents as far as both go; the data may move, so that no thread may
  /// use it meanwhile. Throws Error for foreign memory that is too small.
  void resize(std::size_t nbytes) const { impl_->resize(nbytes); }

  bool is_same(const Storage& other) const { return impl_ == other.impl_; }
  std::uint32_t use_count() const { return impl_ == nullptr ? 0 : impl_->references_.count(); }

 private:
  friend class TensorImpl;

  // Takes over a reference, if there is one.
  explicit Storage(detail::StorageImpl* impl) : impl_(impl) {}
  // Assignment to an empty handle, and the destructor as inlined code (host_storage.h).
  void adopt(detail::StorageImpl* impl) { impl_ = impl; }
  inline void drop_inlined() noexcept;

  detail::StorageImpl* impl_ = nullptr;
};

}  // namespace structured
