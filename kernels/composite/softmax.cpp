// Softmax and log_softmax with conversion to a dtype.
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/ops/_log_softmax.h>
#include <structured/ops/_softmax.h>
#include <structured/ops/all.h>
#include <structured/ops/eq.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/to.h>
#include <structured/structured.h>

#include <limits>
#include <optional>

namespace structured::kernels {
namespace {

Tensor converted(const Tensor& self, std::optional<ScalarType> dtype) {
  return dtype ? structured::to(self, *dtype) : self;
}

}  // namespace

/// Softmax along `dim`: `exp(x) / sum(exp(x))`. Elements are converted to `dtype` first, which must be floating-point.
[[structured::composite("softmax.int")]]
Tensor softmax_int(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt) {
  return structured::_softmax(converted(self, dtype), dim, false);
}

/// Writes the softmax of `self` along `dim`, `exp(x) / sum(exp(x))`, to `out`. Elements are converted to `dtype` first,
/// which must be floating-point.
[[structured::kernel("softmax.int_out", "CompositeExplicitAutograd")]]
Tensor& softmax_int_out(const Tensor& self, int64_t dim,
                        [[structured::schema_default("None")]] std::optional<ScalarType> dtype, Tensor& out) {
  return structured::_softmax_out(out, converted(self, dtype), dim, false);
}

/// Logarithm of softmax along `dim`: `x - log(sum(exp(x)))`. Elements are converted to `dtype` first, which must be
/// floating-point.
[[structured::composite("log_softmax.int")]]
Tensor log_softmax_int(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt) {
  return structured::_log_softmax(converted(self, dtype), dim, false);
}

/// Writes the logarithm of the softmax of `self` along `dim`, `x - log(sum(exp(x)))`, to `out`. Elements are converted
/// to `dtype` first, which must be floating-point.
[[structured::kernel("log_softmax.int_out", "CompositeExplicitAutograd")]]
Tensor& log_softmax_int_out(const Tensor& self, int64_t dim,
                            [[structured::schema_default("None")]] std::optional<ScalarType> dtype, Tensor& out) {
  return structured::_log_softmax_out(out, converted(self, dtype), dim, false);
}

/// Softmax along `dim`: `exp(x) / sum(exp(x))`, and 0 where all elements along `dim` are negative infinity. Elements
/// are converted to `dtype` first, which must be floating-point.
[[structured::kernel("_safe_softmax", "CompositeExplicitAutograd")]]
Tensor safe_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt) {
  const Tensor shares = structured::_softmax(converted(self, dtype), dim, false);
  const Tensor is_masked = structured::all(structured::eq(self, -std::numeric_limits<double>::infinity()), dim, true);
  return structured::masked_fill(shares, is_masked, 0);
}

}  // namespace structured::kernels
