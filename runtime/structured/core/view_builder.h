#pragma once
// Views whose kernels know that they stay within their base: sizes and strides are written where they are to be.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "structured/core/export.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_impl.h"

namespace structured::detail {

/// A view of `base` in the making. Set all dimensions, from the last one to the first, then take it:
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

  /// Sizes and strides are not negative, and every index means an element of the base: that is not checked.
  void prepend(std::int64_t size, std::int64_t stride) {
    *--sizes_ = size;
    *--strides_ = stride;
    is_contiguous_ &= (size == 1) | (stride == numel_);
    numel_ *= size;
  }

  /// The view shows the same bytes as elements of `dtype`, which sizes, strides and the offset then count.
  void set_dtype(ScalarType dtype) {
    TensorImpl& impl = *view_.impl();
    impl.signature_ = TensorSignature::make(impl.device(), dtype, impl.rank());
  }

  /// `offset` counts elements from the storage's start.
  Tensor finish(std::int64_t offset) && {
    TensorImpl& impl = *view_.impl();
    impl.numel_ = numel_;
    impl.storage_offset_ = offset;
    const std::size_t rank = impl.rank();
    if (!is_contiguous_ || rank == 4 || rank == 5) impl.update_view_flags(is_contiguous_ || numel_ == 0);
    return std::move(view_);
  }

 private:
  Tensor view_;
  std::int64_t* sizes_;    // of the dimension that was set last
  std::int64_t* strides_;  // likewise
  std::int64_t numel_ = 1;
  bool is_contiguous_ = true;
};

/// `base`, which is contiguous and defined, under other sizes. Undefined where that is not as simple: they hold another
/// number of elements or none, or are more than three.
inline Tensor contiguous_view(const Tensor& base, IntArrayRef sizes) {
  return Tensor::adopt(TensorImpl::create_contiguous_view(*base.impl(), sizes));
}

}  // namespace structured::detail
