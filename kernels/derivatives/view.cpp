// Derivatives of views, and of operators that copy or move elements.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/arange.h>
#include <structured/ops/as_strided.h>
#include <structured/ops/as_strided_scatter.h>
#include <structured/ops/channel_shuffle.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/constant_pad_nd.h>
#include <structured/ops/contiguous.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/diagonal_scatter.h>
#include <structured/ops/div.h>
#include <structured/ops/flip.h>
#include <structured/ops/index_add.h>
#include <structured/ops/narrow.h>
#include <structured/ops/numpy_T.h>
#include <structured/ops/ones.h>
#include <structured/ops/permute.h>
#include <structured/ops/pixel_shuffle.h>
#include <structured/ops/pixel_unshuffle.h>
#include <structured/ops/reshape.h>
#include <structured/ops/roll.h>
#include <structured/ops/rot90.h>
#include <structured/ops/select.h>
#include <structured/ops/select_scatter.h>
#include <structured/ops/slice.h>
#include <structured/ops/slice_scatter.h>
#include <structured/ops/sum.h>
#include <structured/ops/t.h>
#include <structured/ops/transpose.h>
#include <structured/ops/tril.h>
#include <structured/ops/triu.h>
#include <structured/ops/unfold_backward.h>
#include <structured/ops/view_as_complex.h>
#include <structured/ops/view_as_real.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "derivatives/formula.h"

namespace structured::derivatives {

/// Gradient of operators that keep the row-major order of the elements.
[[structured::backward("_reshape_alias_copy")]] [[structured::backward("squeeze_copy")]] [[structured::backward(
    "squeeze_copy.dim")]] [[structured::
                                backward("squeeze_copy.dims")]] [[structured::backward(
    "unsqueeze_copy")]] [[structured::backward("view_copy")]] [[structured::
                                                                    backward("view")]] [[structured::backward(
    "_unsafe_view")]] [[structured::backward("reshape")]] [[structured::
                                                                backward("reshape_as", "self")]] [[structured::backward(
    "_reshape_alias")]] [[structured::backward("squeeze")]] [[structured::
                                                                  backward("squeeze.dim")]] [[structured::backward(
    "squeeze.dims")]] [[structured::backward("unsqueeze")]] [[structured::
                                                                  backward("squeeze_")]] [[structured::backward(
    "squeeze_.dim")]] [[structured::backward("squeeze_.dims")]] [[structured::backward("unsqueeze_")]]
Tensor reshaped(const Tensor& grad, IntArrayRef self_sizes) {
  return structured::reshape(grad, self_sizes);
}

/// Gradient of operators whose node sums or converts it, if needed.
[[structured::backward("alias_copy")]] [[structured::backward("expand_copy")]] [[structured::backward(
    "expand")]] [[structured::backward("clone")]] [[structured::backward("alias")]] [[structured::backward("_to_copy")]]
Tensor unchanged(const Tensor& grad) {
  return grad;
}

[[structured::backward("copy_", "src")]]
Tensor copied(const Tensor& grad) {
  return grad;
}

/// Gradient of a value that an operator overwrites, or of a probability: none.
[[structured::backward("cauchy_")]] [[structured::backward("exponential_")]] [[structured::backward(
    "geometric_")]] [[structured::
                          backward("log_normal_")]] [[structured::backward(
    "normal.Tensor_float")]] [[structured::
                                   backward("normal.float_Tensor")]] [[structured::backward(
    "normal.Tensor_Tensor", "mean")]] [[structured::
                                            backward("normal.Tensor_Tensor", "std")]] [[structured::backward(
    "fill_.Scalar")]] [[structured::backward("zero_")]] [[structured::
                                                              backward("normal_")]] [[structured::backward(
    "uniform_")]] [[structured::backward("random_.from")]] [[structured::
                                                                 backward("bernoulli_.float")]] [[structured::backward(
    "bernoulli_.Tensor", "self")]] [[structured::backward("bernoulli")]] [[structured::backward("bernoulli.p")]]
Tensor overwritten([[maybe_unused]] const Tensor& grad) {
  return Tensor();
}

[[structured::backward("transpose_copy.int")]] [[structured::backward("transpose.int")]]
Tensor transposed(const Tensor& grad, int64_t dim0, int64_t dim1) {
  return structured::transpose(grad, dim0, dim1);
}

[[structured::backward("t_copy")]] [[structured::backward("t")]] [[structured::backward("t_")]]
Tensor t(const Tensor& grad) {
  return structured::t(grad);
}

[[structured::backward("numpy_T")]]
Tensor reversed(const Tensor& grad) {
  return structured::numpy_T(grad);
}

[[structured::backward("permute_copy")]] [[structured::backward("permute")]]
Tensor permuted(const Tensor& grad, IntArrayRef dims) {
  DimVector inverse(dims.size(), 0);
  const auto rank = static_cast<int64_t>(dims.size());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    inverse[static_cast<std::size_t>(wrap_dim(dims[d], rank))] = static_cast<int64_t>(d);
  }
  return structured::permute(grad, inverse);
}

