// Shapes and dtypes of operators that reduce dimensions.
#include <structured/core/error.h>
#include <structured/core/names.h>
#include <structured/core/scalar.h>
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace structured::kernels {
namespace {

__attribute__((noinline)) void set_reduced_in_part(MetaBase& op, const Tensor& self, DimMask mask, bool keepdim,
                                                   ScalarType dtype, int64_t index) {
  op.set_output_raw_strided(index, reduced_sizes(self.sizes(), mask, keepdim), {}, self.options().dtype(dtype));
  if (self.has_names()) [[unlikely]]
    op.set_output_names(index, reduced_names(self.names(), mask, keepdim));
}

// What is left of sizes and names.
void set_reduced(MetaBase& op, const Tensor& self, DimMask mask, bool keepdim, ScalarType dtype, int64_t index = 0) {
  const bool is_all_reduced = self.dim() < 64 && mask + 1 == DimMask{1} << self.dim();
  if (keepdim || !is_all_reduced) return set_reduced_in_part(op, self, mask, keepdim, dtype, index);
  op.set_output_raw_strided(index, {}, {}, self.options().dtype(dtype));
}

// Of sums and products: integers and Bool give Long.
ScalarType total_dtype(MetaBase& op, const Tensor& self, std::optional<ScalarType> dtype) {
  const Tensor& out = op.maybe_get_output();
  if (dtype) return *dtype;
  if (out.defined()) return out.scalar_type();
  return is_integral(self.scalar_type(), true) ? kLong : self.scalar_type();
}

void set_total(MetaBase& op, const Tensor& self, std::optional<ScalarType> dtype) {
  op.set_output_raw_strided(0, {}, {}, self.options().dtype(total_dtype(op, self, dtype)));
}

ScalarType truth_dtype(MetaBase& op, const Tensor& self) {
  const Tensor& out = op.maybe_get_output();
  STRUCTURED_CHECK(!out.defined() || out.scalar_type() == kBool || out.scalar_type() == kByte,
                   "expected `out` of dtype Bool or Byte, got ", out.scalar_type());
  if (out.defined()) return out.scalar_type();
  return self.scalar_type() == kByte ? kByte : kBool;
}

void set_extremum(const char* name, MetaBase& op, const Tensor& self, IntArrayRef dim, bool keepdim) {
  STRUCTURED_CHECK((kRealTypes | kBool).contains(self.scalar_type()), name, ": expected `self` of dtype ",
                   kRealTypes | kBool, ", got ", self.scalar_type());
  const DimMask mask = reduced_dims(name, dim, self.dim());
  for (int64_t d = 0; d < self.dim(); ++d) {
    STRUCTURED_CHECK((mask >> d & 1) == 0 || self.size(d) != 0, name, ": expected elements along dimension ", d,
                     ", got sizes ", self.sizes());
  }
  set_reduced(op, self, mask, keepdim, self.scalar_type());
}

void set_variance(const char* name, MetaBase& op, const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  STRUCTURED_CHECK(kAllFloatingTypes.contains(self.scalar_type()), name, ": expected `self` of dtype ",
                   kAllFloatingTypes, ", got ", self.scalar_type());
  set_reduced(op, self, reduced_dims(name, dim, self.dim()), keepdim, self.scalar_type());
}

// Where an empty list is no dimension.
DimMask listed_dims(const char* name, OptionalIntArrayRef dim, int64_t rank) {
  return dim && dim->empty() ? DimMask{0} : reduced_dims(name, dim, rank);
}

void set_position(const char* name, MetaBase& op, const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  const int64_t wrapped = dim ? wrap_dim(*dim, self.dim()) : 0;
  const bool has_choice = !dim || self.dim() == 0 || self.size(wrapped) != 1;
  STRUCTURED_CHECK(!has_choice || kRealTypes.contains(self.scalar_type()), name, ": expected `self` of dtype ",
                   kRealTypes, ", got ", self.scalar_type());
  STRUCTURED_CHECK(dim && self.dim() != 0 ? self.size(wrapped) != 0 : self.numel() != 0, name,
                   ": expected elements to choose from, got sizes ", self.sizes());
  const DimMask mask = dim ? reduced_dims(name, wrapped, self.dim()) : reduced_dims(name, std::nullopt, self.dim());
  set_reduced(op, self, mask, keepdim, kLong);
}

}  // namespace

/// The sum over the dimensions `dim` (all, if it is none or empty), which are left out of the result, or have size 1
/// with `keepdim`. Elements are converted to `dtype` first; without it, to the dtype of `out`, or Long for integers and
/// Bool.
[[structured::meta("sum.dim_IntList", "sum.IntList_out"), structured::device_check(false)]]
void sum_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool keepdim = false,
              [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  const Tensor& out = op.maybe_get_output();
  ScalarType result = is_integral(self.scalar_type(), true) ? kLong : self.scalar_type();
  if (out.defined()) result = out.scalar_type();
  const DimMask mask = reduced_dims("sum", dim, self.dim());
  set_reduced(op, self, mask, keepdim, dtype.value_or(result));
}

/// The sum of all elements.
[[structured::meta("sum", "sum.out"), structured::device_check(false), structured::tags("core")]]
void sum_all_meta(MetaBase& op, const Tensor& self,
                  [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  set_total(op, self, dtype);
}

/// The same without NaN.
[[structured::meta("nansum", "nansum.out"), structured::device_check(false)]]
void nansum_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim = std::nullopt,
                 bool keepdim = false, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  STRUCTURED_CHECK(!is_complex(self.scalar_type()), "nansum: expected real numbers, got ", self.scalar_type());
  set_reduced(op, self, reduced_dims("nansum", dim, self.dim()), keepdim, total_dtype(op, self, dtype));
}

/// The product of all elements.
[[structured::meta("prod", "prod.out"), structured::device_check(false), structured::tags("core")]]
void prod_all_meta(MetaBase& op, const Tensor& self,
                   [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  set_total(op, self, dtype);
}

/// The product along `dim`.
[[structured::meta("prod.dim_int", "prod.int_out"), structured::device_check(false), structured::tags("core")]]
void prod_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false,
               [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  set_reduced(op, self, reduced_dims("prod", dim, self.dim()), keepdim, total_dtype(op, self, dtype));
}

/// The mean over the dimensions `dim` (all, if it is none or empty). Integers need a floating `dtype`, which elements
/// are converted to first.
[[structured::meta("mean.dim", "mean.out"), structured::device_check(false), structured::tags("core")]]
void mean_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool keepdim = false,
               [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  const Tensor& out = op.maybe_get_output();
  const ScalarType averaged = dtype.value_or(self.scalar_type());
  const ScalarType result = dtype || !out.defined() ? averaged : out.scalar_type();
  for (const ScalarType found : {averaged, result}) {  // an `out` does not say that integers are to be converted
    STRUCTURED_CHECK((kAllFloatingTypes | kAllComplexTypes).contains(found),
                     "mean: expected floating or complex numbers, or a `dtype` of that kind, got ", found);
  }
  set_reduced(op, self, reduced_dims("mean", dim, self.dim()), keepdim, result);
}

/// The largest elements over the dimensions `dim` (all, if it is empty); NaN where there is one.
[[structured::meta("amax", "amax.out"), structured::device_check(false), structured::tags("core")]]
void amax_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] IntArrayRef dim = {}, bool keepdim = false) {
  set_extremum("amax", op, self, dim, keepdim);
}

