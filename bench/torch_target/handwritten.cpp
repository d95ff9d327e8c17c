// The usual operator by hand: a functional variant that allocates its result and runs a TensorIterator.
#include <ATen/ATen.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/Loops.h>
#include <torch/library.h>

namespace {

at::Tensor add(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  at::Tensor out = at::empty(at::infer_size(self.sizes(), other.sizes()), self.options());
  auto op = at::TensorIteratorConfig().add_output(out).add_const_input(self).add_const_input(other).build();
  AT_DISPATCH_FLOATING_TYPES(op.common_dtype(), "add", [&] {
    const auto factor = alpha.to<scalar_t>();
    at::native::cpu_kernel(op, [factor](scalar_t x, scalar_t y) { return x + factor * y; });
  });
  return out;
}

}  // namespace

TORCH_LIBRARY(handwritten, m) { m.def("add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"); }
TORCH_LIBRARY_IMPL(handwritten, CPU, m) { m.impl("add", &add); }
