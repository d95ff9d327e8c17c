// Views: tensors that share their elements with another. They only compute sizes and strides, so one kernel serves
// every backend with strided tensors.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
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

namespace structured::kernels {
namespace {

// `size` with its one -1 replaced by what makes the number of elements `numel`.
DimVector infer_size(IntArrayRef size, int64_t numel) {
  DimVector result(size);
  std::optional<size_t> inferred;
  int64_t known = 1;
  for (size_t d = 0; d < result.size(); ++d) {
    if (result[d] == -1) {
      STRUCTURED_CHECK(!inferred, "view: expected at most one size to be -1, got sizes ", size);
      inferred = d;
    } else {
      STRUCTURED_CHECK(result[d] >= 0, "view: expected sizes of 0 or more, or one -1, got ", size);
      STRUCTURED_CHECK(!__builtin_mul_overflow(known, result[d], &known), "view: sizes ", size,
                       " have more elements than 64 bits can count");
    }
  }
  if (inferred) {
    STRUCTURED_CHECK(known != 0, "view: the size at -1 cannot be told from sizes ", size, ", which have no elements");
    STRUCTURED_CHECK(numel % known == 0, "view: sizes ", size, " do not fit ", numel, " elements");
    result[*inferred] = numel / known;
  } else {
    STRUCTURED_CHECK(known == numel, "view: sizes ", size, " do not fit ", numel, " elements");
  }
  return result;
}

// Strides under which `size` addresses the elements of `self` in order, if there are any. Old dimensions that are
// dense with one another form a chunk; each new dimension must lie within one chunk.
std::optional<DimVector> view_strides(const Tensor& self, const DimVector& size) {
  DimVector strides(size.size(), 0);
  if (self.numel() == 0) {
    if (self.sizes() == IntArrayRef(size)) {
      return DimVector(self.strides());
    }
    int64_t stride = 1;
    for (size_t d = size.size(); d-- > 0;) {
      strides[d] = stride;
      stride *= std::max<int64_t>(size[d], 1);
    }
    return strides;
  }
  auto next = static_cast<int64_t>(size.size()) - 1;
  int64_t chunk_stride = self.dim() == 0 ? 1 : self.stride(-1);
  int64_t chunk_numel = 1;
  int64_t viewed = 1;
  for (int64_t d = self.dim() - 1; d >= 0; --d) {
    chunk_numel *= self.size(d);
    const bool chunk_ends = d == 0 || (self.size(d - 1) != 1 && self.stride(d - 1) != chunk_numel * chunk_stride);
    if (!chunk_ends) {
      continue;
    }
    while (next >= 0 && (viewed < chunk_numel || size[static_cast<size_t>(next)] == 1)) {
      strides[static_cast<size_t>(next)] = viewed * chunk_stride;
      viewed *= size[static_cast<size_t>(next)];
      --next;
    }
    if (viewed != chunk_numel) {
      return std::nullopt;
    }
    if (d > 0) {
      chunk_stride = self.stride(d - 1);
      chunk_numel = 1;
      viewed = 1;
    }
  }
  if (self.dim() == 0) {
    std::fill(strides.begin(), strides.end(), 1);
    next = -1;
  }
  return next == -1 ? std::optional(std::move(strides)) : std::nullopt;
}

// Where sizes must be inferred, or where `self` is not contiguous or empty.
__attribute__((noinline)) Tensor view_slowly(const Tensor& self, IntArrayRef size) {
  const DimVector sizes = infer_size(size, self.numel());
  const std::optional<DimVector> strides = view_strides(self, sizes);
  STRUCTURED_CHECK(strides, "view: sizes ", IntArrayRef(sizes), " cannot address the elements of a tensor of sizes ",
                   self.sizes(), " and strides ", self.strides(), " in order; a copy is needed");
  return detail::as_strided_view(self, sizes, *strides, self.storage_offset());
}

// The dimensions of `self` in their order: for views that keep them all.
DimVector all_dims(const Tensor& self) {
  DimVector dims(self.sizes().size(), 0);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

// How a tensor with names hands them on.
__attribute__((noinline, cold)) Tensor name_transposed(Tensor view, const Tensor& self, int64_t dim0, int64_t dim1) {
  DimVector sources = all_dims(self);
  std::swap(sources[static_cast<size_t>(dim0)], sources[static_cast<size_t>(dim1)]);
  return detail::named_view(std::move(view), self, sources);
}

__attribute__((noinline, cold)) Tensor name_selected(Tensor view, const Tensor& self, int64_t dim) {
  DimVector sources = all_dims(view);
  for (int64_t& source : sources) source += source >= dim;
  return detail::named_view(std::move(view), self, sources);
}

__attribute__((noinline, cold)) Tensor name_expanded(Tensor view, const Tensor& self) {
  DimVector sources = all_dims(view);
  for (int64_t& source : sources) source = std::max<int64_t>(source - (view.dim() - self.dim()), -1);
  return detail::named_view(std::move(view), self, sources);
}

}  // namespace

/// `self` under other sizes, one of which may be -1, meaning "what is left". The elements are shared and keep their
/// order; an error where no strides can do that.
[[structured::kernel("view", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size) {
  if (self.is_contiguous()) {
    Tensor result = detail::contiguous_view(self, size);
    if (result.defined()) return result;
  }
  return view_slowly(self, size);
}

/// `self` with two dimensions exchanged. Negative dimensions count from the end.
[[structured::kernel("transpose.int", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor transpose([[structured::alias("a")]] const Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = wrap_dim(dim0, self.dim());
  dim1 = wrap_dim(dim1, self.dim());
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  detail::ViewBuilder view(self, sizes.size());
  for (auto d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    const int64_t from = d == dim0 ? dim1 : d == dim1 ? dim0 : d;
    view.prepend(sizes[from], strides[from]);
  }
  Tensor result = std::move(view).finish(self.storage_offset());
  if (self.has_names()) [[unlikely]]
    return name_transposed(std::move(result), self, dim0, dim1);
  return result;
}

/// The slice of `self` at position `index` of dimension `dim`, which the result has not. Negative ones count from the
/// end.
[[structured::kernel("select.int", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor select([[structured::alias("a")]] const Tensor& self, int64_t dim, int64_t index) {
  STRUCTURED_CHECK(self.dim() > 0, "select: expected `self` to have at least one dimension");
  dim = wrap_dim(dim, self.dim());
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  const int64_t extent = sizes[dim];
  STRUCTURED_CHECK(-extent <= index && index < extent, "select: expected an index from ", -extent, " to ", extent - 1,
                   " in dimension ", dim, ", got ", index);
  detail::ViewBuilder view(self, sizes.size() - 1);
  for (auto d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    if (d != dim) view.prepend(sizes[d], strides[d]);
  }
  const int64_t start = (index < 0 ? index + extent : index) * strides[dim];
  Tensor result = std::move(view).finish(self.storage_offset() + start);
  if (self.has_names()) [[unlikely]]
    return name_selected(std::move(result), self, dim);
  return result;
}

/// The elements start, start + step, ... before `end` along `dim`. Negative positions count from the end, positions
/// outside are moved to the nearest one inside.
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
  STRUCTURED_CHECK(!__builtin_mul_overflow(strides[dim], step, &stride),
                   "slice: expected a `step` that strides can say, got ", step);
  detail::ViewBuilder view(self, sizes.size());
  for (auto d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    const bool is_sliced = d == dim;
    view.prepend(is_sliced ? (last - first) / step + ((last - first) % step != 0) : sizes[d],
                 is_sliced ? stride : strides[d]);
  }
  Tensor result = std::move(view).finish(self.storage_offset() + first * strides[dim]);
  if (self.has_names()) [[unlikely]]
    return detail::named_view(std::move(result), self, all_dims(self));
  return result;
}

/// `self` with dimensions of size 1 repeated without a copy, and new dimensions in front. A size of -1 keeps the
/// dimension as it is. `implicit` says that a caller's broadcasting asked for it; it changes nothing here.
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
  Tensor result = detail::as_strided_view(self, sizes, strides, self.storage_offset());
  if (self.has_names()) [[unlikely]]
    return name_expanded(std::move(result), self);
  return result;
}

}  // namespace structured::kernels
