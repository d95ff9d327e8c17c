// Views by sizes and strides: view, transpose, select, slice and expand. One kernel serves every backend with strided
// tensors.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>
#include <structured/core/view_builder.h>
#include <structured/core/wrap_dim.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "composite/view_sizes.h"

namespace structured::kernels {
namespace {

// General case: a size is inferred, or `self` is empty or not contiguous.
__attribute__((noinline)) Tensor view_general(const Tensor& self, IntArrayRef size) {
  const DimVector sizes = infer_size("view", size, self.numel());
  const std::optional<DimVector> strides = view_strides(self, sizes);
  STRUCTURED_CHECK(strides, "view: sizes ", IntArrayRef(sizes), " cannot address the elements of a tensor of sizes ",
                   self.sizes(), " and strides ", self.strides(), " in order; a copy is needed");
  return as_strided(self, sizes, *strides, self.storage_offset());
}

// Identity mapping of dimensions, for views that keep all of them.
DimVector all_dims(const Tensor& self) {
  DimVector dims(self.sizes().size(), 0);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

// Propagate the names of `self` to a view of it.
__attribute__((noinline, cold)) Tensor name_transposed(Tensor view, const Tensor& self, int64_t dim0, int64_t dim1) {
  DimVector sources = all_dims(self);
  std::swap(sources[static_cast<size_t>(dim0)], sources[static_cast<size_t>(dim1)]);
  return named_view(std::move(view), self, sources);
}

__attribute__((noinline, cold)) Tensor name_selected(Tensor view, const Tensor& self, int64_t dim) {
  DimVector sources = all_dims(view);
  for (int64_t& source : sources) source += source >= dim;
  return named_view(std::move(view), self, sources);
}

__attribute__((noinline, cold)) Tensor name_expanded(Tensor view, const Tensor& self) {
  DimVector sources = all_dims(view);
  for (int64_t& source : sources) source = std::max<int64_t>(source - (view.dim() - self.dim()), -1);
  return named_view(std::move(view), self, sources);
}

// General case and error reporting of transpose and select.
__attribute__((noinline)) Tensor transpose_general(const Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = wrap_dim(dim0, self.dim());
  dim1 = wrap_dim(dim1, self.dim());
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  ViewBuilder view(self, sizes.size());
  for (auto d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    const int64_t from = d == dim0 ? dim1 : d == dim1 ? dim0 : d;
    view.prepend(sizes[from], strides[from]);
  }
  Tensor result = std::move(view).finish(self.storage_offset());
  if (self.has_names()) [[unlikely]]
    return name_transposed(std::move(result), self, dim0, dim1);
  return result;
}

__attribute__((noinline)) Tensor select_general(const Tensor& self, int64_t dim, int64_t index) {
  STRUCTURED_CHECK(self.dim() > 0, "select: expected `self` to have at least one dimension");
  dim = wrap_dim(dim, self.dim());
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  const int64_t extent = sizes[dim];
  STRUCTURED_CHECK(-extent <= index && index < extent, "select: expected an index from ", -extent, " to ", extent - 1,
                   " in dimension ", dim, ", got ", index);
  ViewBuilder view(self, sizes.size() - 1);
  for (auto d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    if (d != dim) view.prepend(sizes[d], strides[d]);
  }
  const int64_t start = (index < 0 ? index + extent : index) * strides[dim];
  Tensor result = std::move(view).finish(self.storage_offset() + start);
  if (self.has_names()) [[unlikely]]
    return name_selected(std::move(result), self, dim);
  return result;
}

// Wraps a negative `value`. The result is `count` or more if `value` is out of range.
size_t position_of(int64_t value, size_t count) { return static_cast<size_t>(value) + (value < 0 ? count : 0); }

// A `fixed_rank` of 2, the most common rank, keeps sizes and strides in registers.
template <size_t fixed_rank = 0>
STRUCTURED_ALWAYS_INLINE Tensor transpose_fast(const Tensor& self, int64_t dim0, int64_t dim1) {
  const TensorImpl& base = *self.impl();
  const size_t rank = fixed_rank != 0 ? fixed_rank : base.rank();
  const size_t first = position_of(dim0, rank);
  const size_t second = position_of(dim1, rank);
  if (first >= rank || second >= rank) [[unlikely]]
    return transpose_general(self, dim0, dim1);
  QuickView view = QuickView::begin(self, rank);
  if (!view) [[unlikely]]
    return transpose_general(self, dim0, dim1);
  const int64_t* const sizes = base.sizes().data();
  const int64_t* const strides = base.strides().data();
  if (rank == 2) {
    const size_t last = first == second ? 1 : 0;
    view.set(1, sizes[last], strides[last]);
    view.set(0, sizes[1 - last], strides[1 - last]);
  } else {
    for (size_t d = rank; d-- > 0;) {
      const size_t from = d == first ? second : d == second ? first : d;
      view.set(d, sizes[from], strides[from]);
    }
  }
  return view.finish(base.storage_offset());
}

template <size_t fixed_rank = 0>
STRUCTURED_ALWAYS_INLINE Tensor select_fast(const Tensor& self, int64_t dim, int64_t index) {
  const TensorImpl& base = *self.impl();
  const size_t rank = fixed_rank != 0 ? fixed_rank : base.rank();
  const size_t selected = position_of(dim, rank);
  if (selected >= rank) [[unlikely]]
    return select_general(self, dim, index);
  const int64_t* const sizes = base.sizes().data();
  const int64_t* const strides = base.strides().data();
  const auto extent = static_cast<size_t>(sizes[selected]);
  const size_t at = position_of(index, extent);
  if (at >= extent) [[unlikely]]
    return select_general(self, dim, index);
  QuickView view = QuickView::begin(self, rank - 1);
  if (!view) [[unlikely]]
    return select_general(self, dim, index);
  if (rank == 2) {
    view.set(0, sizes[1 - selected], strides[1 - selected]);
  } else {
    for (size_t d = rank - 1; d-- > 0;) {
      const size_t from = d + (d >= selected);
      view.set(d, sizes[from], strides[from]);
    }
  }
  return view.finish(base.storage_offset() + static_cast<int64_t>(at) * strides[selected]);
}

__attribute__((noinline)) Tensor transpose_of_any_rank(const Tensor& self, int64_t dim0, int64_t dim1) {
  return self.defined() ? transpose_fast(self, dim0, dim1) : transpose_general(self, dim0, dim1);
}

__attribute__((noinline)) Tensor select_of_any_rank(const Tensor& self, int64_t dim, int64_t index) {
  return self.defined() ? select_fast(self, dim, index) : select_general(self, dim, index);
}

}  // namespace

/// View of `self` with shape `size`, in which one size may be -1 and is inferred. Elements are shared and keep their
/// row-major order; an error if no strides can express that.
[[structured::kernel("view", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size) {
  return contiguous_view(self, size, view_general);
}

/// View of `self` with the dimensions `dim0` and `dim1` swapped. Negative dimensions count from the end.
[[structured::kernel("transpose.int", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor transpose([[structured::alias("a")]] const Tensor& self, int64_t dim0, int64_t dim1) {
  if (!self.defined() || self.impl()->rank() != 2) return transpose_of_any_rank(self, dim0, dim1);
  return transpose_fast<2>(self, dim0, dim1);
}

/// View of the slice of `self` at `index` along `dim`, without that dimension. Negative values count from the end; an
/// index out of range is an error.
[[structured::kernel("select.int", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor select([[structured::alias("a")]] const Tensor& self, int64_t dim, int64_t index) {
  if (!self.defined() || self.impl()->rank() != 2) return select_of_any_rank(self, dim, index);
  return select_fast<2>(self, dim, index);
}

/// View of the elements `start`, `start` + `step`, ... before `end` along `dim`. Negative positions count from the end;
/// positions out of range are clamped. `step` must be positive.
[[structured::kernel("slice.Tensor", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor slice([[structured::alias("a")]] const Tensor& self, int64_t dim = 0,
             [[structured::symint]] std::optional<int64_t> start = std::nullopt,
             [[structured::symint]] std::optional<int64_t> end = std::nullopt,
             [[structured::symint]] int64_t step = 1) {
  STRUCTURED_CHECK(self.dim() > 0, "slice: expected `self` to have at least one dimension");
  STRUCTURED_CHECK(step > 0, "slice: expected a positive `step`, got ", step);
  dim = wrap_dim(dim, self.dim());
  const int64_t extent = self.size(dim);
  const auto position = [extent](int64_t value) {
    return std::clamp<int64_t>(value < 0 ? value + extent : value, 0, extent);
  };
  const int64_t first = position(start.value_or(0));
  const int64_t last = std::max(first, position(end.value_or(std::numeric_limits<int64_t>::max())));
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  int64_t stride;
  STRUCTURED_CHECK(!__builtin_mul_overflow(strides[dim], step, &stride), "slice: the stride for `step` overflows, got ",
                   step);
  ViewBuilder view(self, sizes.size());
  for (auto d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    const bool is_sliced = d == dim;
    view.prepend(is_sliced ? (last - first) / step + ((last - first) % step != 0) : sizes[d],
                 is_sliced ? stride : strides[d]);
  }
  Tensor result = std::move(view).finish(self.storage_offset() + first * strides[dim]);
  if (self.has_names()) [[unlikely]]
    return named_view(std::move(result), self, all_dims(self));
  return result;
}

/// View of `self` with dimensions of size 1 expanded to `size`, and new leading dimensions. A size of -1 keeps the
/// dimension. `implicit` has no effect.
[[structured::kernel("expand", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor expand([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size,
              [[structured::kwonly, maybe_unused]] bool implicit = false) {
  const int64_t added = static_cast<int64_t>(size.size()) - self.dim();
  STRUCTURED_CHECK(added >= 0, "expand: expected at least as many sizes as `self` has dimensions (", self.dim(),
                   "), got ", size.size());
  DimVector sizes(size);
  DimVector strides(sizes.size(), 0);
  for (int64_t d = static_cast<int64_t>(size.size()) - 1; d >= 0; --d) {
    const auto at = static_cast<size_t>(d);
    const bool is_new = d < added;
    STRUCTURED_CHECK(sizes[at] >= 0 || (sizes[at] == -1 && !is_new),
                     "expand: expected sizes of 0 or more, and -1 only for "
                     "dimensions that `self` has, got ",
                     size);
    const int64_t old = is_new ? 1 : self.size(d - added);
    if (sizes[at] == -1) {
      sizes[at] = old;
    }
    STRUCTURED_CHECK(sizes[at] == old || old == 1, "expand: dimension ", d, " of size ", old,
                     " cannot be given the size ", sizes[at]);
    if (sizes[at] != old || self.dim() == 0) {
      strides[at] = 0;
    } else {
      strides[at] = is_new ? sizes[at + 1] * strides[at + 1] : self.stride(d - added);
    }
  }
  Tensor result = as_strided(self, sizes, strides, self.storage_offset());
  if (self.has_names()) [[unlikely]]
    return name_expanded(std::move(result), self);
  return result;
}

}  // namespace structured::kernels
