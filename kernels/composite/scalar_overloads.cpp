// Overloads of binary operators with a scalar, and `max` and `min` of two tensors, in terms of operators on tensors.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>
#include <structured/ops/bitwise_and.h>
#include <structured/ops/bitwise_left_shift.h>
#include <structured/ops/bitwise_or.h>
#include <structured/ops/bitwise_right_shift.h>
#include <structured/ops/bitwise_xor.h>
#include <structured/ops/maximum.h>
#include <structured/ops/minimum.h>
#include <structured/ops/special_chebyshev_polynomial_t.h>
#include <structured/ops/special_chebyshev_polynomial_u.h>
#include <structured/ops/special_chebyshev_polynomial_v.h>
#include <structured/ops/special_chebyshev_polynomial_w.h>
#include <structured/ops/special_hermite_polynomial_h.h>
#include <structured/ops/special_hermite_polynomial_he.h>
#include <structured/ops/special_laguerre_polynomial_l.h>
#include <structured/ops/special_legendre_polynomial_p.h>
#include <structured/ops/special_shifted_chebyshev_polynomial_t.h>
#include <structured/ops/special_shifted_chebyshev_polynomial_u.h>
#include <structured/ops/special_shifted_chebyshev_polynomial_v.h>
#include <structured/ops/special_shifted_chebyshev_polynomial_w.h>
#include <structured/ops/special_zeta.h>

