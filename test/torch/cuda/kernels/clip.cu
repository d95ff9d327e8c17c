#include <ATen/Dispatch.h>
#include <structured/torch.h>
#include <ATen/native/cuda/Loops.cuh>

namespace trial {

[[structured::impl("soft_clip.out", "CUDA")]]
void soft_clip_cuda(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit,
                    const at::Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES(op.common_dtype(), "soft_clip", [&] {
    const auto bound = limit.to<scalar_t>();
    at::native::gpu_kernel(op,
                           [bound] GPU_LAMBDA(scalar_t x) -> scalar_t { return bound * x / (bound + std::abs(x)); });
  });
}

}  // namespace trial
