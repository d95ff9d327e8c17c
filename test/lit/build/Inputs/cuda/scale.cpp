#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

namespace sample::kernels {

/// `self` times `factor`.
[[structured::meta("scale", "scale_")]]
void scale_meta(structured::MetaBase& op, const structured::Tensor& self, double factor) {
  op.set_output_contiguous(0, self.sizes(), self.options());
}

}  // namespace sample::kernels
