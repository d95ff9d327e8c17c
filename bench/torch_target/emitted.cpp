// add with a meta function and an impl; the wrappers are emitted.
#include <ATen/native/cpu/Loops.h>
#include <structured/torch.h>

namespace emitted {

[[structured::meta("add", "add_", "add.out"), structured::tags("pointwise")]]
void add_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other,
              [[structured::kwonly]] const at::Scalar& alpha = 1) {
  op.build_borrowing_binary_op(op.maybe_get_output(), self, other);
}

[[structured::impl("add.out", "CPU")]]
void add_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha,
             const at::Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES(op.common_dtype(), "add", [&] {
    const auto factor = alpha.to<scalar_t>();
    at::native::cpu_kernel(op, [factor](scalar_t x, scalar_t y) { return x + factor * y; });
  });
}

}  // namespace emitted
