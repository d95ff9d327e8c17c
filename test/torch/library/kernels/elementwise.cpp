// Operators whose base is TensorIterator.
#include <ATen/native/cpu/Loops.h>
#include <structured/torch.h>

namespace trial {

/// Limits the elements smoothly: `limit * self / (limit + |self|)`.
[[structured::meta("soft_clip", "soft_clip_", "soft_clip.out"), structured::autocast("fp32"),
  structured::tags("pointwise")]]
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

/// `self + alpha * other`, or `self` where `mask` is zero.
[[structured::meta("blend.Tensor", "blend_.Tensor", "blend.out")]]
void blend_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other,
                [[structured::kwonly]] const at::Scalar& alpha = 1, at::OptionalTensorRef mask = {}) {
  at::TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).enforce_safe_casting_to_output(true);
  config.add_output(op.maybe_get_output()).add_input(self).add_input(other);
  if (mask.has_value()) config.add_input(*mask);
  op.build(config);
}

[[structured::impl("blend.out", "CPU")]]
void blend_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha,
               at::OptionalTensorRef mask, const at::Tensor& out) {
  AT_DISPATCH_ALL_TYPES(op.common_dtype(), "blend", [&] {
    const auto factor = alpha.to<scalar_t>();
    if (mask.has_value()) {
      at::native::cpu_kernel(op, [factor](scalar_t x, scalar_t y, scalar_t on) -> scalar_t {
        return on == scalar_t(0) ? x : x + factor * y;
      });
    } else {
      at::native::cpu_kernel(op, [factor](scalar_t x, scalar_t y) -> scalar_t { return x + factor * y; });
    }
  });
}

}  // namespace trial
