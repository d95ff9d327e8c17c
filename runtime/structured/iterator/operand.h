#pragma once
// One of the tensors that an iterator walks over.
#include "structured/core/scalar_type.h"
#include "structured/core/tensor.h"

namespace structured {

/// A tensor that someone else keeps alive for as long as the iterator lives. Temporaries are refused; give them to
/// TensorIteratorConfig, which takes ownership.
class BorrowedTensor {
 public:
  BorrowedTensor(const Tensor& tensor) : tensor_(&tensor) {}
  BorrowedTensor(const Tensor&& tensor) = delete;

  const Tensor& operator*() const { return *tensor_; }
  const Tensor* operator->() const { return tensor_; }
  const Tensor* get() const { return tensor_; }

 private:
  const Tensor* tensor_;
};

namespace detail {

struct Operand {
  /// Never null; an undefined tensor for an output that is not there yet.
  const Tensor* tensor;
  /// Of the elements in memory; Undefined for an output that is not there yet.
  ScalarType dtype = ScalarType::Undefined;
  /// Of the elements that loops see.
  ScalarType target_dtype = ScalarType::Undefined;
  bool is_output = false;
  /// An output that is also an input.
  bool is_read_write = false;
  /// An output that is not there yet, or has another shape than it shall have.
  bool will_resize = false;

  bool defined() const { return tensor->defined(); }
};

}  // namespace detail
}  // namespace structured
