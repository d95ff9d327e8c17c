// Joining operators composed of reshapes and cat, and broadcast_tensors, meshgrid and block_diag.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/shape.h>
#include <structured/iterator/type_promotion.h>
#include <structured/ops/_chunk_cat.h>
#include <structured/ops/cat.h>
#include <structured/ops/constant_pad_nd.h>
#include <structured/ops/expand.h>
#include <structured/ops/reshape.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/view.h>
#include <structured/ops/zeros.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "composite/store_result.h"

namespace structured::kernels {
namespace {

Tensor at_least_1d(const Tensor& self) { return self.dim() == 0 ? structured::reshape(self, 1) : self; }

Tensor at_least_2d(const Tensor& self) {
  if (self.dim() == 0) return structured::reshape(self, {1, 1});
  return self.dim() == 1 ? structured::unsqueeze(self, 0) : self;
}

Tensor at_least_3d(const Tensor& self) {
  if (self.dim() == 0) return structured::reshape(self, {1, 1, 1});
  if (self.dim() == 1) return structured::unsqueeze(structured::unsqueeze(self, 0), -1);
  return self.dim() == 2 ? structured::unsqueeze(self, -1) : self;
}

// Scalar tensors and vectors become columns.
Tensor as_columns(const Tensor& self) { return self.dim() <= 1 ? structured::reshape(self, {self.numel(), 1}) : self; }

std::vector<Tensor> map_tensors(const char* name, TensorList tensors, Tensor (*function)(const Tensor&)) {
  STRUCTURED_CHECK(!tensors.empty(), name, ": expected a non-empty list of tensors");
  std::vector<Tensor> result;
  result.reserve(tensors.size());
  for (const Tensor& tensor : tensors) result.push_back(function(tensor));
  return result;
}

// hstack joins vectors along their only dimension.
int64_t horizontal_dim(const std::vector<Tensor>& tensors) { return tensors[0].dim() == 1 ? 0 : 1; }

std::vector<Tensor> coordinate_grids(TensorList tensors) {
  STRUCTURED_CHECK(!tensors.empty(), "meshgrid: expected a non-empty list of tensors");
  DimVector shape;
  for (const Tensor& tensor : tensors) {
    STRUCTURED_CHECK(tensor.dim() <= 1, "meshgrid: expected tensors of at most one dimension, got sizes ",
                     tensor.sizes());
    STRUCTURED_CHECK(tensor.scalar_type() == tensors[0].scalar_type() && tensor.device() == tensors[0].device(),
                     "meshgrid: expected tensors of one dtype on one device");
    shape.push_back(tensor.numel());
  }
  std::vector<Tensor> result;
  for (size_t i = 0; i < tensors.size(); ++i) {
    DimVector sizes(tensors.size(), 1);
    sizes[i] = tensors[i].numel();
    result.push_back(structured::expand(structured::view(tensors[i], sizes), shape));
  }
  return result;
}

}  // namespace

/// Concatenates `tensors` along the existing dimension `dim`; alias of cat. All other sizes must agree. The result has
/// the promoted dtype.
[[structured::composite("concat")]]
Tensor concat(TensorList tensors, int64_t dim = 0) {
  return structured::cat(tensors, dim);
}

/// Concatenates `tensors` along the existing dimension `dim` and writes the result to `out`; alias of cat.out.
[[structured::composite("concat.out")]]
Tensor& concat_out(TensorList tensors, [[structured::schema_default("0")]] int64_t dim, Tensor& out) {
  return structured::cat_out(out, tensors, dim);
}

/// View of `self` with at least 1 dimension: a scalar tensor becomes [1].
[[structured::composite("atleast_1d")]]
Tensor atleast_1d(const Tensor& self) {
  return at_least_1d(self);
}

/// Views of `tensors` with at least 1 dimension each: a scalar tensor becomes [1]. The list must not be empty.
[[structured::composite("atleast_1d.Sequence")]]
std::vector<Tensor> atleast_1d_sequence(TensorList tensors) {
  return map_tensors("atleast_1d", tensors, at_least_1d);
}

/// View of `self` with at least 2 dimensions: a scalar tensor becomes [1, 1], a vector [N] becomes [1, N].
[[structured::composite("atleast_2d")]]
Tensor atleast_2d(const Tensor& self) {
  return at_least_2d(self);
}

/// Views of `tensors` with at least 2 dimensions each: a scalar tensor becomes [1, 1], a vector [N] becomes [1, N]. The
/// list must not be empty.
[[structured::composite("atleast_2d.Sequence")]]
std::vector<Tensor> atleast_2d_sequence(TensorList tensors) {
  return map_tensors("atleast_2d", tensors, at_least_2d);
}

/// View of `self` with at least 3 dimensions: a scalar tensor becomes [1, 1, 1], a vector [N] becomes [1, N, 1], a
/// matrix [N, M] becomes [N, M, 1].
[[structured::composite("atleast_3d")]]
Tensor atleast_3d(const Tensor& self) {
  return at_least_3d(self);
}

/// Views of `tensors` with at least 3 dimensions each: a scalar tensor becomes [1, 1, 1], a vector [N] becomes [1, N,
/// 1], a matrix [N, M] becomes [N, M, 1]. The list must not be empty.
[[structured::composite("atleast_3d.Sequence")]]
std::vector<Tensor> atleast_3d_sequence(TensorList tensors) {
  return map_tensors("atleast_3d", tensors, at_least_3d);
}

/// Concatenates `tensors` horizontally: along dimension 1, or dimension 0 for vectors. Scalar tensors count as [1].
[[structured::composite("hstack")]]
Tensor hstack(TensorList tensors) {
  const std::vector<Tensor> parts = map_tensors("hstack", tensors, at_least_1d);
  return structured::cat(parts, horizontal_dim(parts));
}

/// Concatenates `tensors` horizontally and writes the result to `out`: along dimension 1, or dimension 0 for vectors.
/// Scalar tensors count as [1].
[[structured::composite("hstack.out")]]
Tensor& hstack_out(TensorList tensors, Tensor& out) {
  const std::vector<Tensor> parts = map_tensors("hstack", tensors, at_least_1d);
  return structured::cat_out(out, parts, horizontal_dim(parts));
}

/// Concatenates `tensors` vertically, along dimension 0. Scalar tensors and vectors [N] count as rows [1, N].
[[structured::composite("vstack")]]
Tensor vstack(TensorList tensors) {
  return structured::cat(map_tensors("vstack", tensors, at_least_2d), 0);
}

/// Concatenates `tensors` vertically, along dimension 0, and writes the result to `out`. Scalar tensors and vectors [N]
/// count as rows [1, N].
[[structured::composite("vstack.out")]]
Tensor& vstack_out(TensorList tensors, Tensor& out) {
  return structured::cat_out(out, map_tensors("vstack", tensors, at_least_2d), 0);
}

/// Concatenates `tensors` vertically, along dimension 0; alias of vstack. Scalar tensors and vectors [N] count as rows
/// [1, N].
[[structured::composite("row_stack")]]
Tensor row_stack(TensorList tensors) {
  return structured::cat(map_tensors("row_stack", tensors, at_least_2d), 0);
}

/// Concatenates `tensors` vertically, along dimension 0, and writes the result to `out`; alias of vstack.out. Scalar
/// tensors and vectors [N] count as rows [1, N].
[[structured::composite("row_stack.out")]]
Tensor& row_stack_out(TensorList tensors, Tensor& out) {
  return structured::cat_out(out, map_tensors("row_stack", tensors, at_least_2d), 0);
}

/// Concatenates `tensors` depthwise, along dimension 2. Vectors [N] count as [1, N, 1], matrices [N, M] as [N, M, 1].
[[structured::composite("dstack")]]
Tensor dstack(TensorList tensors) {
  return structured::cat(map_tensors("dstack", tensors, at_least_3d), 2);
}

/// Concatenates `tensors` depthwise, along dimension 2, and writes the result to `out`. Vectors [N] count as [1, N, 1],
/// matrices [N, M] as [N, M, 1].
[[structured::composite("dstack.out")]]
Tensor& dstack_out(TensorList tensors, Tensor& out) {
  return structured::cat_out(out, map_tensors("dstack", tensors, at_least_3d), 2);
}

/// Concatenates `tensors` along dimension 1. Scalar tensors and vectors [N] count as columns [N, 1].
[[structured::composite("column_stack")]]
Tensor column_stack(TensorList tensors) {
  return structured::cat(map_tensors("column_stack", tensors, as_columns), 1);
}

/// Concatenates `tensors` along dimension 1 and writes the result to `out`. Scalar tensors and vectors [N] count as
/// columns [N, 1].
[[structured::composite("column_stack.out")]]
Tensor& column_stack_out(TensorList tensors, Tensor& out) {
  return structured::cat_out(out, map_tensors("column_stack", tensors, as_columns), 1);
}

/// Block-diagonal matrix with `tensors` as blocks and 0 elsewhere. Scalar tensors and vectors [N] count as rows [1, N];
/// more than 2 dimensions are an error. The result has the promoted dtype.
[[structured::kernel("block_diag", "CompositeExplicitAutograd"), structured::variants("block_diag.out")]]
Tensor block_diag(TensorList tensors) {
  STRUCTURED_CHECK(!tensors.empty(), "block_diag: expected a non-empty list of tensors");
  const std::vector<Tensor> blocks = map_tensors("block_diag", tensors, at_least_2d);
  int64_t rows = 0;
  int64_t columns = 0;
  for (const Tensor& block : blocks) {
    STRUCTURED_CHECK(block.dim() == 2, "block_diag: expected tensors of at most 2 dimensions, got sizes ",
                     block.sizes());
    STRUCTURED_CHECK(block.device() == blocks[0].device(), "block_diag: expected tensors on one device");
    rows += block.size(0);
    columns += block.size(1);
  }
  const Tensor result = structured::zeros({rows, columns}, tensors[0].options().dtype(result_type(tensors)));
  int64_t offset = 0;
  for (const Tensor& block : blocks) {
    if (block.numel() != 0) {
      copy_into(as_strided(result, block.sizes(), {columns, 1}, offset), block);
    }
    offset += block.size(0) * columns + block.size(1);
  }
  return result;
}

/// Expands `tensors` to their common broadcast shape, as views.
[[structured::composite("broadcast_tensors")]]
std::vector<Tensor> broadcast_tensors(TensorList tensors) {
  DimVector shape;
  for (const Tensor& tensor : tensors) shape = broadcast_shape(shape, tensor.sizes());
  std::vector<Tensor> result;
  for (const Tensor& tensor : tensors) result.push_back(structured::expand(tensor, shape));
  return result;
}

/// Coordinate grids of vectors [N], [M], ...: one expanded view [N, M, ...] for each vector, which varies along its own
/// dimension. All have one dtype and device.
[[structured::composite("meshgrid")]]
std::vector<Tensor> meshgrid(TensorList tensors) {
  return coordinate_grids(tensors);
}

/// Coordinate grids of vectors [N], [M], ...: one expanded view for each vector. `indexing` is "ij" for shape [N, M,
/// ...] or "xy" for [M, N, ...]. All have one dtype and device.
[[structured::composite("meshgrid.indexing")]]
std::vector<Tensor> meshgrid_indexing(TensorList tensors, [[structured::kwonly]] std::string_view indexing) {
  STRUCTURED_CHECK(indexing == "ij" || indexing == "xy", "meshgrid: expected `indexing` to be \"ij\" or \"xy\", got \"",
                   indexing, "\"");
  if (indexing == "ij" || tensors.size() < 2) return coordinate_grids(tensors);
  std::vector<Tensor> swapped(tensors.begin(), tensors.end());
  std::swap(swapped[0], swapped[1]);
  std::vector<Tensor> result = coordinate_grids(swapped);
  std::swap(result[0], result[1]);
  return result;
}

/// Concatenates chunks of `tensors`: pads each tensor with zeros along `dim` to a multiple of `num_chunks`, splits it
/// into `num_chunks` parts, flattens the dimensions from `dim` on in each part, and joins the parts with equal index.
/// The result has the sizes before `dim`, then [num_chunks, -1]. Tensors have one dtype, and equal sizes before `dim`.
[[structured::composite("_chunk_cat")]]
Tensor chunk_cat(TensorList tensors, int64_t dim, int64_t num_chunks) {
  STRUCTURED_CHECK(!tensors.empty(), "_chunk_cat: expected a non-empty list of tensors");
  STRUCTURED_CHECK(num_chunks >= 1, "_chunk_cat: expected a positive `num_chunks`, got ", num_chunks);
  const Tensor& first = tensors[0];
  for (const Tensor& tensor : tensors) {
    STRUCTURED_CHECK(dim >= 0 || tensor.dim() == first.dim(),
                     "_chunk_cat: expected a `dim` of 0 or more for tensors of different dimensions, got ", dim);
  }
  const int64_t wrapped = wrap_dim(dim, first.dim());
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors) {
    STRUCTURED_CHECK(tensor.numel() > 0, "_chunk_cat: expected tensors with elements, got sizes ", tensor.sizes());
    STRUCTURED_CHECK(tensor.scalar_type() == first.scalar_type(), "_chunk_cat: expected tensors of one dtype, got ",
                     first.scalar_type(), " and ", tensor.scalar_type());
    STRUCTURED_CHECK(wrapped < tensor.dim(), "_chunk_cat: expected `dim` below the number of dimensions, got ", dim,
                     " for sizes ", tensor.sizes());
    STRUCTURED_CHECK(std::equal(first.sizes().begin(), first.sizes().begin() + wrapped, tensor.sizes().begin()),
                     "_chunk_cat: expected equal sizes before dimension ", wrapped, ", got ", first.sizes(), " and ",
                     tensor.sizes());
    const int64_t size = tensor.size(wrapped);
    const int64_t missing = (size + num_chunks - 1) / num_chunks * num_chunks - size;
    DimVector padding(static_cast<std::size_t>(2 * (tensor.dim() - wrapped)), 0);
    padding[padding.size() - 1] = missing;
    DimVector sizes(tensor.sizes().slice(0, static_cast<std::size_t>(wrapped)));
    sizes.push_back(num_chunks);
    sizes.push_back(-1);
    const Tensor padded = missing == 0 ? tensor : structured::constant_pad_nd(tensor, padding, 0);
    parts.push_back(structured::reshape(padded, sizes));
  }
  return structured::cat(parts, -1);
}

/// Writes the concatenated chunks of `tensors`, as `_chunk_cat` returns them, to `out`, which is resized and must have
/// the dtype of the result.
[[structured::kernel("_chunk_cat.out", "CompositeExplicitAutograd")]]
Tensor& chunk_cat_out(TensorList tensors, int64_t dim, int64_t num_chunks, Tensor& out) {
  return store_result("_chunk_cat", structured::_chunk_cat(tensors, dim, num_chunks), out);
}

}  // namespace structured::kernels
