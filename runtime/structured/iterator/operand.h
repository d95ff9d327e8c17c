#pragma once
// Operands of an iterator.
#include "structured/core/tensor.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// Reference to a tensor that outlives the iterator. Temporaries do not compile; pass them to TensorIteratorConfig,
/// which takes ownership.
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
  /// Never null; an undefined tensor for an output to be allocated.
  const Tensor* tensor;
  /// Dtype in memory; Undefined for an output to be allocated.
  ScalarType dtype = ScalarType::Undefined;
  /// Dtype that loops see.
  ScalarType target_dtype = ScalarType::Undefined;
  bool is_output = false;
  /// The output is also an input.
  bool is_read_write = false;
  /// The output has to be allocated or resized.
  bool will_resize = false;

  bool defined() const { return tensor->defined(); }
};

}  // namespace detail
}  // namespace structured
