// Results of composite out= variants.
#pragma once

#include <structured/core/array_ref.h>
#include <structured/core/error.h>
#include <structured/core/tensor.h>
#include <structured/kernel/resize.h>
#include <structured/ops/copy.h>

#include <cstddef>
#include <vector>

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

/// Copies `results` to the tensors of `out`, which are resized. Throws Error, which names the operator `name`, if the
/// lists have different lengths or dtypes, and writes to none then.
inline void store_results(const char* name, const std::vector<Tensor>& results, TensorList out) {
  STRUCTURED_CHECK(out.size() == results.size(), name, ": expected ", results.size(), " tensors in `out`, got ",
                   out.size());
  for (std::size_t i = 0; i < results.size(); ++i) check_stored_dtype(name, results[i], out[i]);
  for (std::size_t i = 0; i < results.size(); ++i) {
    Tensor each = out[i];
    store_result(name, results[i], each);
  }
}

}  // namespace structured::kernels
