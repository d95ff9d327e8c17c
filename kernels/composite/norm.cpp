// Norms, weight normalization, dist, isclose and allclose.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/all.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/isnan.h>
#include <structured/ops/le.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/logical_and.h>
#include <structured/ops/logical_or.h>
#include <structured/ops/lt.h>
#include <structured/ops/mul.h>
#include <structured/ops/norm.h>
#include <structured/ops/pow.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/to.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace structured::kernels {

[[structured::impl("norm.out", "CPU", "CUDA")]]
void norm_impl(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, const Tensor& out) {
  Tensor result = out;
  structured::linalg_vector_norm_out(result, self, p.value_or(2), dim, keepdim, std::nullopt);
}

[[structured::impl("norm.dtype_out", "CPU", "CUDA")]]
void norm_dtype_impl(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                     ScalarType dtype, const Tensor& out) {
  Tensor result = out;
  const bool is_converted = self.is_floating_point() ? is_complex(dtype) : !self.is_complex();
  const Tensor numbers = is_converted ? structured::to(self, dtype) : self;
  structured::linalg_vector_norm_out(result, numbers, p.value_or(2), dim, keepdim, dtype);
}

/// `p`-norm of all elements of `self`: a scalar tensor, which is real. Integers and Bool are not supported.
[[structured::composite("norm.Scalar"), structured::variants("norm.Scalar_out")]]
Tensor norm_all(const Tensor& self, const Scalar& p = 2) {
  return structured::norm(self, std::optional<Scalar>(p), IntArrayRef(), false);
}

/// `p`-norm of all elements of `self`, computed in `dtype`, which must be floating-point or complex; `p` defaults to 2.
/// Returns a scalar tensor, which is real.
[[structured::composite("norm.ScalarOpt_dtype"), structured::variants("norm.ScalarOpt_dtype_out")]]
Tensor norm_all_dtype(const Tensor& self, const std::optional<Scalar>& p, [[structured::kwonly]] ScalarType dtype) {
  return structured::norm(self, p, IntArrayRef(), false, dtype);
}

/// Sum of `abs(x) ** ord` over the dimensions `dim`, or over all of them: the `ord`-norm without its root. Computed in
/// `dtype` if given, and for Half and BFloat16 in Float. `self`, or `dtype`, must be floating-point or complex; the
/// result is real.
[[structured::composite("linalg__powsum")]]
Tensor linalg_powsum(const Tensor& self, const Scalar& ord = 2,
                     [[structured::size(1)]] OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                     [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  const ScalarType given = dtype.value_or(self.scalar_type());
  STRUCTURED_CHECK(is_floating(given) || is_complex(given),
                   "linalg__powsum: expected `self` or `dtype` to be floating-point or complex, got ", given);
  STRUCTURED_CHECK(!ord.is_complex(), "linalg__powsum: expected a real `ord`, got ", ord);
  const ScalarType result = to_real(given);
  const ScalarType computed = result == kHalf || result == kBFloat16 ? kFloat : result;
  const Tensor magnitudes = structured::to(self.is_complex() ? structured::abs(self) : self, computed);
  const Tensor powers = structured::pow(self.is_complex() ? magnitudes : structured::abs(magnitudes), ord);
  return structured::to(structured::sum(powers, dim, keepdim), result);
}

/// Weight normalization: `v * g / norm(v)`, where the 2-norm is over all dimensions of `v` but `dim`, or over all of
/// them for `dim` -1. `g` is broadcast to the shape of `v`. Floating-point dtypes only.
[[structured::composite("_weight_norm")]]
Tensor weight_norm(const Tensor& v, const Tensor& g, int64_t dim = 0) {
  STRUCTURED_CHECK(dim >= -1 && dim < v.dim(), "_weight_norm: expected `dim` from -1 to ", v.dim() - 1, ", got ", dim);
  DimVector others;
  for (int64_t d = 0; d < v.dim(); ++d) {
    if (d != dim) others.push_back(d);
  }
  const Tensor norms = dim == -1 ? structured::norm(v) : structured::norm(v, std::optional<Scalar>(2), others, true);
  return structured::mul(v, structured::div(g, norms));
}

/// `p`-norm of `self - other`: a scalar tensor, which is real. Inputs are broadcast; the difference must be
/// floating-point or complex.
[[structured::composite("dist")]]
Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p = 2) {
  return structured::norm(structured::sub(self, other), p);
}

/// Whether elements are close: `|self - other| <= atol + rtol * |other|`. Returns Bool. Equal infinities are close, and
/// NaN to NaN if `equal_nan`. Inputs are broadcast and have one dtype; `rtol` and `atol` must not be negative.
[[structured::composite("isclose")]]
Tensor isclose(const Tensor& self, const Tensor& other, double rtol = 1e-05, double atol = 1e-08,
               bool equal_nan = false) {
  STRUCTURED_CHECK(self.scalar_type() == other.scalar_type(), "isclose: expected tensors of one dtype, got ",
                   self.scalar_type(), " and ", other.scalar_type());
  STRUCTURED_CHECK(rtol >= 0 && atol >= 0, "isclose: expected `rtol` and `atol` of 0 or more, got ", rtol, " and ",
                   atol);
  Tensor close = structured::eq(self, other);
  if (equal_nan && (self.is_floating_point() || self.is_complex())) {
    close = structured::logical_or(close, structured::logical_and(structured::isnan(self), structured::isnan(other)));
  }
  if (rtol == 0 && atol == 0) return close;
  // Integers and Bool are converted: sub rejects Bool.
  const bool is_whole = is_integral(self.scalar_type(), true);
  const Tensor a = is_whole ? structured::to(self, default_dtype()) : self;
  const Tensor b = is_whole ? structured::to(other, default_dtype()) : other;
  const Tensor allowed = structured::add(structured::abs(structured::mul(b, rtol)), atol);
  const Tensor error = structured::abs(structured::sub(a, b));
  const Tensor is_finite = structured::lt(error, std::numeric_limits<double>::infinity());
  return structured::logical_or(close, structured::logical_and(is_finite, structured::le(error, allowed)));
}

/// Whether all elements are close: `|self - other| <= atol + rtol * |other|`. Equal infinities are close, and NaN to
/// NaN if `equal_nan`. Inputs are broadcast and have one dtype; `rtol` and `atol` must not be negative.
[[structured::composite("allclose")]]
bool allclose(const Tensor& self, const Tensor& other, double rtol = 1e-05, double atol = 1e-08,
              bool equal_nan = false) {
  return structured::all(isclose(self, other, rtol, atol, equal_nan)).item<bool>();
}

}  // namespace structured::kernels