[[structured::backward("select_copy.int")]] [[structured::backward("select.int")]]
Tensor select(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, int64_t index) {
  return structured::select_scatter(structured::zeros(self_sizes, grad.options()), grad, dim, index);
}

[[structured::backward("slice_copy.Tensor")]] [[structured::backward("slice.Tensor")]]
Tensor slice(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, std::optional<int64_t> start,
             std::optional<int64_t> end, int64_t step) {
  return structured::slice_scatter(structured::zeros(self_sizes, grad.options()), grad, dim, start, end, step);
}

[[structured::backward("narrow")]]
Tensor narrow(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, int64_t start, int64_t length) {
  const int64_t first =
      start < 0 ? start + self_sizes[static_cast<std::size_t>(wrap_dim(dim, static_cast<int64_t>(self_sizes.size())))]
                : start;
  return slice(grad, self_sizes, dim, first, first + length, 1);
}

[[structured::backward("diagonal_copy")]] [[structured::backward("diagonal")]]
Tensor diagonal(const Tensor& grad, IntArrayRef self_sizes, int64_t offset, int64_t dim1, int64_t dim2) {
  return structured::diagonal_scatter(structured::zeros(self_sizes, grad.options()), grad, offset, dim1, dim2);
}

[[structured::backward("select_scatter", "self")]]
Tensor select_scatter_self(const Tensor& grad, IntArrayRef src_sizes, int64_t dim, int64_t index) {
  return structured::select_scatter(grad, structured::zeros(src_sizes, grad.options()), dim, index);
}

[[structured::backward("select_scatter", "src")]]
Tensor select_scatter_src(const Tensor& grad, int64_t dim, int64_t index) {
  return structured::select(grad, dim, index);
}

[[structured::backward("slice_scatter", "self")]]
Tensor slice_scatter_self(const Tensor& grad, IntArrayRef src_sizes, int64_t dim, std::optional<int64_t> start,
                          std::optional<int64_t> end, int64_t step) {
  return structured::slice_scatter(grad, structured::zeros(src_sizes, grad.options()), dim, start, end, step);
}

[[structured::backward("slice_scatter", "src")]]
Tensor slice_scatter_src(const Tensor& grad, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                         int64_t step) {
  return structured::slice(grad, dim, start, end, step);
}

[[structured::backward("diagonal_scatter", "src")]]
Tensor diagonal_scatter_src(const Tensor& grad, int64_t offset, int64_t dim1, int64_t dim2) {
  return structured::diagonal(grad, offset, dim1, dim2);
}

[[structured::backward("diagonal_scatter", "self")]]
Tensor diagonal_scatter_self(const Tensor& grad, IntArrayRef src_sizes, int64_t offset, int64_t dim1, int64_t dim2) {
  return structured::diagonal_scatter(grad, structured::zeros(src_sizes, grad.options()), offset, dim1, dim2);
}

[[structured::backward("view_as_real_copy")]] [[structured::backward("view_as_real")]]
Tensor view_as_real(const Tensor& grad) {
  return structured::view_as_complex(structured::contiguous(grad));
}

[[structured::backward("view_as_complex_copy")]] [[structured::backward("view_as_complex")]]
Tensor view_as_complex(const Tensor& grad) {
  return structured::view_as_real(grad);
}

[[structured::backward("flip")]]
Tensor flip(const Tensor& grad, IntArrayRef dims) {
  return structured::flip(grad, dims);
}

[[structured::backward("tril")]]
Tensor tril(const Tensor& grad, int64_t diagonal) {
  return structured::tril(grad, diagonal);
}

[[structured::backward("triu")]]
Tensor triu(const Tensor& grad, int64_t diagonal) {
  return structured::triu(grad, diagonal);
}

[[structured::backward("repeat")]]
Tensor repeat(const Tensor& grad, IntArrayRef self_sizes, IntArrayRef repeats) {
  DimVector sizes;
  DimVector reduced;
  const std::size_t added = repeats.size() - self_sizes.size();
  for (std::size_t d = 0; d < repeats.size(); ++d) {
    reduced.push_back(static_cast<int64_t>(sizes.size()));
    sizes.push_back(repeats[d]);
    if (d >= added) sizes.push_back(self_sizes[d - added]);
  }
  if (reduced.empty()) return grad;
  return structured::sum(structured::reshape(grad, sizes), reduced);
}

[[structured::backward("transpose_")]]
Tensor transposed_in_place(const Tensor& grad, int64_t dim0, int64_t dim1) {
  return structured::transpose(grad, dim0, dim1);
}

[[structured::backward("rot90")]]
Tensor rot90(const Tensor& grad, int64_t k, IntArrayRef dims) {
  return structured::rot90(grad, -k, dims);
}

[[structured::backward("roll")]]
Tensor roll(const Tensor& grad, IntArrayRef shifts, IntArrayRef dims) {
  DimVector opposite(shifts);
  for (int64_t& shift : opposite) shift = -shift;
  return structured::roll(grad, opposite, dims);
}

[[structured::backward("channel_shuffle")]]
Tensor channel_shuffle(const Tensor& grad, IntArrayRef self_sizes, int64_t groups) {
  return structured::channel_shuffle(grad, self_sizes[1] / groups);
}

