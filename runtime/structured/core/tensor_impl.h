#pragma once
// The object behind a Tensor handle. Operators use Tensor; TensorImpl is internal to the runtime.
#include <cstddef>
#include <cstdint>

#include "structured/core/array_ref.h"
#include "structured/core/autograd_data.h"
#include "structured/core/backend.h"
#include "structured/core/layout.h"
#include "structured/core/memory_format.h"
#include "structured/core/tensor_signature.h"
#include "structured/device/device.h"
#include "structured/memory/ref_count.h"
#include "structured/memory/storage.h"
#include "structured/number/scalar_type.h"

namespace structured {

class Dimname;
class Tensor;

class QuickView;
class ViewBuilder;
STRUCTURED_API Tensor contiguous_view(const Tensor& base, IntArrayRef sizes,
                                      Tensor (*otherwise)(const Tensor& base, IntArrayRef sizes));

/// Cached properties of a tensor. Fast paths test that no bit of kUncommon is set: a feature that needs special
/// handling gets a bit there and costs nothing for tensors without it.
struct TensorFlags {
  static constexpr uint32_t kContiguous = 1 << 0;
  static constexpr uint32_t kChannelsLastContiguous = 1 << 1;
  static constexpr uint32_t kChannelsLast3dContiguous = 1 << 2;
  /// Non-overlapping and dense.
  static constexpr uint32_t kDense = 1 << 3;
  static constexpr uint32_t kGeometry = kContiguous | kChannelsLastContiguous | kChannelsLast3dContiguous | kDense;
  static constexpr uint32_t kView = 1 << 4;
  /// Sizes and strides are in a heap block of their own.
  static constexpr uint32_t kManyDims = 1 << 5;
  /// The tensor is in the block of the storage that it was created with.
  static constexpr uint32_t kInStorageBlock = 1 << 6;
  /// A view without a reference to its storage: the base is in the storage's block and keeps it alive.
  static constexpr uint32_t kBorrowsStorage = 1 << 7;
  /// The tensor has gradient data.
  static constexpr uint32_t kAutograd = 1 << 8;
  /// Created from a number: type promotion considers only its category.
  static constexpr uint32_t kWrappedNumber = 1 << 9;
  static constexpr uint32_t kQuantized = 1 << 10;
  /// At least one dimension has a name.
  static constexpr uint32_t kNamed = 1 << 11;
  static constexpr uint32_t kUncommon = ~uint32_t{0x1ff};
};

/// Intrusively reference-counted by Tensor. Changing metadata while another thread reads the same tensor is a race.
class TensorImpl {
 public:
  static constexpr std::size_t kInlineDims = 6;

  /// Creates a tensor of rank 0 with offset 0. The caller owns the only reference.
  STRUCTURED_API static TensorImpl* create(Storage storage, Device device, ScalarType dtype);
  /// Creates an uninitialised tensor with row-major strides and a storage of its own. Throws Error as
  /// set_sizes_contiguous and Storage do. The rank of `signature` is ignored.
  STRUCTURED_API static TensorImpl* create_contiguous(IntArrayRef sizes, TensorSignature signature);
  /// Creates a tensor with these strides and its own storage. Throws Error as set_sizes_and_strides and Storage do.
  STRUCTURED_API static TensorImpl* create_strided(IntArrayRef sizes, IntArrayRef strides, TensorSignature signature);
  /// Creates a tensor with the sizes, device, dtype and dimension order of `like`, which is non-overlapping and dense.
  STRUCTURED_API static TensorImpl* create_like(const TensorImpl& like);
  /// Creates a tensor with exactly the strides of `like`, also for dimensions of size 1.
  STRUCTURED_API static TensorImpl* create_with_strides_of(const TensorImpl& like);
  /// Creates a view of `base` with another shape. Throws Error if the view would reach outside the storage.
  STRUCTURED_API static TensorImpl* create_view(TensorImpl& base, IntArrayRef sizes, IntArrayRef strides,
                                                int64_t offset);
  /// Creates a tensor with the storage and geometry of `like` that is not a view and has no gradient data.
  STRUCTURED_API static TensorImpl* create_detached(const TensorImpl& like);
  TensorImpl(const TensorImpl&) = delete;
  TensorImpl& operator=(const TensorImpl&) = delete;

