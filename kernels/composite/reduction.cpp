// Reductions that are made of others.
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

/// The mean of all elements.
[[structured::kernel("mean", "CompositeExplicitAutograd"), structured::tags("core")]]
Tensor mean_all(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  return structured::mean(self, std::nullopt, false, dtype);
}

/// The largest element; NaN, if there is one.
[[structured::kernel("max", "CompositeExplicitAutograd")]]
Tensor max_all(const Tensor& self) {
  return structured::amax(self);
}

/// The smallest element; NaN, if there is one.
[[structured::kernel("min", "CompositeExplicitAutograd")]]
Tensor min_all(const Tensor& self) {
  return structured::amin(self);
}

/// How many elements are not 0: along `dim`, or of all.
[[structured::kernel("count_nonzero", "CompositeExplicitAutograd")]]
Tensor count_nonzero_along(const Tensor& self, std::optional<int64_t> dim = std::nullopt) {
  return structured::count_nonzero(self, dim ? IntArrayRef(*dim) : IntArrayRef());
}

/// Variance and mean.
[[structured::kernel("var_mean.correction", "CompositeExplicitAutograd")]]
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                                    [[structured::kwonly]] std::optional<int64_t> correction, bool keepdim = false) {
  return {structured::var(self, dim, correction, keepdim), structured::mean(self, dim, keepdim)};
}

/// Standard deviation and mean.
[[structured::kernel("std_mean.correction", "CompositeExplicitAutograd")]]
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim,
                                    [[structured::kwonly]] std::optional<int64_t> correction, bool keepdim = false) {
  return {structured::std(self, dim, correction, keepdim), structured::mean(self, dim, keepdim)};
}

}  // namespace structured::kernels
