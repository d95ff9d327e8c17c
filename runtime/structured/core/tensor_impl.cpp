#include "structured/core/tensor_impl.h"

#include <new>
#include <utility>

#include "structured/base/argument_part.h"
#include "structured/base/error.h"
#include "structured/core/dimname.h"
#include "structured/core/dtype_record.h"
#include "structured/core/geometry.h"
#include "structured/core/quantizer.h"
#include "structured/core/tensor.h"
#include "structured/core/view_builder.h"
#include "structured/device/device_library.h"
#include "structured/memory/host_storage.h"

namespace structured {

using detail::Geometry;

namespace {

// A block holds a storage's header, the tensor that the storage was created with, and the data. Larger data gets a
// block of its own, which is better aligned and freed earlier.
constexpr std::size_t kTensorOffset = detail::kStorageHeaderBytes;
constexpr std::size_t kHeadersBytes = kTensorOffset + sizeof(TensorImpl);
constexpr std::size_t kDataOffset =
    (kHeadersBytes + Allocator::kAlignment - 1) / Allocator::kAlignment * Allocator::kAlignment;
constexpr std::size_t kMaxBytesInBlock = detail::ThreadCache::kSmallBytes - kDataOffset;
// Headers of larger data on other devices have a block each, so that set_storage() frees the data.
constexpr std::size_t kMaxDeviceBytes = 8192;

// A block for the sizes, strides and names of a tensor with names or many dimensions.
constexpr std::size_t dims_bytes(std::size_t rank) { return 3 * rank * sizeof(int64_t); }
int64_t* allocate_dims_block(std::size_t rank) {
  return static_cast<int64_t*>(detail::allocate_host(dims_bytes(rank)));
}
void deallocate_dims_block(int64_t* block, std::size_t rank) noexcept {
  detail::deallocate_host(block, dims_bytes(rank));
}

}  // namespace

inline TensorImpl::Kind TensorImpl::Kind::of(TensorSignature signature) {
  Kind kind{signature, TensorFlags::kContiguous | TensorFlags::kDense,
            detail::kPlainBackends[static_cast<std::size_t>(signature.device_type())]};
  if (is_quantized(signature.dtype())) [[unlikely]] {
    kind.flags |= TensorFlags::kQuantized;
    kind.backend = detail::find_backend(signature.device_type(), Layout::Strided, signature.dtype());
  }
  return kind;
}

STRUCTURED_COLD void TensorImpl::allocate_dims(std::size_t rank) {
  sizes_ = allocate_dims_block(rank);
  strides_ = sizes_ + rank;
  flags_ |= TensorFlags::kManyDims;
}

template <class... Base>
inline TensorImpl* TensorImpl::allocate(Kind kind, Base&... base) {
  auto* const impl = new (detail::allocate_host(sizeof(TensorImpl))) TensorImpl(kind, base...);
  if (kind.signature.rank() > kInlineDims) [[unlikely]]
    impl->allocate_dims(kind.signature.rank());
  if constexpr (sizeof...(Base) != 0) impl->hold_base();
  return impl;
}

// The tensor holds one reference to its storage's header, and thereby to the block, as long as it lives: through
// storage_, or without a handle after set_storage has replaced it. Returns null if tensor and storage cannot share a
// block, or if `take` returns null. `is_usual` says that the tensor is not empty and not quantized, so that the device
// determines its backend.
template <void* (*take)(std::size_t bytes)>
STRUCTURED_ALWAYS_INLINE TensorImpl* TensorImpl::place_with_storage(Kind kind, std::size_t nbytes, bool is_usual) {
  using detail::StorageImpl;
  constexpr Device cpu(DeviceType::CPU);
  constexpr Device meta(DeviceType::Meta);
  if (kind.signature.rank() > kInlineDims) [[unlikely]]
    return nullptr;
  kind.flags |= TensorFlags::kInStorageBlock;
  if (kind.signature.is_on(cpu)) [[likely]] {
    if (nbytes > kMaxBytesInBlock || !detail::uses_host_cache()) [[unlikely]]
      return nullptr;
    const std::size_t block_bytes = kDataOffset + nbytes;
    char* const block = static_cast<char*>(take(block_bytes));
    if (block == nullptr) [[unlikely]]
      return nullptr;
    if (is_usual) kind.backend = Backend::CPU;
    char* const data = !is_usual && nbytes == 0 ? nullptr : block + kDataOffset;
    auto* const storage = new (block) StorageImpl(StorageImpl::Kind::inline_data, cpu, data, nbytes, block_bytes);
    return new (block + kTensorOffset) TensorImpl(kind, storage);
  }
  if (!kind.signature.is_on(meta)) return nullptr;
  if (is_usual) kind.backend = Backend::Meta;
  char* const block = static_cast<char*>(take(kHeadersBytes));
  if (block == nullptr) [[unlikely]]
    return nullptr;
  auto* const storage = new (block) StorageImpl(StorageImpl::Kind::no_data, meta, nullptr, nbytes, kHeadersBytes);
  return new (block + kTensorOffset) TensorImpl(kind, storage);
}

__attribute__((noinline)) TensorImpl* TensorImpl::allocate_with_storage(Kind kind, std::size_t nbytes) {
  detail::note_dtype(kind.signature.dtype());
  if (TensorImpl* const impl = place_with_storage<detail::allocate_host>(kind, nbytes)) {
    char* const end = reinterpret_cast<char*>(impl + 1);
    if (impl->device().is_cpu()) detail::guard_gap(end, end + (kDataOffset - kHeadersBytes));
    return impl;
  }
  const Device device = detail::with_index(kind.signature.device());
  kind.signature = TensorSignature::make(device, kind.signature.dtype(), kind.signature.rank());
  using detail::StorageImpl;
  const bool may_share = !device.is_cpu() && nbytes <= kMaxDeviceBytes && kind.signature.rank() <= kInlineDims;
  Storage storage(may_share ? StorageImpl::create_elsewhere(nbytes, device, kHeadersBytes)
                            : StorageImpl::create(nbytes, device));
  if (may_share && storage.impl_->kind_ == StorageImpl::Kind::separate_data) [[likely]] {
    kind.flags |= TensorFlags::kInStorageBlock;
    char* const block = reinterpret_cast<char*>(storage.impl_);
    return new (block + kTensorOffset) TensorImpl(kind, std::exchange(storage.impl_, nullptr));
  }
  TensorImpl* const impl = allocate(kind);
  impl->storage_ = std::move(storage);
  return impl;
}

// Takes a block from the thread's cache, or returns null. Calls no function, so that all values stay in registers.
STRUCTURED_ALWAYS_INLINE TensorImpl* TensorImpl::take_with_storage(Kind kind, std::size_t nbytes, bool is_usual) {
  return place_with_storage<detail::take_host_block>(kind, nbytes, is_usual);
}

// Sets sizes, strides and numel_. The flags describe a contiguous tensor already.
STRUCTURED_ALWAYS_INLINE void TensorImpl::set_contiguous_shape(IntArrayRef sizes, int64_t numel) {
  numel_ = numel;
  int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const int64_t size = sizes[i];
    sizes_[i] = size;
    strides_[i] = step;
    step *= size + (size == 0);
  }
}

