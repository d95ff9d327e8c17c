// Variances and standard deviations that are told whether to be unbiased.
#include <structured/core/tensor.h>
#include <structured/ops/std.h>
#include <structured/ops/std_mean.h>
#include <structured/ops/var.h>
#include <structured/ops/var_mean.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace structured::kernels {
namespace {

std::optional<int64_t> correction_of(bool unbiased) { return unbiased ? 1 : 0; }

}  // namespace

/// The variance over the dimensions `dim` (all, if it is none or empty): the sum of squared distances from the mean,
/// divided by the number of elements, which is lessened by 1 if `unbiased`.
[[structured::composite("var.dim"), structured::no_cpp_default("unbiased"), structured::tags("core")]]
Tensor var_dim(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool unbiased = true,
               bool keepdim = false) {
  return structured::var(self, dim, correction_of(unbiased), keepdim);
}

/// The same of all elements.
[[structured::composite("var"), structured::no_cpp_default("unbiased")]]
Tensor var_all(const Tensor& self, bool unbiased = true) {
  return structured::var(self, std::nullopt, correction_of(unbiased), false);
}

/// The same over dimensions, in `out`.
[[structured::composite("var.out"), structured::no_cpp_default("unbiased")]]
Tensor& var_out(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                [[structured::schema_default("True")]] bool unbiased,
                [[structured::schema_default("False")]] bool keepdim, Tensor& out) {
  return structured::var_out(out, self, dim, correction_of(unbiased), keepdim);
}

/// The square root of the variance.
[[structured::composite("std.dim"), structured::no_cpp_default("unbiased")]]
Tensor std_dim(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool unbiased = true,
               bool keepdim = false) {
  return structured::std(self, dim, correction_of(unbiased), keepdim);
}

/// The same of all elements.
[[structured::composite("std"), structured::no_cpp_default("unbiased")]]
Tensor std_all(const Tensor& self, bool unbiased = true) {
  return structured::std(self, std::nullopt, correction_of(unbiased), false);
}

/// The same over dimensions, in `out`.
[[structured::composite("std.out"), structured::no_cpp_default("unbiased")]]
Tensor& std_out(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                [[structured::schema_default("True")]] bool unbiased,
                [[structured::schema_default("False")]] bool keepdim, Tensor& out) {
  return structured::std_out(out, self, dim, correction_of(unbiased), keepdim);
}

/// Variance and mean.
[[structured::composite("var_mean.dim"), structured::no_cpp_default("unbiased")]]
std::tuple<Tensor, Tensor> var_mean_dim(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                                        bool unbiased = true, bool keepdim = false) {
  return structured::var_mean(self, dim, correction_of(unbiased), keepdim);
}

/// The same of all elements.
[[structured::composite("var_mean"), structured::no_cpp_default("unbiased")]]
std::tuple<Tensor, Tensor> var_mean_all(const Tensor& self, bool unbiased = true) {
  return structured::var_mean(self, std::nullopt, correction_of(unbiased), false);
}

/// Standard deviation and mean.
[[structured::composite("std_mean.dim"), structured::no_cpp_default("unbiased")]]
std::tuple<Tensor, Tensor> std_mean_dim(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                                        bool unbiased = true, bool keepdim = false) {
  return structured::std_mean(self, dim, correction_of(unbiased), keepdim);
}

/// The same of all elements.
[[structured::composite("std_mean"), structured::no_cpp_default("unbiased")]]
std::tuple<Tensor, Tensor> std_mean_all(const Tensor& self, bool unbiased = true) {
  return structured::std_mean(self, std::nullopt, correction_of(unbiased), false);
}

}  // namespace structured::kernels
