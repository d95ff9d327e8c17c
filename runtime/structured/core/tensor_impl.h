#pragma once
// The state behind a Tensor handle. Operators are written against Tensor; this is for the runtime itself.
#include <cstddef>
#include <cstdint>

#include "structured/core/array_ref.h"
#include "structured/core/device.h"
#include "structured/core/layout.h"
#include "structured/core/memory_format.h"
#include "structured/core/ref_count.h"
#include "structured/core/scalar_type.h"
#include "structured/core/storage.h"

namespace structured {

/// Properties that are kept instead of computed. "No bit of kUncommon" is the test with which a fast path begins: a
/// feature that needs care gets a bit there, and costs nothing to the tensors without it.
struct TensorFlags {
  static constexpr std::uint32_t kContiguous = 1 << 0;
  static constexpr std::uint32_t kChannelsLastContiguous = 1 << 1;
  static constexpr std::uint32_t kChannelsLast3dContiguous = 1 << 2;
  /// Non-overlapping and dense.
  static constexpr std::uint32_t kDense = 1 << 3;
  static constexpr std::uint32_t kGeometry = kContiguous | kChannelsLastContiguous | kChannelsLast3dContiguous | kDense;
  static constexpr std::uint32_t kView = 1 << 4;
  /// Made from a number: takes part in type promotion as a number does.
  static constexpr std::uint32_t kWrappedNumber = 1 << 8;
  static constexpr std::uint32_t kQuantized = 1 << 9;
  static constexpr std::uint32_t kUncommon = ~std::uint32_t{0xff};
};

/// Device type, device index, dtype and rank in one word, so that "of the same kind" is one comparison.
struct TensorSignature {
  std::uint32_t word;

  static constexpr TensorSignature make(Device device, ScalarType dtype, std::size_t rank) {
    return {static_cast<std::uint32_t>(device.type()) |
            static_cast<std::uint32_t>(static_cast<std::uint8_t>(device.index())) << 8 |
            static_cast<std::uint32_t>(dtype) << 16 | static_cast<std::uint32_t>(rank) << 24};
  }
  constexpr DeviceType device_type() const { return static_cast<DeviceType>(word & 0xff); }
  constexpr std::int8_t device_index() const { return static_cast<std::int8_t>(word >> 8 & 0xff); }
  constexpr ScalarType dtype() const { return static_cast<ScalarType>(word >> 16 & 0xff); }
  constexpr std::size_t rank() const { return word >> 24; }

  friend constexpr bool operator==(TensorSignature, TensorSignature) = default;
};

/// Reference counted by hand (Tensor does it). Changing metadata while another thread reads the same tensor is a race.
class TensorImpl {
 public:
  static constexpr std::size_t kInlineDims = 6;

  /// Rank 0, offset 0. The caller owns the one reference.
  STRUCTURED_API static TensorImpl* create(Storage storage, Device device, ScalarType dtype);
  TensorImpl(const TensorImpl&) = delete;
  TensorImpl& operator=(const TensorImpl&) = delete;

  void retain() { references_.retain(); }
  void release() {
    if (references_.release()) destroy(this);
  }
  std::uint32_t use_count() const { return references_.count(); }

  TensorSignature signature() const { return signature_; }
  std::uint32_t flags() const { return flags_; }
  bool has_flag(std::uint32_t flag) const { return (flags_ & flag) != 0; }

  std::size_t rank() const { return signature_.rank(); }
  ScalarType dtype() const { return signature_.dtype(); }
  Device device() const { return Device(signature_.device_type(), signature_.device_index()); }
  Layout layout() const { return Layout::Strided; }
  IntArrayRef sizes() const { return {sizes_, rank()}; }
  IntArrayRef strides() const { return {strides_, rank()}; }
  std::int64_t numel() const { return numel_; }
  const Storage& storage() const { return storage_; }
  std::int64_t storage_offset() const { return storage_offset_; }
  /// The first element; null if the storage has no data.
  void* data() const {
    char* const start = static_cast<char*>(storage_.data());
    return start == nullptr ? nullptr : start + (storage_offset_ << item_size_log2(dtype()));
  }
  TensorImpl* base() const { return base_; }

  /// Row-major strides. Throws Error for negative sizes, more than 64 dimensions, or more elements than int64_t counts.
  STRUCTURED_API void set_sizes_contiguous(IntArrayRef sizes);
  /// Throws Error also for negative strides and lists of different length.
  STRUCTURED_API void set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides);
  void set_storage(Storage storage) { storage_ = static_cast<Storage&&>(storage); }
  void set_storage_offset(std::int64_t offset) { storage_offset_ = offset; }
  /// Makes this a view of `base`, which is not a view itself; takes a reference.
  STRUCTURED_API void set_base(TensorImpl* base);
  void set_wrapped_number(bool value) {
    flags_ = value ? flags_ | TensorFlags::kWrappedNumber : flags_ & ~TensorFlags::kWrappedNumber;
  }

 private:
  TensorImpl(Storage storage, Device device, ScalarType dtype);
  ~TensorImpl();
  STRUCTURED_API static void destroy(TensorImpl* impl) noexcept;
  void set_rank(std::size_t rank);
  void update_geometry_flags();

  detail::RefCount references_;
  TensorSignature signature_;
  std::uint32_t flags_ = 0;
  Storage storage_;
  std::int64_t storage_offset_ = 0;
  std::int64_t numel_ = 1;
  std::int64_t* sizes_ = inline_dims_;  // in inline_dims_, or one block with strides_ behind
  std::int64_t* strides_ = inline_dims_ + kInlineDims;
  TensorImpl* base_ = nullptr;
  std::int64_t inline_dims_[2 * kInlineDims];
};

}  // namespace structured
