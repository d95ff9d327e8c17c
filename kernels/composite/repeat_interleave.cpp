// Repetition: tile and the overloads of repeat_interleave.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/number/visit.h>
#include <structured/ops/clone.h>
#include <structured/ops/expand.h>
#include <structured/ops/flatten.h>
#include <structured/ops/index_select.h>
#include <structured/ops/repeat.h>
#include <structured/ops/repeat_interleave.h>
#include <structured/ops/reshape.h>
#include <structured/ops/unsqueeze.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace structured::kernels {

/// Repeats each index of the vector `repeats` (Int or Long) as often as its element says: [2, 0, 1] gives [0, 0, 2].
/// `output_size`, if given, must be the sum of `repeats`; the Meta backend requires it.
[[structured::kernel("repeat_interleave.Tensor", "CPU", "Meta"), structured::variants("repeat_interleave.Tensor_out"),
  structured::not_differentiable]]
Tensor repeat_interleave_positions(const Tensor& repeats,
                                   [[structured::kwonly]] std::optional<int64_t> output_size = std::nullopt) {
  STRUCTURED_CHECK(repeats.dim() == 1, "repeat_interleave: expected `repeats` to be a vector, got ", repeats.dim(),
                   " dimensions");
  STRUCTURED_CHECK(repeats.scalar_type() == kLong || repeats.scalar_type() == kInt,
                   "repeat_interleave: expected `repeats` of dtype Int or Long, got ", repeats.scalar_type());
  STRUCTURED_CHECK(output_size.value_or(0) >= 0, "repeat_interleave: expected `output_size` of 0 or more, got ",
                   output_size.value_or(0));
  if (repeats.is_meta()) {
    STRUCTURED_CHECK(output_size, "repeat_interleave: expected `output_size` for `repeats` on device meta");
    return empty(*output_size, repeats.options());
  }
  return visit < kInt |
         kLong > ("repeat_interleave", repeats.scalar_type(), [&]<class T>() {
           const int64_t count = repeats.size(0);
           const int64_t step = repeats.stride(0);
           const T* const times = repeats.data_ptr<T>();
           int64_t total = 0;
           for (int64_t i = 0; i < count; ++i) {
             STRUCTURED_CHECK(times[i * step] >= 0, "repeat_interleave: expected `repeats` of 0 or more, got ",
                              times[i * step]);
             STRUCTURED_CHECK(!__builtin_add_overflow(total, int64_t{times[i * step]}, &total),
                              "repeat_interleave: the result would have more elements than 64 bits can count");
           }
           STRUCTURED_CHECK(output_size.value_or(total) == total,
                            "repeat_interleave: expected `output_size` to be the sum of ", "`repeats`, ", total,
                            ", got ", output_size.value_or(0));
           const Tensor result = empty(total, repeats.options());
           T* to = result.data_ptr<T>();
           for (int64_t i = 0; i < count; ++i) to = std::fill_n(to, times[i * step], static_cast<T>(i));
           return result;
         });
}

/// Repeats `self` `dims[d]` times along each dimension d; `dims` or the sizes of `self` are extended with leading ones.
[[structured::composite("tile")]]
Tensor tile(const Tensor& self, IntArrayRef dims) {
  DimVector repeats;
  for (size_t d = dims.size(); d < self.sizes().size(); ++d) repeats.push_back(1);
  for (const int64_t repeat : dims) repeats.push_back(repeat);
  return structured::repeat(self, repeats);
}

/// Repeats each slice of `self` along `dim` `repeats` times in succession; without `dim`, each element of the flattened
/// tensor. `output_size`, if given, must be the resulting size.
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

/// Repeats slice i of `self` along `dim` `repeats[i]` times in succession; without `dim`, each element of the flattened
/// tensor. `repeats` (Int or Long) has one element for each slice, or one for all. `output_size`, if given, must be the
/// resulting size.
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

}  // namespace structured::kernels
