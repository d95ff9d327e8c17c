// Meta functions of sorting, selection by order, and cumulative extrema.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <cstdint>
#include <optional>

#include "meta/dense_strides.h"

namespace structured::kernels {
namespace {

void check_ordered(const char* name, const Tensor& self) {
  STRUCTURED_CHECK((kRealTypes | kBool).contains(self.scalar_type()), name, ": expected `self` of dtype ",
                   kRealTypes | kBool, ", got ", self.scalar_type());
}

// Bool is accepted only for scalar tensors.
void check_selectable(const char* name, const Tensor& self) {
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()) || (self.scalar_type() == kBool && self.dim() == 0), name,
                   ": expected `self` of dtype ", kRealTypes, ", got ", self.scalar_type());
}

// Sets values and indices, reduced along `dim`.
void set_selected(const char* name, MetaBase& op, const Tensor& self, int64_t dim, bool keepdim) {
  const int64_t wrapped = wrap_dim(dim, self.dim());
  STRUCTURED_CHECK(self.dim() == 0 || self.size(wrapped) != 0, name, ": expected elements along dimension ", dim,
                   ", got sizes ", self.sizes());
  const DimVector sizes = reduced_sizes(self.sizes(), reduced_dims(name, wrapped, self.dim()), keepdim);
  op.set_output_contiguous(0, sizes, self.options());
  op.set_output_contiguous(1, sizes, self.options().dtype(kLong));
}

void set_running(const char* name, MetaBase& op, const Tensor& self, int64_t dim) {
  check_ordered(name, self);
  wrap_dim(dim, self.dim());
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
  op.set_output_raw_strided(1, self.sizes(), {}, self.options().dtype(kLong));
}

}  // namespace

/// Sorts elements along `dim` in ascending order, or descending order if `descending`. Returns the sorted values and
/// their original indices (Long). NaN compares greater than any number. The sort is stable regardless of `stable`.
/// Complex inputs are not supported.
[[structured::meta("sort.stable", "sort.values_stable"), structured::returns("values", "indices")]]
void sort_meta(MetaBase& op, const Tensor& self, [[structured::kwonly, maybe_unused]] std::optional<bool> stable,
               int64_t dim = -1, [[maybe_unused]] bool descending = false) {
  check_ordered("sort", self);
  wrap_dim(dim, self.dim());
  const DimVector strides = preserved_strides(self);
  op.set_output_raw_strided(0, self.sizes(), strides, self.options());
  op.set_output_raw_strided(1, self.sizes(), strides, self.options().dtype(kLong));
}

/// The `k` largest elements along `dim`, or smallest unless `largest`, and their indices (Long). NaN compares greater
/// than any number; of equal elements the first are chosen. With `sorted`, results are in order. Bool and complex
/// inputs are not supported.
[[structured::meta("topk", "topk.values"), structured::returns("values", "indices")]]
void topk_meta(MetaBase& op, const Tensor& self, int64_t k, int64_t dim = -1, [[maybe_unused]] bool largest = true,
               [[maybe_unused]] bool sorted = true) {
  check_dtype("topk", self.scalar_type(), kRealTypes);
  const int64_t wrapped = wrap_dim(dim, self.dim());
  const int64_t length = self.dim() == 0 ? 1 : self.size(wrapped);
  STRUCTURED_CHECK(0 <= k && k <= length, "topk: expected a `k` from 0 to ", length, ", got ", k);
  DimVector sizes(self.sizes());
  if (self.dim() > 0) sizes[static_cast<size_t>(wrapped)] = k;
  op.set_output_contiguous(0, sizes, self.options());
  op.set_output_contiguous(1, sizes, self.options().dtype(kLong));
}

/// The `k`-th smallest element along `dim`, counted from 1, and its index (Long). NaN compares greater than any number.
/// The dimension is removed, or kept with size 1 if `keepdim`. Bool and complex inputs are not supported.
[[structured::meta("kthvalue", "kthvalue.values"), structured::returns("values", "indices")]]
void kthvalue_meta(MetaBase& op, const Tensor& self, int64_t k, int64_t dim = -1, bool keepdim = false) {
  check_selectable("kthvalue", self);
  const int64_t wrapped = wrap_dim(dim, self.dim());
  const int64_t length = self.dim() == 0 ? 1 : self.size(wrapped);
  STRUCTURED_CHECK(1 <= k && k <= length, "kthvalue: expected a `k` from 1 to ", length, ", got ", k);
  set_selected("kthvalue", op, self, dim, keepdim);
}

/// Median along `dim`, the lower of the two middle elements for an even count, and its index (Long). NaN if any element
/// is NaN. The dimension is removed, or kept with size 1 if `keepdim`. Bool and complex inputs are not supported.
[[structured::meta("median.dim", "median.dim_values"), structured::returns("values", "indices")]]
void median_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()), "median: expected `self` of dtype ", kRealTypes, ", got ",
                   self.scalar_type());
  set_selected("median", op, self, dim, keepdim);
}

/// Median along `dim` of the elements that are not NaN, the lower of the two middle elements for an even count, and its
/// index (Long). NaN if all elements are NaN. The dimension is removed, or kept with size 1 if `keepdim`. Bool and
/// complex inputs are not supported.
[[structured::meta("nanmedian.dim", "nanmedian.dim_values"), structured::returns("values", "indices")]]
void nanmedian_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()), "nanmedian: expected `self` of dtype ", kRealTypes,
                   ", got ", self.scalar_type());
  set_selected("nanmedian", op, self, dim, keepdim);
}

/// Most frequent element along `dim`, the smallest in case of a tie, and the index (Long) of its last occurrence. NaN
/// differs from NaN. The dimension is removed, or kept with size 1 if `keepdim`. Complex inputs are not supported.
[[structured::meta("mode", "mode.values"), structured::returns("values", "indices")]]
void mode_meta(MetaBase& op, const Tensor& self, int64_t dim = -1, bool keepdim = false) {
  check_ordered("mode", self);
  set_selected("mode", op, self, dim, keepdim);
}

/// Cumulative maximum along `dim` and its index (Long), the last of equal elements. NaN is propagated to all later
/// elements. Complex inputs are not supported.
[[structured::meta("cummax", "cummax.out"), structured::returns("values", "indices")]]
void cummax_meta(MetaBase& op, const Tensor& self, int64_t dim) {
  set_running("cummax", op, self, dim);
}

/// Cumulative minimum along `dim` and its index (Long), the last of equal elements. NaN is propagated to all later
/// elements. Complex inputs are not supported.
[[structured::meta("cummin", "cummin.out"), structured::returns("values", "indices")]]
void cummin_meta(MetaBase& op, const Tensor& self, int64_t dim) {
  set_running("cummin", op, self, dim);
}

}  // namespace structured::kernels
