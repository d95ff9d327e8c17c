#include "structured/core/tensor_impl.h"

#include <memory>
#include <new>
#include <utility>

#include "structured/core/error.h"
#include "structured/core/host_storage.h"
#include "structured/core/tensor.h"
#include "structured/core/view_builder.h"

namespace structured {

namespace {

// What follows from sizes and strides, found in one pass over them.
struct Geometry {
  std::int64_t numel = 1;         // where a size of 0 counts as 1: strides are products of these
  std::int64_t last_element = 0;  // how far it is from the first
  bool is_empty = false;
  bool is_contiguous = true;
  bool is_bad_shape = false;  // negative, or more elements than can be counted; nothing else is known then
  bool is_bad_reach = false;
};

// Copies the sizes and strides on the way, unless `to` is null.
STRUCTURED_ALWAYS_INLINE Geometry measure(IntArrayRef sizes, IntArrayRef strides, std::int64_t* to_sizes,
                                          std::int64_t* to_strides) {
  Geometry found;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::int64_t size = sizes[i];
    const std::int64_t stride = strides[i];
    if (to_sizes != nullptr) {
      to_sizes[i] = size;
      to_strides[i] = stride;
    }
    found.is_bad_shape = (size | stride) < 0;
    if (found.is_bad_shape) [[unlikely]]
      break;
    if (size <= 1) {
      found.is_empty |= size == 0;
      continue;
    }
    found.is_contiguous &= stride == found.numel;
    found.is_bad_shape = __builtin_mul_overflow(found.numel, size, &found.numel);
    if (found.is_bad_shape) [[unlikely]]
      break;
    std::int64_t distance;
    if (__builtin_mul_overflow(size - 1, stride, &distance) ||
        __builtin_add_overflow(found.last_element, distance, &found.last_element)) [[unlikely]] {
      found.is_bad_reach = true;
    }
  }
  return found;
}

// For tensors that are not contiguous, or perhaps in another format, too.
std::uint32_t unusual_geometry_flags(bool is_contiguous, IntArrayRef sizes, IntArrayRef strides) {
  std::uint32_t flags = is_contiguous ? TensorFlags::kContiguous | TensorFlags::kDense : 0;
  switch (sizes.size()) {
    case 0:
    case 1:
      return flags;
    case 2:
      // Dense otherwise: column after column.
      return flags == 0 && sizes[0] != 1 && strides[0] == 1 && strides[1] == sizes[0] ? TensorFlags::kDense : flags;
    case 4:
    case 5:
      if (is_channels_last_contiguous(sizes, strides)) {
        flags |= TensorFlags::kDense |
                 (sizes.size() == 4 ? TensorFlags::kChannelsLastContiguous : TensorFlags::kChannelsLast3dContiguous);
      }
      break;
    default:
      break;
  }
  return flags != 0 || !is_non_overlapping_and_dense(sizes, strides) ? flags : TensorFlags::kDense;
}

STRUCTURED_ALWAYS_INLINE std::uint32_t geometry_flags(const Geometry& found, IntArrayRef sizes, IntArrayRef strides) {
  const bool is_contiguous = found.is_contiguous || found.is_empty;
  if (is_contiguous && sizes.size() != 4 && sizes.size() != 5) {
    return TensorFlags::kContiguous | TensorFlags::kDense;
  }
  return unusual_geometry_flags(is_contiguous, sizes, strides);
}

// Throws where something is wrong with the sizes.
STRUCTURED_COLD void check_sizes(IntArrayRef sizes) {
  STRUCTURED_CHECK(sizes.size() <= kMaxDims, "expected at most ", kMaxDims, " dimensions, got ", sizes.size());
  std::int64_t numel = 1;
  for (const std::int64_t size : sizes) {
    STRUCTURED_CHECK(size >= 0, "expected sizes of 0 or more, got ", sizes);
  }
  for (const std::int64_t size : sizes) {
    STRUCTURED_CHECK(!__builtin_mul_overflow(numel, size == 0 ? 1 : size, &numel),
                     "expected a number of elements that fits int64_t, got sizes ", sizes);
  }
}

// The same for strides, too.
STRUCTURED_COLD void check_shape(IntArrayRef sizes, IntArrayRef strides) {
  STRUCTURED_CHECK(sizes.size() == strides.size(), "expected as many strides as sizes, got sizes ", sizes,
                   " and strides ", strides);
  check_sizes(sizes);
  for (const std::int64_t stride : strides) {
    STRUCTURED_CHECK(stride >= 0, "expected strides of 0 or more, got ", strides);
  }
}

// The elements end beyond what a number of bytes can say.
[[noreturn]] STRUCTURED_COLD void fail_nbytes(IntArrayRef sizes, IntArrayRef strides, std::int64_t offset) {
  fail("expected a number of bytes that fits int64_t, got sizes ", sizes, " and strides ", strides, " from offset ",
       offset);
}

}  // namespace

