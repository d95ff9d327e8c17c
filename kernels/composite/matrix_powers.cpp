// Powers and exponentials of square matrices.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/scalar.h>
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>
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

// Exponential of one matrix: a Taylor polynomial of self / 2 ** squarings, which has a norm of at most 1 / 2, squared
// `squarings` times. The rest of the polynomial is below the rounding error of double.
Tensor exponential(const Tensor& self, const Tensor& identity) {
  constexpr int kDegree = 14;
  const Tensor sums = structured::sum(structured::abs(self), -2);
  const double norm = structured::to(structured::amax(sums, 0), kDouble).item<double>();
  const int squarings = std::isfinite(norm) && norm > 0.5 ? static_cast<int>(std::ceil(std::log2(norm))) + 1 : 0;
  const Tensor small = structured::mul(self, std::ldexp(1.0, -squarings));
  Tensor result = identity;
  for (int k = kDegree; k > 0; --k) {
    result = structured::add(identity, structured::mul(structured::matmul(small, result), 1.0 / k));
  }
  for (int i = 0; i < squarings; ++i) result = structured::matmul(result, result);
  return result;
}

// Writes the exponentials of a batch of matrices to `result`.
void write_exponentials(const Tensor& self, const Tensor& identity, Tensor result) {
  if (self.dim() == 2) {
    structured::copy_(result, exponential(self, identity));
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
  // In double, since squaring amplifies rounding errors.
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