inline void TensorImpl::set_shape(IntArrayRef sizes, IntArrayRef strides) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes_[i] = sizes[i];
    strides_[i] = strides[i];
  }
}

TensorImpl* TensorImpl::create(Storage storage, Device device, ScalarType dtype) {
  detail::note_dtype(dtype);
  TensorImpl* const impl = allocate(Kind::of(TensorSignature::make(device, dtype, 0)));
  impl->storage_ = std::move(storage);
  return impl;
}

namespace {

// Prevents vectorisation. Callers store sizes one by one, and a vector load of two sizes that were just stored stalls
// until both stores have reached the cache.
STRUCTURED_ALWAYS_INLINE int64_t in_register(int64_t value) {
  asm("" : "+r"(value));
  return value;
}

}  // namespace

// Fast path for valid sizes: all values stay in registers.
template <std::size_t rank>
STRUCTURED_ALWAYS_INLINE TensorImpl* TensorImpl::create_contiguous_of(const int64_t* sizes, TensorSignature signature) {
  uint64_t numel = 1;  // modulo 2^64 where sizes are too large
  uint64_t all_bits = 0;
  for (std::size_t i = rank; i-- > 0;) {
    const auto size = static_cast<uint64_t>(in_register(sizes[i]));
    all_bits |= size;
    numel *= size;
  }
  // Ensures that no size is negative and that the number of bytes, at most 16 per element, does not overflow.
  constexpr std::size_t size_bits = rank == 0 ? 1 : 58 / rank;
  if (all_bits >> size_bits != 0 || numel == 0 || is_quantized(signature.dtype())) [[unlikely]]
    return create_contiguous_slow_path({sizes, rank}, signature);
  const Kind kind{signature.with_rank(rank), TensorFlags::kContiguous | TensorFlags::kDense, Backend::count};
  TensorImpl* const impl = take_with_storage(kind, numel << item_size_log2(signature.dtype()), true);
  if (impl == nullptr) [[unlikely]]
    return create_contiguous_slow_path({sizes, rank}, signature);
  impl->numel_ = static_cast<int64_t>(numel);
  int64_t stride = 1;
  for (std::size_t i = rank; i-- > 0;) {
    const int64_t size = in_register(sizes[i]);
    impl->inline_dims_[i] = size;
    impl->inline_dims_[kInlineDims + i] = in_register(stride);
    stride *= size;
  }
  return impl;
}

