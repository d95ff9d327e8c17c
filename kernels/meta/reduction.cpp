// Meta functions of reductions.
#include <structured/base/error.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>

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

// Sets an output with the reduced sizes and names.
void set_reduced(MetaBase& op, const Tensor& self, DimMask mask, bool keepdim, ScalarType dtype, int64_t index = 0) {
  const bool is_all_reduced = self.dim() < 64 && mask + 1 == DimMask{1} << self.dim();
  if (keepdim || !is_all_reduced) return set_reduced_in_part(op, self, mask, keepdim, dtype, index);
  op.set_output_raw_strided(index, {}, {}, self.options().dtype(dtype));
}

// Result dtype of sums and products: Long for integers and Bool.
ScalarType total_dtype(MetaBase& op, const Tensor& self, std::optional<ScalarType> dtype) {
  const Tensor& out = op.maybe_get_output();
  if (dtype) return *dtype;
  if (out.defined()) return out.scalar_type();
  return is_integral(self.scalar_type(), true) ? kLong : self.scalar_type();
}

void set_total(MetaBase& op, const Tensor& self, std::optional<ScalarType> dtype) {
  op.set_output_raw_strided(0, {}, {}, self.options().dtype(total_dtype(op, self, dtype)));
}

ScalarType all_any_dtype(MetaBase& op, const Tensor& self) {
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

// Variances are computed in the dtype of `out`, and are real.
void set_variance(const char* name, MetaBase& op, const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  constexpr ScalarTypeSet types = kAllFloatingTypes | set_of(kComplexFloat) | kComplexDouble;
  STRUCTURED_CHECK(types.contains(self.scalar_type()), name, ": expected `self` of dtype ", types, ", got ",
                   self.scalar_type());
  const Tensor& out = op.maybe_get_output();
  const ScalarType dtype = to_real(self.scalar_type());
  STRUCTURED_CHECK(!out.defined() || kAllFloatingTypes.contains(out.scalar_type()), name, ": expected `out` of dtype ",
                   kAllFloatingTypes, ", got ", out.scalar_type());
  set_reduced(op, self, reduced_dims(name, dim, self.dim()), keepdim, out.defined() ? out.scalar_type() : dtype);
}

// Unlike reduced_dims, an empty list selects no dimension.
DimMask listed_dims(const char* name, OptionalIntArrayRef dim, int64_t rank) {
  return dim && dim->empty() ? DimMask{0} : reduced_dims(name, dim, rank);
}

void set_arg_extremum(const char* name, MetaBase& op, const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  const int64_t wrapped = dim ? wrap_dim(*dim, self.dim()) : 0;
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()), name, ": expected `self` of dtype ", kRealTypes, ", got ",
                   self.scalar_type());
  STRUCTURED_CHECK(dim && self.dim() != 0 ? self.size(wrapped) != 0 : self.numel() != 0, name,
                   ": expected a nonempty `self`, got sizes ", self.sizes());
  const DimMask mask = dim ? reduced_dims(name, wrapped, self.dim()) : reduced_dims(name, std::nullopt, self.dim());
  set_reduced(op, self, mask, keepdim, kLong);
}

}  // namespace

/// Sum over the dimensions `dim` (all if None or empty). Reduced dimensions are removed, or kept with size 1 if
/// `keepdim`. Elements are converted to `dtype` first, by default Long for integers and Bool.
[[structured::meta("sum.dim_IntList", "sum.IntList_out"), structured::device_check(false)]]
void sum_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool keepdim = false,
              [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  const Tensor& out = op.maybe_get_output();
  ScalarType result = is_integral(self.scalar_type(), true) ? kLong : self.scalar_type();
  if (out.defined()) result = out.scalar_type();
  const DimMask mask = reduced_dims("sum", dim, self.dim());
  set_reduced(op, self, mask, keepdim, dtype.value_or(result));
}

/// Sum of all elements: a scalar tensor. Elements are converted to `dtype` first, by default Long for integers and
/// Bool.
[[structured::meta("sum", "sum.out"), structured::device_check(false), structured::tags("core")]]
void sum_all_meta(MetaBase& op, const Tensor& self,
                  [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  set_total(op, self, dtype);
}

/// Sum over the dimensions `dim` (all if None or empty) with NaN treated as 0. Reduced dimensions are removed, or kept
/// with size 1 if `keepdim`. Elements are converted to `dtype` first, by default Long for integers and Bool. Complex
/// inputs are not supported.
[[structured::meta("nansum", "nansum.out"), structured::device_check(false)]]
void nansum_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim = std::nullopt,
                 bool keepdim = false, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  STRUCTURED_CHECK(!is_complex(self.scalar_type()), "nansum: expected a real dtype, got ", self.scalar_type());
  set_reduced(op, self, reduced_dims("nansum", dim, self.dim()), keepdim, total_dtype(op, self, dtype));
}

