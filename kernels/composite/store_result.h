// Results of composite out= variants.
#pragma once

#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/kernel/resize.h>
#include <structured/ops/copy.h>

namespace structured::kernels {

/// Throws Error, which names the operator `name`, if `out` has another dtype than `result`.
inline void check_stored_dtype(const char* name, const Tensor& result, const Tensor& out) {
  STRUCTURED_CHECK(out.scalar_type() == result.scalar_type(), name, ": expected `out` of dtype ", result.scalar_type(),
                   ", got ", out.scalar_type());
}

/// Copies `result` to `out`, which is resized. Throws Error, which names the operator `name`, if `out` has another
/// dtype. Returns `out`.
inline Tensor& store_result(const char* name, const Tensor& result, Tensor& out) {
  check_stored_dtype(name, result, out);
  resize_output(out, result.sizes());
  return structured::copy_(out, result);
}

}  // namespace structured::kernels
