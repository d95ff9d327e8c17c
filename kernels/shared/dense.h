#pragma once
// Conversion of operands to one dtype and a dense layout.
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>

namespace structured::kernels {

/// Returns `tensor` if it has this dtype and is dense in this format, otherwise a converted copy.
inline Tensor dense(const Tensor& tensor, ScalarType dtype, MemoryFormat format = MemoryFormat::Contiguous) {
  if (tensor.scalar_type() == dtype && tensor.is_contiguous(format)) return tensor;
  const Tensor result = structured::empty(tensor.sizes(), tensor.options().dtype(dtype), format);
  structured::copy_into(result, tensor);
  return result;
}

/// Returns `out` if it has this dtype and is dense in this format, otherwise a temporary to compute into; store()
/// copies it back.
inline Tensor writable(const Tensor& out, ScalarType dtype, MemoryFormat format = MemoryFormat::Contiguous) {
  if (out.scalar_type() == dtype && out.is_contiguous(format)) return out;
  return structured::empty(out.sizes(), out.options().dtype(dtype), format);
}

/// Copies `result` to `out` unless they are the same tensor.
inline void store(const Tensor& out, const Tensor& result) {
  if (!out.is_same(result)) structured::copy_into(out, result);
}

}  // namespace structured::kernels
