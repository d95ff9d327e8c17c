// Constant padding.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/factory.h>
#include <structured/core/scalar.h>
#include <structured/core/tensor.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/fill.h>

namespace structured::kernels {
namespace {

// View of `size` elements from `start` along `dim`.
Tensor part_of(const Tensor& tensor, size_t dim, int64_t start, int64_t size) {
  DimVector sizes(tensor.sizes());
  sizes[dim] = size;
  return as_strided(tensor, sizes, tensor.strides(), tensor.storage_offset() + start * tensor.strides()[dim]);
}

}  // namespace

/// Pads the last dimensions of `self` with `value`. `pad` lists (before, after) pairs starting with the last dimension;
/// negative amounts crop. The result keeps the memory format.
[[structured::kernel("constant_pad_nd", "CompositeExplicitAutograd")]]
Tensor constant_pad_nd(const Tensor& self, IntArrayRef pad, const Scalar& value = 0) {
  const size_t rank = self.sizes().size();
  STRUCTURED_CHECK(pad.size() % 2 == 0 && pad.size() / 2 <= rank,
                   "constant_pad_nd: expected `pad` to have two numbers for each dimension, at most ", 2 * rank,
                   ", got ", pad.size());
  DimVector sizes(self.sizes());
  bool only_cuts = true;
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    int64_t& size = sizes[rank - 1 - i];
    int64_t padded = 0;
    STRUCTURED_CHECK(!__builtin_add_overflow(size, pad[2 * i], &padded) &&
                         !__builtin_add_overflow(padded, pad[2 * i + 1], &padded) && padded >= 0,
                     "constant_pad_nd: expected `pad` to leave no negative size in dimension ", rank - 1 - i,
                     " of size ", size, ", got ", pad[2 * i], " and ", pad[2 * i + 1]);
    size = padded;
    only_cuts &= pad[2 * i] <= 0 && pad[2 * i + 1] <= 0;
  }
  const Tensor result = empty(sizes, self.options(), self.suggest_memory_format());
  if (result.numel() == 0) return result;
  // Fills the padding from the outermost dimension inwards. `inner` and `source` shrink to the elements that are
  // copied.
  Tensor inner = result;
  Tensor source = self;
  for (size_t d = rank - pad.size() / 2; d < rank; ++d) {
    const int64_t before = pad[2 * (rank - 1 - d)];
    const int64_t after = pad[2 * (rank - 1 - d) + 1];
    const int64_t from = before < 0 ? -before : 0;
    const int64_t to = before > 0 ? before : 0;
    const int64_t kept = source.sizes()[d] - from - (after < 0 ? -after : 0);
    if (kept <= 0) {  // `self` is cropped entirely
      structured::fill_(inner, value);
      return result;
    }
    if (before > 0) {
      Tensor padding = part_of(inner, d, 0, before);
      structured::fill_(padding, value);
    }
    if (after > 0) {
      Tensor padding = part_of(inner, d, to + kept, after);
      structured::fill_(padding, value);
    }
    inner = part_of(inner, d, to, kept);
    source = part_of(source, d, from, kept);
  }
  if (only_cuts) return structured::clone(source);
  structured::copy_(inner, source);
  return result;
}

}  // namespace structured::kernels
