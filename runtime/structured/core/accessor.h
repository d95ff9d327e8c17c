#pragma once
// Access to the elements of a tensor on the CPU: by index, as a span, and in row-major order.
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"
#include "structured/core/tensor.h"

namespace structured {

namespace detail {
/// The address of the first element. Throws Error if T is not the dtype's C++ type, and if `tensor` is not on the CPU.
template <class T>
T* host_elements(const char* name, const Tensor& tensor) {
  STRUCTURED_CHECK(tensor.is_cpu(), name, ": expected a tensor on cpu, got ", tensor.device());
  constexpr ScalarType expected = scalar_type_of<std::remove_const_t<T>>;
  STRUCTURED_CHECK(tensor.dtype() == expected, name, ": expected a tensor of dtype ", expected, ", got ",
                   tensor.dtype());
  return tensor.data_ptr<T>();
}
}  // namespace detail

/// Element access by `N` indices. An accessor keeps the address, sizes and strides of its tensor, not a reference: it
/// must not outlive the tensor, and resizing the tensor makes it invalid. See `accessor`.
template <class T, std::size_t N>
class TensorAccessor {
 public:
  TensorAccessor(T* data, const std::array<int64_t, N>& sizes, const std::array<int64_t, N>& strides)
      : data_(data), sizes_(sizes), strides_(strides) {}

  /// Returns the element at these indices, each from 0 to the size - 1. Not checked.
  template <class... Index>
    requires(sizeof...(Index) == N)
  T& operator()(Index... index) const {
    return data_[offset(index...)];
  }

  /// Returns the element at these indices. Throws Error if an index is negative or not below its size.
  template <class... Index>
    requires(sizeof...(Index) == N)
  T& at(Index... index) const {
    [[maybe_unused]] std::size_t dim = 0;
    (check(dim++, static_cast<int64_t>(index)), ...);
    return data_[offset(index...)];
  }

  /// The size of dimension `dim`, from 0 to N - 1. Not checked.
  int64_t size(std::size_t dim) const { return sizes_[dim]; }
  int64_t stride(std::size_t dim) const { return strides_[dim]; }
  T* data() const { return data_; }

 private:
  template <class... Index>
  int64_t offset(Index... index) const {
    int64_t result = 0;
    [[maybe_unused]] const int64_t* stride = strides_.data();
    ((result += static_cast<int64_t>(index) * *stride++), ...);
    return result;
  }
  void check(std::size_t dim, int64_t index) const {
    STRUCTURED_CHECK(index >= 0 && index < sizes_[dim], "at: expected an index from 0 to ", sizes_[dim] - 1,
                     " in dimension ", dim, ", got ", index);
  }

  T* data_;
  std::array<int64_t, N> sizes_;
  std::array<int64_t, N> strides_;
};

/// Returns an accessor to the elements of `tensor`, of any strides: `accessor<float, 2>(matrix)(row, column) = 1`. With
/// a const T elements are read-only. Throws Error if T is not the dtype's C++ type, if `tensor` has another number of
/// dimensions than N, and if it is not on the CPU.
template <class T, std::size_t N>
TensorAccessor<T, N> accessor(const Tensor& tensor) {
  T* const data = detail::host_elements<T>("accessor", tensor);
  STRUCTURED_CHECK(tensor.sizes().size() == N, "accessor: expected a tensor of ", N, " dimensions, got sizes ",
                   tensor.sizes());
  std::array<int64_t, N> sizes{};
  std::array<int64_t, N> strides{};
  for (std::size_t dim = 0; dim < N; ++dim) {
    sizes[dim] = tensor.sizes()[dim];
    strides[dim] = tensor.strides()[dim];
  }
  return {data, sizes, strides};
}

template <class T, std::size_t N>
TensorAccessor<T, N> Tensor::accessor() const {
  return structured::accessor<T, N>(*this);
}

/// Returns the elements of a contiguous tensor in row-major order. The span must not outlive the tensor. Throws Error
/// if T is not the dtype's C++ type, if `tensor` is not contiguous, and if it is not on the CPU.
template <class T>
std::span<T> span(const Tensor& tensor) {
  T* const data = detail::host_elements<T>("span", tensor);
  STRUCTURED_CHECK(tensor.is_contiguous(), "span: expected a contiguous tensor, got sizes ", tensor.sizes(),
                   " and strides ", tensor.strides());
  return {data, static_cast<std::size_t>(tensor.numel())};
}

/// The elements of a tensor of any strides in row-major order, as a range that keeps the tensor. See `elements`.
template <class T>
class TensorElements {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = T*;
    using reference = T&;

    Iterator() = default;
    T& operator*() const { return *at_; }
    T* operator->() const { return at_; }
    Iterator& operator++() {
      ++position_;
      for (std::size_t dim = index_.size(); dim-- > 0;) {
        at_ += elements_->strides_[dim];
        if (++index_[dim] < elements_->sizes_[dim]) return *this;
        at_ -= elements_->strides_[dim] * elements_->sizes_[dim];
        index_[dim] = 0;
      }
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.position_ == b.position_; }

   private:
    friend class TensorElements;
    Iterator(const TensorElements& elements, int64_t position)
        : elements_(&elements), at_(elements.data_), position_(position), index_(elements.sizes_.size(), 0) {}

    const TensorElements* elements_ = nullptr;
    T* at_ = nullptr;
    int64_t position_ = 0;
    DimVector index_;
  };

  explicit TensorElements(const Tensor& tensor)
      : tensor_(tensor),
        data_(detail::host_elements<T>("elements", tensor)),
        numel_(tensor.numel()),
        sizes_(tensor.sizes()),
        strides_(tensor.strides()) {}

  /// Iterators must not outlive the range.
  Iterator begin() const { return Iterator(*this, 0); }
  Iterator end() const { return Iterator(*this, numel_); }
  std::size_t size() const { return static_cast<std::size_t>(numel_); }

 private:
  Tensor tensor_;  // so that a loop may run over the elements of a temporary
  T* data_;
  int64_t numel_;
  DimVector sizes_;
  DimVector strides_;
};

/// Returns the elements of `tensor`, of any strides, as a range in row-major order: `for (float& x :
/// elements<float>(t)) x += 1;`. The range keeps the tensor, so `t` may be a temporary; resizing it makes the range
/// invalid. Throws Error if T is not the dtype's C++ type, and if `tensor` is not on the CPU.
template <class T>
TensorElements<T> elements(const Tensor& tensor) {
  return TensorElements<T>(tensor);
}

}  // namespace structured
