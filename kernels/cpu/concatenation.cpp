// Concatenation on CPU.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/non_temporal.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>

namespace structured::kernels {
namespace {

// Copies small elements without calling memcpy, which costs more than the copy.
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

// Concatenates small contiguous tensors of one dtype by interleaving their contiguous pieces. Returns false if
// the tensors do not qualify; `out` may then be partly written.
STRUCTURED_ALWAYS_INLINE bool cat_pieces(TensorList tensors, int64_t dim, const TensorImpl& out) {
  if (out.numel() > kGrainSize || !out.has_flag(TensorFlags::kContiguous)) {
    return false;
  }
  const ScalarType dtype = out.dtype();
  const int shift = item_size_log2(dtype);
  const auto is_fit = [dtype](const TensorImpl& impl) {
    return impl.has_flag(TensorFlags::kContiguous) && impl.dtype() == dtype;
  };
  char* to = start_of(out, shift);
  if (dim == 0) {  // if a tensor does not qualify, the caller starts over
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

// Concatenates large tensors whose contiguous pieces are long, writing the result in memory order. Returns false if the
// tensors do not qualify.
bool cat_long_pieces(TensorList tensors, int64_t dim, const Tensor& out) {
  constexpr size_t kLongPiece = 256;
  const int64_t rounds = std::accumulate(out.sizes().begin(), out.sizes().begin() + dim, int64_t{1}, std::multiplies());
  if (rounds == 1 || !out.is_contiguous()) return false;
  struct Piece {
    const char* from;
    size_t bytes;
  };
  ScratchVector<Piece> pieces;
  for (const Tensor& tensor : tensors) {
    if (tensor.numel() == 0) continue;
    const size_t bytes = tensor.nbytes() / static_cast<size_t>(rounds);
    if (!tensor.is_contiguous() || tensor.scalar_type() != out.scalar_type() || bytes < kLongPiece) return false;
    pieces.push_back({static_cast<const char*>(tensor.data()), bytes});
  }
  const size_t round_bytes = out.nbytes() / static_cast<size_t>(rounds);
  const bool streams = uses_non_temporal_stores(out.nbytes());
  char* const start = static_cast<char*>(out.data());
  parallel_for(0, rounds, kGrainSize / (out.numel() / rounds) + 1, [&](int64_t first, int64_t last) {
    for (auto round = static_cast<size_t>(first); round < static_cast<size_t>(last); ++round) {
      char* to = start + round * round_bytes;
      for (const Piece& piece : pieces) {
        if (streams) {
          non_temporal_copy(to, piece.from + round * piece.bytes, piece.bytes);
        } else {
          std::memcpy(to, piece.from + round * piece.bytes, piece.bytes);
        }
        to += piece.bytes;
      }
    }
    if (streams) non_temporal_fence();
  });
  return true;
}

}  // namespace

[[structured::impl("cat.out", "CPU")]]
void cat_cpu(TensorList tensors, int64_t dim, const Tensor& out) {
  if (out.numel() == 0) {
    return;
  }
  dim = wrap_dim(dim, out.dim());
  if (cat_pieces(tensors, dim, *out.impl()) || cat_long_pieces(tensors, dim, out)) {
    return;
  }
  int64_t start = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.numel() == 0) {
      continue;
    }
    const Tensor part = as_strided(out, tensor.sizes(), out.strides(), out.storage_offset() + start * out.stride(dim));
    copy_into(part, tensor);
    start += tensor.size(dim);
  }
}

[[structured::impl("stack.out", "CPU")]]
void stack_cpu(TensorList tensors, int64_t dim, const Tensor& out) {
  dim = wrap_dim(dim, out.dim());
  if (out.numel() == 0 || cat_pieces(tensors, dim, *out.impl()) || cat_long_pieces(tensors, dim, out)) {
    return;
  }
  DimVector strides(out.strides());
  strides.erase(static_cast<size_t>(dim));
  int64_t start = out.storage_offset();
  for (const Tensor& tensor : tensors) {
    copy_into(as_strided(out, tensor.sizes(), strides, start), tensor);
    start += out.stride(dim);
  }
}

}  // namespace structured::kernels
