#include "add.h"

namespace second::kernels {

void add_meta(structured::MetaBase& op, const structured::Tensor& self, const structured::Tensor&) {
  op.set_output_contiguous(0, self.sizes(), self.options());
}

void add_cpu(const structured::Tensor& self, const structured::Tensor& other, const structured::Tensor& out) {
  for (int64_t i = 0; i < out.numel(); ++i) {
    out.data_ptr<float>()[i] = self.data_ptr<float>()[i] - other.data_ptr<float>()[i];
  }
}

}  // namespace second::kernels
