#pragma once
// Builders of views that are known to stay within their base. They write sizes and strides in place.
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "structured/base/export.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_impl.h"
#include "structured/memory/host_storage.h"

namespace structured {

inline detail::StorageImpl* TensorImpl::storage_around() const {
  return reinterpret_cast<detail::StorageImpl*>(reinterpret_cast<std::uintptr_t>(this) - detail::kStorageHeaderBytes);
}

// A base in its storage's block keeps the storage alive, and views keep their base alive: they borrow the storage.
STRUCTURED_ALWAYS_INLINE TensorImpl::TensorImpl(Kind kind, TensorImpl& base)
    : signature_(kind.signature),
      flags_(kind.flags | TensorFlags::kView),
      backend_(kind.backend),
      dispatch_key_(kind.backend),
      storage_(base.storage_.impl_),
      base_(base.base_ == nullptr ? &base : base.base_) {
  if (base_->has_flag(TensorFlags::kInStorageBlock) && storage_.impl_ == base_->storage_around()) [[likely]]
    flags_ |= TensorFlags::kBorrowsStorage;
}

inline void TensorImpl::hold_base() {
  if (!has_flag(TensorFlags::kBorrowsStorage) && storage_.impl_ != nullptr) [[unlikely]]
    storage_.impl_->references_.retain();
  base_->retain();
}

/// Fast builder of a view of an ordinary tensor. Calls no function, so that its state stays in registers.
///
///     QuickView view = QuickView::begin(self, rank);
///     if (!view) ...                                    // use a ViewBuilder
///     for (size_t d = rank; d-- > 0;) view.set(d, ..., ...);
///     return view.finish(offset);
class QuickView {
 public:
  /// Fails if `base` is undefined, has names or more than 6 dimensions, or if the block cache is empty.
  static QuickView begin(const Tensor& base, std::size_t rank) {
    TensorImpl* const impl = base.impl();
    if (impl == nullptr || rank > TensorImpl::kInlineDims || impl->has_flag(TensorFlags::kNamed)) [[unlikely]]
      return QuickView(nullptr, 0);
    void* const block = detail::take_host_block(sizeof(TensorImpl));
    if (block == nullptr) [[unlikely]]
      return QuickView(nullptr, 0);
    return QuickView(new (block) TensorImpl(TensorImpl::Kind::of_view(*impl, rank), *impl), rank);
  }
  explicit operator bool() const { return view_ != nullptr; }

  /// Sets a dimension; must be called for each, from the last to the first. Preconditions, not checked: sizes and
  /// strides are not negative, and every index refers to an element of the base.
  void set(std::size_t dim, int64_t size, int64_t stride) {
    view_->inline_dims_[dim] = size;
    view_->inline_dims_[TensorImpl::kInlineDims + dim] = stride;
    is_contiguous_ &= (size == 1) | (stride == numel_);
    numel_ *= size;
  }

  /// `offset` counts elements from the storage's start. Must be called; nothing else may be called after it.
  Tensor finish(int64_t offset) {
    TensorImpl& view = *view_;
    view.numel_ = numel_;
    view.storage_offset_ = offset;
    if (rank_ <= 1) {
      if (!is_contiguous_ && numel_ != 0) view.flags_ &= ~TensorFlags::kGeometry;
    } else if (rank_ == 2) {
      // A matrix that is not contiguous is dense only if it is column-major.
      const int64_t* const sizes = view.inline_dims_;
      const int64_t* const strides = view.inline_dims_ + TensorImpl::kInlineDims;
      const bool is_dense = (strides[0] == 1) & (strides[1] == sizes[0]) & (sizes[0] != 1);
      const uint32_t flags = is_dense ? TensorFlags::kDense : 0;
      if (!is_contiguous_ && numel_ != 0) view.flags_ = (view.flags_ & ~TensorFlags::kGeometry) | flags;
    } else if (!is_contiguous_ || rank_ == 4 || rank_ == 5) {
      view.update_view_flags(is_contiguous_ || numel_ == 0);
    }
    view.hold_base();
    return Tensor::adopt(view_);
  }

 private:
  QuickView(TensorImpl* view, std::size_t rank) : view_(view), rank_(rank) {}

  TensorImpl* view_;
  std::size_t rank_;
  int64_t numel_ = 1;
  bool is_contiguous_ = true;
};

/// Builds a view of any tensor.
///
///     ViewBuilder view(self, rank);
///     for (size_t d = rank; d-- > 0;) view.prepend(..., ...);
///     return std::move(view).finish(offset);
class ViewBuilder {
 public:
  /// Throws Error if `base` is undefined, or for more than 64 dimensions.
  ViewBuilder(const Tensor& base, std::size_t rank)
      : view_(Tensor::adopt(TensorImpl::begin_view(base.impl(), rank))),
        sizes_(view_.impl()->sizes_ + rank),
        strides_(view_.impl()->strides_ + rank) {}

  /// Sets the next dimension, from the last one to the first. Preconditions are those of QuickView::set.
  void prepend(int64_t size, int64_t stride) {
    *--sizes_ = size;
    *--strides_ = stride;
    is_contiguous_ &= (size == 1) | (stride == numel_);
    numel_ *= size;
  }

  /// Reinterprets the bytes as elements of `dtype`; sizes, strides and the offset count these elements.
  void set_dtype(ScalarType dtype) {
    TensorImpl& impl = *view_.impl();
    impl.signature_ = TensorSignature::make(impl.device(), dtype, impl.rank());
  }

  /// `offset` counts elements from the storage's start.
  Tensor finish(int64_t offset) && {
    TensorImpl& impl = *view_.impl();
    impl.numel_ = numel_;
    impl.storage_offset_ = offset;
    const std::size_t rank = impl.rank();
    if (!is_contiguous_ || rank == 4 || rank == 5) impl.update_view_flags(is_contiguous_ || numel_ == 0);
    return std::move(view_);
  }

 private:
  Tensor view_;
  int64_t* sizes_;    // points at the dimension that was set last
  int64_t* strides_;  // points at the dimension that was set last
  int64_t numel_ = 1;
  bool is_contiguous_ = true;
};

/// Views a contiguous `base` as `sizes`. Calls `otherwise(base, sizes)` for more than 3 dimensions, for no elements or
/// another number of elements, and if `base` is undefined or not contiguous or the block cache is empty.
STRUCTURED_API Tensor contiguous_view(const Tensor& base, IntArrayRef sizes,
                                      Tensor (*otherwise)(const Tensor& base, IntArrayRef sizes));

}  // namespace structured
