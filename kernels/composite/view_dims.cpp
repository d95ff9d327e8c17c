// Views that add, remove, reorder or combine dimensions.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/dimname.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/core/view_builder.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/alias.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/permute.h>
#include <structured/ops/transpose.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace structured::kernels {
namespace {

Tensor view_of(const Tensor& self, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  ViewBuilder view(self, sizes.size());
  for (size_t d = sizes.size(); d-- > 0;) view.prepend(sizes[d], strides[d]);
  return std::move(view).finish(offset);
}

// Returns `view` with the names of `self`: dimension d of the view is dimension `sources[d]` of `self`, or new if -1.
Tensor with_names(Tensor view, const Tensor& self, IntArrayRef sources) {
  return self.has_names() ? named_view(std::move(view), self, sources) : view;
}

Tensor& set_shape(Tensor& self, const DimVector& sizes, const DimVector& strides, IntArrayRef sources) {
  std::vector<Dimname> names;
  for (size_t d = 0; self.has_names() && d < sources.size(); ++d) {
    names.push_back(sources[d] < 0 ? Dimname() : self.names()[static_cast<size_t>(sources[d])]);
  }
  self.impl()->set_sizes_and_strides(sizes, strides);
  if (self.has_names() || !names.empty()) set_names(self, names);
  return self;
}

DimVector all_dims(int64_t rank) {
  DimVector dims(static_cast<size_t>(rank), 0);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

// Removes dimensions of size 1 for which `is_chosen(dim)` is true.
template <class IsChosen>
void drop_ones(const Tensor& self, DimVector& sizes, DimVector& strides, DimVector& sources, IsChosen is_chosen) {
  for (int64_t d = 0; d < self.dim(); ++d) {
    const auto at = static_cast<size_t>(d);
    if (self.sizes()[at] == 1 && is_chosen(d)) continue;
    sources.push_back(d);
    sizes.push_back(self.sizes()[at]);
    strides.push_back(self.strides()[at]);
  }
}

// Bit set of the dimensions in `dims`.
uint64_t listed_dims(const char* name, IntArrayRef dims, int64_t rank) {
  uint64_t result = 0;
  for (const int64_t dim : dims) {
    const uint64_t bit = uint64_t{1} << wrap_dim(dim, rank);
    STRUCTURED_CHECK((result & bit) == 0, name, ": expected distinct dimensions, got ", dims);
    result |= bit;
  }
  return result;
}

// Stride of a new dimension inserted at `dim`, as in a contiguous tensor.
int64_t new_stride(const Tensor& self, int64_t dim) {
  const auto at = static_cast<size_t>(dim);
  return dim == self.dim() ? 1 : self.sizes()[at] * self.strides()[at];
}

void check_transposed_matrix(const char* name, const Tensor& self) {
  STRUCTURED_CHECK(self.dim() <= 2, name, ": expected a tensor of at most 2 dimensions, got ", self.dim());
}

// Returns the source dimension of each dimension of the result.
DimVector moved_dims(const char* name, IntArrayRef source, IntArrayRef destination, int64_t rank) {
  STRUCTURED_CHECK(source.size() == destination.size(), name, ": expected as many dimensions in `source` as in ",
                   "`destination`, got ", source, " and ", destination);
  DimVector order(static_cast<size_t>(rank), -1);
  DimVector is_moved(static_cast<size_t>(rank), 0);
  if (rank == 0) {
    for (const IntArrayRef list : {source, destination}) {
      for (const int64_t dim : list) wrap_dim(dim, 0);
    }
    STRUCTURED_CHECK(source.size() <= 1, name, ": expected distinct dimensions, got ", source);
    return order;
  }
  for (size_t i = 0; i < source.size(); ++i) {
    const auto from = static_cast<size_t>(wrap_dim(source[i], rank));
    const auto to = static_cast<size_t>(wrap_dim(destination[i], rank));
    STRUCTURED_CHECK(is_moved[from] == 0, name, ": expected distinct dimensions in `source`, got ", source);
    STRUCTURED_CHECK(order[to] == -1, name, ": expected distinct dimensions in `destination`, got ", destination);
    is_moved[from] = 1;
    order[to] = static_cast<int64_t>(from);
  }
  size_t from = 0;
  for (int64_t& dim : order) {
    if (dim != -1) continue;
    while (is_moved[from] != 0) ++from;
    dim = static_cast<int64_t>(from++);
  }
  return order;
}

Tensor in_order(const Tensor& self, const DimVector& order) { return structured::permute(self, order); }

}  // namespace

/// View of `self` without its dimensions of size 1.
[[structured::kernel("squeeze", "CompositeExplicitAutograd")]]
Tensor squeeze([[structured::alias("a")]] const Tensor& self) {
  DimVector sizes;
  DimVector strides;
  DimVector sources;
  drop_ones(self, sizes, strides, sources, [](int64_t) { return true; });
  return with_names(view_of(self, sizes, strides, self.storage_offset()), self, sources);
}

/// View of `self` without dimension `dim` if its size is 1, otherwise with the same shape.
[[structured::kernel("squeeze.dim", "CPU", "Meta", "CompositeExplicitAutograd"), structured::tags("core")]]
Tensor squeeze_dim([[structured::alias("a")]] const Tensor& self, int64_t dim) {
  dim = wrap_dim(dim, self.dim());
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  const bool drops = !sizes.empty() && sizes[static_cast<size_t>(dim)] == 1;
  ViewBuilder view(self, sizes.size() - drops);
  for (size_t d = sizes.size(); d-- > 0;) {
    if (!drops || static_cast<int64_t>(d) != dim) view.prepend(sizes[d], strides[d]);
  }
  Tensor result = std::move(view).finish(self.storage_offset());
  if (!self.has_names()) [[likely]]
    return result;
  DimVector sources = all_dims(result.dim());
  for (int64_t& source : sources) source += drops && source >= dim;
  return named_view(std::move(result), self, sources);
}

/// View of `self` without those of the dimensions `dim` whose size is 1. A repeated dimension is an error.
[[structured::kernel("squeeze.dims", "CompositeExplicitAutograd"), structured::tags("core")]]
Tensor squeeze_dims([[structured::alias("a")]] const Tensor& self, IntArrayRef dim) {
  const uint64_t chosen = listed_dims("squeeze", dim, self.dim());
  DimVector sizes;
  DimVector strides;
  DimVector sources;
  drop_ones(self, sizes, strides, sources, [chosen](int64_t d) { return (chosen >> d & 1) != 0; });
  return with_names(view_of(self, sizes, strides, self.storage_offset()), self, sources);
}

/// Removes the dimensions of size 1 of `self` in place.
[[structured::kernel("squeeze_", "CompositeExplicitAutograd")]]
Tensor& squeeze_(Tensor& self) {
  DimVector sizes;
  DimVector strides;
  DimVector sources;
  drop_ones(self, sizes, strides, sources, [](int64_t) { return true; });
  return set_shape(self, sizes, strides, sources);
}

/// Removes dimension `dim` of `self` in place if its size is 1.
[[structured::kernel("squeeze_.dim", "CompositeExplicitAutograd")]]
Tensor& squeeze_dim_(Tensor& self, int64_t dim) {
  dim = wrap_dim(dim, self.dim());
  DimVector sizes;
  DimVector strides;
  DimVector sources;
  drop_ones(self, sizes, strides, sources, [dim](int64_t d) { return d == dim; });
  return set_shape(self, sizes, strides, sources);
}

/// Removes those of the dimensions `dim` of `self` in place whose size is 1. A repeated dimension is an error.
[[structured::kernel("squeeze_.dims", "CompositeExplicitAutograd")]]
Tensor& squeeze_dims_(Tensor& self, IntArrayRef dim) {
  const uint64_t chosen = listed_dims("squeeze_", dim, self.dim());
  DimVector sizes;
  DimVector strides;
  DimVector sources;
  drop_ones(self, sizes, strides, sources, [chosen](int64_t d) { return (chosen >> d & 1) != 0; });
  return set_shape(self, sizes, strides, sources);
}

/// View of `self` with a new dimension of size 1 at position `dim` of the result. A negative `dim` counts from the end
/// of the result.
[[structured::kernel("unsqueeze", "CPU", "Meta", "CompositeExplicitAutograd"), structured::tags("core")]]
Tensor unsqueeze([[structured::alias("a")]] const Tensor& self, int64_t dim) {
  dim = wrap_dim(dim, self.dim() + 1);
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  const int64_t stride = new_stride(self, dim);
  ViewBuilder view(self, sizes.size() + 1);
  for (auto d = static_cast<int64_t>(sizes.size()); d >= 0; --d) {
    const auto from = static_cast<size_t>(d - (d > dim));
    view.prepend(d == dim ? 1 : sizes[from], d == dim ? stride : strides[from]);
  }
  Tensor result = std::move(view).finish(self.storage_offset());
  if (!self.has_names()) [[likely]]
    return result;
  DimVector sources = all_dims(self.dim());
  sources.insert(static_cast<size_t>(dim), -1);
  return named_view(std::move(result), self, sources);
}

/// Inserts a dimension of size 1 at position `dim` of `self` in place. A negative `dim` counts from the end of the
/// result.
[[structured::kernel("unsqueeze_", "CompositeExplicitAutograd")]]
Tensor& unsqueeze_(Tensor& self, int64_t dim) {
  dim = wrap_dim(dim, self.dim() + 1);
  DimVector sizes(self.sizes());
  DimVector strides(self.strides());
  strides.insert(static_cast<size_t>(dim), new_stride(self, dim));
  sizes.insert(static_cast<size_t>(dim), 1);
  DimVector sources = all_dims(self.dim());
  sources.insert(static_cast<size_t>(dim), -1);
  return set_shape(self, sizes, strides, sources);
}

/// View of `self` with permuted dimensions: dimension i of the result is dimension `dims[i]` of `self`. `dims` must be
/// a permutation.
[[structured::kernel("permute", "CPU", "Meta", "CompositeExplicitAutograd"), structured::tags("core")]]
Tensor permute([[structured::alias("a")]] const Tensor& self, IntArrayRef dims) {
  const int64_t rank = self.dim();
  STRUCTURED_CHECK(static_cast<int64_t>(dims.size()) == rank, "permute: expected as many `dims` as `self` has (", rank,
                   "), got ", dims);
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  ViewBuilder view(self, dims.size());
  uint64_t seen = 0;
  for (size_t d = dims.size(); d-- > 0;) {
    const auto from = static_cast<size_t>(wrap_dim(dims[d], rank));
    STRUCTURED_CHECK((seen >> from & 1) == 0, "permute: expected distinct `dims`, got ", dims);
    seen |= uint64_t{1} << from;
    view.prepend(sizes[from], strides[from]);
  }
  Tensor result = std::move(view).finish(self.storage_offset());
  if (!self.has_names()) [[likely]]
    return result;
  DimVector sources(dims);
  for (int64_t& source : sources) source = wrap_dim(source, rank);
  return named_view(std::move(result), self, sources);
}

/// Swaps the dimensions `dim0` and `dim1` of `self` in place.
[[structured::kernel("transpose_", "CompositeExplicitAutograd")]]
Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = wrap_dim(dim0, self.dim());
  dim1 = wrap_dim(dim1, self.dim());
  if (dim0 == dim1) return self;
  DimVector sizes;
  DimVector strides;
  DimVector sources;
  for (int64_t d = 0; d < self.dim(); ++d) {
    const int64_t from = d == dim0 ? dim1 : d == dim1 ? dim0 : d;
    sources.push_back(from);
    sizes.push_back(self.sizes()[static_cast<size_t>(from)]);
    strides.push_back(self.strides()[static_cast<size_t>(from)]);
  }
  return set_shape(self, sizes, strides, sources);
}