/// Product of all elements: a scalar tensor. Elements are converted to `dtype` first, by default Long for integers and
/// Bool.
[[structured::meta("prod", "prod.out"), structured::device_check(false), structured::tags("core")]]
void prod_all_meta(MetaBase& op, const Tensor& self,
                   [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  set_total(op, self, dtype);
}

/// Product over the dimension `dim`, which is removed, or kept with size 1 if `keepdim`. Elements are converted to
/// `dtype` first, by default Long for integers and Bool.
[[structured::meta("prod.dim_int", "prod.int_out"), structured::device_check(false), structured::tags("core")]]
void prod_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false,
               [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  set_reduced(op, self, reduced_dims("prod", dim, self.dim()), keepdim, total_dtype(op, self, dtype));
}

/// Mean over the dimensions `dim` (all if None or empty). Reduced dimensions are removed, or kept with size 1 if
/// `keepdim`. Elements are converted to `dtype` first, which integers and Bool require; it must be floating-point or
/// complex.
[[structured::meta("mean.dim", "mean.out"), structured::device_check(false), structured::tags("core")]]
void mean_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool keepdim = false,
               [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  const Tensor& out = op.maybe_get_output();
  const ScalarType averaged = dtype.value_or(self.scalar_type());
  const ScalarType result = dtype || !out.defined() ? averaged : out.scalar_type();
  for (const ScalarType found : {averaged, result}) {  // integer inputs are rejected even if `out` is floating-point
    STRUCTURED_CHECK((kAllFloatingTypes | kAllComplexTypes).contains(found),
                     "mean: expected a floating-point or complex dtype, got ", found);
  }
  set_reduced(op, self, reduced_dims("mean", dim, self.dim()), keepdim, result);
}

/// Maximum over the dimensions `dim` (all if empty); NaN if any element is NaN. Reduced dimensions are removed, or kept
/// with size 1 if `keepdim`, and must not be empty. Complex inputs are not supported.
[[structured::meta("amax", "amax.out"), structured::device_check(false), structured::tags("core")]]
void amax_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] IntArrayRef dim = {}, bool keepdim = false) {
  set_extremum("amax", op, self, dim, keepdim);
}

/// Minimum over the dimensions `dim` (all if empty); NaN if any element is NaN. Reduced dimensions are removed, or kept
/// with size 1 if `keepdim`, and must not be empty. Complex inputs are not supported.
[[structured::meta("amin", "amin.out"), structured::device_check(false), structured::tags("core")]]
void amin_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] IntArrayRef dim = {}, bool keepdim = false) {
  set_extremum("amin", op, self, dim, keepdim);
}

/// Whether any element is nonzero: a scalar tensor of dtype Bool, or Byte if `self` is Byte.
[[structured::meta("any", "any.all_out"), structured::not_differentiable, structured::device_check(false),
  structured::tags("core")]]
void any_all_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, {}, {}, self.options().dtype(all_any_dtype(op, self)));
}

/// Whether any element along the dimension `dim` is nonzero. The dimension is removed, or kept with size 1 if
/// `keepdim`. Returns Bool, or Byte if `self` is Byte.
[[structured::meta("any.dim", "any.out"), structured::not_differentiable, structured::device_check(false),
  structured::tags("core")]]
void any_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  set_reduced(op, self, reduced_dims("any", dim, self.dim()), keepdim, all_any_dtype(op, self));
}

/// Whether any element over the dimensions `dim` is nonzero; None reduces all dimensions, an empty list none. Reduced
/// dimensions are removed, or kept with size 1 if `keepdim`. Returns Bool, or Byte if `self` is Byte.
[[structured::meta("any.dims", "any.dims_out"), structured::not_differentiable, structured::device_check(false),
  structured::no_cpp_default("dim"), structured::tags("core")]]
void any_dims_meta(MetaBase& op, const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false) {
  set_reduced(op, self, listed_dims("any", dim, self.dim()), keepdim, all_any_dtype(op, self));
}

/// Whether all elements are nonzero: a scalar tensor of dtype Bool, or Byte if `self` is Byte.
[[structured::meta("all", "all.all_out"), structured::not_differentiable, structured::device_check(false)]]
void all_all_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, {}, {}, self.options().dtype(all_any_dtype(op, self)));
}

/// Whether all elements along the dimension `dim` are nonzero. The dimension is removed, or kept with size 1 if
/// `keepdim`. Returns Bool, or Byte if `self` is Byte.
[[structured::meta("all.dim", "all.out"), structured::not_differentiable, structured::device_check(false)]]
void all_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  set_reduced(op, self, reduced_dims("all", dim, self.dim()), keepdim, all_any_dtype(op, self));
}

/// Whether all elements over the dimensions `dim` are nonzero; None reduces all dimensions, an empty list none. Reduced
/// dimensions are removed, or kept with size 1 if `keepdim`. Returns Bool, or Byte if `self` is Byte.
[[structured::meta("all.dims", "all.dims_out"), structured::not_differentiable, structured::device_check(false),
  structured::no_cpp_default("dim")]]
