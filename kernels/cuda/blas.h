#pragma once
// Matrix products by cuBLASLt, which is opened at the first product.
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>

#include <cstdint>

namespace structured::kernels {

/// A batch of products [rows, inner] x [inner, columns]. Steps are in elements: batch, row, column.
struct BatchedProduct {
  ScalarType dtype = ScalarType::Undefined;
  int64_t batches = 1;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t inner = 0;
  const void* a = nullptr;
  const void* b = nullptr;
  void* out = nullptr;
  int64_t a_steps[3] = {};
  int64_t b_steps[3] = {};
  int64_t out_steps[3] = {};
  const void* bias = nullptr;  ///< vector of `columns` elements that is added to each row, or null
};

/// Enqueues out = beta * out + alpha * (a @ b), plus the bias, in the current stream of the current device. Returns
/// false, with no effect, if there is no cuBLASLt, or if it does not support the dtype or the steps. Algorithms are
/// chosen once for each shape. Float is computed in full precision, not in TF32.
bool multiply_by_cublaslt(const BatchedProduct& product, const Scalar& beta, const Scalar& alpha);

}  // namespace structured::kernels
