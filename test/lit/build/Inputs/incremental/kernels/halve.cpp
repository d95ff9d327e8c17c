#include "shared.h"

namespace my::kernels {

[[structured::meta("halve")]]
void halve_meta(structured::MetaBase& op, const structured::Tensor& self) {
  op.set_output_contiguous(0, self.sizes(), self.options());
}

[[structured::impl("halve", "CPU")]]
void halve_cpu(const structured::Tensor& self, const structured::Tensor& out) {
  for (int64_t i = 0; i < out.numel(); ++i) out.data_ptr<float>()[i] = self.data_ptr<float>()[i] / kFactor;
}

}  // namespace my::kernels
