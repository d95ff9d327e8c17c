// Meta functions of operators that rearrange, repeat or mask elements by position.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/kernel/meta_base.h>

#include <algorithm>
#include <cstdint>

#include "meta/dense_strides.h"

namespace structured::kernels {
namespace {

int64_t product(const char* name, int64_t a, int64_t b) {
  int64_t result;
  STRUCTURED_CHECK(!__builtin_mul_overflow(a, b, &result), name, ": the result would have sizes beyond 64 bits");
  return result;
}

void set_triangle(const char* name, MetaBase& op, const Tensor& self) {
  STRUCTURED_CHECK(self.dim() >= 2, name, ": expected `self` to have 2 or more dimensions, got ", self.dim());
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

// Sets an output of shape `sizes` in the memory format of `self`.
void set_like_format(MetaBase& op, const Tensor& self, const DimVector& sizes) {
  op.set_output_raw_strided(0, sizes, strides_for(sizes, self.suggest_memory_format()), self.options());
}

}  // namespace

/// Reverses the order of elements along each of `dims`, which must be distinct. The result has the strides of `self` if
/// it is dense.
[[structured::meta("flip", "flip.out")]]
void flip_meta(MetaBase& op, const Tensor& self, IntArrayRef dims) {
  uint64_t seen = 0;
  for (const int64_t dim : dims) {
    const int64_t wrapped = wrap_dim(dim, self.dim());
    STRUCTURED_CHECK((seen >> wrapped & 1) == 0, "flip: expected distinct `dims`, got ", dims);
    seen |= uint64_t{1} << wrapped;
  }
  op.set_output_raw_strided(0, self.sizes(), preserved_strides(self), self.options());
}

/// Rolls `self` by `shifts` positions along `dims`, with wrap-around. Without `dims`, rolls the flattened tensor.
/// `shifts` and `dims` have one size.
[[structured::meta("roll", "roll.out")]]
void roll_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] IntArrayRef shifts,
               [[structured::size(1)]] IntArrayRef dims = {}) {
  STRUCTURED_CHECK(!shifts.empty(), "roll: expected `shifts`, got none");
  STRUCTURED_CHECK(shifts.size() == dims.size() || (dims.empty() && shifts.size() == 1),
                   "roll: expected as many `shifts` as `dims`, got ", shifts, " and ", dims);
  for (const int64_t dim : dims) {
    STRUCTURED_CHECK(self.dim() > 0, "roll: expected no `dims` for a tensor without dimensions, got ", dims);
    wrap_dim(dim, self.dim());
  }
  op.set_output_contiguous(0, self.sizes(), self.options());
}

/// Repeats `self` `repeats[d]` times along each dimension d of the result; `repeats` may have additional leading
/// dimensions.
[[structured::meta("repeat", "repeat.out")]]
void repeat_meta(MetaBase& op, const Tensor& self, [[structured::symint]] IntArrayRef repeats) {
  const int64_t added = static_cast<int64_t>(repeats.size()) - self.dim();
  STRUCTURED_CHECK(added >= 0, "repeat: expected as many `repeats` as `self` has dimensions (", self.dim(),
                   ") or more, got ", repeats);
  DimVector sizes(repeats);
  for (size_t d = 0; d < sizes.size(); ++d) {
    STRUCTURED_CHECK(sizes[d] >= 0, "repeat: expected `repeats` of 0 or more, got ", repeats);
    if (static_cast<int64_t>(d) >= added) sizes[d] = product("repeat", sizes[d], self.size(int64_t(d) - added));
  }
  op.set_output_contiguous(0, sizes, self.options());
}

/// Lower triangle of the matrices [..., N, M]: elements above diagonal `diagonal` are set to 0. Diagonal 0 is the main
/// diagonal, positive ones are above it.
[[structured::meta("tril", "tril_", "tril.out")]]
void tril_meta(MetaBase& op, const Tensor& self, [[maybe_unused]] int64_t diagonal = 0) {
  set_triangle("tril", op, self);
}

/// Upper triangle of the matrices [..., N, M]: elements below diagonal `diagonal` are set to 0. Diagonal 0 is the main
/// diagonal, positive ones are above it.
[[structured::meta("triu", "triu_", "triu.out")]]
void triu_meta(MetaBase& op, const Tensor& self, [[maybe_unused]] int64_t diagonal = 0) {
  set_triangle("triu", op, self);
}

/// Diagonal `diagonal` of a matrix as a vector, or the square matrix with a vector on that diagonal and 0 elsewhere.
/// `self` has 1 or 2 dimensions.
[[structured::meta("diag", "diag.out")]]
void diag_meta(MetaBase& op, const Tensor& self, int64_t diagonal = 0) {
  STRUCTURED_CHECK(self.dim() == 1 || self.dim() == 2, "diag: expected a vector or a matrix, got ", self.dim(),
                   " dimensions");
  if (self.dim() == 1) {
    constexpr int64_t limit = int64_t{1} << 31;
    STRUCTURED_CHECK(-limit < diagonal && diagonal < limit, "diag: expected a `diagonal` of less than 2^31, got ",
                     diagonal);
    const int64_t side = self.size(0) + (diagonal < 0 ? -diagonal : diagonal);
    op.set_output_contiguous(0, {side, side}, self.options());
    return;
  }
  const int64_t rows = self.size(0);
  const int64_t columns = self.size(1);
  const int64_t offset = std::clamp(diagonal, -rows, columns);
  const int64_t count = offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns);
  op.set_output_contiguous(0, std::max<int64_t>(count, 0), self.options());
}

