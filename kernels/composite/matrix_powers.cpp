// Powers and exponentials of square matrices.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/amax.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/expand.h>
#include <structured/ops/eye.h>
#include <structured/ops/linalg_inv.h>
#include <structured/ops/linalg_matrix_exp.h>
#include <structured/ops/linalg_matrix_power.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mul.h>
#include <structured/ops/select.h>
#include <structured/ops/sum.h>
#include <structured/ops/to.h>

#include <cmath>
#include <cstdint>

namespace structured::kernels {
namespace {

void check_square(const char* name, const Tensor& self) {
  STRUCTURED_CHECK(self.dim() >= 2, name, ": expected `self` to have 2 dimensions or more, got ", self.dim());
  STRUCTURED_CHECK(self.size(-1) == self.size(-2), name, ": expected square matrices, got sizes ", self.sizes());
}

// Adds `coefficients[0] * powers[0] + coefficients[1] * powers[1] + ...` to `sum`, or returns it if `sum` is undefined.
Tensor combination(const double (&coefficients)[5], const Tensor (&powers)[5], Tensor sum = Tensor()) {
  for (int i = 0; i < 5; ++i) {
    if (coefficients[i] == 0) continue;
    if (!sum.defined()) {
      sum = structured::mul(powers[i], coefficients[i]);
    } else {
      structured::add_(sum, powers[i], coefficients[i]);
    }
  }
  return sum;
}

// The Taylor polynomial of degree 18 in five products: Bader, Blanes and Casas, "Computing the matrix exponential with
// an optimized Taylor polynomial approximation", Mathematics 7 (12), 2019.
Tensor taylor_polynomial(const Tensor& self, const Tensor& identity) {
  constexpr double kCoefficients[5][5] = {
      // Columns: the identity, self, its square, its cube, its sixth power.
      {0, -1.00365581030144618291e-01, -8.02924648241156932449e-03, -8.92138498045729985177e-04, 0},
      {0, 3.97849749499645077844e-01, 1.36783778460411720168e+00, 4.98289622525382669416e-01,
       -6.37898194594723280150e-04},
      {-1.09676396052962061844e+01, 1.68015813878906206114e+00, 5.71779846478865511061e-02, -6.98210122488052056106e-03,
       3.34975017086070470649e-05},
      {-9.04316832390810593223e-02, -6.76404519071381882256e-02, 6.75961301770459654925e-02, 2.95552570429315521194e-02,
       -1.39180257516060693404e-05},
      {0, 0, -9.23364619367118555360e-02, -1.69364939002081722752e-02, -1.40086798182036094347e-05}};
  const Tensor square = structured::matmul(self, self);
  const Tensor cube = structured::matmul(square, self);
  const Tensor powers[] = {identity, self, square, cube, structured::matmul(cube, cube)};
  const auto part = [&](int i, const Tensor& sum = Tensor()) { return combination(kCoefficients[i], powers, sum); };
  const Tensor ninth = part(3, structured::matmul(part(0), part(4)));  // its degree is 9
  return part(1, structured::matmul(part(2, structured::clone(ninth)), ninth));
}

// Exponential of one matrix `self` of double numbers: the polynomial of self / 2 ** squarings, squared `squarings`
// times. The rest of the Taylor series is below the rounding error of `dtype` up to norms given in the paper.
//
// Each squaring doubles relative errors. For dtypes up to Float, the last ones are computed in Float, in half the time:
// errors of the result are then 2 ** kFloatSquarings rounding errors of Float, for any norm.
Tensor exponential(const Tensor& self, const Tensor& identity, ScalarType dtype) {
  constexpr int kFloatSquarings = 5;
  const bool is_double = to_real(dtype) == kDouble;
  const double largest = is_double ? 1.090863719290036 : 3.010066362817634;
  const Tensor sums = structured::sum(structured::abs(self), -2);
  const double norm = structured::to(structured::amax(sums, 0), kDouble).item<double>();
  int squarings = std::isfinite(norm) && norm > largest ? static_cast<int>(std::ceil(std::log2(norm / largest))) : 0;
  Tensor result = taylor_polynomial(structured::mul(self, std::ldexp(1.0, -squarings)), identity);
  for (; squarings > 0; --squarings) {
    if (!is_double && squarings <= kFloatSquarings) {
      result = structured::to(result, self.is_complex() ? kComplexFloat : kFloat);
    }
    result = structured::matmul(result, result);
  }
  return result;
}

// Writes the exponentials of a batch of matrices to `result`.
void write_exponentials(const Tensor& self, const Tensor& identity, Tensor result) {
  if (self.dim() == 2) {
    structured::copy_(result, exponential(self, identity, result.scalar_type()));
    return;
  }
  for (int64_t i = 0; i < self.size(0); ++i) {
    write_exponentials(structured::select(self, 0, i), identity, structured::select(result, 0, i));
  }
}

}  // namespace

/// Exponentials of square matrices `self` [..., n, n], the sum of `self ** k / k!` over k. Floating-point and complex
/// dtypes only.
[[structured::kernel("linalg_matrix_exp", "CompositeExplicitAutograd"), structured::variants("linalg_matrix_exp.out")]]
Tensor linalg_matrix_exp(const Tensor& self) {
  check_square("linalg_matrix_exp", self);
  STRUCTURED_CHECK(self.is_floating_point() || self.is_complex(),
                   "linalg_matrix_exp: expected a floating-point or complex dtype, got ", self.scalar_type());
  Tensor result = structured::empty_like(self);
  if (self.is_meta() || self.numel() == 0) return result;
  const Tensor numbers = structured::to(self, self.is_complex() ? kComplexDouble : kDouble);
  write_exponentials(numbers, structured::eye(self.size(-1), numbers.options()), result);
  return result;
}

/// Exponentials of square matrices `self` [..., n, n], the sum of `self ** k / k!` over k.
[[structured::composite("matrix_exp")]]
Tensor matrix_exp(const Tensor& self) {
  return structured::linalg_matrix_exp(self);
}

/// Power `n` of square matrices `self` [..., m, m]. A negative `n` inverts `self` first; singular matrices are then an
/// error. The power 0 is the identity.
[[structured::composite("linalg_matrix_power"), structured::variants("linalg_matrix_power.out")]]
Tensor linalg_matrix_power(const Tensor& self, int64_t n) {
  check_square("linalg_matrix_power", self);
  if (n == 0) {
    const Tensor identity = structured::eye(self.size(-1), self.options());
    return structured::clone(structured::expand(identity, self.sizes()));
  }
  Tensor square = n < 0 ? structured::linalg_inv(self) : self;
  if (n == 1) return structured::clone(square);
  Tensor result;
  // Negates unsigned numbers: the least int64_t has no counterpart.
  for (uint64_t rest = n < 0 ? -static_cast<uint64_t>(n) : static_cast<uint64_t>(n); rest != 0; rest /= 2) {
    if (rest % 2 != 0) result = result.defined() ? structured::matmul(result, square) : square;
    if (rest != 1) square = structured::matmul(square, square);
  }
  return result;
}

/// Power `n` of square matrices `self` [..., m, m]. A negative `n` inverts `self` first; singular matrices are then an
/// error. The power 0 is the identity.
[[structured::composite("matrix_power"), structured::variants("matrix_power.out")]]
Tensor matrix_power(const Tensor& self, int64_t n) {
  return structured::linalg_matrix_power(self, n);
}

}  // namespace structured::kernels
