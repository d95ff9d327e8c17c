#include "structured/core/tensor_impl.h"

#include <memory>
#include <utility>

#include "structured/core/error.h"

namespace structured {

namespace {

/// Throws unless the sizes are those of a tensor; returns the number of elements.
std::int64_t checked_numel(IntArrayRef sizes) {
  STRUCTURED_CHECK(sizes.size() <= kMaxDims, "expected at most ", kMaxDims, " dimensions, got ", sizes.size());
  std::int64_t numel = 1;
  bool fits = true;
  bool is_empty = false;
  for (const std::int64_t size : sizes) {
    STRUCTURED_CHECK(size >= 0, "expected sizes of 0 or more, got ", sizes);
    is_empty = is_empty || size == 0;
    fits = fits && !__builtin_mul_overflow(numel, size == 0 ? 1 : size, &numel);
  }
  // Of the non-zero sizes too: strides are products of them.
  STRUCTURED_CHECK(fits, "expected a number of elements that fits int64_t, got sizes ", sizes);
  return is_empty ? 0 : numel;
}

}  // namespace

TensorImpl* TensorImpl::create(Storage storage, Device device, ScalarType dtype) {
  return new TensorImpl(std::move(storage), device, dtype);
}

TensorImpl::TensorImpl(Storage storage, Device device, ScalarType dtype)
    : signature_(TensorSignature::make(device, dtype, 0)),
      flags_(TensorFlags::kContiguous | TensorFlags::kDense | (is_quantized(dtype) ? TensorFlags::kQuantized : 0)),
      storage_(std::move(storage)) {}

TensorImpl::~TensorImpl() {
  if (base_ != nullptr) base_->release();
  if (sizes_ != inline_dims_) delete[] sizes_;
}

void TensorImpl::destroy(TensorImpl* impl) noexcept { delete impl; }

void TensorImpl::set_rank(std::size_t rank) {
  if (rank == this->rank()) return;
  const bool needs_block = rank > kInlineDims;
  std::unique_ptr<std::int64_t[]> block(needs_block ? new std::int64_t[2 * rank] : nullptr);
  if (sizes_ != inline_dims_) delete[] sizes_;
  sizes_ = needs_block ? block.release() : inline_dims_;
  strides_ = sizes_ + (needs_block ? rank : kInlineDims);
  signature_ = TensorSignature::make(device(), dtype(), rank);
}

void TensorImpl::set_sizes_contiguous(IntArrayRef sizes) {
  const std::int64_t numel = checked_numel(sizes);
  const DimVector own(sizes);  // `sizes` may be those of this tensor, in the block that set_rank drops
  set_rank(own.size());
  std::int64_t step = 1;
  for (std::size_t i = own.size(); i-- > 0;) {
    sizes_[i] = own[i];
    strides_[i] = step;
    step *= own[i] > 1 ? own[i] : 1;
  }
  numel_ = numel;
  flags_ = (flags_ & ~TensorFlags::kGeometry) | TensorFlags::kContiguous | TensorFlags::kDense;
  if (own.size() == 4 || own.size() == 5) update_geometry_flags();
}

void TensorImpl::set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides) {
  STRUCTURED_CHECK(sizes.size() == strides.size(), "expected as many strides as sizes, got sizes ", sizes,
                   " and strides ", strides);
  const std::int64_t numel = checked_numel(sizes);
  for (const std::int64_t stride : strides) {
    STRUCTURED_CHECK(stride >= 0, "expected strides of 0 or more, got ", strides);
  }
  const DimVector own_sizes(sizes);
  const DimVector own_strides(strides);
  set_rank(own_sizes.size());
  for (std::size_t i = 0; i < own_sizes.size(); ++i) {
    sizes_[i] = own_sizes[i];
    strides_[i] = own_strides[i];
  }
  numel_ = numel;
  update_geometry_flags();
}

void TensorImpl::update_geometry_flags() {
  std::uint32_t geometry = 0;
  if (structured::is_contiguous(sizes(), strides())) geometry |= TensorFlags::kContiguous;
  if (is_channels_last_contiguous(sizes(), strides())) {
    geometry |= rank() == 4 ? TensorFlags::kChannelsLastContiguous : TensorFlags::kChannelsLast3dContiguous;
  }
  if (geometry != 0 || is_non_overlapping_and_dense(sizes(), strides())) geometry |= TensorFlags::kDense;
  flags_ = (flags_ & ~TensorFlags::kGeometry) | geometry;
}

void TensorImpl::set_base(TensorImpl* base) {
  STRUCTURED_INTERNAL_ASSERT(base_ == nullptr && base != this && base->base_ == nullptr);
  base->retain();
  base_ = base;
  flags_ |= TensorFlags::kView;
}

}  // namespace structured
