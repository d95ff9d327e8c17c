#pragma once
// Refined tensors: parameters of meta functions, impls and kernels that state the dtype, the rank or the layout of a
// tensor. The schema type stays `Tensor`. Wrappers check each such parameter once, before meta, and pass it on without
// further cost: a refined tensor is a pointer to the caller's tensor.
//
//     [[structured::meta("trace", "trace.out")]]
//     void trace_meta(MetaBase& op, RankedTensor<2> self);
//     [[structured::impl("trace.out", "CPU")]]
//     void trace_cpu(RankedTensor<2> self, const Tensor& out);
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/device/device.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// A tensor of dtype `T` (void: any) with `rank` dimensions (-1: any), which is contiguous in row-major order if
/// `is_contiguous`. Refers to a tensor, which must outlive it.
template <class T = void, int rank = -1, bool is_contiguous = false>
class RefinedTensor {
 public:
  using element_type = T;
  static constexpr int kRank = rank;
  static constexpr bool kIsContiguous = is_contiguous;

  /// Precondition, which is not checked: the tensor has these properties. See check_refined.
  RefinedTensor(const Tensor& tensor) : tensor_(&tensor) {}
  /// From a tensor that is known to have at least these properties.
  template <class U, int other_rank, bool is_other_contiguous>
    requires(std::is_void_v<T> || std::is_same_v<T, U>) && (rank == -1 || rank == other_rank) &&
            (!is_contiguous || is_other_contiguous)
  RefinedTensor(const RefinedTensor<U, other_rank, is_other_contiguous>& other) : tensor_(&*other) {}

  template <class U, int other_rank, bool is_other_contiguous>
    requires(!((std::is_void_v<T> || std::is_same_v<T, U>) && (rank == -1 || rank == other_rank) &&
               (!is_contiguous || is_other_contiguous)))
  RefinedTensor(const RefinedTensor<U, other_rank, is_other_contiguous>& other) = delete;

  const Tensor& operator*() const { return *tensor_; }
  const Tensor* operator->() const { return tensor_; }
  operator const Tensor&() const { return *tensor_; }

  int64_t dim() const {
    if constexpr (rank == -1) {
      return tensor_->dim();
    } else {
      return rank;
    }
  }
  IntArrayRef sizes() const { return tensor_->impl()->sizes(); }
  IntArrayRef strides() const { return tensor_->impl()->strides(); }
  /// The size of dimension `dim`, from 0 to the rank - 1. Not checked.
  int64_t size(std::size_t dim) const { return sizes()[dim]; }
  int64_t stride(std::size_t dim) const { return strides()[dim]; }
  int64_t numel() const { return tensor_->impl()->numel(); }
  ScalarType dtype() const { return tensor_->impl()->dtype(); }
  TensorOptions options() const { return tensor_->options(); }

  /// The first element; null on meta.
  T* data() const
    requires(!std::is_void_v<T>)
  {
    return static_cast<T*>(tensor_->impl()->data());
  }

  /// The element at these indices, each from 0 to the size - 1. Not checked.
  template <class... Index>
    requires(!std::is_void_v<T> && sizeof...(Index) == rank)
  auto& operator()(Index... index) const {
    const int64_t* stride = strides().data();
    int64_t offset = 0;
    ((offset += static_cast<int64_t>(index) * *stride++), ...);
    return data()[offset];
  }

 private:
  const Tensor* tensor_;
};

/// A RefinedTensor on devices of one type: for impls and kernels of a backend on such devices.
template <DeviceType device, class T = void, int rank = -1, bool is_contiguous = false>
class DeviceTensor : public RefinedTensor<T, rank, is_contiguous> {
 public:
  static constexpr DeviceType kDevice = device;
  using RefinedTensor<T, rank, is_contiguous>::RefinedTensor;
};

/// A tensor with `rank` dimensions: a vector for 1, a matrix for 2.
template <int rank>
using RankedTensor = RefinedTensor<void, rank>;
/// A tensor of dtype `T`, contiguous in row-major order.
template <class T, int rank = -1>
using DenseTensor = RefinedTensor<T, rank, true>;
using CPUTensor = DeviceTensor<DeviceType::CPU>;
using CUDATensor = DeviceTensor<DeviceType::CUDA>;

namespace detail {

struct Refinement {
  ScalarType dtype;  // Undefined: any
  int rank;          // -1: any
  bool is_contiguous;
};

// Not STRUCTURED_COLD, see base/export.h: wrappers call it.
[[noreturn]] STRUCTURED_API void throw_not_refined(const char* op, const char* argument, const Tensor& tensor,
                                                   Refinement expected);

template <class T>
constexpr ScalarType dtype_or_any() {
  if constexpr (std::is_void_v<T>) {
    return ScalarType::Undefined;
  } else {
    return scalar_type_of<T>;
  }
}

}  // namespace detail

/// Throws Error, with the operator and the argument, unless `tensor` has the properties of `Refined`. Emitted wrappers
/// call it.
template <class Refined>
void check_refined(const char* op, const char* argument, const Tensor& tensor) {
  constexpr detail::Refinement expected{detail::dtype_or_any<typename Refined::element_type>(), Refined::kRank,
                                        Refined::kIsContiguous};
  if (!tensor.defined() || (expected.rank != -1 && tensor.impl()->rank() != static_cast<std::size_t>(expected.rank)) ||
      (expected.dtype != ScalarType::Undefined && tensor.impl()->dtype() != expected.dtype) ||
      (expected.is_contiguous && !tensor.is_contiguous())) [[unlikely]] {
    detail::throw_not_refined(op, argument, tensor, expected);
  }
}

}  // namespace structured