TensorImpl* TensorImpl::create_contiguous(IntArrayRef sizes, TensorSignature signature) {
  switch (sizes.size()) {
    case 0:
      return create_contiguous_of<0>(sizes.data(), signature);
    case 1:
      return create_contiguous_of<1>(sizes.data(), signature);
    case 2:
      return create_contiguous_of<2>(sizes.data(), signature);
    case 3:
      return create_contiguous_of<3>(sizes.data(), signature);
    default:
      return create_contiguous_slow_path(sizes, signature);
  }
}

__attribute__((noinline)) TensorImpl* TensorImpl::create_contiguous_slow_path(IntArrayRef sizes,
                                                                              TensorSignature signature) {
  detail::check_sizes(sizes);
  int64_t numel = 1;
  for (const int64_t size : sizes) numel *= size;
  const int shift = item_size_log2(signature.dtype());
  if (numel > INT64_MAX >> shift) detail::fail_nbytes(sizes, contiguous_strides(sizes), 0);
  TensorImpl* const impl =
      allocate_with_storage(Kind::of(signature.with_rank(sizes.size())), static_cast<std::size_t>(numel << shift));
  impl->set_contiguous_shape(sizes, numel);
  impl->update_geometry_flags();
  return impl;
}

TensorImpl* TensorImpl::create_like(const TensorImpl& like) {
  const auto nbytes = static_cast<std::size_t>(like.numel_ << item_size_log2(like.dtype()));
  TensorImpl* const impl = take_with_storage(Kind::of_one_like(like), nbytes);
  if (impl == nullptr) [[unlikely]]
    return create_like_slow_path(like);
  impl->set_shape_of(like);
  return impl;
}

__attribute__((noinline)) TensorImpl* TensorImpl::create_like_slow_path(const TensorImpl& like) {
  const auto nbytes = static_cast<std::size_t>(like.numel_ << item_size_log2(like.dtype()));
  TensorImpl* const impl = allocate_with_storage(Kind::of_one_like(like), nbytes);
  impl->set_shape_of(like);
  return impl;
}

