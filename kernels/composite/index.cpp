// Composite kernels for masked and indexed updates, embedding, one_hot and take_along_dim.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/shape.h>
#include <structured/kernel/overlap.h>
#include <structured/memory/scratch.h>
#include <structured/ops/amax.h>
#include <structured/ops/amin.h>
#include <structured/ops/clamp.h>
#include <structured/ops/clone.h>
#include <structured/ops/expand.h>
#include <structured/ops/fill.h>
#include <structured/ops/gather.h>
#include <structured/ops/index.h>
#include <structured/ops/index_fill.h>
#include <structured/ops/index_put.h>
#include <structured/ops/index_select.h>
#include <structured/ops/logical_not.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/masked_scatter.h>
#include <structured/ops/nonzero.h>
#include <structured/ops/put.h>
#include <structured/ops/scatter.h>
#include <structured/ops/view.h>
#include <structured/ops/where.h>

#include <optional>
#include <string>

#include "composite/dense.h"

namespace structured::kernels {
namespace {

// Returns a copy of `self` in the broadcast shape of `self` and `mask`.
Tensor expanded_copy(const Tensor& self, const Tensor& mask) {
  return structured::clone(structured::expand(self, broadcast_shape(self.sizes(), mask.sizes())),
                           MemoryFormat::Contiguous);
}

// `indices` into `self` with those out of range replaced by the nearest one in range.
ScratchVector<std::optional<Tensor>> clamped_indices(const Tensor& self, ArrayRef<std::optional<Tensor>> indices) {
  ScratchVector<std::optional<Tensor>> result;
  for (const std::optional<Tensor>& index : indices) {
    const int64_t size = self.size(static_cast<int64_t>(result.size()));
    result.push_back(index && index->defined() ? structured::clamp(*index, -size, size - 1) : index);
  }
  return result;
}

// Sets elements to `value`, which has the dtype and device of `self`, for the operator `name`.
Tensor& fill_masked(const char* name, Tensor& self, const Tensor& mask, const Tensor& value) {
  STRUCTURED_CHECK(mask.scalar_type() == kBool, name, ": expected a mask of dtype Bool, got ", mask.scalar_type());
  assert_no_internal_overlap(self);
  assert_no_partial_overlap(self, mask);
  return structured::where_out(self, structured::expand(mask, self.sizes()), value, self);
}

// Returns the number in the dtype of `like`, on the CPU: operators accept scalar tensors there beside any device.
Tensor element_of(const Scalar& value, const Tensor& like) {
  return scalar_tensor(value, like.is_meta() ? like.options() : like.options().device(kCPU));
}

// fill_masked with a number as `value`.
Tensor& fill_masked(const char* name, Tensor& self, const Tensor& mask, const Scalar& value) {
  return fill_masked(name, self, mask, element_of(value, self));
}

// fill_masked with a scalar tensor of any dtype as `value`.
Tensor& fill_masked_with_element(const char* name, Tensor& self, const Tensor& mask, const Tensor& value) {
  STRUCTURED_CHECK(value.dim() == 0, name, ": expected `value` to have no dimensions, got sizes ", value.sizes());
  if (self.is_meta() || value.is_meta()) return fill_masked(name, self, mask, empty({}, self.options()));
  if (value.is_cpu()) return fill_masked(name, self, mask, value.item());
  const Tensor element = empty({}, self.options());
  copy_into(element, value);
  return fill_masked(name, self, mask, element);
}

}  // namespace

/// Sets the elements of `self` where `mask` is true to the scalar `value`, in place. `mask` (Bool) is broadcast
/// to `self`. A value that the dtype of `self` cannot represent is an error.
[[structured::kernel("masked_fill_.Scalar", "CompositeExplicitAutograd"), structured::device_check(false)]]
Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Scalar& value) {
  return fill_masked("masked_fill_", self, mask, value);
}

/// Sets the elements of `self` where `mask` is true to the scalar tensor `value`, in place. `mask` (Bool) is
/// broadcast to `self`. A value that the dtype of `self` cannot represent is an error.
[[structured::kernel("masked_fill_.Tensor", "CompositeExplicitAutograd"), structured::device_check(false)]]
Tensor& masked_fill_tensor_(Tensor& self, const Tensor& mask, const Tensor& value) {
  return fill_masked_with_element("masked_fill_", self, mask, value);
}