  void retain() { references_.retain(); }
  void release() {
    if (references_.release()) destroy(this);
  }
  uint32_t use_count() const { return references_.count(); }

  TensorSignature signature() const { return signature_; }
  uint32_t flags() const { return flags_; }
  /// Backend::count if no backend serves such a tensor.
  Backend backend() const { return backend_; }
  /// The slot of dispatch tables that calls with this tensor select: kAutogradKey if it requires gradients, otherwise
  /// that of its backend.
  Backend dispatch_key() const { return dispatch_key_; }
  bool has_flag(uint32_t flag) const { return (flags_ & flag) != 0; }

  std::size_t rank() const { return signature_.rank(); }
  ScalarType dtype() const { return signature_.dtype(); }
  Device device() const { return signature_.device(); }
  Layout layout() const { return Layout::Strided; }
  IntArrayRef sizes() const { return {sizes_, rank()}; }
  IntArrayRef strides() const { return {strides_, rank()}; }
  int64_t numel() const { return numel_; }
  const Storage& storage() const { return storage_; }
  int64_t storage_offset() const { return storage_offset_; }
  /// The first element; null if the storage has no data.
  void* data() const {
    char* const start = static_cast<char*>(storage_.data());
    return start == nullptr ? nullptr : start + (storage_offset_ << item_size_log2(dtype()));
  }
  /// The first element, unchecked. Preconditions: the tensor is not empty, and T is its element type.
  template <class T>
  T* elements() const {
    return static_cast<T*>(storage_.data()) + storage_offset_;
  }
  TensorImpl* base() const { return base_; }
  bool requires_grad() const { return dispatch_key_ == kAutogradKey; }
  /// Null for most tensors.
  detail::AutogradData* autograd() const { return has_flag(TensorFlags::kAutograd) ? autograd_ : nullptr; }
  /// Position of this tensor among the results of the node in autograd().
  uint16_t output_index() const { return output_index_; }
  /// Empty if no dimension has a name.
  STRUCTURED_API ArrayRef<Dimname> names() const;

  /// Sets row-major strides. Throws Error for negative sizes, more than 64 dimensions, and if numel overflows int64_t.
  STRUCTURED_API void set_sizes_contiguous(IntArrayRef sizes);
  /// Throws Error as set_sizes_contiguous does, and for negative strides and lists of different length.
  STRUCTURED_API void set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides);
  STRUCTURED_API void set_storage(Storage storage);
  void set_storage_offset(int64_t offset) { storage_offset_ = offset; }
  /// Sets one name for each dimension; an empty list removes the names, and so does a change of rank.
  STRUCTURED_API void set_names(ArrayRef<Dimname> names);
  /// Takes over a reference to `data`, or removes all gradient data (null). Drops the previous data.
  STRUCTURED_API void set_autograd(detail::AutogradData* data, bool requires_grad, uint16_t output_index = 0) noexcept;
  void set_wrapped_number(bool value) {
    flags_ = value ? flags_ | TensorFlags::kWrappedNumber : flags_ & ~TensorFlags::kWrappedNumber;
  }

 private:
  friend class QuickView;
  friend class ViewBuilder;
  friend Tensor contiguous_view(const Tensor& base, IntArrayRef sizes,
                                Tensor (*otherwise)(const Tensor& base, IntArrayRef sizes));

  // Flags that create_like and create_with_strides_of copy.
  static constexpr uint32_t kKindFlags = TensorFlags::kGeometry | TensorFlags::kQuantized;

