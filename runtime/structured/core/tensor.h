#pragma once
// A multi-dimensional array: a reference-counted pointer to a TensorImpl. Copies share shape and data.
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <type_traits>
#include <utility>

#include "structured/annotate.h"
#include "structured/base/error.h"
#include "structured/core/array_ref.h"
#include "structured/core/backend.h"
#include "structured/core/layout.h"
#include "structured/core/memory_format.h"
#include "structured/core/tensor_impl.h"
#include "structured/core/tensor_options.h"
#include "structured/device/device.h"
#include "structured/memory/storage.h"
#include "structured/number/scalar.h"
#include "structured/number/scalar_type.h"

namespace structured {

template <class T, std::size_t N>
class TensorAccessor;
class TensorIndex;

/// A default-constructed Tensor is undefined: its accessors other than defined(), is_same() and use_count() throw
/// Error. Several threads may each own a copy and read it; writes of data or metadata must be synchronised.
class Tensor {
 public:
  Tensor() = default;
  Tensor(const Tensor& other) : impl_(other.impl_) {
    if (impl_ != nullptr) impl_->retain();
  }
  Tensor(Tensor&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  Tensor& operator=(const Tensor& other) & {
    Tensor copy(other);
    std::swap(impl_, copy.impl_);
    return *this;
  }
  Tensor& operator=(Tensor&& other) & noexcept {
    Tensor moved(std::move(other));
    std::swap(impl_, moved.impl_);
    return *this;
  }
  ~Tensor() {
    if (impl_ != nullptr) impl_->release();
  }
  /// Takes over a reference to `impl`.
  static Tensor adopt(TensorImpl* impl) {
    Tensor result;
    result.impl_ = impl;
    return result;
  }

  bool defined() const { return impl_ != nullptr; }
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }
  uint32_t use_count() const { return impl_ == nullptr ? 0 : impl_->use_count(); }
  void reset() { Tensor().swap(*this); }
  void swap(Tensor& other) noexcept { std::swap(impl_, other.impl_); }

  int64_t dim() const { return static_cast<int64_t>(checked().rank()); }
  IntArrayRef sizes() const { return checked().sizes(); }
  IntArrayRef strides() const { return checked().strides(); }
  /// Negative dimensions count from the end. Throws Error if there is no such dimension.
  int64_t size(int64_t dim) const { return sizes()[wrap(dim)]; }
  int64_t stride(int64_t dim) const { return strides()[wrap(dim)]; }
  int64_t numel() const { return checked().numel(); }
  std::size_t element_size() const { return item_size(dtype()); }
  /// Bytes of the elements, without gaps that strides leave between them.
  std::size_t nbytes() const { return static_cast<std::size_t>(numel()) * element_size(); }

