// Rearrangements that are made of others.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/clone.h>
#include <structured/ops/diag.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/expand.h>
#include <structured/ops/flatten.h>
#include <structured/ops/flip.h>
#include <structured/ops/index_select.h>
#include <structured/ops/repeat.h>
#include <structured/ops/repeat_interleave.h>
#include <structured/ops/reshape.h>
#include <structured/ops/sum.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unsqueeze.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {

/// `self` rotated `k` times by a right angle, from the first of `dims` towards the second.
[[structured::kernel("rot90", "CompositeExplicitAutograd")]]
Tensor rot90(const Tensor& self, int64_t k = 1, IntArrayRef dims = {0, 1}) {
  STRUCTURED_CHECK(dims.size() == 2, "rot90: expected 2 `dims`, got ", dims);
  STRUCTURED_CHECK(self.dim() >= 2, "rot90: expected `self` to have 2 or more dimensions, got ", self.dim());
  const int64_t from = wrap_dim(dims[0], self.dim());
  const int64_t to = wrap_dim(dims[1], self.dim());
  STRUCTURED_CHECK(from != to, "rot90: expected two dimensions, got ", dims);
  switch ((k % 4 + 4) % 4) {
    case 1: {
      Tensor result = structured::flip(self, to);
      return structured::transpose_(result, from, to);
    }
    case 2:
      return structured::flip(self, {from, to});
    case 3: {
      Tensor result = structured::flip(self, from);
      return structured::transpose_(result, from, to);
    }
    default:
      return structured::clone(self, MemoryFormat::Contiguous);
  }
}

/// `self` with its columns in the opposite order.
[[structured::composite("fliplr")]]
Tensor fliplr(const Tensor& self) {
  STRUCTURED_CHECK(self.dim() >= 2, "fliplr: expected `self` to have 2 or more dimensions, got ", self.dim());
  return structured::flip(self, 1);
}

/// `self` with its rows in the opposite order.
[[structured::composite("flipud")]]
Tensor flipud(const Tensor& self) {
  STRUCTURED_CHECK(self.dim() >= 1, "flipud: expected `self` to have dimensions");
  return structured::flip(self, 0);
}

/// `repeat`, where the dimensions that `dims` leaves out are the first ones.
[[structured::composite("tile")]]
Tensor tile(const Tensor& self, IntArrayRef dims) {
  DimVector repeats;
  for (size_t d = dims.size(); d < self.sizes().size(); ++d) repeats.push_back(1);
  for (const int64_t repeat : dims) repeats.push_back(repeat);
  return structured::repeat(self, repeats);
}

/// Each slice along `dim` `repeats` times in a row; without `dim`, each element of `self` as one row. `output_size`, if
/// given, is the size that comes out.
[[structured::composite("repeat_interleave.self_int")]]
Tensor repeat_interleave(const Tensor& self, int64_t repeats, std::optional<int64_t> dim = std::nullopt,
                         [[structured::kwonly]] std::optional<int64_t> output_size = std::nullopt) {
  STRUCTURED_CHECK(repeats >= 0, "repeat_interleave: expected `repeats` of 0 or more, got ", repeats);
  STRUCTURED_CHECK(!dim || self.dim() > 0, "repeat_interleave: expected no `dim` for a tensor without dimensions, got ",
                   dim.value_or(0));
  const Tensor input = dim ? self : structured::flatten(self);
  const int64_t along = wrap_dim(dim.value_or(0), input.dim());
  STRUCTURED_CHECK(
      !output_size || (repeats == 0 ? *output_size == 0
                                    : *output_size % repeats == 0 && *output_size / repeats == input.size(along)),
      "repeat_interleave: expected `output_size` to be `repeats` times ", input.size(along), ", got ",
      output_size.value_or(0));
  const Tensor between = structured::unsqueeze(input, along + 1);
  DimVector sizes(between.sizes());
  sizes[static_cast<size_t>(along + 1)] = repeats;
  return structured::flatten(structured::clone(structured::expand(between, sizes), MemoryFormat::Contiguous), along,
                             along + 1);
}

/// Each slice along `dim` as often as its element of `repeats` says, which has one for each slice, or one for all.
[[structured::composite("repeat_interleave.self_Tensor")]]
Tensor repeat_interleave_each(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim = std::nullopt,
                              [[structured::kwonly]] std::optional<int64_t> output_size = std::nullopt) {
  STRUCTURED_CHECK(!dim || self.dim() > 0, "repeat_interleave: expected no `dim` for a tensor without dimensions, got ",
                   dim.value_or(0));
  const Tensor input = dim ? self : structured::flatten(self);
  const int64_t along = wrap_dim(dim.value_or(0), input.dim());
  STRUCTURED_CHECK(repeats.dim() <= 1, "repeat_interleave: expected `repeats` to be a vector or a number, got ",
                   repeats.dim(), " dimensions");
  STRUCTURED_CHECK(repeats.numel() == 1 || repeats.numel() == input.size(along),
                   "repeat_interleave: expected `repeats` for each of ", input.size(along), " slices, got ",
                   repeats.numel());
  const Tensor times = structured::expand(structured::reshape(repeats, -1), input.size(along));
  return structured::index_select(input, along, structured::repeat_interleave(times, output_size));
}

/// The elements of `self` as a diagonal of a square matrix of zeros.
[[structured::composite("diagflat")]]
Tensor diagflat(const Tensor& self, int64_t offset = 0) {
  return structured::diag(structured::flatten(self), offset);
}

/// The sum of the diagonal of a matrix. Integers give Long.
[[structured::kernel("trace", "CompositeExplicitAutograd")]]
Tensor trace(const Tensor& self) {
  STRUCTURED_CHECK(self.dim() == 2, "trace: expected a matrix, got ", self.dim(), " dimensions");
  STRUCTURED_CHECK(self.scalar_type() != kBool, "trace: expected numbers, got Bool");
  return structured::sum(structured::diagonal(self));
}

}  // namespace structured::kernels
