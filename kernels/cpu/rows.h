#pragma once
// Tensors as contiguous rows along one dimension.
#include <structured/core/tensor.h>

#include <cstdint>

namespace structured::kernels {

/// Contiguous rows of `self` along `dim`: a view or a copy. A tensor of rank 0 is one row of one element.
class InputRows {
 public:
  InputRows(const Tensor& self, int64_t dim);

  int64_t count() const { return count_; }
  int64_t length() const { return length_; }
  const char* row(int64_t index) const { return data_ + index * row_bytes_; }
  template <class T>
  const T* row(int64_t index) const {
    return reinterpret_cast<const T*>(row(index));
  }

 private:
  Tensor rows_;
  const char* data_;
  int64_t count_;
  int64_t length_;
  int64_t row_bytes_;
};

/// Contiguous rows of an output along `dim`, in the order of InputRows. Rows may be temporary until finish() is called.
class OutputRows {
 public:
  /// `dim` must be a dimension of `out`.
  OutputRows(const Tensor& out, int64_t dim);

  char* row(int64_t index) const { return data_ + index * row_bytes_; }
  template <class T>
  T* row(int64_t index) const {
    return reinterpret_cast<T*>(row(index));
  }
  void finish() const;

 private:
  Tensor in_order_;  // view of `out` with `dim` last
  Tensor rows_;
  char* data_;
  int64_t row_bytes_;
};

}  // namespace structured::kernels
