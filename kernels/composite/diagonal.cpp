// Composite kernels for diagflat and trace.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/ops/diag.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/flatten.h>
#include <structured/ops/sum.h>

#include <cstdint>

namespace structured::kernels {

/// Square matrix with the flattened elements of `self` on diagonal `offset` and 0 elsewhere.
[[structured::composite("diagflat")]]
Tensor diagflat(const Tensor& self, int64_t offset = 0) {
  return structured::diag(structured::flatten(self), offset);
}

/// Sum of the main diagonal of a matrix: a scalar tensor. Integers give Long; Bool is not supported.
[[structured::composite("trace"), structured::variants("trace.out")]]
Tensor trace(const Tensor& self) {
  STRUCTURED_CHECK(self.dim() == 2, "trace: expected a matrix, got ", self.dim(), " dimensions");
  STRUCTURED_CHECK(self.scalar_type() != kBool, "trace: Bool is not supported");
  return structured::sum(structured::diagonal(self));
}

}  // namespace structured::kernels