/// Copy of `self` with elements set to the scalar `value` where `mask` (Bool) is true. `self` and `mask` are
/// broadcast. A value that the dtype of `self` cannot represent is an error.
[[structured::kernel("masked_fill.Scalar", "CompositeExplicitAutograd"), structured::variants("masked_fill.Scalar_out"),
  structured::device_check(false)]]
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  Tensor result = expanded_copy(self, mask);
  return fill_masked("masked_fill", result, mask, value);
}

/// Copy of `self` with elements set to the scalar tensor `value` where `mask` (Bool) is true. `self` and `mask`
/// are broadcast. A value that the dtype of `self` cannot represent is an error.
[[structured::kernel("masked_fill.Tensor", "CompositeExplicitAutograd"), structured::variants("masked_fill.Tensor_out"),
  structured::device_check(false)]]
Tensor masked_fill_tensor(const Tensor& self, const Tensor& mask, const Tensor& value) {
  Tensor result = expanded_copy(self, mask);
  return fill_masked_with_element("masked_fill", result, mask, value);
}

/// Copy of `self` in which the elements where `mask` (Bool) is true are replaced by the elements of `source` in
/// row-major order. `self` and `mask` are broadcast. `source` has the dtype of `self` and at least as many elements as
/// `mask` has true ones.
[[structured::composite("masked_scatter"), structured::variants("masked_scatter.out")]]
Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  Tensor result = expanded_copy(self, mask);
  return structured::masked_scatter_(result, mask, source);
}

/// Copy of `self` with `values` written to the elements selected by `indices`, or added to them if `accumulate`. See
/// `index` for the forms of indices. `values` is broadcast and has the dtype of `self`.
[[structured::composite("index_put"), structured::variants("index_put.out"), structured::device_check(false)]]
Tensor index_put(const Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values,
                 bool accumulate = false) {
  Tensor result = structured::clone(self);
  return structured::index_put_(result, indices, values, accumulate);
}

/// Elements of `self` selected by `indices` where `mask` (Bool) is true, and `fill` elsewhere, where indices may be out
/// of range. See `index` for the forms of indices. `mask` is broadcast to the sizes of the selection.
[[structured::composite("_unsafe_masked_index")]]
Tensor unsafe_masked_index(const Tensor& self, const Tensor& mask, ArrayRef<std::optional<Tensor>> indices,
                           const Scalar& fill) {
  const Tensor selected = structured::index(self, clamped_indices(self, indices));
  return structured::masked_fill(selected, structured::logical_not(mask), fill);
}

/// Copy of `self` with `values` added to the elements selected by `indices` where `mask` (Bool) is true; elsewhere
/// indices may be out of range. See `index` for the forms of indices. Values of repeated indices are all added.
[[structured::composite("_unsafe_masked_index_put_accumulate")]]
Tensor unsafe_masked_index_put_accumulate(const Tensor& self, const Tensor& mask,
                                          ArrayRef<std::optional<Tensor>> indices, const Tensor& values) {
  if (self.numel() == 0) return structured::clone(self);
  const Tensor added = structured::masked_fill(values, structured::logical_not(mask), 0);
  return structured::index_put(self, clamped_indices(self, indices), added, true);
}

/// Copy of `self`, seen as flattened in row-major order, with the elements of `source` written to positions `index`
/// (Long), or added to them if `accumulate`. `source` has the dtype of `self` and as many elements as `index`. An index
/// out of range is an error.
[[structured::composite("put"), structured::variants("put.out")]]
Tensor put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate = false) {
  Tensor result = structured::clone(self);
  return structured::put_(result, index, source, accumulate);
}

/// Sets the slices of `self` along `dim` that `index` [n] (Long) selects to the scalar `value`, in place. A value that
/// the dtype cannot represent is an error, as is an index out of range.
[[structured::composite("index_fill_.int_Scalar"), structured::device_check(false)]]
Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return structured::index_fill_(self, dim, index, element_of(value, self));
}

/// Copy of `self` in which the slices along `dim` that `index` [n] (Long) selects are set to the scalar `value`. A
/// value that the dtype cannot represent is an error, as is an index out of range.
[[structured::composite("index_fill.int_Scalar"), structured::variants("index_fill.int_Scalar_out"),
  structured::device_check(false)]]
Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  Tensor result = structured::clone(self);
  return kernels::index_fill_(result, dim, index, value);
}

/// Copy of `self` in which the slices along `dim` that `index` [n] (Long) selects are set to the scalar tensor `value`.
/// An index out of range is an error.
[[structured::composite("index_fill.int_Tensor"), structured::variants("index_fill.int_Tensor_out"),
  structured::device_check(false)]]
