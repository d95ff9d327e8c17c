#pragma once
// Tensors as rows along one dimension, each of which lies in one piece.
#include <structured/core/tensor.h>

#include <cstdint>

namespace structured::kernels {

/// `self` with `dim` as the last dimension, contiguous: itself, a view or a copy. A tensor without dimensions is one
/// row of one element.
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

/// The same for an output, whose rows may be elsewhere until `finish` is called. Rows are in the order
/// of those of an input that has the same sizes but for `dim`.
class OutputRows {
 public:
  /// `dim` is a dimension of `out`.
  OutputRows(const Tensor& out, int64_t dim);

  char* row(int64_t index) const { return data_ + index * row_bytes_; }
  template <class T>
  T* row(int64_t index) const {
    return reinterpret_cast<T*>(row(index));
  }
  void finish() const;

 private:
  Tensor in_order_;  // `out` with `dim` last
  Tensor rows_;
  char* data_;
  int64_t row_bytes_;
};

}  // namespace structured::kernels
