#pragma once
// Conversion of operands to one dtype and a dense layout.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>

namespace structured::kernels {

/// Returns `tensor` if it has this dtype and is contiguous, otherwise a converted copy.
inline Tensor dense(const Tensor& tensor, ScalarType dtype) {
  if (tensor.scalar_type() == dtype && tensor.is_contiguous()) return tensor;
  const Tensor result = empty(tensor.sizes(), tensor.options().dtype(dtype));
  copy_into(result, tensor);
  return result;
}

/// Returns `out` if it has this dtype and is contiguous, otherwise a temporary to compute into; store() copies it back.
inline Tensor writable(const Tensor& out, ScalarType dtype) {
  if (out.scalar_type() == dtype && out.is_contiguous()) return out;
  return empty(out.sizes(), out.options().dtype(dtype));
}

/// Copies `result` to `out` unless they are the same tensor.
inline void store(const Tensor& out, const Tensor& result) {
  if (!out.is_same(result)) copy_into(out, result);
}

}  // namespace structured::kernels
