// where with scalars, and index forms of nonzero.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/type_promotion.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/copy.h>
#include <structured/ops/fill.h>
#include <structured/ops/narrow.h>
#include <structured/ops/nonzero.h>
#include <structured/ops/where.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "composite/rounded_scalar.h"

namespace structured::kernels {
namespace {

// Returns the dtype to which two numbers are promoted.
ScalarType result_type_of(const Scalar& a, const Scalar& b) { return result_type(wrapped_scalar_tensor(a), b); }

Tensor number_operand(const Scalar& value, ScalarType dtype) {
  return scalar_tensor(rounded_scalar(value, dtype), dtype);
}

}  // namespace

/// Selects the scalar `self` where `condition` (Bool or Byte) is true and `other` elsewhere. Tensors are broadcast;
/// values are promoted to a common dtype, which must hold the scalar; Half and BFloat16 round it.
[[structured::composite("where.ScalarSelf")]]
Tensor where_scalar_self(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return structured::where(condition, number_operand(self, result_type(other, self)), other);
}

/// Selects `self` where `condition` (Bool or Byte) is true and the scalar `other` elsewhere. Tensors are broadcast;
/// values are promoted to a common dtype, which must hold the scalar; Half and BFloat16 round it.
[[structured::composite("where.ScalarOther")]]
Tensor where_scalar_other(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return structured::where(condition, self, number_operand(other, result_type(self, other)));
}

/// Selects the scalar `self` where `condition` (Bool or Byte) is true and the scalar `other` elsewhere, promoted to a
/// common dtype, which must hold both; Half and BFloat16 round them.
[[structured::composite("where.Scalar")]]
Tensor where_scalars(const Tensor& condition, const Scalar& self, const Scalar& other) {
  const ScalarType dtype = result_type_of(self, other);
  return structured::where(condition, number_operand(self, dtype), number_operand(other, dtype));
}

/// Indices (Long) of the nonzero elements of `self` as one vector [K] for each dimension. A scalar tensor counts as
/// [1].
[[structured::composite("nonzero_numpy")]]
std::vector<Tensor> nonzero_numpy(const Tensor& self) {
  const Tensor row = self.dim() == 0 ? structured::as_strided(self.detach(), {1}, {1}, self.storage_offset()) : self;
  const Tensor places = structured::nonzero(row);
  std::vector<Tensor> result;
  for (int64_t d = 0; d < row.dim(); ++d) {
    result.push_back(structured::as_strided(places, {places.size(0)}, {places.stride(0)},
                                            places.storage_offset() + d * places.stride(1)));
  }
  return result;
}

/// Indices (Long) of the nonzero elements of `condition` as one vector [K] for each dimension. A scalar tensor counts
/// as [1].
[[structured::composite("where"), structured::device_check(false)]]
std::vector<Tensor> where_places(const Tensor& condition) {
  return kernels::nonzero_numpy(condition);
}

/// Indices (Long) of the nonzero elements of `self` in row-major order: [K, dimensions of `self`]; alias of nonzero.
[[structured::composite("argwhere")]]
Tensor argwhere(const Tensor& self) {
  return structured::nonzero(self);
}

/// Indices (Long) of the first `size` nonzero elements of `self` in row-major order: [size, dimensions of `self`]. If
/// there are fewer, the other rows are `fill_value`.
[[structured::kernel("nonzero_static", "CompositeExplicitAutograd"), structured::variants("nonzero_static.out"),
  structured::not_differentiable]]
Tensor nonzero_static(const Tensor& self, [[structured::kwonly, structured::symint]] int64_t size,
                      int64_t fill_value = -1) {
  STRUCTURED_CHECK(size >= 0, "nonzero_static: expected `size` of 0 or more, got ", size);
  Tensor result = empty({size, self.dim()}, self.options().dtype(kLong));
  if (self.is_meta()) return result;
  const Tensor found = structured::nonzero(self);
  const int64_t count = std::min(size, found.size(0));
  structured::fill_(result, fill_value);
  Tensor first = structured::narrow(result, 0, 0, count);
  structured::copy_(first, structured::narrow(found, 0, 0, count));
  return result;
}

}  // namespace structured::kernels