/// The smallest elements over the dimensions `dim` (all, if it is empty); NaN where there is one.
[[structured::meta("amin", "amin.out"), structured::device_check(false), structured::tags("core")]]
void amin_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] IntArrayRef dim = {}, bool keepdim = false) {
  set_extremum("amin", op, self, dim, keepdim);
}

/// Whether any element is not 0. Bool, or Byte if `self` is Byte.
[[structured::meta("any", "any.all_out"), structured::device_check(false), structured::tags("core")]]
void any_all_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, {}, {}, self.options().dtype(truth_dtype(op, self)));
}

/// The same along `dim`.
[[structured::meta("any.dim", "any.out"), structured::device_check(false), structured::tags("core")]]
void any_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  set_reduced(op, self, reduced_dims("any", dim, self.dim()), keepdim, truth_dtype(op, self));
}

/// The same over the dimensions `dim`: all, if it is none, and none, if it is empty.
[[structured::meta("any.dims", "any.dims_out"), structured::device_check(false), structured::no_cpp_default("dim"),
  structured::tags("core")]]
void any_dims_meta(MetaBase& op, const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false) {
  set_reduced(op, self, listed_dims("any", dim, self.dim()), keepdim, truth_dtype(op, self));
}

/// Whether no element is 0. Bool, or Byte if `self` is Byte.
[[structured::meta("all", "all.all_out"), structured::device_check(false)]]
void all_all_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, {}, {}, self.options().dtype(truth_dtype(op, self)));
}

/// The same along `dim`.
[[structured::meta("all.dim", "all.out"), structured::device_check(false)]]
void all_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  set_reduced(op, self, reduced_dims("all", dim, self.dim()), keepdim, truth_dtype(op, self));
}

/// The same over the dimensions `dim`: all, if it is none, and none, if it is empty.
[[structured::meta("all.dims", "all.dims_out"), structured::device_check(false), structured::no_cpp_default("dim")]]
void all_dims_meta(MetaBase& op, const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false) {
  set_reduced(op, self, listed_dims("all", dim, self.dim()), keepdim, truth_dtype(op, self));
}