/// Matrices with the last dimension of `self` on diagonal `offset` and 0 elsewhere; rows and columns are the dimensions
/// `dim1` and `dim2` of the result.
[[structured::meta("diag_embed", "diag_embed.out")]]
void diag_embed_meta(MetaBase& op, const Tensor& self, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) {
  const int64_t rank = self.dim() + 1;
  STRUCTURED_CHECK(self.dim() > 0, "diag_embed: expected `self` to have at least one dimension");
  const int64_t first = wrap_dim(dim1, rank);
  const int64_t second = wrap_dim(dim2, rank);
  STRUCTURED_CHECK(first != second, "diag_embed: expected two dimensions, got ", dim1, " and ", dim2);
  constexpr int64_t limit = int64_t{1} << 31;
  STRUCTURED_CHECK(-limit < offset && offset < limit, "diag_embed: expected an `offset` of less than 2^31, got ",
                   offset);
  const int64_t side = self.size(-1) + (offset < 0 ? -offset : offset);
  DimVector sizes(self.sizes().slice(0, self.sizes().size() - 1));
  sizes.insert(static_cast<size_t>(std::min(first, second)), side);
  sizes.insert(static_cast<size_t>(std::max(first, second)), side);
  op.set_output_contiguous(0, sizes, self.options());
}

/// Copy of the elements `start` to `start + length - 1` along `dim`. A negative `start` counts from the end.
[[structured::meta("narrow_copy", "narrow_copy.out")]]
void narrow_copy_meta(MetaBase& op, const Tensor& self, int64_t dim, [[structured::symint]] int64_t start,
                      [[structured::symint]] int64_t length) {
  STRUCTURED_CHECK(self.dim() > 0, "narrow_copy: expected `self` to have at least one dimension");
  dim = wrap_dim(dim, self.dim());
  const int64_t extent = self.size(dim);
  STRUCTURED_CHECK(-extent <= start && start <= extent, "narrow_copy: expected a `start` from ", -extent, " to ",
                   extent, ", got ", start);
  if (start < 0) start += extent;
  STRUCTURED_CHECK(0 <= length && length <= extent - start, "narrow_copy: expected a `length` from 0 to ",
                   extent - start, ", got ", length);
  DimVector sizes(self.sizes());
  sizes[static_cast<size_t>(dim)] = length;
  op.set_output_raw_strided(0, sizes, {}, self.options());
}

/// Rearranges [..., C * r * r, H, W] to [..., C, H * r, W * r] with r = `upscale_factor` (sub-pixel convolution). The
/// number of channels must be divisible by r * r.
[[structured::meta("pixel_shuffle", "pixel_shuffle.out")]]
void pixel_shuffle_meta(MetaBase& op, const Tensor& self, int64_t upscale_factor) {
  STRUCTURED_CHECK(self.dim() >= 3, "pixel_shuffle: expected `self` to have 3 or more dimensions, got ", self.dim());
  STRUCTURED_CHECK(upscale_factor > 0, "pixel_shuffle: expected a positive `upscale_factor`, got ", upscale_factor);
  const int64_t square = product("pixel_shuffle", upscale_factor, upscale_factor);
  STRUCTURED_CHECK(self.size(-3) % square == 0, "pixel_shuffle: expected the number of channels to be divisible ",
                   "by the square of `upscale_factor`, got ", self.size(-3), " for ", upscale_factor);
  DimVector sizes(self.sizes());
  const size_t rank = sizes.size();
  sizes[rank - 3] /= square;
  sizes[rank - 2] = product("pixel_shuffle", sizes[rank - 2], upscale_factor);
  sizes[rank - 1] = product("pixel_shuffle", sizes[rank - 1], upscale_factor);
  set_like_format(op, self, sizes);
}

/// Rearranges [..., C, H * r, W * r] to [..., C * r * r, H, W] with r = `downscale_factor`, the inverse of
/// pixel_shuffle. Height and width must be divisible by r.
[[structured::meta("pixel_unshuffle", "pixel_unshuffle.out")]]
void pixel_unshuffle_meta(MetaBase& op, const Tensor& self, int64_t downscale_factor) {
  STRUCTURED_CHECK(self.dim() >= 3, "pixel_unshuffle: expected `self` to have 3 or more dimensions, got ", self.dim());
  STRUCTURED_CHECK(downscale_factor > 0, "pixel_unshuffle: expected a positive `downscale_factor`, got ",
                   downscale_factor);
  STRUCTURED_CHECK(self.size(-2) % downscale_factor == 0 && self.size(-1) % downscale_factor == 0,
                   "pixel_unshuffle: expected height and width to be divisible by `downscale_factor`, got sizes ",
                   self.sizes(), " for ", downscale_factor);
  DimVector sizes(self.sizes());
  const size_t rank = sizes.size();
  sizes[rank - 3] =
      product("pixel_unshuffle", sizes[rank - 3], product("pixel_unshuffle", downscale_factor, downscale_factor));
  sizes[rank - 2] /= downscale_factor;
  sizes[rank - 1] /= downscale_factor;
  set_like_format(op, self, sizes);
}

/// Transposes the channels of `self` [N, C, ...], read as a matrix [groups, C / groups], to [C / groups, groups].
/// `groups` must divide C.
[[structured::meta("channel_shuffle", "channel_shuffle.out")]]
void channel_shuffle_meta(MetaBase& op, const Tensor& self, int64_t groups) {
  STRUCTURED_CHECK(self.dim() > 2, "channel_shuffle: expected `self` to have more than 2 dimensions, got ", self.dim());
  STRUCTURED_CHECK(groups > 0, "channel_shuffle: expected a positive number of `groups`, got ", groups);
  STRUCTURED_CHECK(self.size(1) % groups == 0,
                   "channel_shuffle: expected the number of channels to be divisible by `groups`, got ", self.size(1),
                   " for ", groups);
  set_like_format(op, self, DimVector(self.sizes()));
}

}  // namespace structured::kernels
