// Composite kernels for matmul, outer and inner products.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/ops/bmm.h>
#include <structured/ops/clone.h>
#include <structured/ops/dot.h>
#include <structured/ops/expand.h>
#include <structured/ops/mm.h>
#include <structured/ops/mul.h>
#include <structured/ops/mv.h>
#include <structured/ops/to.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/view.h>
#include <structured/structured.h>

#include <algorithm>
#include <cstdint>

#include "composite/dense.h"
#include "composite/store_result.h"

namespace structured::kernels {
namespace {

// Batch dimensions: all but the last two, none for a vector.
IntArrayRef batch_of(const Tensor& tensor) {
  const size_t count = tensor.sizes().size();
  return {tensor.sizes().data(), count - std::min<size_t>(count, 2)};
}

DimVector broadcast_batches(const Tensor& self, const Tensor& other) {
  const IntArrayRef a = batch_of(self);
  const IntArrayRef b = batch_of(other);
  DimVector result(std::max(a.size(), b.size()), 1);
  for (size_t d = 1; d <= result.size(); ++d) {
    const int64_t left = d <= a.size() ? a[a.size() - d] : 1;
    const int64_t right = d <= b.size() ? b[b.size() - d] : 1;
    STRUCTURED_CHECK(left == right || left == 1 || right == 1,
                     "matmul: expected batch dimensions that can be broadcast, got ", self.sizes(), " and ",
                     other.sizes());
    result[result.size() - d] = left == 1 ? right : left;
  }
  return result;
}

int64_t product(IntArrayRef sizes) {
  int64_t result = 1;
  for (const int64_t size : sizes) result *= size;
  return result;
}

// Expands to [batch..., rows, columns] and flattens the batch dimensions.
Tensor as_batches(const Tensor& tensor, const DimVector& batch, int64_t rows, int64_t columns) {
  DimVector sizes = batch;
  sizes.push_back(rows);
  sizes.push_back(columns);
  // A single matrix is expanded without a copy.
  if (product(batch_of(tensor)) == 1) {
    const DimVector matrix{1, rows, columns};
    const Tensor single = structured::view(dense(tensor), matrix);
    return structured::expand(single, {product(batch), rows, columns});
  }
  const Tensor expanded = tensor.sizes() == IntArrayRef(sizes) ? tensor : structured::expand(tensor, sizes);
  if (expanded.dim() == 3) return expanded;
  return structured::view(dense(expanded), {product(batch), rows, columns});
}

Tensor multiply_batches(const Tensor& self, const Tensor& other) {
  const bool is_row = self.dim() == 1;
  const bool is_column = other.dim() == 1;
  const int64_t rows = is_row ? 1 : self.size(-2);
  const int64_t inner = self.size(-1);
  const int64_t columns = is_column ? 1 : other.size(-1);
  const int64_t found = other.size(is_column ? 0 : -2);
  STRUCTURED_CHECK(inner == found, "matmul: `self` and `other` cannot be multiplied: expected ", inner,
                   " rows of `other`, as `self` has columns, got sizes ", self.sizes(), " and ", other.sizes());
  const DimVector batch = broadcast_batches(self, other);
  DimVector sizes = batch;
  if (!is_row) sizes.push_back(rows);
  if (!is_column) sizes.push_back(columns);
  if (other.dim() <= 2) {  // one matrix for all batches: a single product
    DimVector stacked{product(batch) * rows, inner};
    const Tensor left = structured::view(dense(self), stacked);
    return structured::view(is_column ? structured::mv(left, other) : structured::mm(left, other), sizes);
  }
  const Tensor left = as_batches(self, batch, rows, inner);
  const Tensor right = as_batches(other, batch, inner, columns);
  return structured::view(structured::bmm(left, right), sizes);
}

Tensor column_of(const char* name, const Tensor& self, const Tensor& vec2) {
  STRUCTURED_CHECK(self.dim() == 1 && vec2.dim() == 1, name, ": expected two vectors, got ", self.dim(), " and ",
                   vec2.dim(), " dimensions");
  return structured::unsqueeze(self, 1);
}

}  // namespace

/// Matrix product with broadcast batch dimensions: [..., N, K] @ [..., K, M] gives [..., N, M]. A vector `self` counts
/// as a row and a vector `other` as a column, whose dimension is removed from the result; two vectors give their dot
/// product. Both have one dtype.
[[structured::composite("matmul")]]
Tensor matmul(const Tensor& self, const Tensor& other) {
  STRUCTURED_CHECK(self.dim() >= 1 && other.dim() >= 1, "matmul: expected tensors of 1 dimension or more, got ",
                   self.dim(), " and ", other.dim());
  if (self.dim() == 1 && other.dim() == 1) return structured::dot(self, other);
  if (self.dim() == 2 && other.dim() == 1) return structured::mv(self, other);
  if (self.dim() == 2 && other.dim() == 2) return structured::mm(self, other);
  return multiply_batches(self, other);
}

/// Writes the matrix product of `self` [..., N, K] and `other` [..., K, M], with broadcast batch dimensions, to `out`,
/// which is resized and must have the dtype of the result.
[[structured::kernel("matmul.out", "CompositeExplicitAutograd")]]
Tensor& matmul_out(const Tensor& self, const Tensor& other, Tensor& out) {
  if (self.dim() == 1 && other.dim() == 1) return structured::dot_out(out, self, other);
  if (self.dim() == 2 && other.dim() == 1) return structured::mv_out(out, self, other);
  if (self.dim() == 2 && other.dim() == 2) return structured::mm_out(out, self, other);
  return store_result("matmul", kernels::matmul(self, other), out);
}

/// Outer product of the vectors `self` [N] and `vec2` [M]: [N, M], of the promoted dtype.
[[structured::composite("outer")]]
Tensor outer(const Tensor& self, const Tensor& vec2) {
  return structured::mul(column_of("outer", self, vec2), vec2);
}

/// Writes the outer product of the vectors `self` [N] and `vec2` [M] to `out`, which is resized to [N, M].
[[structured::kernel("outer.out", "CompositeExplicitAutograd")]]
Tensor& outer_out(const Tensor& self, const Tensor& vec2, Tensor& out) {
  return structured::mul_out(out, column_of("outer", self, vec2), vec2);
}

/// Outer product of the vectors `self` [N] and `vec2` [M]: [N, M], of the promoted dtype; alias of outer.
[[structured::composite("ger")]]
Tensor ger(const Tensor& self, const Tensor& vec2) {
  return structured::mul(column_of("ger", self, vec2), vec2);
}

/// Writes the outer product of the vectors `self` [N] and `vec2` [M] to `out`, which is resized to [N, M]; alias of
/// outer.out.
[[structured::kernel("ger.out", "CompositeExplicitAutograd")]]
Tensor& ger_out(const Tensor& self, const Tensor& vec2, Tensor& out) {
  return structured::mul_out(out, column_of("ger", self, vec2), vec2);
}

/// Inner product over the last dimensions of `self` [A..., K] and `other` [B..., K]: [A..., B...]. With a scalar
/// tensor, the elementwise product. Both have one dtype.
[[structured::composite("inner")]]
Tensor inner(const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0) return structured::mul(self, other);
  STRUCTURED_CHECK(self.size(-1) == other.size(-1), "inner: expected last dimensions of one size, got sizes ",
                   self.sizes(), " and ", other.sizes());
  DimVector sizes(self.sizes());
  sizes.pop_back();
  int64_t columns = 1;
  for (size_t d = 0; d + 1 < other.sizes().size(); ++d) {
    sizes.push_back(other.sizes()[d]);
    columns *= other.sizes()[d];
  }
  const int64_t rows = product({self.sizes().data(), self.sizes().size() - 1});
  const Tensor left = structured::view(dense(self), {rows, self.size(-1)});
  const Tensor right = structured::view(dense(other), {columns, other.size(-1)});
  return structured::view(structured::mm(left, structured::transpose(right, 0, 1)), sizes);
}