void all_dims_meta(MetaBase& op, const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false) {
  set_reduced(op, self, listed_dims("all", dim, self.dim()), keepdim, all_any_dtype(op, self));
}

/// Number of nonzero elements over the dimensions `dim` (all if empty), which are removed. Returns Long.
[[structured::meta("count_nonzero.dim_IntList", "count_nonzero.dim_IntList_out"), structured::not_differentiable,
  structured::device_check(false)]]
void count_nonzero_meta(MetaBase& op, const Tensor& self, IntArrayRef dim) {
  set_reduced(op, self, reduced_dims("count_nonzero", dim, self.dim()), false, kLong);
}

/// Variance over the dimensions `dim` (all if None or empty): sum of squared deviations from the mean, divided by n -
/// `correction` (default 1), which may be a fraction. Reduced dimensions are removed, or kept with size 1 if `keepdim`.
/// The variance of complex numbers is the sum of the variances of their real and imaginary parts. Integers and Bool are
/// not supported.
[[structured::meta("var.correction", "var.correction_out"), structured::device_check(false), structured::tags("core")]]
void var_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim = std::nullopt,
              [[structured::kwonly]] const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false) {
  set_variance("var", op, self, dim, keepdim);
}

/// Standard deviation over the dimensions `dim` (all if None or empty): square root of the sum of squared deviations
/// from the mean, divided by n - `correction` (default 1), which may be a fraction. Reduced dimensions are removed, or
/// kept with size 1 if `keepdim`. The result for complex numbers is real. Integers and Bool are not supported.
[[structured::meta("std.correction", "std.correction_out"), structured::device_check(false)]]
void std_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim = std::nullopt,
              [[structured::kwonly]] const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false) {
  set_variance("std", op, self, dim, keepdim);
}

/// Index (Long) of the maximum along `dim`, or of the flattened tensor without `dim`; the first of equal elements. NaN
/// compares greater than any number. Bool and complex inputs are not supported.
[[structured::meta("argmax", "argmax.out"), structured::not_differentiable, structured::device_check(false),
  structured::tags("core")]]
void argmax_meta(MetaBase& op, const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false) {
  set_arg_extremum("argmax", op, self, dim, keepdim);
}

/// Index (Long) of the minimum along `dim`, or of the flattened tensor without `dim`; the first of equal elements. NaN
/// compares less than any number. Bool and complex inputs are not supported.
[[structured::meta("argmin", "argmin.out"), structured::not_differentiable, structured::device_check(false),
  structured::tags("core")]]
void argmin_meta(MetaBase& op, const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false) {
  set_arg_extremum("argmin", op, self, dim, keepdim);
}

/// Minimum along `dim` and its index (Long); the first of equal elements. NaN compares less than any number. The
/// dimension is removed, or kept with size 1 if `keepdim`. Complex inputs are not supported.
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

/// Maximum along `dim` and its index (Long); the first of equal elements. NaN compares greater than any number. The
/// dimension is removed, or kept with size 1 if `keepdim`. Complex inputs are not supported.
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

/// Vector norm of order `ord` over the dimensions `dim` (all if None): `sum(|x| ** ord) ** (1 / ord)`. Infinity gives
/// the largest, negative infinity the smallest absolute value, 0 the number of nonzero elements.
///
/// Elements are converted to `dtype` first, which is complex for complex numbers. Reduced dimensions are removed, or
/// kept with size 1 if `keepdim`. The result is real. Integers and Bool are not supported.
[[structured::meta("linalg_vector_norm", "linalg_vector_norm.out"), structured::device_check(false)]]
void linalg_vector_norm_meta(MetaBase& op, const Tensor& self, const Scalar& ord = 2,
                             [[structured::size(1)]] OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                             [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  const ScalarType computed = dtype.value_or(self.scalar_type());
  const ScalarTypeSet types = self.is_complex() ? kComplexTypes : kAllFloatingTypes;
  STRUCTURED_CHECK(
      types.contains(self.scalar_type()) && types.contains(computed),
      "linalg_vector_norm: expected a floating-point or complex dtype, and a `dtype` of the same kind, got ",
      self.scalar_type(), " and ", computed);
  const DimMask mask = reduced_dims("linalg_vector_norm", dim, self.dim());
  const double order = ord.to<double>();
  if (order < 0 || order == std::numeric_limits<double>::infinity()) {
    for (int64_t d = 0; d < self.dim(); ++d) {
      STRUCTURED_CHECK((mask >> d & 1) == 0 || self.size(d) != 0,
                       "linalg_vector_norm: expected elements along dimension ", d, " for `ord` ", ord, ", got sizes ",
                       self.sizes());
    }
  }
  set_reduced(op, self, mask, keepdim, to_real(computed));
}

}  // namespace structured::kernels
