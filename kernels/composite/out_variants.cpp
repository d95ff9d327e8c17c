// out= variants of functional kernels: they compute the result and copy it.
#include <structured/core/array_ref.h>
#include <structured/core/memory_format.h>
#include <structured/core/scalar.h>
#include <structured/core/tensor.h>
#include <structured/ops/_to_copy.h>
#include <structured/ops/as_strided_scatter.h>
#include <structured/ops/celu.h>
#include <structured/ops/clone.h>
#include <structured/ops/constant_pad_nd.h>
#include <structured/ops/count_nonzero.h>
#include <structured/ops/diagonal_scatter.h>
#include <structured/ops/embedding.h>
#include <structured/ops/fill.h>
#include <structured/ops/index_fill.h>
#include <structured/ops/index_put.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/masked_scatter.h>
#include <structured/ops/put.h>
#include <structured/ops/select_scatter.h>
#include <structured/ops/slice_scatter.h>
#include <structured/ops/std_mean.h>
#include <structured/ops/trace.h>
#include <structured/ops/var_mean.h>

#include <cstdint>
#include <optional>
#include <tuple>

#include "composite/store_result.h"

namespace structured::kernels {
/// Writes `self` converted to the dtype and device of `out` to `out`, which is resized and must have the dtype of the
/// result.
[[structured::kernel("_to_copy.out", "CompositeExplicitAutograd")]]
Tensor& to_copy_out(const Tensor& self, [[structured::kwonly, structured::schema_default("False")]] bool non_blocking,
                    [[structured::schema_default("None")]] std::optional<MemoryFormat> memory_format, Tensor& out) {
  return store_result("_to_copy",
                      structured::_to_copy(self, out.scalar_type(), std::nullopt, out.device(), std::nullopt,
                                           non_blocking, memory_format),
                      out);
}

/// Writes a copy of `self` to `out`, which is resized and must have the dtype of the result.
[[structured::kernel("clone.out", "CompositeExplicitAutograd")]]
Tensor& clone_out(const Tensor& self,
                  [[structured::kwonly, structured::schema_default("None")]] std::optional<MemoryFormat> memory_format,
                  Tensor& out) {
  return store_result("clone", structured::clone(self, memory_format), out);
}

/// Writes the rows of `weight` [N, M] selected by `indices` [...] (Long or Int), [..., M], to `out`, which is resized
/// and must have the dtype of the result.
[[structured::kernel("embedding.out", "CompositeExplicitAutograd")]]
Tensor& embedding_out(const Tensor& weight, const Tensor& indices,
                      [[structured::schema_default("-1")]] int64_t padding_idx,
                      [[structured::schema_default("False")]] bool scale_grad_by_freq,
                      [[structured::schema_default("False")]] bool sparse, Tensor& out) {
  return store_result("embedding", structured::embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse),
                      out);
}

/// Writes a copy of `self` in which the elements where `mask` (Bool) is true are replaced by those of `source` in row-
/// major order to `out`, which is resized and must have the dtype of the result.
[[structured::kernel("masked_scatter.out", "CompositeExplicitAutograd")]]
Tensor& masked_scatter_out(const Tensor& self, const Tensor& mask, const Tensor& source, Tensor& out) {
  return store_result("masked_scatter", structured::masked_scatter(self, mask, source), out);
}

/// Writes a copy of `self` in which the elements where `mask` (Bool) is true are the scalar `value` to `out`, which is
/// resized and must have the dtype of the result.
[[structured::kernel("masked_fill.Scalar_out", "CompositeExplicitAutograd")]]
Tensor& masked_fill_scalar_out(const Tensor& self, const Tensor& mask, const Scalar& value, Tensor& out) {
  return store_result("masked_fill", structured::masked_fill(self, mask, value), out);
}

/// Writes a copy of `self` in which the elements where `mask` (Bool) is true are the scalar tensor `value` to `out`,
/// which is resized and must have the dtype of the result.
[[structured::kernel("masked_fill.Tensor_out", "CompositeExplicitAutograd")]]
Tensor& masked_fill_tensor_out(const Tensor& self, const Tensor& mask, const Tensor& value, Tensor& out) {
  return store_result("masked_fill", structured::masked_fill(self, mask, value), out);
}

