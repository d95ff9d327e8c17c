// Meta functions of indexing.
#include "meta/index.h"

#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/config.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/kernel/meta_base.h>
#include <structured/kernel/overlap.h>

#include <optional>
#include <string_view>
#include <utility>

#include "meta/advanced_index.h"

namespace structured::kernels {
namespace {

bool is_index_dtype(ScalarType dtype) { return dtype == kLong || dtype == kInt; }

void check_vector(const char* name, const Tensor& index) {
  STRUCTURED_CHECK(index.dim() <= 1, name, ": expected `index` to have 1 dimension, got sizes ", index.sizes());
  STRUCTURED_CHECK(is_index_dtype(index.scalar_type()), name, ": expected `index` of dtype Long or Int, got ",
                   index.scalar_type());
}

// Meta function of operators that update the slices of `self` along `dim` selected by `index` from `source`.
IndexedDim slices_meta(const char* name, MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index,
                       const Tensor& source) {
  dim = wrap_dim(dim, self.dim());
  check_vector(name, index);
  STRUCTURED_CHECK(self.scalar_type() == source.scalar_type(), name, ": expected `source` of dtype ",
                   self.scalar_type(), ", got ", source.scalar_type());
  STRUCTURED_CHECK(rank_of(self) == rank_of(source), name, ": expected `source` to have as many dimensions as `self`, ",
                   self.dim(), ", got ", source.dim());
  for (size_t d = 0; d < rank_of(self); ++d) {
    const bool is_indexed = static_cast<int64_t>(d) == dim;
    const int64_t expected = is_indexed ? index.numel() : size_at(self, d);
    STRUCTURED_CHECK(size_at(source, d) == expected, name, ": expected `source` to have size ", expected,
                     " in dimension ", d, ", as ", is_indexed ? "`index`" : "`self`", " has, got sizes ",
                     source.sizes());
  }
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
  return {dim};
}

}  // namespace

/// Advanced indexing: the elements of `self` selected by `indices`, one for each leading dimension. An index is a Long
/// or Int tensor, a Bool or Byte mask, or absent, which selects the whole dimension.
///
/// Indices are broadcast to one shape, which replaces the indexed dimensions if they are adjacent and comes first
/// otherwise. A mask counts as the indices of its true elements, one index for each of its dimensions. Negative indices
/// count from the end; an index out of range is an error.
[[structured::meta("index.Tensor", "index.Tensor_out"), structured::device_check(false),
  structured::tags("core", "dynamic_output_shape")]]
IndexPlan index_meta(TensorIteratorBase& op, const Tensor& self, ArrayRef<std::optional<Tensor>> indices) {
  AdvancedIndex found = advanced_index("index", self, indices);
  const Tensor& out = op.maybe_get_output();
  if (out.defined()) {
    STRUCTURED_CHECK(out.scalar_type() == self.scalar_type(), "index: expected `out` of dtype ", self.scalar_type(),
                     ", got ", out.scalar_type());
    assert_no_internal_overlap(out);
    assert_no_overlap(out, self);
    for (const Tensor& index : found.indices) assert_no_overlap(out, index);
  }
  TensorIteratorConfig config;
  config.check_memory_overlap(false).check_all_same_dtype(false).declare_static_dtype(self.scalar_type());
  config.add_output(out).add_input(std::move(found.places));
  for (Tensor& index : found.indices) config.add_input(std::move(index));
  op.build(config);
  return {found.dims};
}

/// Selects slices of `self` along `dim` by `index` [n] (Long or Int), in that order. The result has size n along `dim`.
/// An index that is negative or too large is an error.
[[structured::meta("index_select", "index_select.out"), structured::tags("core")]]
IndexedDim index_select_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index) {
  dim = wrap_dim(dim, self.dim());
  check_vector("index_select", index);
  DimVector sizes(self.sizes());
  if (self.dim() != 0) {
    sizes[static_cast<size_t>(dim)] = index.numel();
  } else {
    STRUCTURED_CHECK(index.numel() == 1, "index_select: expected `index` to have 1 element for a `self` without ",
                     "dimensions, got ", index.numel());
  }
  const Tensor& out = op.maybe_get_output();
  if (out.defined()) {  // resizing would hide an overlap
    assert_no_internal_overlap(out);
    assert_no_overlap(out, self);
    assert_no_overlap(out, index);
  }
  op.set_output_raw_strided(0, sizes, {}, self.options());
  return {dim};
}

/// Adds `alpha * source` to the slices of `self` along `dim` that `index` [n] (Long or Int) selects. `source` has size
/// n along `dim`, otherwise the shape of `self`, and its dtype.
///
/// Slices that are selected repeatedly accumulate. An index that is negative or too large is an error, as is an `alpha`
/// that the dtype cannot represent.
[[structured::meta("index_add", "index_add_", "index_add.out")]]
IndexedDim index_add_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                          [[structured::kwonly]] const Scalar& alpha = 1) {
  return slices_meta("index_add", op, self, dim, index, source);
}

/// Replaces the slices of `self` along `dim` that `index` [n] (Long) selects by those of `source`. `source` has size n
/// along `dim`, otherwise the shape of `self`, and its dtype. An index that is negative or too large is an error.
[[structured::meta("index_copy", "index_copy_", "index_copy.out")]]
IndexedDim index_copy_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  STRUCTURED_CHECK(index.scalar_type() == kLong, "index_copy: expected `index` of dtype Long, got ",
                   index.scalar_type());
  return slices_meta("index_copy", op, self, dim, index, source);
}

/// Reduces slices of `source` into the slices of `self` along `dim` that `index` [n] (Long or Int) selects. `reduce` is
/// "prod", "mean", "amax" or "amin".
///
/// `source` has size n along `dim`, otherwise the shape of `self`, and its dtype. Without `include_self`, the initial
/// values of selected slices are ignored. Bool is supported for "prod", "amax" and "amin" with `include_self` and at
/// least 2 dimensions, complex numbers for "prod" and "mean" likewise. An index that is negative or too large is an
/// error.
[[structured::meta("index_reduce", "index_reduce_", "index_reduce.out")]]
IndexedDim index_reduce_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                             std::string_view reduce, [[structured::kwonly]] bool include_self = true) {
  STRUCTURED_CHECK(reduce == "prod" || reduce == "mean" || reduce == "amax" || reduce == "amin",
                   "index_reduce: expected `reduce` to be \"prod\", \"mean\", \"amax\" or \"amin\", got \"", reduce,
                   "\"");
  STRUCTURED_CHECK(!self.is_complex() || (include_self && self.dim() > 1),
                   "index_reduce: complex numbers require `include_self` and at least 2 dimensions");
  STRUCTURED_CHECK(
      self.scalar_type() != kBool || (include_self && self.dim() > 1 && reduce != "mean"),
      "index_reduce: Bool requires `include_self`, at least 2 dimensions and a `reduce` other than \"mean\"");
  return slices_meta("index_reduce", op, self, dim, index, source);
}

/// Selects elements of `self`, flattened in row-major order, by `index` (Long). The result has the shape of `index`.
/// Negative indices count from the end; an index out of range is an error.
[[structured::meta("take", "take.out")]]
void take_meta(MetaBase& op, const Tensor& self, const Tensor& index) {
  STRUCTURED_CHECK(index.scalar_type() == kLong, "take: expected `index` of dtype Long, got ", index.scalar_type());
  STRUCTURED_CHECK(self.numel() != 0 || index.numel() == 0, "take: expected no indices for a `self` without elements");
  op.set_output_raw_strided(0, index.sizes(), {}, self.options());
}

}  // namespace structured::kernels