inline TensorImpl::TensorImpl(TensorSignature signature)
    : signature_(signature),
      flags_(TensorFlags::kContiguous | TensorFlags::kDense),
      backend_(detail::kPlainBackends[static_cast<std::size_t>(signature.device_type())]) {
  if (is_quantized(signature.dtype())) [[unlikely]] {
    flags_ |= TensorFlags::kQuantized;
    backend_ = detail::find_backend(signature.device_type(), Layout::Strided, signature.dtype());
  }
  if (signature.rank() > kInlineDims) [[unlikely]]
    allocate_dims(signature.rank());
}

void TensorImpl::allocate_dims(std::size_t rank) {
  sizes_ = new std::int64_t[2 * rank];
  strides_ = sizes_ + rank;
}

inline TensorImpl* TensorImpl::allocate(TensorSignature signature) {
  return new (detail::allocate_host(sizeof(TensorImpl))) TensorImpl(signature);
}

// Of the same kind, and dense as it is.
inline TensorImpl* TensorImpl::allocate(const TensorImpl& like) {
  auto* const impl = new (detail::allocate_host(sizeof(TensorImpl)))
      TensorImpl(like.signature_, like.flags_ & kKindFlags, like.backend_);
  if (like.rank() > kInlineDims) [[unlikely]]
    impl->allocate_dims(like.rank());
  return impl;
}

inline void TensorImpl::allocate_storage(std::int64_t nbytes) {
  const auto count = static_cast<std::size_t>(nbytes);
  const bool is_on_host = signature_.device_type() == DeviceType::CPU && detail::uses_host_cache();
  storage_.adopt(is_on_host ? detail::StorageImpl::create_on_host(count)
                            : detail::StorageImpl::create(count, device()));
}

TensorImpl* TensorImpl::create(Storage storage, Device device, ScalarType dtype) {
  TensorImpl* const impl = allocate(TensorSignature::make(device, dtype, 0));
  impl->storage_ = std::move(storage);
  return impl;
}

TensorImpl* TensorImpl::create_contiguous(IntArrayRef sizes, TensorSignature signature) {
  if (sizes.size() > kMaxDims) [[unlikely]]
    check_sizes(sizes);
  Owner impl(allocate(signature.with_rank(sizes.size())));
  std::int64_t numel = 1;
  bool is_empty = false;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::int64_t size = sizes[i];
    impl->sizes_[i] = size;
    impl->strides_[i] = numel;
    if (size <= 0) [[unlikely]] {
      if (size < 0) check_sizes(sizes);
      is_empty = true;
    } else if (__builtin_mul_overflow(numel, size, &numel)) [[unlikely]] {
      check_sizes(sizes);
    }
  }
  impl->numel_ = is_empty ? 0 : numel;
  const int shift = item_size_log2(signature.dtype());
  if (impl->numel_ > INT64_MAX >> shift) [[unlikely]]
    fail_nbytes(impl->sizes(), impl->strides(), 0);
  if (sizes.size() == 4 || sizes.size() == 5) [[unlikely]]
    impl->update_geometry_flags();
  impl->allocate_storage(impl->numel_ << shift);
  return impl.release();
}

TensorImpl* TensorImpl::create_like(const TensorImpl& like) {
  Owner impl(allocate(like));
  std::int64_t step = 1;
  for (std::size_t i = like.rank(); i-- > 0;) {
    const std::int64_t size = like.sizes_[i];
    impl->sizes_[i] = size;
    impl->strides_[i] = step;  // not what `like` has, which may be anything where a size is 1
    step *= size + (size == 0);
  }
  if (!like.has_flag(TensorFlags::kContiguous)) [[unlikely]] {
    for (std::size_t i = 0; i < like.rank(); ++i) impl->strides_[i] = like.strides_[i];
  }
  impl->numel_ = like.numel_;
  impl->allocate_storage(like.numel_ << item_size_log2(like.dtype()));
  return impl.release();
}

// Allocated for these sizes and strides, which are set; storage and offset are not.
inline TensorImpl* TensorImpl::create_shape(IntArrayRef sizes, IntArrayRef strides, TensorSignature signature,
                                            std::int64_t offset, std::int64_t& nbytes) {
  if (sizes.size() > kMaxDims || sizes.size() != strides.size()) [[unlikely]]
    check_shape(sizes, strides);
  Owner impl(allocate(signature.with_rank(sizes.size())));
  const Geometry found = measure(sizes, strides, impl->sizes_, impl->strides_);
  if (found.is_bad_shape) [[unlikely]]
    check_shape(sizes, strides);
  nbytes = 0;  // up to the end of the last element, from the storage's start
  if (!found.is_empty) {
    std::int64_t end = 0;
    const int shift = item_size_log2(signature.dtype());
    const bool overflow = found.is_bad_reach | __builtin_add_overflow(found.last_element, 1, &end) |
                          __builtin_add_overflow(end, offset, &end) | (end > INT64_MAX >> shift);
    if (overflow) [[unlikely]]
      fail_nbytes(sizes, strides, offset);
    nbytes = end << shift;
  }
  impl->numel_ = found.is_empty ? 0 : found.numel;
  impl->flags_ = (impl->flags_ & ~TensorFlags::kGeometry) | geometry_flags(found, sizes, strides);
  return impl.release();
}