// Recomputes the strides of a contiguous tensor, because its strides are arbitrary where a size is 1.
STRUCTURED_ALWAYS_INLINE void TensorImpl::set_shape_of(const TensorImpl& like) {
  if (like.has_flag(TensorFlags::kContiguous)) {
    set_contiguous_shape(like.sizes(), like.numel_);
  } else {
    numel_ = like.numel_;
    set_shape(like.sizes(), like.strides());
  }
}

TensorImpl* TensorImpl::create_with_strides_of(const TensorImpl& like) {
  const auto nbytes = static_cast<std::size_t>(like.numel_ << item_size_log2(like.dtype()));
  TensorImpl* impl = take_with_storage(Kind::of_one_like(like), nbytes);
  if (impl == nullptr) [[unlikely]]
    impl = allocate_with_storage(Kind::of_one_like(like), nbytes);
  impl->numel_ = like.numel_;
  impl->set_shape(like.sizes(), like.strides());
  return impl;
}

TensorImpl* TensorImpl::create_detached(const TensorImpl& like) {
  TensorImpl* const impl = allocate(Kind::of_one_like(like));
  impl->storage_ = like.storage_;
  impl->storage_offset_ = like.storage_offset_;
  impl->numel_ = like.numel_;
  impl->set_shape(like.sizes(), like.strides());
  if (like.has_flag(TensorFlags::kNamed | TensorFlags::kQuantized)) [[unlikely]] {
    Owner owner(impl);
    if (like.has_flag(TensorFlags::kNamed)) impl->set_names(like.names());
    if (like.has_flag(TensorFlags::kQuantized)) detail::share_quantizer(*impl, like);
    return owner.release();
  }
  return impl;
}

TensorImpl* TensorImpl::create_strided(IntArrayRef sizes, IntArrayRef strides, TensorSignature signature) {
  int64_t nbytes;
  const Geometry found = detail::measure_reach(sizes, strides, item_size_log2(signature.dtype()), 0, nbytes);
  TensorImpl* const impl =
      allocate_with_storage(Kind::of(signature.with_rank(sizes.size())), static_cast<std::size_t>(nbytes));
  impl->set_shape(sizes, strides);
  impl->numel_ = found.numel;
  impl->flags_ = (impl->flags_ & ~TensorFlags::kGeometry) | detail::geometry_flags(found, sizes, strides);
  return impl;
}

TensorImpl* TensorImpl::create_view(TensorImpl& base, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  int64_t nbytes;
  const Geometry found = detail::measure_reach(sizes, strides, item_size_log2(base.dtype()), offset, nbytes);
  STRUCTURED_CHECK(static_cast<std::size_t>(nbytes) <= base.storage_.nbytes(),
                   "as_strided: expected a view within the storage's ", base.storage_.nbytes(),
                   " bytes, got one that needs ", nbytes, " (sizes ", sizes, ", strides ", strides, ", storage offset ",
                   offset, ")");
  TensorImpl* const impl = allocate(Kind::of(base.signature_.with_rank(sizes.size())), base);
  impl->set_shape(sizes, strides);
  impl->numel_ = found.numel;
  impl->flags_ = (impl->flags_ & ~TensorFlags::kGeometry) | detail::geometry_flags(found, sizes, strides);
  impl->storage_offset_ = offset;
  return impl;
}

TensorImpl* TensorImpl::begin_view(TensorImpl* base, std::size_t rank) {
  STRUCTURED_CHECK(base != nullptr && rank <= kMaxDims, detail::ArgumentPart::tensor(),
                   "expected a defined tensor to view with at most ", kMaxDims, " dimensions, got ",
                   base != nullptr ? "a defined" : "an undefined", " one and ", rank, " dimensions");
  return allocate(Kind::of_view(*base, rank), *base);
}

