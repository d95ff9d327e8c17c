// Joining tensors on the CPU.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/copy.h>

#include <cstring>

namespace structured::kernels {
namespace {

// A call of memcpy is more than it takes to copy an element.
void copy_bytes(char* to, const char* from, size_t bytes) {
  if (bytes == 4) {
    std::memcpy(to, from, 4);
  } else if (bytes == 8) {
    std::memcpy(to, from, 8);
  } else {
    std::memcpy(to, from, bytes);
  }
}

char* start_of(const TensorImpl& impl, int shift) {
  return static_cast<char*>(impl.storage().data()) + (impl.storage_offset() << shift);
}

// Few elements, all contiguous and of one dtype: the result is pieces of the tensors' bytes in turns. Whether it was
// that, and is done.
bool cat_pieces(TensorList tensors, int64_t dim, const TensorImpl& out) {
  if (out.numel() > kGrainSize || !out.has_flag(TensorFlags::kContiguous)) {
    return false;
  }
  const ScalarType dtype = out.dtype();
  const int shift = item_size_log2(dtype);
  const auto is_fit = [dtype](const TensorImpl& impl) {
    return impl.has_flag(TensorFlags::kContiguous) && impl.dtype() == dtype;
  };
  char* to = start_of(out, shift);
  if (dim == 0) {  // one after the other; what was written for nothing if one does not fit will be written again
    for (const Tensor& tensor : tensors) {
      const TensorImpl& impl = *tensor.impl();
      if (!is_fit(impl)) {
        return false;
      }
      const size_t bytes = static_cast<size_t>(impl.numel()) << shift;
      if (bytes != 0) {
        copy_bytes(to, start_of(impl, shift), bytes);
      }
      to += bytes;
    }
    return true;
  }
  for (const Tensor& tensor : tensors) {
    if (!is_fit(*tensor.impl())) {
      return false;
    }
  }
  size_t rounds = 1;
  for (int64_t d = 0; d < dim; ++d) {
    rounds *= static_cast<size_t>(out.sizes()[static_cast<size_t>(d)]);
  }
  for (size_t round = 0; round < rounds; ++round) {
    for (const Tensor& tensor : tensors) {
      const TensorImpl& impl = *tensor.impl();
      const size_t bytes = (static_cast<size_t>(impl.numel()) << shift) / rounds;
      if (bytes != 0) {
        copy_bytes(to, start_of(impl, shift) + round * bytes, bytes);
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
  if (cat_pieces(tensors, dim, *out.impl())) {
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

[[structured::impl("stack.out", "CPU")]]
void stack_cpu(TensorList tensors, int64_t dim, const Tensor& out) {
  dim = wrap_dim(dim, out.dim());
  if (out.numel() == 0 || cat_pieces(tensors, dim, *out.impl())) {
    return;
  }
  DimVector strides(out.strides());
  strides.erase(static_cast<size_t>(dim));
  int64_t start = out.storage_offset();
  for (const Tensor& tensor : tensors) {
    detail::copy_into(detail::as_strided_view(out, tensor.sizes(), strides, start), tensor);
    start += out.stride(dim);
  }
}

}  // namespace structured::kernels
