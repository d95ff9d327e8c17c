// Joining tensors on the CPU.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/copy.h>

#include <cstring>

namespace structured::kernels {
namespace {

// Few elements, all contiguous and of one dtype: the result is pieces of the tensors' bytes in turns. Whether it was
// that, and is done.
bool cat_pieces(TensorList tensors, int64_t dim, const Tensor& out) {
  if (out.numel() > kGrainSize || !out.is_contiguous()) {
    return false;
  }
  for (const Tensor& tensor : tensors) {
    if (!tensor.is_contiguous() || tensor.dtype() != out.dtype()) {
      return false;
    }
  }
  size_t rounds = 1;
  for (int64_t d = 0; d < dim; ++d) {
    rounds *= static_cast<size_t>(out.sizes()[static_cast<size_t>(d)]);
  }
  char* to = static_cast<char*>(out.data());
  for (size_t round = 0; round < rounds; ++round) {
    for (const Tensor& tensor : tensors) {
      const size_t bytes = rounds == 1 ? tensor.nbytes() : tensor.nbytes() / rounds;
      if (bytes != 0) {
        std::memcpy(to, static_cast<const char*>(tensor.data()) + round * bytes, bytes);
      }
      to += bytes;
    }
  }
  return true;
}

}  // namespace

[[structured::impl("cat.out", "CPU")]]
void cat_cpu(TensorList tensors, int64_t dim, const Tensor& out) {
  if (out.numel() == 0) {
    return;
  }
  dim = wrap_dim(dim, out.dim());
  if (cat_pieces(tensors, dim, out)) {
    return;
  }
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
