#pragma once
// Memory of tensors that other libraries refer to by address.
#include "structured/base/export.h"
#include "structured/core/tensor.h"

namespace structured {

/// Keeps the memory of a tensor alive and in its place while another library uses its address: meanwhile, a call that
/// would move the tensor's data to a larger block throws.
class STRUCTURED_API ExportedMemory {
 public:
  explicit ExportedMemory(Tensor tensor);
  ExportedMemory(const ExportedMemory&) = delete;
  ExportedMemory& operator=(const ExportedMemory&) = delete;
  ~ExportedMemory();

  const Tensor& tensor() const { return tensor_; }

 private:
  Tensor tensor_;
  const void* data_;  // the storage's
};

namespace detail {
/// Whether the storage with this data has been exported.
bool is_exported(const void* data);
}  // namespace detail

}  // namespace structured