  ScalarType dtype() const { return checked().dtype(); }
  ScalarType scalar_type() const { return checked().dtype(); }
  Device device() const { return checked().device(); }
  Layout layout() const { return checked().layout(); }
  /// See dispatch/backend.h; Backend::count if no backend serves such a tensor.
  Backend backend() const { return checked().backend(); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_meta() const { return device().is_meta(); }
  bool is_floating_point() const { return is_floating(dtype()); }
  bool is_complex() const { return structured::is_complex(dtype()); }
  bool is_quantized() const { return structured::is_quantized(dtype()); }
  /// dtype, layout and device.
  TensorOptions options() const { return TensorOptions::of(checked().signature()); }

  /// Throws Error for Preserve.
  STRUCTURED_API bool is_contiguous(MemoryFormat format) const;
  bool is_contiguous() const { return checked().has_flag(TensorFlags::kContiguous); }
  bool is_non_overlapping_and_dense() const { return checked().has_flag(TensorFlags::kDense); }
  /// The format that the strides resemble most: ChannelsLast, ChannelsLast3d, else Contiguous.
  STRUCTURED_API MemoryFormat suggest_memory_format() const;

  const Storage& storage() const { return checked().storage(); }
  int64_t storage_offset() const { return checked().storage_offset(); }
  /// The first element, null on meta. The data is mutable even through a const handle: `const Tensor& out`.
  void* data() const { return checked().data(); }
  /// Throws Error if T is not the dtype's C++ type, or if the tensor is on meta.
  template <class T>
  T* data_ptr() const {
    constexpr ScalarType expected = scalar_type_of<std::remove_const_t<T>>;
    static_assert(expected != ScalarType::Undefined, "expected a type that tensors have");
    const TensorImpl& impl = checked();
    if (impl.dtype() != expected || impl.signature().device_type() == DeviceType::Meta) [[unlikely]]
      fail_data_ptr(expected);
    return static_cast<T*>(impl.data());
  }

  /// The one element of a tensor with numel() == 1, of any rank. Throws Error for more or fewer elements, and if the
  /// host cannot read the data.
  STRUCTURED_API Scalar item() const;
  template <class T>
  T item() const {
    return item().to<T>();
  }

  /// `accessor<T, N>(*this)`; include core/accessor.h.
  template <class T, std::size_t N>
  TensorAccessor<T, N> accessor() const;

  // The following members call operators. structured/tensor_operators.h defines them.

  /// Slice `index` of dimension 0, a view. Negative indices count from the end.
  template <std::integral Index>
  Tensor operator[](Index index) const {
    return select_slice(*this, index);
  }
  /// Elements at these indices: `a.index({0, Slice(1, 3), mask})`. A view if no index is a tensor.
  Tensor index(std::initializer_list<TensorIndex> indices) const;
  /// Writes `value`, a tensor or a number that is broadcast, to the elements that `index` returns.
  template <class Source>
  const Tensor& index_put_(std::initializer_list<TensorIndex> indices, const Source& value) const;  // NOLINT
  /// Writes to the elements of a temporary: `a[0] = b`, `a.index({0, 1}) = 7`. A tensor with a name is rebound instead.
  template <class Source>
  Tensor&& operator=(const Source& value) && {
    assign_elements(*this, value);
    return std::move(*this);
  }

  /// How many times operators have written to the data; shared by all tensors on the storage. Throws Error for an
  /// inference tensor.
  uint32_t version() const {
    const Storage& storage = checked().storage();
    if (storage.is_inference()) [[unlikely]]
      fail_untracked();
    return storage.version();
  }
  void bump_version() const { checked().storage().bump_version(); }
  /// Whether the data were created in the scope of an InferenceModeGuard: recorded calls cannot save such a tensor, and
  /// only code in such a scope can write to it.
  bool is_inference() const { return checked().storage().is_inference(); }
  bool is_view() const { return checked().has_flag(TensorFlags::kView); }
  /// The tensor that this is a view of, never a view itself. Throws Error if this is not a view.
  STRUCTURED_API Tensor base() const;

  /// Names of the dimensions; empty if none has one. They stay valid until names or sizes change.
  ArrayRef<Dimname> names() const { return checked().names(); }
  bool has_names() const { return checked().has_flag(TensorFlags::kNamed); }

  // The following members are defined in structured/autograd.

  /// Whether operators record how their results depend on this tensor, so that backward() can compute its gradient.
  bool requires_grad() const { return impl_ != nullptr && impl_->requires_grad(); }
  /// Starts or ends recording. Throws Error if a recorded operator computed the tensor, and for a dtype without
  /// gradients: neither floating-point nor complex.
  STRUCTURED_API const Tensor& requires_grad_(bool requires_grad = true) const;  // NOLINT
  /// Whether no recorded operator computed the tensor.
  STRUCTURED_API bool is_leaf() const;
  /// The gradient that backward() has accumulated; undefined if there is none.
  STRUCTURED_API Tensor grad() const;
  /// Replaces the gradient; an undefined tensor removes it.
  STRUCTURED_API void set_grad(const Tensor& gradient) const;
  /// Makes backward() keep the gradient of a tensor that is not a leaf, too.
  STRUCTURED_API void retain_grad() const;
  STRUCTURED_API bool retains_grad() const;
  /// Adds the gradients of this tensor to grad() of the leaves that it was computed from. An undefined `gradient`
  /// stands for 1 and needs a tensor of one element. Frees what the graph saved, unless `retain_graph`; `create_graph`
  /// records the computation of the gradients, too, and implies `retain_graph`.
  STRUCTURED_API void backward(const Tensor& gradient, bool retain_graph = false, bool create_graph = false) const;
  STRUCTURED_API void backward() const;
  /// A tensor with the same data that requires no gradients.
  STRUCTURED_API Tensor detach() const;

  /// Whether the tensor was created from a number, see TensorFlags.
  bool is_wrapped_number() const { return checked().has_flag(TensorFlags::kWrappedNumber); }

  /// Null if undefined. No reference is taken.
  TensorImpl* impl() const { return impl_; }

 private:
  TensorImpl& checked() const {
    if (impl_ == nullptr) [[unlikely]]
      fail_undefined();
    return *impl_;
  }
  std::size_t wrap(int64_t dim) const {
    const int64_t rank = this->dim();
    if (dim < -rank || dim >= rank) [[unlikely]]
      fail_dim(dim);
    return static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
  }
  // Not STRUCTURED_COLD, see export.h.
  [[noreturn]] STRUCTURED_API static void fail_undefined();
  [[noreturn]] STRUCTURED_API void fail_dim(int64_t dim) const;
  [[noreturn]] STRUCTURED_API STRUCTURED_COLD static void fail_untracked();
  [[noreturn]] STRUCTURED_API STRUCTURED_COLD void fail_data_ptr(ScalarType expected) const;

  TensorImpl* impl_ = nullptr;
};

static_assert(sizeof(Tensor) == sizeof(void*));

/// Prints values as nested lists, then non-default properties: `tensor([[1., 2.], [3., 4.]], dtype=Double)`.
/// Details: print.h.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace structured
