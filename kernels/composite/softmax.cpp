// Softmax and log_softmax with conversion to a dtype.
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/ops/_log_softmax.h>
#include <structured/ops/_softmax.h>
#include <structured/structured.h>

#include <optional>

namespace structured::kernels {
namespace {

Tensor converted(const Tensor& self, std::optional<ScalarType> dtype) {
  if (!dtype || *dtype == self.scalar_type()) return self;
  const Tensor result = structured::empty(self.sizes(), self.options().dtype(*dtype));
  structured::copy_into(result, self);
  return result;
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

}  // namespace structured::kernels
