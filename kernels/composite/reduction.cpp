// Composite reductions of all elements, and var_mean and std_mean.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/resize.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>
#include <structured/number/visit.h>
#include <structured/ops/amax.h>
#include <structured/ops/amin.h>
#include <structured/ops/copy.h>
#include <structured/ops/count_nonzero.h>
#include <structured/ops/full.h>
#include <structured/ops/mean.h>
#include <structured/ops/std.h>
#include <structured/ops/var.h>
#include <structured/structured.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>

namespace structured::kernels {
namespace {

// Checks the argument of `max` and `min`, so that errors do not name the operators that compute them.
void check_extremum(const char* name, const Tensor& self) {
  check_dtype(name, self.scalar_type(), kRealTypes | kBool);
  STRUCTURED_CHECK(self.numel() != 0, name, ": expected a nonempty `self` without `dim`, got sizes ", self.sizes());
}

// The extremum of no elements: the value of its dtype that all others replace.
Tensor extremum_of_none(const char* name, const Tensor& self, bool is_max) {
  check_dtype(name, self.scalar_type(), kRealTypes | kBool);
  Scalar value;
  visit<kRealTypes | kBool>(name, self.scalar_type(), [&]<class T>() {
    using Limits = std::numeric_limits<T>;
    if constexpr (is_floating(scalar_type_of<T>)) {
      value = is_max ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    } else {
      value = is_max ? Limits::lowest() : Limits::max();
    }
  });
  return structured::full({}, value, self.options());
}

Tensor& write_extremum(const char* name, const Tensor& self, const Tensor& extremum, Tensor& out) {
  STRUCTURED_CHECK(can_cast(self.scalar_type(), out.scalar_type()), name, ": expected `out` of a dtype to which ",
                   self.scalar_type(), " casts, got ", out.scalar_type());
  resize_output(out, {});
  return structured::copy_(out, extremum);
}

}  // namespace

/// Mean of all elements: a scalar tensor. Elements are converted to `dtype` first, which integers and Bool require; it
/// must be floating-point or complex.
[[structured::kernel("mean", "CompositeExplicitAutograd"), structured::variants("mean.dtype_out"),
  structured::tags("core")]]
Tensor mean_all(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  return structured::mean(self, std::nullopt, false, dtype);
}

/// Maximum of all elements: a scalar tensor; NaN if any element is NaN. `self` must not be empty. Complex inputs are
/// not supported.
[[structured::kernel("max", "CompositeExplicitAutograd")]]
Tensor max_all(const Tensor& self) {
  check_extremum("max", self);
  return structured::amax(self);
}

/// Minimum of all elements: a scalar tensor; NaN if any element is NaN. `self` must not be empty. Complex inputs are
/// not supported.
[[structured::kernel("min", "CompositeExplicitAutograd")]]
Tensor min_all(const Tensor& self) {
  check_extremum("min", self);
  return structured::amin(self);
}

/// Writes the maximum of all elements of `self`, NaN if any element is NaN, to `out`, which is resized to have no
/// dimensions and may have any dtype to which that of `self` casts. An empty `self` gives negative infinity, or the
/// lowest integer of its dtype, unlike `max`. Complex inputs are not supported.
[[structured::kernel("max.unary_out", "CompositeExplicitAutograd")]]
Tensor& max_all_out(const Tensor& self, Tensor& out) {
  const Tensor result = self.numel() == 0 ? extremum_of_none("max", self, true) : kernels::max_all(self);
  return write_extremum("max", self, result, out);
}

/// Writes the minimum of all elements of `self`, NaN if any element is NaN, to `out`, which is resized to have no
/// dimensions and may have any dtype to which that of `self` casts. An empty `self` gives infinity, or the
/// greatest integer of its dtype, unlike `min`. Complex inputs are not supported.
[[structured::kernel("min.unary_out", "CompositeExplicitAutograd")]]
Tensor& min_all_out(const Tensor& self, Tensor& out) {
  const Tensor result = self.numel() == 0 ? extremum_of_none("min", self, false) : kernels::min_all(self);
  return write_extremum("min", self, result, out);
}

/// Number of nonzero elements along `dim`, which is removed, or of the whole tensor without `dim`. Returns Long.
[[structured::kernel("count_nonzero", "CompositeExplicitAutograd"), structured::variants("count_nonzero.out"),
  structured::not_differentiable]]
Tensor count_nonzero_along(const Tensor& self, std::optional<int64_t> dim = std::nullopt) {
  return structured::count_nonzero(self, dim ? IntArrayRef(*dim) : IntArrayRef());
}

/// Variance with divisor n - `correction` (default 1) and mean over the dimensions `dim` (all if None or empty).
/// Reduced dimensions are removed, or kept with size 1 if `keepdim`. Floating-point dtypes only.
[[structured::composite("var_mean.correction"), structured::variants("var_mean.correction_out")]]
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim = std::nullopt,
                                    [[structured::kwonly]] const std::optional<Scalar>& correction = std::nullopt,
                                    bool keepdim = false) {
  return {structured::var(self, dim, correction, keepdim), structured::mean(self, dim, keepdim)};
}

/// Standard deviation with divisor n - `correction` (default 1) and mean over the dimensions `dim` (all if None or
/// empty). Reduced dimensions are removed, or kept with size 1 if `keepdim`. Floating-point dtypes only.
[[structured::composite("std_mean.correction"), structured::variants("std_mean.correction_out")]]
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim = std::nullopt,
                                    [[structured::kwonly]] const std::optional<Scalar>& correction = std::nullopt,
                                    bool keepdim = false) {
  return {structured::std(self, dim, correction, keepdim), structured::mean(self, dim, keepdim)};
}

}  // namespace structured::kernels
