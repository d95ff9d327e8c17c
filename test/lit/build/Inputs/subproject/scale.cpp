#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

namespace sample::kernels {

[[structured::meta("scale")]]
void scale_meta(structured::MetaBase& op, const structured::Tensor& self, double factor) {
  op.set_output_contiguous(0, self.sizes(), self.options());
}

[[structured::impl("scale", "CPU")]]
void scale_cpu(const structured::Tensor& self, double factor, const structured::Tensor& out) {
  for (int64_t i = 0; i < out.numel(); ++i) {
    out.data_ptr<double>()[i] = self.data_ptr<double>()[i] * factor;
  }
}

}  // namespace sample::kernels
