#include "shared.h"

namespace my::kernels {

[[structured::meta("twice")]]
void twice_meta(structured::MetaBase& op, const structured::Tensor& self) {
  op.set_output_contiguous(0, self.sizes(), self.options());
}

[[structured::impl("twice", "CPU")]]
void twice_cpu(const structured::Tensor& self, const structured::Tensor& out) {
  for (int64_t i = 0; i < out.numel(); ++i) out.data_ptr<float>()[i] = self.data_ptr<float>()[i] * kFactor;
}

}  // namespace my::kernels
