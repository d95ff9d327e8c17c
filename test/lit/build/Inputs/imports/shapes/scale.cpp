#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

#include "shapes/plan.h"

namespace my::shapes {

/// Every element of `self` times `factor`.
[[structured::meta("scale", "scale_")]]
void scale_meta(structured::MetaBase& op, const structured::Tensor& self, double factor = 2) {
  STRUCTURED_CHECK(self.dim() == 1, "scale: expected one dimension, got ", self.dim());
  op.set_output_contiguous(0, self.sizes(), self.options());
}

/// The first `count` elements.
[[structured::meta("head", "head.out")]]
Plan head_meta(structured::MetaBase& op, const structured::Tensor& self, int64_t dim = 0) {
  const int64_t half[] = {self.size(dim) / 2};
  op.set_output_contiguous(0, half, self.options());
  return {dim, half[0]};
}

[[structured::kernel("first", "Meta")]]
double first_meta(const structured::Tensor& self) {
  return 0;
}

}  // namespace my::shapes