// Ranks 4 and 5 may have several memory formats: `otherwise` handles them. References are taken after the last check.
Tensor contiguous_view(const Tensor& base_tensor, IntArrayRef sizes,
                       Tensor (*otherwise)(const Tensor& base, IntArrayRef sizes)) {
  constexpr std::size_t size_class = detail::ThreadCache::small_class(sizeof(TensorImpl));
  TensorImpl* const base = base_tensor.impl();
  const std::size_t rank = sizes.size();
  if (base == nullptr || !base->has_flag(TensorFlags::kContiguous) || rank > 3) [[unlikely]]
    return otherwise(base_tensor, sizes);
  detail::ThreadCache& cache = *detail::thread_cache;
  void* const block = cache.take(size_class);
  if (block == nullptr) [[unlikely]]
    return otherwise(base_tensor, sizes);
  auto* const impl = new (block) TensorImpl(TensorImpl::Kind::of_view(*base, rank), *base);
  const auto give_up = [&] {
    cache.put(size_class, block);
    return otherwise(base_tensor, sizes);
  };
  int64_t numel = 1;
  for (std::size_t i = rank; i-- > 0;) {
    const int64_t size = sizes.data()[i];
    impl->inline_dims_[i] = size;
    impl->inline_dims_[TensorImpl::kInlineDims + i] = numel;
    if (size <= 0 || __builtin_mul_overflow(numel, size, &numel)) [[unlikely]]
      return give_up();
  }
  if (numel != base->numel_) [[unlikely]]
    return give_up();
  impl->storage_offset_ = base->storage_offset_;
  impl->numel_ = numel;
  impl->hold_base();
  return Tensor::adopt(impl);
}

void TensorImpl::update_view_flags(bool is_contiguous) noexcept {
  flags_ = (flags_ & ~TensorFlags::kGeometry) | detail::unusual_geometry_flags(is_contiguous, sizes(), strides());
}

// Fast path: the tensor is the only user of its storage, and one block holds the tensor, the header and the data.
void TensorImpl::destroy(TensorImpl* impl) noexcept {
  constexpr uint32_t relevant =
      TensorFlags::kView | TensorFlags::kManyDims | TensorFlags::kInStorageBlock | TensorFlags::kAutograd;
  detail::StorageImpl* const storage = impl->storage_.impl_;
  if ((impl->flags_ & relevant) == TensorFlags::kInStorageBlock && storage == impl->storage_around() &&
      storage->references_.is_one() && storage->is_one_cached_block_) [[likely]] {
    return detail::deallocate_host(storage, storage->block_bytes_);
  }
  if ((impl->flags_ & relevant) == TensorFlags::kView) return destroy_view(impl);
  if (impl->has_flag(TensorFlags::kAutograd)) return destroy_with_autograd(impl);
  destroy_slow_path(impl);
}

// Frees the tensor first: the data may hold the last references to many others.
__attribute__((noinline)) void TensorImpl::destroy_with_autograd(TensorImpl* impl) noexcept {
  detail::AutogradData* const data = impl->autograd_;
  impl->flags_ &= ~TensorFlags::kAutograd;
  destroy(impl);
  data->drop_tensor();
}

void TensorImpl::set_autograd(detail::AutogradData* data, bool requires_grad, uint16_t output_index) noexcept {
  detail::AutogradData* const previous = autograd();
  autograd_ = data;
  output_index_ = output_index;
  flags_ = data != nullptr ? flags_ | TensorFlags::kAutograd : flags_ & ~TensorFlags::kAutograd;
  dispatch_key_ = requires_grad ? kAutogradKey : backend_;
  if (previous != nullptr) previous->drop_tensor();
}

// Fast path for views that borrow their storage. Releasing the base may destroy it.
__attribute__((noinline)) void TensorImpl::destroy_view(TensorImpl* impl) noexcept {
  TensorImpl* const base = impl->base_;
  if (!impl->has_flag(TensorFlags::kBorrowsStorage) ||
      !detail::thread_cache->put(detail::ThreadCache::small_class(sizeof(TensorImpl)), impl)) [[unlikely]]
    return destroy_slow_path(impl);
  base->release();
}

