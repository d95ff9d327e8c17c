// Kernels for operators of the other library, named with and without its namespace.
#include <my/shapes/ops/scale.h>
#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

#include "shapes/plan.h"

namespace cpu::kernels {

[[structured::impl("scale", "CPU")]]
void scale(const structured::Tensor& self, double factor, const structured::Tensor& out) {
  for (int64_t i = 0; i < out.numel(); ++i) {
    out.data_ptr<float>()[i] = self.data_ptr<float>()[i] * static_cast<float>(factor);
  }
}

[[structured::impl("my::head.out", "CPU")]]
void head(const structured::Tensor& self, const my::shapes::Plan& plan, const structured::Tensor& out) {
  for (int64_t i = 0; i < plan.count; ++i) {
    out.data_ptr<float>()[i] = self.data_ptr<float>()[i];
  }
}

[[structured::kernel("my::first", "CPU")]]
double first(const structured::Tensor& self) {
  // A kernel may call other operators, including those of the library that defines its operator.
  return my::shapes::scale(self, 1).data_ptr<float>()[0];
}

}  // namespace cpu::kernels