/// View of the transpose of a matrix. Vectors and scalar tensors keep their shape; more than 2 dimensions are an error.
[[structured::kernel("t", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor t([[structured::alias("a")]] const Tensor& self) {
  check_transposed_matrix("t", self);
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  ViewBuilder view(self, sizes.size());
  for (size_t d = 0; d < sizes.size(); ++d) view.prepend(sizes[d], strides[d]);
  Tensor result = std::move(view).finish(self.storage_offset());
  if (!self.has_names()) [[likely]]
    return result;
  DimVector sources = all_dims(self.dim());
  std::reverse(sources.begin(), sources.end());
  return named_view(std::move(result), self, sources);
}

/// Transposes a matrix in place. Vectors and scalar tensors keep their shape; more than 2 dimensions are an error.
[[structured::kernel("t_", "CompositeExplicitAutograd")]]
Tensor& t_(Tensor& self) {
  check_transposed_matrix("t_", self);
  DimVector sizes(self.sizes());
  DimVector strides(self.strides());
  std::reverse(sizes.begin(), sizes.end());
  std::reverse(strides.begin(), strides.end());
  DimVector sources = all_dims(self.dim());
  std::reverse(sources.begin(), sources.end());
  return set_shape(self, sizes, strides, sources);
}

/// View of diagonal `offset` of the dimensions `dim1` and `dim2`, which are replaced by one last dimension: elements
/// with `index2 = index1 + offset`. The diagonal is empty if `offset` is out of range.
[[structured::kernel("diagonal", "CompositeExplicitAutograd")]]
Tensor diagonal([[structured::alias("a")]] const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) {
  const int64_t rank = self.dim();
  const int64_t first = wrap_dim(dim1, rank);
  const int64_t second = wrap_dim(dim2, rank);
  STRUCTURED_CHECK(first != second, "diagonal: expected two dimensions, got ", dim1, " and ", dim2);
  const int64_t rows = self.size(first);
  const int64_t columns = self.size(second);
  // Length of the diagonal, by comparisons that cannot overflow for any offset.
  int64_t count = 0;
  if (offset >= 0) {
    if (offset < columns) count = std::min(rows, columns - offset);
  } else if (-(offset + 1) < rows) {
    count = std::min(rows + offset, columns);
  }
  int64_t start = self.storage_offset();
  if (count > 0) start += offset >= 0 ? offset * self.stride(second) : -offset * self.stride(first);
  DimVector sizes;
  DimVector strides;
  DimVector sources;
  for (int64_t d = 0; d < rank; ++d) {
    if (d == first || d == second) continue;
    sources.push_back(d);
    sizes.push_back(self.size(d));
    strides.push_back(self.stride(d));
  }
  sources.push_back(-1);
  sizes.push_back(count);
  strides.push_back(self.stride(first) + self.stride(second));
  return with_names(view_of(self, sizes, strides, start), self, sources);
}

/// View of diagonal `offset` of the matrices `A` [..., N, M], or of the dimensions `dim1` and `dim2`, which are
/// replaced by one last dimension.
[[structured::composite("linalg_diagonal")]]
Tensor linalg_diagonal([[structured::alias("a")]] const Tensor& A, [[structured::kwonly]] int64_t offset = 0,
                       int64_t dim1 = -2, int64_t dim2 = -1) {
  return structured::diagonal(A, offset, dim1, dim2);
}

/// View of the windows of `size` elements along `dimension`, `step` apart, with the window elements as a new last
/// dimension.
[[structured::kernel("unfold", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor unfold([[structured::alias("a")]] const Tensor& self, int64_t dimension, int64_t size, int64_t step) {
  const bool is_scalar = self.dim() == 0;
  const int64_t dim = wrap_dim(dimension, self.dim());
  const int64_t extent = is_scalar ? 1 : self.size(dim);
  STRUCTURED_CHECK(0 <= size && size <= extent, "unfold: expected a `size` from 0 to ", extent, ", got ", size);
  STRUCTURED_CHECK(step > 0, "unfold: expected a positive `step`, got ", step);
  DimVector sizes(self.sizes());
  DimVector strides(self.strides());
  sizes.push_back(size);
  strides.push_back(is_scalar ? 1 : self.stride(dim));
  if (!is_scalar) {
    const auto at = static_cast<size_t>(dim);
    sizes[at] = (extent - size) / step + 1;
    STRUCTURED_CHECK(!__builtin_mul_overflow(strides[at], step, &strides[at]),
                     "unfold: the stride for `step` overflows, got ", step);
  }
  return view_of(self, sizes, strides, self.storage_offset());
}

/// View of `self` with the dimensions `source` moved to the positions `destination`. The other dimensions keep their
/// order.
[[structured::composite("movedim.intlist")]]
Tensor movedim([[structured::alias("a")]] const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  return in_order(self, moved_dims("movedim", source, destination, self.dim()));
}

/// View of `self` with dimension `source` moved to position `destination`. The other dimensions keep their order.
[[structured::composite("movedim.int")]]
Tensor movedim_int([[structured::alias("a")]] const Tensor& self, int64_t source, int64_t destination) {
  return in_order(self, moved_dims("movedim", source, destination, self.dim()));
}

/// View of `self` with the dimensions `source` moved to the positions `destination`; alias of movedim. The other
/// dimensions keep their order.
[[structured::composite("moveaxis.intlist")]]
Tensor moveaxis([[structured::alias("a")]] const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  return in_order(self, moved_dims("moveaxis", source, destination, self.dim()));
}

/// View of `self` with dimension `source` moved to position `destination`; alias of movedim. The other dimensions keep
/// their order.
[[structured::composite("moveaxis.int")]]
Tensor moveaxis_int([[structured::alias("a")]] const Tensor& self, int64_t source, int64_t destination) {
  return in_order(self, moved_dims("moveaxis", source, destination, self.dim()));
}

/// View of `self` with the dimensions `axis0` and `axis1` swapped; alias of transpose.
[[structured::composite("swapaxes")]]
Tensor swapaxes([[structured::alias("a")]] const Tensor& self, int64_t axis0, int64_t axis1) {
  return structured::transpose(self, axis0, axis1);
}

/// View of `self` with the dimensions `dim0` and `dim1` swapped; alias of transpose.
[[structured::composite("swapdims")]]
Tensor swapdims([[structured::alias("a")]] const Tensor& self, int64_t dim0, int64_t dim1) {
  return structured::transpose(self, dim0, dim1);
}

/// Swaps the dimensions `axis0` and `axis1` of `self` in place; alias of transpose_.
[[structured::composite("swapaxes_")]]
Tensor& swapaxes_(Tensor& self, int64_t axis0, int64_t axis1) {
  return structured::transpose_(self, axis0, axis1);
}

/// Swaps the dimensions `dim0` and `dim1` of `self` in place; alias of transpose_.
[[structured::composite("swapdims_")]]
Tensor& swapdims_(Tensor& self, int64_t dim0, int64_t dim1) {
  return structured::transpose_(self, dim0, dim1);
}

/// View of `self` with all dimensions in reverse order.
[[structured::composite("numpy_T")]]
Tensor numpy_T([[structured::alias("a")]] const Tensor& self) {
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  ViewBuilder view(self, sizes.size());
  for (size_t d = 0; d < sizes.size(); ++d) view.prepend(sizes[d], strides[d]);
  return std::move(view).finish(self.storage_offset());
}

/// View of the transposes of the matrices [..., N, M]: [..., M, N]. A scalar tensor is returned unchanged; a vector is
/// an error.
[[structured::composite("mT")]]
Tensor mT([[structured::alias("a")]] const Tensor& self) {
  if (self.dim() == 0) return structured::alias(self);
  STRUCTURED_CHECK(self.dim() >= 2, "mT: expected matrices, got a tensor of ", self.dim(), " dimensions");
  return structured::transpose(self, -2, -1);
}

}  // namespace structured::kernels