// Releases the members by hand: a destructor would test the storage once more.
__attribute__((noinline)) void TensorImpl::destroy_slow_path(TensorImpl* impl) noexcept {
  if (impl->has_flag(TensorFlags::kBorrowsStorage)) impl->storage_.adopt(nullptr);
  if (impl->base_ != nullptr) impl->base_->release();
  if (impl->has_flag(TensorFlags::kManyDims)) deallocate_dims_block(impl->sizes_, impl->rank());
  if (!impl->has_flag(TensorFlags::kInStorageBlock)) {
    impl->storage_.drop_inlined();
    detail::deallocate_host(impl, sizeof(TensorImpl));
    return;
  }
  Storage around;
  around.adopt(impl->storage_around());
  if (impl->storage_.is_same(around)) impl->storage_.adopt(nullptr);
  impl->storage_.drop_inlined();
}

void TensorImpl::set_storage(Storage storage) {
  if (has_flag(TensorFlags::kBorrowsStorage)) {
    storage_.adopt(nullptr);
    flags_ &= ~TensorFlags::kBorrowsStorage;
  }
  if (has_flag(TensorFlags::kInStorageBlock)) {
    detail::StorageImpl* const around = storage_around();
    if (storage_.impl_ == around) storage_.adopt(nullptr);
    if (storage.impl_ == around) around->references_.release();  // not the last reference: `storage` holds another
  }
  storage_ = std::move(storage);
}

Dimname* TensorImpl::names_place() const { return reinterpret_cast<Dimname*>(sizes_ + 2 * rank()); }

DimnameList TensorImpl::names() const {
  return has_flag(TensorFlags::kNamed) ? DimnameList(names_place(), rank()) : DimnameList();
}

void TensorImpl::set_names(DimnameList names) {
  static_assert(sizeof(Dimname) == sizeof(int64_t) && alignof(Dimname) <= alignof(int64_t));
  if (names.empty()) {
    flags_ &= ~TensorFlags::kNamed;
    return;
  }
  if (!has_flag(TensorFlags::kNamed)) {
    const std::size_t rank = this->rank();
    int64_t* const block = allocate_dims_block(rank);
    for (std::size_t i = 0; i < rank; ++i) {
      block[i] = sizes_[i];
      block[rank + i] = strides_[i];
    }
    if (sizes_ != inline_dims_) deallocate_dims_block(sizes_, rank);
    sizes_ = block;
    strides_ = block + rank;
    flags_ |= TensorFlags::kNamed | TensorFlags::kManyDims;
  }
  for (std::size_t i = 0; i < names.size(); ++i) new (names_place() + i) Dimname(names[i]);
}

void TensorImpl::set_rank(std::size_t rank) {
  if (rank == this->rank()) return;
  flags_ &= ~TensorFlags::kNamed;
  const bool needs_block = rank > kInlineDims;
  int64_t* const dims = needs_block ? allocate_dims_block(rank) : inline_dims_;
  if (sizes_ != inline_dims_) deallocate_dims_block(sizes_, this->rank());
  flags_ = needs_block ? flags_ | TensorFlags::kManyDims : flags_ & ~TensorFlags::kManyDims;
  sizes_ = dims;
  strides_ = sizes_ + (needs_block ? rank : kInlineDims);
  signature_ = TensorSignature::make(device(), dtype(), rank);
}

void TensorImpl::set_sizes_contiguous(IntArrayRef sizes) {
  detail::check_sizes(sizes);
  set_sizes_and_strides(sizes, contiguous_strides(sizes));
}

void TensorImpl::set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides) {
  const bool is_list = sizes.size() <= kMaxDims && sizes.size() == strides.size();
  const Geometry found = is_list ? detail::measure(sizes, strides) : Geometry();
  if (!is_list || found.is_bad_shape) [[unlikely]]
    detail::check_shape(sizes, strides);
  const DimVector own_sizes(sizes);  // copies, because set_rank may free the arguments if they are of this tensor
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
           detail::geometry_flags(detail::measure(sizes(), strides()), sizes(), strides());
}

}  // namespace structured