  // Owns one reference, which release() hands over to the caller.
  class Owner {
   public:
    explicit Owner(TensorImpl* impl) : impl_(impl) {}
    ~Owner() {
      if (impl_ != nullptr) impl_->release();
    }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    TensorImpl* operator->() const { return impl_; }
    TensorImpl* release() {
      TensorImpl* const impl = impl_;
      impl_ = nullptr;
      return impl;
    }

   private:
    TensorImpl* impl_;
  };

  // Properties that are set before the shape.
  struct Kind {
    static Kind of(TensorSignature signature);
    static Kind of_one_like(const TensorImpl& like) {
      return {like.signature_, like.flags_ & kKindFlags, like.backend_};
    }
    static Kind of_view(const TensorImpl& base, std::size_t rank) {
      return {base.signature_.with_rank(rank),
              (base.flags_ & TensorFlags::kQuantized) | TensorFlags::kContiguous | TensorFlags::kDense, base.backend_};
    }

    TensorSignature signature;
    uint32_t flags;
    Backend backend;
  };

  // Takes over a reference to `storage`, which may be null.
  explicit TensorImpl(Kind kind, detail::StorageImpl* storage = nullptr)
      : signature_(kind.signature),
        flags_(kind.flags),
        backend_(kind.backend),
        dispatch_key_(kind.backend),
        storage_(storage) {}
  // Constructs a view without taking references; hold_base() takes them. Both are defined in view_builder.h.
  inline TensorImpl(Kind kind, TensorImpl& base);
  inline void hold_base();
  ~TensorImpl() = delete;  // see destroy

  // The following functions leave sizes, strides and numel_ unset.
  template <class... Base>
  static TensorImpl* allocate(Kind kind, Base&... base);
  static TensorImpl* allocate_with_storage(Kind kind, std::size_t nbytes);
  static TensorImpl* take_with_storage(Kind kind, std::size_t nbytes, bool is_usual = false);
  template <void* (*take)(std::size_t bytes)>
  static TensorImpl* place_with_storage(Kind kind, std::size_t nbytes, bool is_usual = false);
  template <std::size_t rank>
  static TensorImpl* create_contiguous_of(const int64_t* sizes, TensorSignature signature);
  static TensorImpl* create_contiguous_slow_path(IntArrayRef sizes, TensorSignature signature);
  static TensorImpl* create_like_slow_path(const TensorImpl& like);
  void set_shape_of(const TensorImpl& like);
  void set_contiguous_shape(IntArrayRef sizes, int64_t numel);
  void set_shape(IntArrayRef sizes, IntArrayRef strides);
  // For ViewBuilder. begin_view sets the geometry flags of a contiguous tensor.
  STRUCTURED_API static TensorImpl* begin_view(TensorImpl* base, std::size_t rank);
  STRUCTURED_API void update_view_flags(bool is_contiguous) noexcept;
  void allocate_dims(std::size_t rank);
  inline detail::StorageImpl* storage_around() const;
  STRUCTURED_API static void destroy(TensorImpl* impl) noexcept;
  static void destroy_view(TensorImpl* impl) noexcept;
  static void destroy_with_autograd(TensorImpl* impl) noexcept;
  static void destroy_slow_path(TensorImpl* impl) noexcept;
  void set_rank(std::size_t rank);
  // Names follow sizes and strides in their heap block.
  Dimname* names_place() const;
  void update_geometry_flags();

  detail::RefCount references_;
  TensorSignature signature_;
  uint32_t flags_ = 0;
  Backend backend_;
  Backend dispatch_key_;   // kAutogradKey, or a copy of backend_
  uint16_t output_index_;  // unset without kAutograd
  Storage storage_;
  int64_t storage_offset_ = 0;
  int64_t numel_ = 1;
  int64_t* sizes_ = inline_dims_;  // points to inline_dims_, or to a heap block that strides_ shares (kManyDims)
  int64_t* strides_ = inline_dims_ + kInlineDims;
  TensorImpl* base_ = nullptr;
  detail::AutogradData* autograd_;  // unset without kAutograd
  int64_t inline_dims_[2 * kInlineDims];
};

}  // namespace structured