/// Writes a copy of `self` with `values` written to the elements selected by `indices`, or added to them if
/// `accumulate`, to `out`, which is resized and must have the dtype of the result.
[[structured::kernel("index_put.out", "CompositeExplicitAutograd")]]
Tensor& index_put_out(const Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values,
                      [[structured::schema_default("False")]] bool accumulate, Tensor& out) {
  return store_result("index_put", structured::index_put(self, indices, values, accumulate), out);
}

/// Writes a copy of `self` in which the slices along `dim` that `index` (Long) selects are the scalar `value` to `out`,
/// which is resized and must have the dtype of the result.
[[structured::kernel("index_fill.int_Scalar_out", "CompositeExplicitAutograd")]]
Tensor& index_fill_scalar_out(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, Tensor& out) {
  return store_result("index_fill", structured::index_fill(self, dim, index, value), out);
}

/// Writes a copy of `self` in which the slices along `dim` that `index` (Long) selects are the scalar tensor `value` to
/// `out`, which is resized and must have the dtype of the result.
[[structured::kernel("index_fill.int_Tensor_out", "CompositeExplicitAutograd")]]
Tensor& index_fill_tensor_out(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value, Tensor& out) {
  return store_result("index_fill", structured::index_fill(self, dim, index, value), out);
}

/// Writes a copy of `self` with the elements of `source` written to positions `index` (Long), or added to them if
/// `accumulate`, to `out`, which is resized and must have the dtype of the result.
[[structured::kernel("put.out", "CompositeExplicitAutograd")]]
Tensor& put_out(const Tensor& self, const Tensor& index, const Tensor& source,
                [[structured::schema_default("False")]] bool accumulate, Tensor& out) {
  return store_result("put", structured::put(self, index, source, accumulate), out);
}

/// Writes a copy of `self` in which the slice at `index` along `dim` is `src` to `out`, which is resized and must have
/// the dtype of the result.
[[structured::kernel("select_scatter.out", "CompositeExplicitAutograd")]]
Tensor& select_scatter_out(const Tensor& self, const Tensor& src, int64_t dim, int64_t index, Tensor& out) {
  return store_result("select_scatter", structured::select_scatter(self, src, dim, index), out);
}

/// Writes a copy of `self` in which the slice `start` to `end` with step `step` along `dim` is `src` to `out`, which is
/// resized and must have the dtype of the result.
[[structured::kernel("slice_scatter.out", "CompositeExplicitAutograd")]]
Tensor& slice_scatter_out(const Tensor& self, const Tensor& src, [[structured::schema_default("0")]] int64_t dim,
                          [[structured::symint, structured::schema_default("None")]] std::optional<int64_t> start,
                          [[structured::symint, structured::schema_default("None")]] std::optional<int64_t> end,
                          [[structured::symint, structured::schema_default("1")]] int64_t step, Tensor& out) {
  return store_result("slice_scatter", structured::slice_scatter(self, src, dim, start, end, step), out);
}

/// Writes a copy of `self` in which diagonal `offset` of the dimensions `dim1` and `dim2` is `src` to `out`, which is
/// resized and must have the dtype of the result.
[[structured::kernel("diagonal_scatter.out", "CompositeExplicitAutograd")]]
Tensor& diagonal_scatter_out(const Tensor& self, const Tensor& src, [[structured::schema_default("0")]] int64_t offset,
                             [[structured::schema_default("0")]] int64_t dim1,
                             [[structured::schema_default("1")]] int64_t dim2, Tensor& out) {
  return store_result("diagonal_scatter", structured::diagonal_scatter(self, src, offset, dim1, dim2), out);
}

/// Writes a copy of `self` in which the elements that `size`, `stride` and `storage_offset` select are `src` to `out`,
/// which is resized and must have the dtype of the result.
[[structured::kernel("as_strided_scatter.out", "CompositeExplicitAutograd")]]
Tensor& as_strided_scatter_out(const Tensor& self, const Tensor& src, [[structured::symint]] IntArrayRef size,
                               [[structured::symint]] IntArrayRef stride,
                               [[structured::symint,
                                 structured::schema_default("None")]] std::optional<int64_t> storage_offset,
                               Tensor& out) {
  return store_result("as_strided_scatter", structured::as_strided_scatter(self, src, size, stride, storage_offset),
                      out);
}

