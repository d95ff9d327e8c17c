// Composite reductions of all elements, and var_mean and std_mean.
#include <structured/core/tensor.h>
#include <structured/ops/amax.h>
#include <structured/ops/amin.h>
#include <structured/ops/count_nonzero.h>
#include <structured/ops/mean.h>
#include <structured/ops/std.h>
#include <structured/ops/var.h>
#include <structured/structured.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace structured::kernels {

/// Mean of all elements: a scalar tensor. Elements are converted to `dtype` first, which integers and Bool require; it
/// must be floating-point or complex.
[[structured::kernel("mean", "CompositeExplicitAutograd"), structured::tags("core")]]
Tensor mean_all(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  return structured::mean(self, std::nullopt, false, dtype);
}

/// Maximum of all elements: a scalar tensor; NaN if any element is NaN. `self` must not be empty. Complex inputs are
/// not supported.
[[structured::kernel("max", "CompositeExplicitAutograd")]]
Tensor max_all(const Tensor& self) {
  return structured::amax(self);
}

/// Minimum of all elements: a scalar tensor; NaN if any element is NaN. `self` must not be empty. Complex inputs are
/// not supported.
[[structured::kernel("min", "CompositeExplicitAutograd")]]
Tensor min_all(const Tensor& self) {
  return structured::amin(self);
}

/// Number of nonzero elements along `dim`, which is removed, or of the whole tensor without `dim`. Returns Long.
[[structured::kernel("count_nonzero", "CompositeExplicitAutograd")]]
Tensor count_nonzero_along(const Tensor& self, std::optional<int64_t> dim = std::nullopt) {
  return structured::count_nonzero(self, dim ? IntArrayRef(*dim) : IntArrayRef());
}

/// Variance with divisor n - `correction` (default 1) and mean over the dimensions `dim` (all if None or empty).
/// Reduced dimensions are removed, or kept with size 1 if `keepdim`. Floating-point dtypes only.
[[structured::kernel("var_mean.correction", "CompositeExplicitAutograd")]]
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                                    [[structured::kwonly]] std::optional<int64_t> correction, bool keepdim = false) {
  return {structured::var(self, dim, correction, keepdim), structured::mean(self, dim, keepdim)};
}

/// Standard deviation with divisor n - `correction` (default 1) and mean over the dimensions `dim` (all if None or
/// empty). Reduced dimensions are removed, or kept with size 1 if `keepdim`. Floating-point dtypes only.
[[structured::kernel("std_mean.correction", "CompositeExplicitAutograd")]]
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                                    [[structured::kwonly]] std::optional<int64_t> correction, bool keepdim = false) {
  return {structured::std(self, dim, correction, keepdim), structured::mean(self, dim, keepdim)};
}

}  // namespace structured::kernels