/// How many elements are not 0.
[[structured::meta("count_nonzero.dim_IntList", "count_nonzero.dim_IntList_out"), structured::device_check(false)]]
void count_nonzero_meta(MetaBase& op, const Tensor& self, IntArrayRef dim) {
  set_reduced(op, self, reduced_dims("count_nonzero", dim, self.dim()), false, kLong);
}

/// The variance over the dimensions `dim` (all, if it is none or empty): the sum of squared distances from the mean,
/// divided by the number of elements less `correction` (1, if it is none).
[[structured::meta("var.correction", "var.correction_out"), structured::device_check(false), structured::tags("core")]]
void var_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
              [[structured::kwonly]] std::optional<int64_t> correction, bool keepdim = false) {
  set_variance("var", op, self, dim, keepdim);
}

/// The square root of the variance.
[[structured::meta("std.correction", "std.correction_out"), structured::device_check(false)]]
void std_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
              [[structured::kwonly]] std::optional<int64_t> correction, bool keepdim = false) {
  set_variance("std", op, self, dim, keepdim);
}

/// Where the largest element along `dim` is, or in all of `self` in row-major order: the first of equal ones. NaN
/// counts as larger than any number.
[[structured::meta("argmax", "argmax.out"), structured::device_check(false), structured::tags("core")]]
void argmax_meta(MetaBase& op, const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false) {
  set_position("argmax", op, self, dim, keepdim);
}

/// Where the smallest element is. NaN counts as smaller than any number.
[[structured::meta("argmin", "argmin.out"), structured::device_check(false), structured::tags("core")]]
void argmin_meta(MetaBase& op, const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false) {
  set_position("argmin", op, self, dim, keepdim);
}

/// The smallest elements along `dim`, and where they are: the first of equal ones. NaN counts as smaller than any
/// number.
[[structured::meta("min.dim", "min.dim_min"), structured::returns("values", "indices"), structured::device_check(false),
  structured::tags("core")]]
void min_dim_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  STRUCTURED_CHECK((kRealTypes | kBool).contains(self.scalar_type()), "min: expected `self` of dtype ",
                   kRealTypes | kBool, ", got ", self.scalar_type());
  const int64_t wrapped = wrap_dim(dim, self.dim());
  STRUCTURED_CHECK(self.dim() == 0 || self.size(wrapped) != 0, "min: expected elements along dimension ", dim,
                   ", got sizes ", self.sizes());
  const DimMask mask = reduced_dims("min", wrapped, self.dim());
  set_reduced(op, self, mask, keepdim, self.scalar_type());
  set_reduced(op, self, mask, keepdim, kLong, 1);
}

/// The largest elements along `dim`, and where they are: the first of equal ones. NaN counts as larger than any number.
[[structured::meta("max.dim", "max.dim_max"), structured::returns("values", "indices"),
  structured::device_check(false)]]
void max_dim_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  STRUCTURED_CHECK((kRealTypes | kBool).contains(self.scalar_type()), "max: expected `self` of dtype ",
                   kRealTypes | kBool, ", got ", self.scalar_type());
  const int64_t wrapped = wrap_dim(dim, self.dim());
  STRUCTURED_CHECK(self.dim() == 0 || self.size(wrapped) != 0, "max: expected elements along dimension ", dim,
                   ", got sizes ", self.sizes());
  const DimMask mask = reduced_dims("max", wrapped, self.dim());
  set_reduced(op, self, mask, keepdim, self.scalar_type());
  set_reduced(op, self, mask, keepdim, kLong, 1);
}

/// The `ord`-norm of all elements over the dimensions `dim` (all, if it is none) as one vector: for infinity the
/// largest magnitude, for minus infinity the smallest one, for 0 how many are not 0. Elements are converted to `dtype`
/// first.
[[structured::meta("linalg_vector_norm", "linalg_vector_norm.out"), structured::device_check(false)]]
void linalg_vector_norm_meta(MetaBase& op, const Tensor& self, const Scalar& ord = 2,
                             [[structured::size(1)]] OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                             [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  const ScalarType result = dtype.value_or(self.scalar_type());
  STRUCTURED_CHECK(kAllFloatingTypes.contains(self.scalar_type()) && kAllFloatingTypes.contains(result),
                   "linalg_vector_norm: expected floating numbers, got ", self.scalar_type(), " and `dtype` ", result);
  const DimMask mask = reduced_dims("linalg_vector_norm", dim, self.dim());
  const double order = ord.to<double>();
  if (order < 0 || order == std::numeric_limits<double>::infinity()) {
    for (int64_t d = 0; d < self.dim(); ++d) {
      STRUCTURED_CHECK((mask >> d & 1) == 0 || self.size(d) != 0,
                       "linalg_vector_norm: expected elements along dimension ", d, " for `ord` ", ord, ", got sizes ",
                       self.sizes());
    }
  }
  set_reduced(op, self, mask, keepdim, result);
}

}  // namespace structured::kernels