Tensor index_fill_tensor(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  Tensor result = structured::clone(self);
  return structured::index_fill_(result, dim, index, value);
}

/// Rows of `weight` [N, M] selected by `indices` [...] (Long or Int): [..., M]. An index that is negative or too large
/// is an error. `padding_idx`, `scale_grad_by_freq` and `sparse` affect only the gradient.
[[structured::kernel("embedding", "CompositeExplicitAutograd"), structured::variants("embedding.out")]]
Tensor embedding(const Tensor& weight, const Tensor& indices, [[maybe_unused]] int64_t padding_idx = -1,
                 [[maybe_unused]] bool scale_grad_by_freq = false, [[maybe_unused]] bool sparse = false) {
  STRUCTURED_CHECK(weight.dim() == 2, "embedding: expected `weight` to be a matrix, got sizes ", weight.sizes());
  STRUCTURED_CHECK(indices.scalar_type() == kLong || indices.scalar_type() == kInt,
                   "embedding: expected `indices` of dtype Long or Int, got ", indices.scalar_type());
  if (indices.dim() == 1) return structured::index_select(weight, 0, indices);
  DimVector sizes(indices.sizes());
  sizes.push_back(weight.size(1));
  const Tensor row = structured::view(dense(indices), indices.numel());
  return structured::view(structured::index_select(weight, 0, row), sizes);
}

/// One-hot encoding of class indices `self` [...] (Long): [..., num_classes]. A `num_classes` of -1 means the largest
/// element plus 1. A class outside [0, num_classes) is an error.
[[structured::composite("one_hot"), structured::tags("dynamic_output_shape")]]
Tensor one_hot(const Tensor& self, int64_t num_classes = -1) {
  STRUCTURED_CHECK(self.scalar_type() == kLong, "one_hot: expected `self` of dtype Long, got ", self.scalar_type());
  STRUCTURED_CHECK(num_classes == -1 || num_classes > 0,
                   "one_hot: expected `num_classes` to be positive, or -1 for as many as needed, got ", num_classes);
  STRUCTURED_CHECK(self.numel() != 0 || num_classes != -1,
                   "one_hot: expected `num_classes` for a `self` without elements");
  if (num_classes == -1) {
    STRUCTURED_CHECK(structured::amin(self).item<int64_t>() >= 0, "one_hot: expected no negative elements");
    num_classes = structured::amax(self).item<int64_t>() + 1;
  }
  DimVector sizes(self.sizes());
  sizes.push_back(num_classes);
  Tensor result = empty(sizes, self.options());
  structured::fill_(result, 0);
  if (self.numel() == 0) return result;
  DimVector places(self.sizes());
  places.push_back(1);
  return structured::scatter_(result, -1, structured::view(dense(self), places), Scalar(1));
}

/// Selects elements of `self` by `indices` (Long) along `dim`: `out[i][j] = self[indices[i][j]][j]` for `dim` 0, and so
/// on. `self` and `indices` are broadcast except along `dim`; without `dim` both are flattened. An index that is
/// negative or too large is an error.
[[structured::composite("take_along_dim"), structured::variants("take_along_dim.out")]]
Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim = std::nullopt) {
  STRUCTURED_CHECK(indices.scalar_type() == kLong, "take_along_dim: expected `indices` of dtype Long, got ",
                   indices.scalar_type());
  if (!dim) {
    return structured::gather(structured::view(dense(self), -1), 0, structured::view(dense(indices), -1));
  }
  STRUCTURED_CHECK(self.dim() == indices.dim(), "take_along_dim: expected `indices` to have as many dimensions as ",
                   "`self`, ", self.dim(), ", got ", indices.dim());
  const auto along = static_cast<size_t>(wrap_dim(*dim, self.dim()));
  DimVector self_sizes(self.sizes());
  DimVector index_sizes(indices.sizes());
  if (self.dim() != 0) self_sizes[along] = index_sizes[along] = 1;
  const DimVector common = broadcast_shape(self_sizes, index_sizes);
  self_sizes = index_sizes = common;
  if (self.dim() != 0) {
    self_sizes[along] = self.sizes()[along];
    index_sizes[along] = indices.sizes()[along];
  }
  return structured::gather(structured::expand(self, self_sizes), static_cast<int64_t>(along),
                            structured::expand(indices, index_sizes));
}

}  // namespace structured::kernels
