// Variance and standard deviation with the argument `unbiased`.
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>
#include <structured/ops/std.h>
#include <structured/ops/std_mean.h>
#include <structured/ops/var.h>
#include <structured/ops/var_mean.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace structured::kernels {
namespace {

std::optional<Scalar> correction_of(bool unbiased) { return Scalar(unbiased ? 1 : 0); }

}  // namespace

/// Variance over the dimensions `dim` (all if None or empty): sum of squared deviations from the mean, divided by n - 1
/// if `unbiased`, else by n. Reduced dimensions are removed, or kept with size 1 if `keepdim`. Floating-point dtypes
/// only.
[[structured::composite("var.dim"), structured::no_cpp_default("unbiased"), structured::tags("core")]]
Tensor var_dim(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool unbiased = true,
               bool keepdim = false) {
  return structured::var(self, dim, correction_of(unbiased), keepdim);
}

/// Variance of all elements: sum of squared deviations from the mean, divided by n - 1 if `unbiased`, else by n.
/// Returns a scalar tensor. Floating-point dtypes only.
[[structured::composite("var"), structured::no_cpp_default("unbiased")]]
Tensor var_all(const Tensor& self, bool unbiased = true) {
  return structured::var(self, std::nullopt, correction_of(unbiased), false);
}

/// Writes the variance over the dimensions `dim` (all if None or empty) to `out`: sum of squared deviations from the
/// mean, divided by n - 1 if `unbiased`, else by n. Floating-point dtypes only.
[[structured::composite("var.out"), structured::no_cpp_default("unbiased")]]
Tensor& var_out(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                [[structured::schema_default("True")]] bool unbiased,
                [[structured::schema_default("False")]] bool keepdim, Tensor& out) {
  return structured::var_out(out, self, dim, correction_of(unbiased), keepdim);
}

/// Standard deviation over the dimensions `dim` (all if None or empty), with divisor n - 1 if `unbiased`, else n.
/// Reduced dimensions are removed, or kept with size 1 if `keepdim`. Floating-point dtypes only.
[[structured::composite("std.dim"), structured::no_cpp_default("unbiased")]]
Tensor std_dim(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool unbiased = true,
               bool keepdim = false) {
  return structured::std(self, dim, correction_of(unbiased), keepdim);
}

/// Standard deviation of all elements, with divisor n - 1 if `unbiased`, else n. Returns a scalar tensor.
/// Floating-point dtypes only.
[[structured::composite("std"), structured::no_cpp_default("unbiased")]]
Tensor std_all(const Tensor& self, bool unbiased = true) {
  return structured::std(self, std::nullopt, correction_of(unbiased), false);
}

/// Writes the standard deviation over the dimensions `dim` (all if None or empty) to `out`, with divisor n - 1 if
/// `unbiased`, else n. Floating-point dtypes only.
[[structured::composite("std.out"), structured::no_cpp_default("unbiased")]]
Tensor& std_out(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                [[structured::schema_default("True")]] bool unbiased,
                [[structured::schema_default("False")]] bool keepdim, Tensor& out) {
  return structured::std_out(out, self, dim, correction_of(unbiased), keepdim);
}

/// Variance, with divisor n - 1 if `unbiased`, else n, and mean over the dimensions `dim` (all if None or empty).
/// Reduced dimensions are removed, or kept with size 1 if `keepdim`. Floating-point dtypes only.
[[structured::composite("var_mean.dim"), structured::no_cpp_default("unbiased")]]
std::tuple<Tensor, Tensor> var_mean_dim(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                                        bool unbiased = true, bool keepdim = false) {
  return structured::var_mean(self, dim, correction_of(unbiased), keepdim);
}

/// Variance, with divisor n - 1 if `unbiased`, else n, and mean of all elements. Returns scalar tensors. Floating-point
/// dtypes only.
[[structured::composite("var_mean"), structured::no_cpp_default("unbiased")]]
std::tuple<Tensor, Tensor> var_mean_all(const Tensor& self, bool unbiased = true) {
  return structured::var_mean(self, std::nullopt, correction_of(unbiased), false);
}

/// Standard deviation, with divisor n - 1 if `unbiased`, else n, and mean over the dimensions `dim` (all if None or
/// empty). Reduced dimensions are removed, or kept with size 1 if `keepdim`. Floating-point dtypes only.
[[structured::composite("std_mean.dim"), structured::no_cpp_default("unbiased")]]
std::tuple<Tensor, Tensor> std_mean_dim(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                                        bool unbiased = true, bool keepdim = false) {
  return structured::std_mean(self, dim, correction_of(unbiased), keepdim);
}

/// Standard deviation, with divisor n - 1 if `unbiased`, else n, and mean of all elements. Returns scalar tensors.
/// Floating-point dtypes only.
[[structured::composite("std_mean"), structured::no_cpp_default("unbiased")]]
std::tuple<Tensor, Tensor> std_mean_all(const Tensor& self, bool unbiased = true) {
  return structured::std_mean(self, std::nullopt, correction_of(unbiased), false);
}

}  // namespace structured::kernels