namespace structured::kernels {

// A function of a scalar and a tensor, in this order or the other one.
#define STRUCTURED_SCALAR_FIRST(function, op, first, second)     \
  Tensor function(const Scalar& first, const Tensor& second) {   \
    return structured::op(wrapped_scalar_tensor(first), second); \
  }
#define STRUCTURED_SCALAR_LAST(function, op, first, second)      \
  Tensor function(const Tensor& first, const Scalar& second) {   \
    return structured::op(first, wrapped_scalar_tensor(second)); \
  }

// clang-format off: it indents what follows a macro.

/// Chebyshev polynomial of the first kind of degree `n` at the scalar `x`; 0 for negative degrees. Fractions of degrees
/// are cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_chebyshev_polynomial_t.x_scalar"), structured::variants("special_chebyshev_polynomial_t.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(chebyshev_t_of_scalar, special_chebyshev_polynomial_t, x, n)

/// Chebyshev polynomial of the first kind of the scalar degree `n` at `x`; 0 for a negative degree. A fraction of the
/// degree is cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_chebyshev_polynomial_t.n_scalar"), structured::variants("special_chebyshev_polynomial_t.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(chebyshev_t_of_degree, special_chebyshev_polynomial_t, x, n)

/// Chebyshev polynomial of the second kind of degree `n` at the scalar `x`; 0 for negative degrees. Fractions of
/// degrees are cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_chebyshev_polynomial_u.x_scalar"), structured::variants("special_chebyshev_polynomial_u.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(chebyshev_u_of_scalar, special_chebyshev_polynomial_u, x, n)

/// Chebyshev polynomial of the second kind of the scalar degree `n` at `x`; 0 for a negative degree. A fraction of the
/// degree is cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_chebyshev_polynomial_u.n_scalar"), structured::variants("special_chebyshev_polynomial_u.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(chebyshev_u_of_degree, special_chebyshev_polynomial_u, x, n)

/// Chebyshev polynomial of the third kind of degree `n` at the scalar `x`; 0 for negative degrees. Fractions of degrees
/// are cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_chebyshev_polynomial_v.x_scalar"), structured::variants("special_chebyshev_polynomial_v.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(chebyshev_v_of_scalar, special_chebyshev_polynomial_v, x, n)

/// Chebyshev polynomial of the third kind of the scalar degree `n` at `x`; 0 for a negative degree. A fraction of the
/// degree is cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_chebyshev_polynomial_v.n_scalar"), structured::variants("special_chebyshev_polynomial_v.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(chebyshev_v_of_degree, special_chebyshev_polynomial_v, x, n)

/// Chebyshev polynomial of the fourth kind of degree `n` at the scalar `x`; 0 for negative degrees. Fractions of
/// degrees are cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_chebyshev_polynomial_w.x_scalar"), structured::variants("special_chebyshev_polynomial_w.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(chebyshev_w_of_scalar, special_chebyshev_polynomial_w, x, n)

/// Chebyshev polynomial of the fourth kind of the scalar degree `n` at `x`; 0 for a negative degree. A fraction of the
/// degree is cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_chebyshev_polynomial_w.n_scalar"), structured::variants("special_chebyshev_polynomial_w.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(chebyshev_w_of_degree, special_chebyshev_polynomial_w, x, n)

/// Physicist's Hermite polynomial of degree `n` at the scalar `x`; 0 for negative degrees. Fractions of degrees are cut
/// off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_hermite_polynomial_h.x_scalar"), structured::variants("special_hermite_polynomial_h.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(hermite_h_of_scalar, special_hermite_polynomial_h, x, n)

/// Physicist's Hermite polynomial of the scalar degree `n` at `x`; 0 for a negative degree. A fraction of the degree is
/// cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_hermite_polynomial_h.n_scalar"), structured::variants("special_hermite_polynomial_h.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(hermite_h_of_degree, special_hermite_polynomial_h, x, n)

/// Probabilist's Hermite polynomial of degree `n` at the scalar `x`; 0 for negative degrees. Fractions of degrees are
/// cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_hermite_polynomial_he.x_scalar"), structured::variants("special_hermite_polynomial_he.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(hermite_he_of_scalar, special_hermite_polynomial_he, x, n)

/// Probabilist's Hermite polynomial of the scalar degree `n` at `x`; 0 for a negative degree. A fraction of the degree
/// is cut off. Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_hermite_polynomial_he.n_scalar"), structured::variants("special_hermite_polynomial_he.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(hermite_he_of_degree, special_hermite_polynomial_he, x, n)

/// Laguerre polynomial of degree `n` at the scalar `x`; 0 for negative degrees. Fractions of degrees are cut off.
/// Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_laguerre_polynomial_l.x_scalar"), structured::variants("special_laguerre_polynomial_l.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(laguerre_l_of_scalar, special_laguerre_polynomial_l, x, n)

/// Laguerre polynomial of the scalar degree `n` at `x`; 0 for a negative degree. A fraction of the degree is cut off.
/// Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_laguerre_polynomial_l.n_scalar"), structured::variants("special_laguerre_polynomial_l.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(laguerre_l_of_degree, special_laguerre_polynomial_l, x, n)

/// Legendre polynomial of degree `n` at the scalar `x`; 0 for negative degrees. Fractions of degrees are cut off.
/// Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_legendre_polynomial_p.x_scalar"), structured::variants("special_legendre_polynomial_p.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(legendre_p_of_scalar, special_legendre_polynomial_p, x, n)

/// Legendre polynomial of the scalar degree `n` at `x`; 0 for a negative degree. A fraction of the degree is cut off.
/// Integer and Bool inputs are converted to the default dtype. Float and Double only.
[[structured::composite("special_legendre_polynomial_p.n_scalar"), structured::variants("special_legendre_polynomial_p.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(legendre_p_of_degree, special_legendre_polynomial_p, x, n)

/// Shifted Chebyshev polynomial of the first kind, the polynomial at `2 * x - 1`, of degree `n` at the scalar `x`; 0
/// for negative degrees. Fractions of degrees are cut off. Integer and Bool inputs are converted to the default dtype.
/// Float and Double only.
[[structured::composite("special_shifted_chebyshev_polynomial_t.x_scalar"), structured::variants("special_shifted_chebyshev_polynomial_t.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(shifted_chebyshev_t_of_scalar, special_shifted_chebyshev_polynomial_t, x, n)

/// Shifted Chebyshev polynomial of the first kind, the polynomial at `2 * x - 1`, of the scalar degree `n` at `x`; 0
/// for a negative degree. A fraction of the degree is cut off. Integer and Bool inputs are converted to the default
/// dtype. Float and Double only.
[[structured::composite("special_shifted_chebyshev_polynomial_t.n_scalar"), structured::variants("special_shifted_chebyshev_polynomial_t.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(shifted_chebyshev_t_of_degree, special_shifted_chebyshev_polynomial_t, x, n)

/// Shifted Chebyshev polynomial of the second kind, the polynomial at `2 * x - 1`, of degree `n` at the scalar `x`; 0
/// for negative degrees. Fractions of degrees are cut off. Integer and Bool inputs are converted to the default dtype.
/// Float and Double only.
[[structured::composite("special_shifted_chebyshev_polynomial_u.x_scalar"), structured::variants("special_shifted_chebyshev_polynomial_u.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(shifted_chebyshev_u_of_scalar, special_shifted_chebyshev_polynomial_u, x, n)

/// Shifted Chebyshev polynomial of the second kind, the polynomial at `2 * x - 1`, of the scalar degree `n` at `x`; 0
/// for a negative degree. A fraction of the degree is cut off. Integer and Bool inputs are converted to the default
/// dtype. Float and Double only.
[[structured::composite("special_shifted_chebyshev_polynomial_u.n_scalar"), structured::variants("special_shifted_chebyshev_polynomial_u.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(shifted_chebyshev_u_of_degree, special_shifted_chebyshev_polynomial_u, x, n)

/// Shifted Chebyshev polynomial of the third kind, the polynomial at `2 * x - 1`, of degree `n` at the scalar `x`; 0
/// for negative degrees. Fractions of degrees are cut off. Integer and Bool inputs are converted to the default dtype.
/// Float and Double only.
[[structured::composite("special_shifted_chebyshev_polynomial_v.x_scalar"), structured::variants("special_shifted_chebyshev_polynomial_v.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(shifted_chebyshev_v_of_scalar, special_shifted_chebyshev_polynomial_v, x, n)

/// Shifted Chebyshev polynomial of the third kind, the polynomial at `2 * x - 1`, of the scalar degree `n` at `x`; 0
/// for a negative degree. A fraction of the degree is cut off. Integer and Bool inputs are converted to the default
/// dtype. Float and Double only.
[[structured::composite("special_shifted_chebyshev_polynomial_v.n_scalar"), structured::variants("special_shifted_chebyshev_polynomial_v.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(shifted_chebyshev_v_of_degree, special_shifted_chebyshev_polynomial_v, x, n)

/// Shifted Chebyshev polynomial of the fourth kind, the polynomial at `2 * x - 1`, of degree `n` at the scalar `x`; 0
/// for negative degrees. Fractions of degrees are cut off. Integer and Bool inputs are converted to the default dtype.
/// Float and Double only.
[[structured::composite("special_shifted_chebyshev_polynomial_w.x_scalar"), structured::variants("special_shifted_chebyshev_polynomial_w.x_scalar_out")]]
STRUCTURED_SCALAR_FIRST(shifted_chebyshev_w_of_scalar, special_shifted_chebyshev_polynomial_w, x, n)

/// Shifted Chebyshev polynomial of the fourth kind, the polynomial at `2 * x - 1`, of the scalar degree `n` at `x`; 0
/// for a negative degree. A fraction of the degree is cut off. Integer and Bool inputs are converted to the default
/// dtype. Float and Double only.
[[structured::composite("special_shifted_chebyshev_polynomial_w.n_scalar"), structured::variants("special_shifted_chebyshev_polynomial_w.n_scalar_out")]]
STRUCTURED_SCALAR_LAST(shifted_chebyshev_w_of_degree, special_shifted_chebyshev_polynomial_w, x, n)

/// Hurwitz zeta function with a scalar exponent: sum of `(other + k) ** -self` over k = 0, 1, 2, ... Integer and Bool
/// inputs are converted to the default dtype.
[[structured::composite("special_zeta.self_scalar"), structured::variants("special_zeta.self_scalar_out")]]
STRUCTURED_SCALAR_FIRST(zeta_of_scalar, special_zeta, self, other)

/// Hurwitz zeta function with a scalar offset: sum of `(other + k) ** -self` over k = 0, 1, 2, ... Integer and Bool
/// inputs are converted to the default dtype.
[[structured::composite("special_zeta.other_scalar"), structured::variants("special_zeta.other_scalar_out")]]
STRUCTURED_SCALAR_LAST(zeta_at_scalar, special_zeta, self, other)

/// Bitwise AND of a scalar and `other`, logical AND for Bool: `self & other`.
[[structured::composite("bitwise_and.Scalar_Tensor"), structured::variants("bitwise_and.Scalar_Tensor_out")]]
STRUCTURED_SCALAR_FIRST(bitwise_and_of_scalar, bitwise_and, self, other)

/// Bitwise OR of a scalar and `other`, logical OR for Bool: `self | other`.
[[structured::composite("bitwise_or.Scalar_Tensor"), structured::variants("bitwise_or.Scalar_Tensor_out")]]
STRUCTURED_SCALAR_FIRST(bitwise_or_of_scalar, bitwise_or, self, other)

/// Bitwise XOR of a scalar and `other`, logical XOR for Bool: `self ^ other`.
[[structured::composite("bitwise_xor.Scalar_Tensor"), structured::variants("bitwise_xor.Scalar_Tensor_out")]]
STRUCTURED_SCALAR_FIRST(bitwise_xor_of_scalar, bitwise_xor, self, other)

/// Scalar shifted left by the numbers of bits `other`: `self << other`. Integers only.
[[structured::composite("bitwise_left_shift.Scalar_Tensor"), structured::variants("bitwise_left_shift.Scalar_Tensor_out")]]
STRUCTURED_SCALAR_FIRST(bitwise_left_shift_of_scalar, bitwise_left_shift, self, other)

/// Scalar shifted right by the numbers of bits `other`, with the sign kept: `self >> other`. Integers only.
[[structured::composite("bitwise_right_shift.Scalar_Tensor"), structured::variants("bitwise_right_shift.Scalar_Tensor_out")]]
STRUCTURED_SCALAR_FIRST(bitwise_right_shift_of_scalar, bitwise_right_shift, self, other)
// clang-format on

#undef STRUCTURED_SCALAR_FIRST
#undef STRUCTURED_SCALAR_LAST

    /// Elementwise maximum of `self` and `other`; NaN if one of them is NaN. Inputs are broadcast.
    [[structured::composite("max.other")]] Tensor max_of_two(const Tensor& self, const Tensor& other) {
  return structured::maximum(self, other);
}

/// Writes the elementwise maximum of `self` and `other` to `out`, which is resized; NaN if one of them is NaN. Inputs
/// are broadcast.
[[structured::composite("max.out")]]
Tensor& max_of_two_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return structured::maximum_out(out, self, other);
}

/// Elementwise minimum of `self` and `other`; NaN if one of them is NaN. Inputs are broadcast.
[[structured::composite("min.other")]]
Tensor min_of_two(const Tensor& self, const Tensor& other) {
  return structured::minimum(self, other);
}

/// Writes the elementwise minimum of `self` and `other` to `out`, which is resized; NaN if one of them is NaN. Inputs
/// are broadcast.
[[structured::composite("min.out")]]
Tensor& min_of_two_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return structured::minimum_out(out, self, other);
}

}  // namespace structured::kernels
