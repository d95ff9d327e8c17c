// Constant and circular padding, and padding in a mode.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/memory/scratch.h>
#include <structured/number/scalar.h>
#include <structured/ops/cat.h>
#include <structured/ops/clone.h>
#include <structured/ops/constant_pad_nd.h>
#include <structured/ops/copy.h>
#include <structured/ops/fill.h>
#include <structured/ops/narrow.h>
#include <structured/ops/reflection_pad1d.h>
#include <structured/ops/reflection_pad2d.h>
#include <structured/ops/reflection_pad3d.h>
#include <structured/ops/replication_pad1d.h>
#include <structured/ops/replication_pad2d.h>
#include <structured/ops/replication_pad3d.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace structured::kernels {
namespace {

// View of `size` elements from `start` along `dim`.
Tensor part_of(const Tensor& tensor, size_t dim, int64_t start, int64_t size) {
  DimVector sizes(tensor.sizes());
  sizes[dim] = size;
  return as_strided(tensor, sizes, tensor.strides(), tensor.storage_offset() + start * tensor.strides()[dim]);
}

// `tensor` with its last elements along `dim` repeated before it and its first ones after it; negative amounts crop.
Tensor wrapped(const Tensor& tensor, int64_t dim, int64_t before, int64_t after) {
  const int64_t size = tensor.size(dim);
  STRUCTURED_CHECK(before <= size && after <= size && -before <= size && -after <= size &&
                       (before >= 0 || after >= 0 || -before - after <= size),
                   "pad: expected circular padding of at most ", size, " elements in dimension ", dim, ", got ", before,
                   " and ", after);
  ScratchVector<Tensor> parts;
  if (before > 0) parts.push_back(structured::narrow(tensor, dim, size - before, before));
  const int64_t from = before < 0 ? -before : 0;
  parts.push_back(structured::narrow(tensor, dim, from, size - from - (after < 0 ? -after : 0)));
  if (after > 0) parts.push_back(structured::narrow(tensor, dim, 0, after));
  return parts.size() == 1 ? parts[0] : structured::cat(parts, dim);
}

Tensor padded_circularly(const Tensor& self, IntArrayRef pad) {
  Tensor result = self;
  for (std::size_t i = 0; i < pad.size() / 2; ++i) {
    result = wrapped(result, self.dim() - 1 - static_cast<int64_t>(i), pad[2 * i], pad[2 * i + 1]);
  }
  return result.is_same(self) ? structured::clone(self) : result;
}

}  // namespace

/// Pads the last dimensions of `self` with `value`. `pad` lists (before, after) pairs starting with the last dimension;
/// negative amounts crop. The result keeps the memory format.
[[structured::kernel("constant_pad_nd", "CompositeExplicitAutograd"), structured::variants("constant_pad_nd.out")]]
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

/// Pads the last dimensions of `self`. `pad` lists (before, after) pairs starting with the last dimension. `mode` is
/// `constant`, which pads with `value` (default 0) and crops for negative amounts; `reflect`, which mirrors the
/// elements without the one at the border; `replicate`, which repeats the element at the border; or `circular`, which
/// continues at the other end. Modes other than `constant` pad the last 1, 2 or 3 dimensions of a tensor with one or
/// two more dimensions.
[[structured::composite("pad")]]
Tensor pad(const Tensor& self, [[structured::symint]] IntArrayRef pad, std::string_view mode = "constant",
           std::optional<double> value = std::nullopt) {
  if (mode == "constant") return structured::constant_pad_nd(self, pad, value.value_or(0.0));
  STRUCTURED_CHECK(mode == "reflect" || mode == "replicate" || mode == "circular",
                   "pad: expected `mode` constant, reflect, replicate or circular, got ", mode);
  STRUCTURED_CHECK(!value || *value == 0, "pad: expected no `value` for mode ", mode, ", got ", *value);
  const auto dims = static_cast<int64_t>(pad.size() / 2);
  STRUCTURED_CHECK(pad.size() % 2 == 0 && dims >= 1 && dims <= 3 && (self.dim() == dims + 1 || self.dim() == dims + 2),
                   "pad: expected two numbers for each of the last 1, 2 or 3 dimensions and one or two dimensions "
                   "before them, got ",
                   pad.size(), " numbers for ", self.dim(), " dimensions");
  if (mode == "circular") return padded_circularly(self, pad);
  const bool is_reflection = mode == "reflect";
  switch (dims) {
    case 1:
      return is_reflection ? structured::reflection_pad1d(self, pad) : structured::replication_pad1d(self, pad);
    case 2:
      return is_reflection ? structured::reflection_pad2d(self, pad) : structured::replication_pad2d(self, pad);
    default:
      return is_reflection ? structured::reflection_pad3d(self, pad) : structured::replication_pad3d(self, pad);
  }
}

}  // namespace structured::kernels
