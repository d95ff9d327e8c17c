#include <ATen/native/cpu/Loops.h>
#include <structured/torch.h>

#include <cmath>

namespace my_ops {

/// Limits the elements smoothly: `limit * self / (limit + |self|)`.
[[structured::meta("soft_clip", "soft_clip_", "soft_clip.out")]]
void soft_clip_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit = 1.0) {
  TORCH_CHECK(limit.toDouble() > 0, "soft_clip: expected a positive limit, got ", limit);
  op.build_unary_float_op(op.maybe_get_output(), self);
}

[[structured::impl("soft_clip.out", "CPU")]]
void soft_clip_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit, const at::Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES(op.common_dtype(), "soft_clip", [&] {
    const auto bound = limit.to<scalar_t>();
    at::native::cpu_kernel(op, [bound](scalar_t x) { return bound * x / (bound + std::abs(x)); });
  });
}

[[structured::backward("soft_clip")]]
at::Tensor soft_clip_backward(const at::Tensor& grad, const at::Tensor& self, const at::Scalar& limit) {
  return self.abs().add(limit).reciprocal().mul(limit).square().mul(grad);
}

}  // namespace my_ops