/// Writes `self` with its last dimensions padded with `value` to `out`, which is resized and must have the dtype of the
/// result.
[[structured::kernel("constant_pad_nd.out", "CompositeExplicitAutograd")]]
Tensor& constant_pad_nd_out(const Tensor& self, IntArrayRef pad,
                            [[structured::schema_default("0")]] const Scalar& value, Tensor& out) {
  return store_result("constant_pad_nd", structured::constant_pad_nd(self, pad, value), out);
}

/// Writes a tensor of the shape of `self` filled with the scalar `value` to `out`, which is resized and must have the
/// dtype of the result.
[[structured::kernel("fill.Scalar_out", "CompositeExplicitAutograd")]]
Tensor& fill_scalar_out(const Tensor& self, const Scalar& value, Tensor& out) {
  return store_result("fill", structured::fill(self, value), out);
}

/// Writes a tensor of the shape of `self` filled with the scalar tensor `value` to `out`, which is resized and must
/// have the dtype of the result.
[[structured::kernel("fill.Tensor_out", "CompositeExplicitAutograd")]]
Tensor& fill_tensor_out(const Tensor& self, const Tensor& value, Tensor& out) {
  return store_result("fill", structured::fill(self, value), out);
}

/// Writes the number (Long) of nonzero elements of `self` along `dim`, or in all, to `out`, which is resized and must
/// have the dtype of the result.
[[structured::kernel("count_nonzero.out", "CompositeExplicitAutograd")]]
Tensor& count_nonzero_out(const Tensor& self, [[structured::schema_default("None")]] std::optional<int64_t> dim,
                          Tensor& out) {
  return store_result("count_nonzero", structured::count_nonzero(self, dim), out);
}

/// Writes the continuously differentiable exponential linear unit of `self`, `self` where `self > 0` and `alpha *
/// (exp(self / alpha) - 1)` elsewhere, to `out`, which is resized and must have the dtype of the result.
[[structured::kernel("celu.out", "CompositeExplicitAutograd")]]
Tensor& celu_out(const Tensor& self, [[structured::schema_default("1.0")]] const Scalar& alpha, Tensor& out) {
  return store_result("celu", structured::celu(self, alpha), out);
}

/// Writes the sum of the diagonal of the matrix `self` to `out`, which is resized and must have the dtype of the
/// result.
[[structured::kernel("trace.out", "CompositeExplicitAutograd")]]
Tensor& trace_out(const Tensor& self, Tensor& out) {
  return store_result("trace", structured::trace(self), out);
}

/// Writes the variance with divisor n - `correction` (default 1) over the dimensions `dim` (all if None or empty) to
/// `out0`, and the mean to `out1`. Both are resized and must have the dtypes of the results.
[[structured::kernel("var_mean.correction_out", "CompositeExplicitAutograd")]]
std::tuple<Tensor&, Tensor&> var_mean_out(
    const Tensor& self, [[structured::size(1), structured::schema_default("None")]] OptionalIntArrayRef dim,
    [[structured::kwonly, structured::schema_default("None")]] const std::optional<Scalar>& correction,
    [[structured::schema_default("False")]] bool keepdim, Tensor& out0, Tensor& out1) {
  const auto [spread, mean] = structured::var_mean(self, dim, correction, keepdim);
  store_result("var_mean", spread, out0);
  store_result("var_mean", mean, out1);
  return {out0, out1};
}

/// Writes the standard deviation with divisor n - `correction` (default 1) over the dimensions `dim` (all if None or
/// empty) to `out0`, and the mean to `out1`. Both are resized and must have the dtypes of the results.
[[structured::kernel("std_mean.correction_out", "CompositeExplicitAutograd")]]
std::tuple<Tensor&, Tensor&> std_mean_out(
    const Tensor& self, [[structured::size(1), structured::schema_default("None")]] OptionalIntArrayRef dim,
    [[structured::kwonly, structured::schema_default("None")]] const std::optional<Scalar>& correction,
    [[structured::schema_default("False")]] bool keepdim, Tensor& out0, Tensor& out1) {
  const auto [spread, mean] = structured::std_mean(self, dim, correction, keepdim);
  store_result("std_mean", spread, out0);
  store_result("std_mean", mean, out1);
  return {out0, out1};
}

}  // namespace structured::kernels