[[structured::backward("pixel_shuffle")]]
Tensor pixel_shuffle(const Tensor& grad, int64_t upscale_factor) {
  return structured::pixel_unshuffle(grad, upscale_factor);
}

[[structured::backward("pixel_unshuffle")]]
Tensor pixel_unshuffle(const Tensor& grad, int64_t downscale_factor) {
  return structured::pixel_shuffle(grad, downscale_factor);
}

[[structured::backward("narrow_copy")]]
Tensor narrow_copy(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, int64_t start, int64_t length) {
  return narrow(grad, self_sizes, dim, start, length);
}

[[structured::backward("diag")]]
Tensor diag(const Tensor& grad, IntArrayRef self_sizes, int64_t diagonal) {
  return self_sizes.size() == 1 ? structured::diagonal(grad, diagonal, 0, 1)
                                : derivatives::diagonal(grad, self_sizes, diagonal, 0, 1);
}

[[structured::backward("diag_embed")]]
Tensor diag_embed(const Tensor& grad, int64_t offset, int64_t dim1, int64_t dim2) {
  return structured::diagonal(grad, offset, dim1, dim2);
}

[[structured::backward("constant_pad_nd")]]
Tensor constant_pad_nd(const Tensor& grad, IntArrayRef pad) {
  DimVector opposite(pad);
  for (int64_t& width : opposite) width = -width;
  return structured::constant_pad_nd(grad, opposite);
}

[[structured::backward("unfold_copy")]] [[structured::backward("unfold")]]
Tensor unfold(const Tensor& grad, IntArrayRef self_sizes, int64_t dimension, int64_t size, int64_t step) {
  return structured::unfold_backward(grad, self_sizes, dimension, size, step);
}

/// Gradient of operators that change only names, or nothing.
[[structured::backward("lift_fresh")]] [[structured::backward("rename")]] [[structured::backward(
    "refine_names")]] [[structured::backward("rename_")]]
Tensor same(const Tensor& grad) {
  return grad;
}

[[structured::backward("fill_.Tensor", "value")]]
Tensor filled(const Tensor& grad) {
  return structured::sum(grad);
}

/// Number of elements from the start of the storage to the last one of a tensor.
int64_t reach_of(IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  int64_t last = offset;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return 0;
    last += (sizes[d] - 1) * strides[d];
  }
  return last + 1;
}

/// Whether several elements of a tensor may have the same place in the storage.
bool may_overlap(IntArrayRef sizes, IntArrayRef strides) {
  std::vector<std::pair<int64_t, int64_t>> dims;  // stride and size
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] > 1) dims.emplace_back(strides[d], sizes[d]);
  }
  std::sort(dims.begin(), dims.end());
  int64_t extent = 1;  // covered by the dimensions so far
  for (const auto& [stride, size] : dims) {
    if (stride < extent) return true;
    extent = stride * size;
  }
  return false;
}

/// Elements of the storage that several elements of `self` refer to share the gradient.
[[structured::backward("as_strided_copy")]] [[structured::backward("as_strided")]] [[structured::backward(
    "as_strided_")]]
Tensor as_strided(const Tensor& grad, IntArrayRef self_sizes, IntArrayRef self_strides, int64_t self_storage_offset,
                  IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset) {
  const int64_t offset = storage_offset.value_or(self_storage_offset);
  const int64_t count =
      std::max(reach_of(self_sizes, self_strides, self_storage_offset), reach_of(size, stride, offset));
  const Tensor places = structured::arange(count, grad.options().dtype(kLong));
  const auto places_of = [&](IntArrayRef sizes, IntArrayRef strides, int64_t first) {
    return structured::reshape(structured::as_strided(places, sizes, strides, first), -1);
  };
  Tensor flat = structured::index_add(structured::zeros({count}, grad.options()), 0, places_of(size, stride, offset),
                                      structured::reshape(grad, -1));
  if (may_overlap(self_sizes, self_strides)) {
    const Tensor users = places_of(self_sizes, self_strides, self_storage_offset);
    const Tensor ones = structured::ones({users.numel()}, grad.options());
    flat = structured::div(
        flat,
        structured::clamp_min(structured::index_add(structured::zeros({count}, grad.options()), 0, users, ones), 1));
  }
  return structured::as_strided(flat, self_sizes, self_strides, self_storage_offset);
}

[[structured::backward("as_strided_scatter", "self")]]
Tensor as_strided_scatter_self(const Tensor& grad, IntArrayRef src_sizes, IntArrayRef size, IntArrayRef stride,
                               std::optional<int64_t> storage_offset) {
  return structured::as_strided_scatter(structured::contiguous(grad), structured::zeros(src_sizes, grad.options()),
                                        size, stride, storage_offset);
}

[[structured::backward("as_strided_scatter", "src")]]
Tensor as_strided_scatter_src(const Tensor& grad, IntArrayRef size, IntArrayRef stride,
                              std::optional<int64_t> storage_offset) {
  return structured::as_strided(structured::contiguous(grad), size, stride, storage_offset);
}

}  // namespace structured::derivatives
