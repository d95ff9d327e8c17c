#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

namespace first::kernels {

/// The sum, for tensors of one shape.
[[structured::meta("add", "add_")]]
void add_meta(structured::MetaBase& op, const structured::Tensor& self, const structured::Tensor& other) {
  op.set_output_contiguous(0, self.sizes(), self.options());
}

[[structured::impl("add.out", "CPU")]]
void add_cpu(const structured::Tensor& self, const structured::Tensor& other, const structured::Tensor& out) {
  for (int64_t i = 0; i < out.numel(); ++i) {
    out.data_ptr<float>()[i] = self.data_ptr<float>()[i] + other.data_ptr<float>()[i];
  }
}

}  // namespace first::kernels
