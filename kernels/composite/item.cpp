// Conversion of one-element tensors to scalars.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>
#include <structured/ops/_local_scalar_dense.h>
#include <structured/structured.h>

namespace structured::kernels {

/// First element of `self` as a scalar. `self` must not be empty.
[[structured::kernel("_local_scalar_dense", "CPU", "Meta"), structured::tags("core", "data_dependent_output")]]
Scalar local_scalar_dense(const Tensor& self) {
  STRUCTURED_CHECK(self.numel() != 0, "_local_scalar_dense: expected an element, got sizes ", self.sizes());
  return as_strided(self, {}, {}, self.storage_offset()).item();
}

/// The only element of `self` as a scalar. `self` must have exactly one element.
[[structured::composite("item"), structured::tags("data_dependent_output")]]
Scalar item(const Tensor& self) {
  STRUCTURED_CHECK(self.numel() == 1, "item: expected a tensor with one element, got sizes ", self.sizes());
  return structured::_local_scalar_dense(self);
}

}  // namespace structured::kernels
