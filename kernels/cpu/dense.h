#pragma once
// Operands as loops want them: of one type, and with elements one behind the other.
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>

namespace structured::kernels {

/// `tensor` itself if it is of this dtype and dense in this format, a copy that is otherwise.
inline Tensor dense(const Tensor& tensor, ScalarType dtype, MemoryFormat format = MemoryFormat::Contiguous) {
  if (tensor.scalar_type() == dtype && tensor.is_contiguous(format)) return tensor;
  const Tensor result = structured::detail::empty(tensor.sizes(), tensor.options().dtype(dtype), format);
  structured::detail::copy_into(result, tensor);
  return result;
}

/// What is computed into in place of `out`: itself if it is of this dtype and dense in this format. store() follows.
inline Tensor writable(const Tensor& out, ScalarType dtype, MemoryFormat format = MemoryFormat::Contiguous) {
  if (out.scalar_type() == dtype && out.is_contiguous(format)) return out;
  return structured::detail::empty(out.sizes(), out.options().dtype(dtype), format);
}

/// Copies what was computed into `out` if it stood in for it.
inline void store(const Tensor& out, const Tensor& result) {
  if (!out.is_same(result)) structured::detail::copy_into(out, result);
}

}  // namespace structured::kernels