/// Writes the inner product over the last dimensions of `self` [A..., K] and `other` [B..., K] to `out`, which is
/// resized to [A..., B...] and must have the dtype of the result.
[[structured::kernel("inner.out", "CompositeExplicitAutograd")]]
Tensor& inner_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return store_result("inner", inner(self, other), out);
}

/// Product of the matrices `self` [N, K] and `mat2` [K, M] of dtype Char: [N, M] of dtype Int. Sums wrap at 32 bits.
[[structured::kernel("_int_mm", "CompositeExplicitAutograd"), structured::not_differentiable]]
Tensor int_mm(const Tensor& self, const Tensor& mat2) {
  STRUCTURED_CHECK(self.dtype() == kChar && mat2.dtype() == kChar, "_int_mm: expected matrices of dtype Char, got ",
                   self.dtype(), " and ", mat2.dtype());
  return structured::mm(structured::to(self, kInt), structured::to(mat2, kInt));
}

/// Writes the product of `_int_mm` to `out`, which is resized to [N, M] and must have dtype Int.
[[structured::kernel("_int_mm.out", "CompositeExplicitAutograd"), structured::not_differentiable]]
Tensor& int_mm_out(const Tensor& self, const Tensor& mat2, Tensor& out) {
  return store_result("_int_mm", int_mm(self, mat2), out);
}

}  // namespace structured::kernels
