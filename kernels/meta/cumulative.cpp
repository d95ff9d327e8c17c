// Meta functions of cumulative reductions.
#include <structured/base/error.h>
#include <structured/core/dimname.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {
namespace {

// Integers and Bool give Long. A Bool result is an error unless `self` is empty or a scalar tensor.
void set_cumulative(const char* name, MetaBase& op, const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  wrap_dim(dim, self.dim());
  const Tensor& out = op.maybe_get_output();
  ScalarType result = is_integral(self.scalar_type(), true) ? kLong : self.scalar_type();
  if (out.defined()) result = out.scalar_type();
  result = dtype.value_or(result);
  const bool has_sums = self.dim() != 0 && self.numel() != 0;
  STRUCTURED_CHECK(result != kBool || !has_sums, name, ": a result of dtype Bool is not supported");
  op.set_output_raw_strided(0, self.sizes(), {}, self.options().dtype(result));
  if (self.has_names()) [[unlikely]]
    op.set_output_names(0, self.names());
}

}  // namespace

/// Cumulative sum along `dim`: element i of the result is the sum of elements 0 to i. The result has dtype `dtype`, to
/// which elements are converted first; by default Long for integers and Bool, otherwise the dtype of `self`.
[[structured::meta("cumsum", "cumsum_", "cumsum.out"), structured::device_check(false), structured::tags("core")]]
void cumsum_meta(MetaBase& op, const Tensor& self, int64_t dim,
                 [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  set_cumulative("cumsum", op, self, dim, dtype);
}

/// Cumulative product along `dim`: element i of the result is the product of elements 0 to i. The result has dtype
/// `dtype`, to which elements are converted first; by default Long for integers and Bool, otherwise the dtype of
/// `self`.
[[structured::meta("cumprod", "cumprod_", "cumprod.out"), structured::device_check(false)]]
void cumprod_meta(MetaBase& op, const Tensor& self, int64_t dim,
                  [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  set_cumulative("cumprod", op, self, dim, dtype);
}

/// Logarithm of the cumulative sum of exponentials along `dim`, computed without overflow. Floating-point and complex
/// dtypes only.
[[structured::meta("logcumsumexp", "logcumsumexp.out")]]
void logcumsumexp_meta(MetaBase& op, const Tensor& self, int64_t dim) {
  wrap_dim(dim, self.dim());
  constexpr ScalarTypeSet kTypes = kAllFloatingTypes | kComplexTypes;
  STRUCTURED_CHECK(kTypes.contains(self.scalar_type()), "logcumsumexp: expected `self` of dtype ", kTypes, ", got ",
                   self.scalar_type());
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace structured::kernels
