// Joining tensors on the CPU.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/kernel/copy.h>

namespace structured::kernels {

[[structured::impl("cat.out", "CPU")]]
void cat_cpu(TensorList tensors, int64_t dim, const Tensor& out) {
  if (out.numel() == 0) {
    return;
  }
  dim = wrap_dim(dim, out.dim());
  int64_t start = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.numel() == 0) {
      continue;
    }
    const Tensor part =
        detail::as_strided_view(out, tensor.sizes(), out.strides(), out.storage_offset() + start * out.stride(dim));
    detail::copy_into(part, tensor);
    start += tensor.size(dim);
  }
}

}  // namespace structured::kernels
