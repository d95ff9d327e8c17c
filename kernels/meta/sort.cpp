// Shapes of operators that sort, or select by order.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>

#include <cstdint>
#include <optional>

#include "meta/dense_strides.h"

namespace structured::kernels {
namespace {

void check_ordered(const char* name, const Tensor& self) {
  STRUCTURED_CHECK((kRealTypes | kBool).contains(self.scalar_type()), name, ": expected `self` of dtype ",
                   kRealTypes | kBool, ", got ", self.scalar_type());
}

// Bool is taken where there is nothing to compare.
void check_selectable(const char* name, const Tensor& self) {
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()) || (self.scalar_type() == kBool && self.dim() == 0), name,
                   ": expected `self` of dtype ", kRealTypes, ", got ", self.scalar_type());
}

// Values and indices without `dim`.
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

/// The elements along `dim` in ascending order, or, with `descending`, in descending order, and where they were. NaN
/// counts as greater than any number. Equal elements keep their order, whatever `stable` says.
[[structured::meta("sort.stable", "sort.values_stable"), structured::returns("values", "indices")]]
void sort_meta(MetaBase& op, const Tensor& self, [[structured::kwonly, maybe_unused]] std::optional<bool> stable,
               int64_t dim = -1, [[maybe_unused]] bool descending = false) {
  check_ordered("sort", self);
  wrap_dim(dim, self.dim());
  const DimVector strides = preserved_strides(self);
  op.set_output_raw_strided(0, self.sizes(), strides, self.options());
  op.set_output_raw_strided(1, self.sizes(), strides, self.options().dtype(kLong));
}

/// The `k` greatest elements along `dim`, or, without `largest`, the least, and where they were; the best one first
/// with `sorted`. NaN counts as greater than any number. Of equal elements the first ones are taken.
[[structured::meta("topk", "topk.values"), structured::returns("values", "indices")]]
void topk_meta(MetaBase& op, const Tensor& self, int64_t k, int64_t dim = -1, [[maybe_unused]] bool largest = true,
               [[maybe_unused]] bool sorted = true) {
  check_selectable("topk", self);
  const int64_t wrapped = wrap_dim(dim, self.dim());
  const int64_t length = self.dim() == 0 ? 1 : self.size(wrapped);
  STRUCTURED_CHECK(0 <= k && k <= length, "topk: expected a `k` from 0 to ", length, ", got ", k);
  DimVector sizes(self.sizes());
  if (self.dim() > 0) sizes[static_cast<size_t>(wrapped)] = k;
  op.set_output_contiguous(0, sizes, self.options());
  op.set_output_contiguous(1, sizes, self.options().dtype(kLong));
}

/// The element number `k`, from 1 on, in ascending order along `dim`, and where it was. NaN counts as greater than any
/// number.
[[structured::meta("kthvalue", "kthvalue.values"), structured::returns("values", "indices")]]
void kthvalue_meta(MetaBase& op, const Tensor& self, int64_t k, int64_t dim = -1, bool keepdim = false) {
  check_selectable("kthvalue", self);
  const int64_t wrapped = wrap_dim(dim, self.dim());
  const int64_t length = self.dim() == 0 ? 1 : self.size(wrapped);
  STRUCTURED_CHECK(1 <= k && k <= length, "kthvalue: expected a `k` from 1 to ", length, ", got ", k);
  set_selected("kthvalue", op, self, dim, keepdim);
}

/// The median along `dim`, and where it was: the lower one of an even number of elements. NaN, if there is one.
[[structured::meta("median.dim", "median.dim_values"), structured::returns("values", "indices")]]
void median_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()), "median: expected `self` of dtype ", kRealTypes, ", got ",
                   self.scalar_type());
  set_selected("median", op, self, dim, keepdim);
}

/// The same of the elements that are not NaN; NaN, if there are none.
[[structured::meta("nanmedian.dim", "nanmedian.dim_values"), structured::returns("values", "indices")]]
void nanmedian_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()), "nanmedian: expected `self` of dtype ", kRealTypes,
                   ", got ", self.scalar_type());
  set_selected("nanmedian", op, self, dim, keepdim);
}

/// The most frequent element along `dim`, the least of several, and where the last one of its kind was. NaN counts as
/// different from NaN.
[[structured::meta("mode", "mode.values"), structured::returns("values", "indices")]]
void mode_meta(MetaBase& op, const Tensor& self, int64_t dim = -1, bool keepdim = false) {
  check_ordered("mode", self);
  set_selected("mode", op, self, dim, keepdim);
}

/// The greatest of the elements along `dim` up to each, and where it was: the last of equal ones. NaN, from the first
/// one on.
[[structured::meta("cummax", "cummax.out"), structured::returns("values", "indices")]]
void cummax_meta(MetaBase& op, const Tensor& self, int64_t dim) {
  set_running("cummax", op, self, dim);
}

/// The least of the elements along `dim` up to each, and where it was: the last of equal ones. NaN, from the first one
/// on.
[[structured::meta("cummin", "cummin.out"), structured::returns("values", "indices")]]
void cummin_meta(MetaBase& op, const Tensor& self, int64_t dim) {
  set_running("cummin", op, self, dim);
}

}  // namespace structured::kernels