TensorImpl* TensorImpl::create_strided(IntArrayRef sizes, IntArrayRef strides, TensorSignature signature) {
  std::int64_t nbytes;
  Owner impl(create_shape(sizes, strides, signature, 0, nbytes));
  impl->allocate_storage(nbytes);
  return impl.release();
}

TensorImpl* TensorImpl::create_view(TensorImpl& base, IntArrayRef sizes, IntArrayRef strides, std::int64_t offset) {
  std::int64_t nbytes;
  Owner impl(create_shape(sizes, strides, base.signature_, offset, nbytes));
  STRUCTURED_CHECK(static_cast<std::size_t>(nbytes) <= base.storage_.nbytes(),
                   "as_strided: expected a view within the storage's ", base.storage_.nbytes(),
                   " bytes, got one that needs ", nbytes, " (sizes ", sizes, ", strides ", strides, ", storage offset ",
                   offset, ")");
  impl->set_view(base, offset);
  return impl.release();
}

inline void TensorImpl::set_view(TensorImpl& base, std::int64_t offset) {
  storage_offset_ = offset;
  storage_ = base.storage_;
  base_ = base.base_ == nullptr ? &base : base.base_;
  base_->retain();
  flags_ |= TensorFlags::kView;
}

namespace detail {

ViewBuilder::ViewBuilder(const Tensor& base, std::size_t rank) {
  STRUCTURED_CHECK(base.defined() && rank <= kMaxDims, "expected a defined tensor to view with at most ", kMaxDims,
                   " dimensions, got ", base.defined() ? "a defined" : "an undefined", " one and ", rank,
                   " dimensions");
  TensorImpl* const impl = TensorImpl::allocate(base.impl()->signature().with_rank(rank));
  impl->set_view(*base.impl(), 0);
  view_ = Tensor::adopt(impl);
  sizes_ = impl->sizes_;
  strides_ = impl->strides_;
}

Tensor ViewBuilder::finish(std::int64_t offset) && {
  TensorImpl& impl = *view_.impl();
  const std::size_t rank = impl.rank();
  std::int64_t numel = 1;
  bool is_contiguous = true;
  for (std::size_t i = rank; i-- > 0;) {
    is_contiguous &= (sizes_[i] == 1) | (strides_[i] == numel);
    numel *= sizes_[i];
  }
  is_contiguous |= numel == 0;
  impl.numel_ = numel;
  impl.storage_offset_ = offset;
  if (!is_contiguous || rank == 4 || rank == 5) {
    impl.flags_ =
        (impl.flags_ & ~TensorFlags::kGeometry) | unusual_geometry_flags(is_contiguous, impl.sizes(), impl.strides());
  }
  return std::move(view_);
}

}  // namespace detail

void TensorImpl::destroy(TensorImpl* impl) noexcept {
  if (impl->base_ != nullptr) impl->base_->release();
  if (impl->sizes_ != impl->inline_dims_) [[unlikely]]
    delete[] impl->sizes_;
  impl->storage_.drop_inlined();
  // No destructor: it would look at the storage again.
  detail::deallocate_host(impl, sizeof(TensorImpl));
}

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
  check_sizes(sizes);
  set_sizes_and_strides(sizes, contiguous_strides(sizes));
}

void TensorImpl::set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides) {
  const bool is_list = sizes.size() <= kMaxDims && sizes.size() == strides.size();
  const Geometry found = is_list ? measure(sizes, strides, nullptr, nullptr) : Geometry();
  if (!is_list || found.is_bad_shape) [[unlikely]]
    check_shape(sizes, strides);
  const DimVector own_sizes(sizes);  // both may be those of this tensor, in the block that set_rank drops
  const DimVector own_strides(strides);
  set_rank(own_sizes.size());
  for (std::size_t i = 0; i < own_sizes.size(); ++i) {
    sizes_[i] = own_sizes[i];
    strides_[i] = own_strides[i];
  }
  numel_ = found.is_empty ? 0 : found.numel;
  update_geometry_flags();
}

void TensorImpl::update_geometry_flags() {
  flags_ = (flags_ & ~TensorFlags::kGeometry) |
           geometry_flags(measure(sizes(), strides(), nullptr, nullptr), sizes(), strides());
}

}  // namespace structured
