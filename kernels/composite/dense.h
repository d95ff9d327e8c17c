// Dense copies in composite operators.
#pragma once

#include <structured/core/tensor.h>
#include <structured/ops/clone.h>

namespace structured::kernels {

/// Returns `tensor` if it is contiguous, otherwise a contiguous copy, which autograd records.
inline Tensor dense(const Tensor& tensor) {
  return tensor.is_contiguous() ? tensor : structured::clone(tensor, MemoryFormat::Contiguous);
}

}  // namespace structured::kernels
