// An operator whose author wrote its kernel for GPUs.
#include <ATen/Dispatch.h>
#include <structured/torch.h>
#include <ATen/native/cuda/Loops.cuh>

namespace trial {

/// `self`, at most `limit`.
[[structured::meta("cut", "cut_", "cut.out")]]
void cut_meta(at::TensorIteratorBase& op, const at::Tensor& self, [[maybe_unused]] const at::Scalar& limit) {
  op.build_unary_float_op(op.maybe_get_output(), self);
}

[[structured::impl("cut.out", "CUDA")]]
void cut_cuda(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit, const at::Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES(op.common_dtype(), "cut", [&] {
    const auto bound = limit.to<scalar_t>();
    at::native::gpu_kernel(op, [bound] GPU_LAMBDA(scalar_t x) -> scalar_t { return x > bound ? bound : x; });
  });
}

}  // namespace trial
