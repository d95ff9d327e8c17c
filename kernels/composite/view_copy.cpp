// Copies of views: variants of view operators whose results have memory of their own.
#include <structured/base/error.h>
#include <structured/core/array_ref.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/iterator/derived_variants.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/_reshape_alias.h>
#include <structured/ops/alias.h>
#include <structured/ops/as_strided.h>
#include <structured/ops/clone.h>
#include <structured/ops/detach.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/expand.h>
#include <structured/ops/permute.h>
#include <structured/ops/reshape.h>
#include <structured/ops/select.h>
#include <structured/ops/slice.h>
#include <structured/ops/split.h>
#include <structured/ops/split_with_sizes.h>
#include <structured/ops/squeeze.h>
#include <structured/ops/t.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unbind.h>
#include <structured/ops/unfold.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/view_as_complex.h>
#include <structured/ops/view_as_real.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "composite/store_result.h"

namespace structured::kernels {
namespace {

Tensor copy_of(const Tensor& view) { return structured::clone(view, MemoryFormat::Contiguous); }

std::vector<Tensor> copies_of(const std::vector<Tensor>& views) {
  std::vector<Tensor> copies;
  for (const Tensor& view : views) copies.push_back(copy_of(view));
  return copies;
}

}  // namespace

/// Copy of `self`.
[[structured::kernel("alias_copy", "CompositeExplicitAutograd")]]
Tensor alias_copy(const Tensor& self) {
  return copy_of(structured::alias(self));
}

/// Writes `self` to `out`, which is resized and must have the dtype of the result.
[[structured::kernel("alias_copy.out", "CompositeExplicitAutograd")]]
Tensor& alias_copy_out(const Tensor& self, Tensor& out) {
  return store_result("alias_copy", structured::alias(self), out);
}

/// Copy of `self`, which does not require gradients.
[[structured::kernel("detach_copy", "CompositeExplicitAutograd"), structured::not_differentiable]]
Tensor detach_copy(const Tensor& self) {
  return copy_of(structured::detach(self));
}

/// Writes `self`, which does not require gradients, to `out`, which is resized and must have the dtype of the result.
[[structured::kernel("detach_copy.out", "CompositeExplicitAutograd")]]
Tensor& detach_copy_out(const Tensor& self, Tensor& out) {
  return store_result("detach_copy", structured::detach(self), out);
}

/// Copy of the elements of the storage of `self` that `size`, `stride` and `storage_offset` select.
[[structured::kernel("as_strided_copy", "CompositeExplicitAutograd")]]
Tensor as_strided_copy(const Tensor& self, [[structured::symint]] IntArrayRef size,
                       [[structured::symint]] IntArrayRef stride,
                       [[structured::symint]] std::optional<int64_t> storage_offset = std::nullopt) {
  return copy_of(structured::as_strided(self, size, stride, storage_offset));
}

/// Writes the elements of the storage of `self` that `size`, `stride` and `storage_offset` select to `out`, which is
/// resized and must have the dtype of the result.
[[structured::kernel("as_strided_copy.out", "CompositeExplicitAutograd")]]
Tensor& as_strided_copy_out(
    const Tensor& self, [[structured::symint]] IntArrayRef size, [[structured::symint]] IntArrayRef stride,
    [[structured::symint, structured::schema_default("None")]] std::optional<int64_t> storage_offset, Tensor& out) {
  return store_result("as_strided_copy", structured::as_strided(self, size, stride, storage_offset), out);
}

/// Copy of the elements of `self` that `size` and `stride` select.
[[structured::kernel("_reshape_alias_copy", "CompositeExplicitAutograd")]]
Tensor reshape_alias_copy(const Tensor& self, [[structured::symint]] IntArrayRef size,
                          [[structured::symint]] IntArrayRef stride) {
  return copy_of(structured::_reshape_alias(self, size, stride));
}

/// Writes the elements of `self` that `size` and `stride` select to `out`, which is resized and must have the dtype of
/// the result.
[[structured::kernel("_reshape_alias_copy.out", "CompositeExplicitAutograd")]]
Tensor& reshape_alias_copy_out(const Tensor& self, [[structured::symint]] IntArrayRef size,
                               [[structured::symint]] IntArrayRef stride, Tensor& out) {
  return store_result("_reshape_alias_copy", structured::_reshape_alias(self, size, stride), out);
}

/// Copy of diagonal `offset` of the dimensions `dim1` and `dim2` of `self`, as its last dimension.
[[structured::kernel("diagonal_copy", "CompositeExplicitAutograd")]]
Tensor diagonal_copy(const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) {
  return copy_of(structured::diagonal(self, offset, dim1, dim2));
}

/// Writes diagonal `offset` of the dimensions `dim1` and `dim2` of `self`, as its last dimension to `out`, which is
/// resized and must have the dtype of the result.
[[structured::kernel("diagonal_copy.out", "CompositeExplicitAutograd")]]
Tensor& diagonal_copy_out(const Tensor& self, [[structured::schema_default("0")]] int64_t offset,
                          [[structured::schema_default("0")]] int64_t dim1,
                          [[structured::schema_default("1")]] int64_t dim2, Tensor& out) {
  return store_result("diagonal_copy", structured::diagonal(self, offset, dim1, dim2), out);
}

/// Copy of `self` broadcast to the sizes `size`, where -1 keeps a size.
[[structured::kernel("expand_copy", "CompositeExplicitAutograd")]]
Tensor expand_copy(const Tensor& self, [[structured::symint]] IntArrayRef size,
                   [[structured::kwonly]] bool implicit = false) {
  return copy_of(structured::expand(self, size, implicit));
}

/// Writes `self` broadcast to the sizes `size`, where -1 keeps a size to `out`, which is resized and must have the
/// dtype of the result.
[[structured::kernel("expand_copy.out", "CompositeExplicitAutograd")]]
Tensor& expand_copy_out(const Tensor& self, [[structured::symint]] IntArrayRef size,
                        [[structured::kwonly, structured::schema_default("False")]] bool implicit, Tensor& out) {
  return store_result("expand_copy", structured::expand(self, size, implicit), out);
}

/// Copy of `self` with its dimensions in the order `dims`.
[[structured::kernel("permute_copy", "CompositeExplicitAutograd")]]
Tensor permute_copy(const Tensor& self, IntArrayRef dims) {
  return copy_of(structured::permute(self, dims));
}

/// Writes `self` with its dimensions in the order `dims` to `out`, which is resized and must have the dtype of the
/// result.
[[structured::kernel("permute_copy.out", "CompositeExplicitAutograd")]]
Tensor& permute_copy_out(const Tensor& self, IntArrayRef dims, Tensor& out) {
  return store_result("permute_copy", structured::permute(self, dims), out);
}

/// Copy of the slice of `self` at `index` along `dim`, which is removed.
[[structured::kernel("select_copy.int", "CompositeExplicitAutograd")]]
Tensor select_copy_int(const Tensor& self, int64_t dim, [[structured::symint]] int64_t index) {
  return copy_of(structured::select(self, dim, index));
}

/// Writes the slice of `self` at `index` along `dim`, which is removed to `out`, which is resized and must have the
/// dtype of the result.
[[structured::kernel("select_copy.int_out", "CompositeExplicitAutograd")]]
Tensor& select_copy_int_out(const Tensor& self, int64_t dim, [[structured::symint]] int64_t index, Tensor& out) {
  return store_result("select_copy", structured::select(self, dim, index), out);
}

/// Copy of the elements `start` to `end` of `self` along `dim`, `step` apart.
[[structured::kernel("slice_copy.Tensor", "CompositeExplicitAutograd")]]
Tensor slice_copy_tensor(const Tensor& self, int64_t dim = 0,
                         [[structured::symint]] std::optional<int64_t> start = std::nullopt,
                         [[structured::symint]] std::optional<int64_t> end = std::nullopt,
                         [[structured::symint]] int64_t step = 1) {
  return copy_of(structured::slice(self, dim, start, end, step));
}

/// Writes the elements `start` to `end` of `self` along `dim`, `step` apart to `out`, which is resized and must have
/// the dtype of the result.
[[structured::kernel("slice_copy.Tensor_out", "CompositeExplicitAutograd")]]
Tensor& slice_copy_tensor_out(const Tensor& self, [[structured::schema_default("0")]] int64_t dim,
                              [[structured::symint, structured::schema_default("None")]] std::optional<int64_t> start,
                              [[structured::symint, structured::schema_default("None")]] std::optional<int64_t> end,
                              [[structured::symint, structured::schema_default("1")]] int64_t step, Tensor& out) {
  return store_result("slice_copy", structured::slice(self, dim, start, end, step), out);
}

/// Copy of `self` without dimensions of size 1.
[[structured::kernel("squeeze_copy", "CompositeExplicitAutograd")]]
Tensor squeeze_copy(const Tensor& self) {
  return copy_of(structured::squeeze(self));
}

/// Writes `self` without dimensions of size 1 to `out`, which is resized and must have the dtype of the result.
[[structured::kernel("squeeze_copy.out", "CompositeExplicitAutograd")]]
Tensor& squeeze_copy_out(const Tensor& self, Tensor& out) {
  return store_result("squeeze_copy", structured::squeeze(self), out);
}

/// Copy of `self` without dimension `dim` if its size is 1.
[[structured::kernel("squeeze_copy.dim", "CompositeExplicitAutograd")]]
Tensor squeeze_copy_dim(const Tensor& self, int64_t dim) {
  return copy_of(structured::squeeze(self, dim));
}

/// Writes `self` without dimension `dim` if its size is 1 to `out`, which is resized and must have the dtype of the
/// result.
[[structured::kernel("squeeze_copy.dim_out", "CompositeExplicitAutograd")]]
Tensor& squeeze_copy_dim_out(const Tensor& self, int64_t dim, Tensor& out) {
  return store_result("squeeze_copy", structured::squeeze(self, dim), out);
}

/// Copy of `self` without those of the dimensions `dim` whose size is 1.
[[structured::kernel("squeeze_copy.dims", "CompositeExplicitAutograd")]]
Tensor squeeze_copy_dims(const Tensor& self, IntArrayRef dim) {
  return copy_of(structured::squeeze(self, dim));
}

/// Writes `self` without those of the dimensions `dim` whose size is 1 to `out`, which is resized and must have the
/// dtype of the result.
[[structured::kernel("squeeze_copy.dims_out", "CompositeExplicitAutograd")]]
Tensor& squeeze_copy_dims_out(const Tensor& self, IntArrayRef dim, Tensor& out) {
  return store_result("squeeze_copy", structured::squeeze(self, dim), out);
}

/// Copy of the transpose of the matrix `self`, or of a tensor with fewer dimensions.
[[structured::kernel("t_copy", "CompositeExplicitAutograd")]]
Tensor t_copy(const Tensor& self) {
  return copy_of(structured::t(self));
}

/// Writes the transpose of the matrix `self`, or of a tensor with fewer dimensions to `out`, which is resized and must
/// have the dtype of the result.
[[structured::kernel("t_copy.out", "CompositeExplicitAutograd")]]
Tensor& t_copy_out(const Tensor& self, Tensor& out) {
  return store_result("t_copy", structured::t(self), out);
}

/// Copy of `self` with the dimensions `dim0` and `dim1` exchanged.
[[structured::kernel("transpose_copy.int", "CompositeExplicitAutograd")]]
Tensor transpose_copy_int(const Tensor& self, int64_t dim0, int64_t dim1) {
  return copy_of(structured::transpose(self, dim0, dim1));
}

/// Writes `self` with the dimensions `dim0` and `dim1` exchanged to `out`, which is resized and must have the dtype of
/// the result.
[[structured::kernel("transpose_copy.int_out", "CompositeExplicitAutograd")]]
Tensor& transpose_copy_int_out(const Tensor& self, int64_t dim0, int64_t dim1, Tensor& out) {
  return store_result("transpose_copy", structured::transpose(self, dim0, dim1), out);
}

/// Copy of the windows of `size` elements of `self` along `dimension`, `step` apart, as its last dimension.
[[structured::kernel("unfold_copy", "CompositeExplicitAutograd")]]
Tensor unfold_copy(const Tensor& self, int64_t dimension, int64_t size, int64_t step) {
  return copy_of(structured::unfold(self, dimension, size, step));
}

/// Writes the windows of `size` elements of `self` along `dimension`, `step` apart, as its last dimension to `out`,
/// which is resized and must have the dtype of the result.
[[structured::kernel("unfold_copy.out", "CompositeExplicitAutograd")]]
Tensor& unfold_copy_out(const Tensor& self, int64_t dimension, int64_t size, int64_t step, Tensor& out) {
  return store_result("unfold_copy", structured::unfold(self, dimension, size, step), out);
}

/// Copy of `self` with a dimension of size 1 inserted at `dim`.
[[structured::kernel("unsqueeze_copy", "CompositeExplicitAutograd")]]
Tensor unsqueeze_copy(const Tensor& self, int64_t dim) {
  return copy_of(structured::unsqueeze(self, dim));
}

/// Writes `self` with a dimension of size 1 inserted at `dim` to `out`, which is resized and must have the dtype of the
/// result.
[[structured::kernel("unsqueeze_copy.out", "CompositeExplicitAutograd")]]
Tensor& unsqueeze_copy_out(const Tensor& self, int64_t dim, Tensor& out) {
  return store_result("unsqueeze_copy", structured::unsqueeze(self, dim), out);
}

/// Copy of `self` with the sizes `size`; one of them may be -1.
[[structured::kernel("view_copy", "CompositeExplicitAutograd")]]
Tensor view_copy(const Tensor& self, [[structured::symint]] IntArrayRef size) {
  return copy_of(structured::reshape(self, size));
}

/// Writes `self` with the sizes `size`; one of them may be -1 to `out`, which is resized and must have the dtype of the
/// result.
[[structured::kernel("view_copy.out", "CompositeExplicitAutograd")]]
Tensor& view_copy_out(const Tensor& self, [[structured::symint]] IntArrayRef size, Tensor& out) {
  return store_result("view_copy", structured::reshape(self, size), out);
}

/// Copy of the real and imaginary parts of the complex tensor `self`, as its last dimension.
[[structured::kernel("view_as_real_copy", "CompositeExplicitAutograd")]]
Tensor view_as_real_copy(const Tensor& self) {
  return copy_of(structured::view_as_real(self));
}

/// Writes the real and imaginary parts of the complex tensor `self`, as its last dimension to `out`, which is resized
/// and must have the dtype of the result.
[[structured::kernel("view_as_real_copy.out", "CompositeExplicitAutograd")]]
Tensor& view_as_real_copy_out(const Tensor& self, Tensor& out) {
  return store_result("view_as_real_copy", structured::view_as_real(self), out);
}

/// Copy of `self`, whose last dimension of size 2 has real and imaginary parts, as complex numbers.
[[structured::kernel("view_as_complex_copy", "CompositeExplicitAutograd")]]
Tensor view_as_complex_copy(const Tensor& self) {
  return copy_of(structured::view_as_complex(self));
}

/// Writes `self`, whose last dimension of size 2 has real and imaginary parts, as complex numbers to `out`, which is
/// resized and must have the dtype of the result.
[[structured::kernel("view_as_complex_copy.out", "CompositeExplicitAutograd")]]
Tensor& view_as_complex_copy_out(const Tensor& self, Tensor& out) {
  return store_result("view_as_complex_copy", structured::view_as_complex(self), out);
}

/// Copies of the parts of `self` of `split_size` elements along `dim`, the last one with the rest.
[[structured::kernel("split_copy.Tensor", "CompositeExplicitAutograd")]]
std::vector<Tensor> split_copy_tensor(const Tensor& self, [[structured::symint]] int64_t split_size, int64_t dim = 0) {
  return copies_of(structured::split(self, split_size, dim));
}

/// Writes the parts of `self` of `split_size` elements along `dim`, the last one with the rest to the tensors `out`,
/// one for each, which are resized and must have the dtype of `self`.
[[structured::kernel("split_copy.Tensor_out", "CompositeExplicitAutograd"), structured::out]]
void split_copy_tensor_out(const Tensor& self, [[structured::symint]] int64_t split_size,
                           [[structured::schema_default("0")]] int64_t dim,
                           [[structured::alias("a!")]] TensorList out) {
  detail::store_results("split_copy", structured::split(self, split_size, dim), out);
}

/// Copies of the parts of `self` of the given sizes along `dim`.
[[structured::kernel("split_with_sizes_copy", "CompositeExplicitAutograd")]]
std::vector<Tensor> split_with_sizes_copy(const Tensor& self, [[structured::symint]] IntArrayRef split_sizes,
                                          int64_t dim = 0) {
  return copies_of(structured::split_with_sizes(self, split_sizes, dim));
}

/// Writes the parts of `self` of the given sizes along `dim` to the tensors `out`, one for each, which are resized and
/// must have the dtype of `self`.
[[structured::kernel("split_with_sizes_copy.out", "CompositeExplicitAutograd"), structured::out]]
void split_with_sizes_copy_out(const Tensor& self, [[structured::symint]] IntArrayRef split_sizes,
                               [[structured::schema_default("0")]] int64_t dim,
                               [[structured::alias("a!")]] TensorList out) {
  detail::store_results("split_with_sizes_copy", structured::split_with_sizes(self, split_sizes, dim), out);
}

/// Copies of the slices of `self` along `dim`, which is removed.
[[structured::kernel("unbind_copy.int", "CompositeExplicitAutograd")]]
std::vector<Tensor> unbind_copy_int(const Tensor& self, int64_t dim = 0) {
  return copies_of(structured::unbind(self, dim));
}

/// Writes the slices of `self` along `dim`, which is removed to the tensors `out`, one for each, which are resized and
/// must have the dtype of `self`.
[[structured::kernel("unbind_copy.int_out", "CompositeExplicitAutograd"), structured::out]]
void unbind_copy_int_out(const Tensor& self, [[structured::schema_default("0")]] int64_t dim,
                         [[structured::alias("a!")]] TensorList out) {
  detail::store_results("unbind_copy", structured::unbind(self, dim), out);
}

}  // namespace structured::kernels
