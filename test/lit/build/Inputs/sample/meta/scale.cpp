#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

namespace sample::kernels {

/// `self` times `factor`.
[[structured::meta("scale", "scale_", "scale.out")]]
void scale_meta(structured::MetaBase& op, const structured::Tensor& self, double factor = 2.0) {
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace sample::kernels
