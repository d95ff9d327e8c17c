// Factorizations and solutions of linear systems: identities that define them, for batches of real and complex
// matrices.
#include <structured/ops/_linalg_det.h>
#include <structured/ops/_linalg_eigh.h>
#include <structured/ops/_linalg_slogdet.h>
#include <structured/ops/_linalg_solve_ex.h>
#include <structured/ops/_linalg_svd.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/allclose.h>
#include <structured/ops/cholesky_inverse.h>
#include <structured/ops/cholesky_solve.h>
#include <structured/ops/conj_physical.h>
#include <structured/ops/equal.h>
#include <structured/ops/expand.h>
#include <structured/ops/eye.h>
#include <structured/ops/geqrf.h>
#include <structured/ops/linalg_cholesky.h>
#include <structured/ops/linalg_cholesky_ex.h>
#include <structured/ops/linalg_cross.h>
#include <structured/ops/linalg_eig.h>
#include <structured/ops/linalg_householder_product.h>
#include <structured/ops/linalg_inv.h>
#include <structured/ops/linalg_ldl_factor.h>
#include <structured/ops/linalg_ldl_solve.h>
#include <structured/ops/linalg_lstsq.h>
#include <structured/ops/linalg_lu.h>
#include <structured/ops/linalg_lu_factor.h>
#include <structured/ops/linalg_lu_factor_ex.h>
#include <structured/ops/linalg_lu_solve.h>
#include <structured/ops/linalg_matrix_exp.h>
#include <structured/ops/linalg_matrix_power.h>
#include <structured/ops/linalg_matrix_rank.h>
#include <structured/ops/linalg_matrix_sqrth.h>
#include <structured/ops/linalg_pinv.h>
#include <structured/ops/linalg_polar.h>
#include <structured/ops/linalg_qr.h>
#include <structured/ops/linalg_solve.h>
#include <structured/ops/linalg_solve_triangular.h>
#include <structured/ops/logdet.h>
#include <structured/ops/lu_unpack.h>
#include <structured/ops/matmul.h>
#include <structured/ops/max.h>
#include <structured/ops/mul.h>
#include <structured/ops/ormqr.h>
#include <structured/ops/select.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/to.h>
#include <structured/ops/transpose.h>
#include <structured/ops/triangular_solve.h>
#include <structured/ops/tril.h>
#include <structured/ops/triu.h>
#include <structured/ops/unsqueeze.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/expect.h"

namespace structured::linear_algebra_test {
namespace {

using namespace test;

const ScalarType kDtypes[] = {kFloat, kDouble, kComplexFloat, kComplexDouble};

Tensor waves(IntArrayRef sizes, ScalarType dtype) {
  const Tensor numbers = filled<Complex<double>>(sizes, [](int64_t i) {
    const auto x = static_cast<double>(i);
    return Complex<double>(std::sin(x * x + 1), std::cos(3 * x * x));
  });
  return structured::to(numbers, dtype);
}

Tensor adjoint(const Tensor& matrices) {
  const Tensor transposed = transpose(matrices, -2, -1);
  return matrices.is_complex() ? conj_physical(transposed) : transposed;
}

Tensor positive(IntArrayRef sizes, ScalarType dtype) {
  const Tensor factor = waves(sizes, dtype);
  return add(matmul(factor, adjoint(factor)), eye(sizes[sizes.size() - 1], factor.options()));
}

void expect_close(const Tensor& found, const Tensor& expected) {
  ASSERT_EQ(found.sizes(), expected.sizes());
  ASSERT_EQ(found.scalar_type(), expected.scalar_type());
  const double tolerance = to_real(found.scalar_type()) == kDouble ? 1e-10 : 2e-4;
  EXPECT_TRUE(allclose(found, expected, tolerance, tolerance)) << found << "\nexpected " << expected;
}

TEST(Cholesky, FactorizesAndSolves) {
  for (const ScalarType dtype : kDtypes) {
    const Tensor a = positive({2, 3, 3}, dtype);
    const Tensor b = waves({2, 3, 2}, dtype);
    for (const bool upper : {false, true}) {
      const Tensor factor = linalg_cholesky(a, upper);
      EXPECT_EQ(factor.strides(), IntArrayRef({9, 1, 3}));
      expect_close(factor, upper ? triu(factor) : tril(factor));
      expect_close(upper ? matmul(adjoint(factor), factor) : matmul(factor, adjoint(factor)), a);
      expect_close(matmul(a, cholesky_solve(b, factor, upper)), b);
      expect_close(cholesky_inverse(factor, upper), linalg_inv(a));
    }
  }
}

TEST(Cholesky, ReportsMatricesThatAreNotPositive) {
  const Tensor wrong = tensor<double>({1, 0, 0, -1}, {2, 2});
  EXPECT_EQ(std::get<1>(linalg_cholesky_ex(wrong)).item<int32_t>(), 2);
  expect_error([&] { linalg_cholesky(wrong); }, "linalg_cholesky: matrix 0 of the batch is not positive-definite");
  expect_error([] { linalg_cholesky(waves({2, 3}, kDouble)); }, "to be square matrices, got sizes [2, 3]");
  expect_error([] { linalg_cholesky(counting<int64_t>({2, 2})); }, "linalg_cholesky_ex: expected `self` of dtype");
  EXPECT_EQ(to_vector<int32_t>(std::get<1>(linalg_cholesky_ex(empty({2, 0, 0}, kHalf)))), (std::vector<int32_t>{0, 0}));
  EXPECT_EQ(linalg_cholesky(empty({5, 3, 3}, kMeta)).strides(), IntArrayRef({9, 1, 3}));
}

TEST(Lu, DecomposesMatricesOfAnyShape) {
  for (const ScalarType dtype : kDtypes) {
    for (const DimVector& sizes : {DimVector{3, 3}, DimVector{2, 4, 3}, DimVector{2, 1, 2, 5}}) {
      const Tensor a = waves(sizes, dtype);
      const auto [permutation, lower, upper] = linalg_lu(a);
      expect_close(matmul(matmul(permutation, lower), upper), a);
      expect_close(lower, tril(lower));
      expect_close(upper, triu(upper));
    }
  }
  expect_error([] { linalg_lu(waves({2, 2}, kFloat), false); }, "linalg_lu_factor_ex: expected `pivot` to be true");
}

TEST(Lu, Solves) {
  for (const ScalarType dtype : kDtypes) {
    const Tensor a = waves({2, 3, 3}, dtype);
    const auto [factors, pivots] = linalg_lu_factor(a);
    const Tensor b = waves({1, 3, 4}, dtype);
    expect_close(matmul(a, linalg_lu_solve(factors, pivots, b)), expand(b, {2, 3, 4}));
    const Tensor wide = waves({2, 4, 3}, dtype);
    expect_close(matmul(linalg_lu_solve(factors, pivots, wide, false), a), wide);
    expect_close(matmul(linalg_lu_solve(factors, pivots, wide, false, true), adjoint(a)), wide);
    const Tensor tall = waves({2, 3, 1}, dtype);
    expect_close(matmul(adjoint(a), linalg_lu_solve(factors, pivots, tall, true, true)), tall);
    EXPECT_EQ(linalg_lu_solve(factors, pivots, wide, false).strides(), IntArrayRef({12, 3, 1}));
  }
}

TEST(Solve, TakesMatricesAndVectors) {
  for (const ScalarType dtype : kDtypes) {
    const Tensor a = waves({2, 3, 3}, dtype);
    const Tensor b = waves({2, 3, 2}, dtype);
    expect_close(matmul(a, linalg_solve(a, b)), b);
    const Tensor rows = waves({2, 2, 3}, dtype);
    expect_close(matmul(linalg_solve(a, rows, false), a), rows);
    const Tensor vectors = waves({2, 3}, dtype);
    expect_close(matmul(a, unsqueeze(linalg_solve(a, vectors), -1)), unsqueeze(vectors, -1));
    expect_close(matmul(a, linalg_inv(a)), add(mul(a, 0), eye(3, a.options())));
  }
  const Tensor singular = tensor<double>({1, 2, 2, 4}, {2, 2});
  expect_error([&] { linalg_solve(singular, waves({2}, kDouble)); }, "linalg_solve: matrix 0 of the batch is singular");
  expect_error([&] { linalg_inv(singular); }, "linalg_inv: matrix 0 of the batch is singular");
  EXPECT_EQ(std::get<2>(linalg_lu_factor_ex(singular)).item<int32_t>(), 2);
  expect_error([&] { linalg_solve(singular, waves({3, 1}, kDouble)); },
               "expected `B` to have 2 rows, got sizes [3, 1]");
}

TEST(Det, CountsExchanges) {
  const Tensor a = tensor<double>({0, 2, 0, 1, 0, 0, 0, 0, 5}, {3, 3});
  EXPECT_DOUBLE_EQ(std::get<0>(_linalg_det(a)).item<double>(), -10);
  const auto [sign, logarithm, factors, pivots] = _linalg_slogdet(a);
  EXPECT_EQ(sign.item<double>(), -1);
  EXPECT_DOUBLE_EQ(logarithm.item<double>(), std::log(10.0));
  EXPECT_TRUE(std::isnan(logdet(a).item<double>()));
  const Tensor b = tensor<Complex<double>>({{0, 1}, {0, 0}, {0, 0}, {0, 3}}, {2, 2});
  EXPECT_EQ(std::get<0>(_linalg_det(b)).item<Complex<double>>(), (Complex<double>(-3, 0)));
  EXPECT_EQ(std::get<0>(_linalg_slogdet(tensor<float>({1, 1, 1, 1}, {2, 2}))).item<float>(), 0);
  EXPECT_EQ(std::get<0>(_linalg_det(empty({0, 0}))).item<float>(), 1);
}

TEST(TriangularSolve, ReadsOneTriangle) {
  for (const ScalarType dtype : kDtypes) {
    const Tensor a = add(waves({2, 3, 3}, dtype), mul(eye(3, waves({1}, dtype).options()), 3));
    const Tensor b = waves({2, 3, 2}, dtype);
    expect_close(matmul(triu(a), linalg_solve_triangular(a, b, true)), b);
    expect_close(matmul(tril(a), linalg_solve_triangular(a, b, false)), b);
    const Tensor unit = add(tril(a, -1), eye(3, a.options()));
    expect_close(matmul(unit, linalg_solve_triangular(a, b, false, true, true)), b);
    const Tensor rows = waves({2, 2, 3}, dtype);
    expect_close(matmul(linalg_solve_triangular(a, rows, true, false), triu(a)), rows);
    const auto [solution, copy] = triangular_solve(b, a, true, true);
    expect_close(matmul(transpose(triu(a), -2, -1), solution), b);
    expect_close(copy, a);
  }
}

TEST(Qr, IsOrthogonalTimesTriangular) {
  for (const ScalarType dtype : kDtypes) {
    for (const DimVector& sizes : {DimVector{4, 3}, DimVector{2, 3, 5}}) {
      const Tensor a = waves(sizes, dtype);
      for (const char* const mode : {"reduced", "complete"}) {
        const auto [q, r] = linalg_qr(a, mode);
        expect_close(matmul(q, r), a);
        expect_close(r, triu(r));
        EXPECT_EQ(r.stride(-2), 1);
        const Tensor product = matmul(adjoint(q), q);
        expect_close(product, add(mul(product, 0), eye(q.size(-1), q.options())));
      }
      expect_close(std::get<1>(linalg_qr(a, "r")), std::get<1>(linalg_qr(a)));
      EXPECT_EQ(std::get<0>(linalg_qr(a, "r")).numel(), 0);
    }
    const Tensor tall = waves({2, 4, 3}, dtype);
    const auto [reflections, factors] = geqrf(tall);
    const auto [q, r] = linalg_qr(tall);
    expect_close(linalg_householder_product(reflections, factors), q);
    const Tensor c = waves({2, 4, 2}, dtype);
    const auto [whole, rest] = linalg_qr(tall, "complete");
    expect_close(ormqr(reflections, factors, c), matmul(whole, c));
    expect_close(ormqr(reflections, factors, c, true, true), matmul(adjoint(whole), c));
    expect_close(ormqr(reflections, factors, adjoint(c), false), matmul(adjoint(c), whole));
  }
  expect_error([] { linalg_qr(waves({2, 2}, kFloat), "economic"); }, "expected `mode` reduced, complete or r");
}

TEST(Svd, MultipliesToTheMatrix) {
  for (const ScalarType dtype : kDtypes) {
    for (const DimVector& sizes : {DimVector{4, 3}, DimVector{2, 3, 5}}) {
      const Tensor a = waves(sizes, dtype);
      const auto [u, s, vh] = _linalg_svd(a);
      expect_close(matmul(mul(u, unsqueeze(s, -2)), vh), a);
      const auto [whole, values, other] = _linalg_svd(a, true);
      EXPECT_EQ(whole.size(-1), a.size(-2));
      EXPECT_EQ(other.size(-2), a.size(-1));
      expect_close(values, s);
      expect_close(std::get<1>(_linalg_svd(a, false, false)), s);
      expect_close(matmul(matmul(a, linalg_pinv(a, std::optional<Tensor>(), std::nullopt)), a), a);
    }
  }
  EXPECT_EQ(
      linalg_matrix_rank(tensor<float>({1, 2, 2, 4}, {2, 2}), std::optional<double>(), std::nullopt).item<int64_t>(),
      1);
  expect_error([] { _linalg_svd(tensor<float>({kNan, 1, 1, 1}, {2, 2})); },
               "linalg_svd: the singular values of matrix 0");
  EXPECT_EQ(std::get<0>(_linalg_svd(empty({0, 3}), true)).sizes(), IntArrayRef({0, 0}));
  expect_close(std::get<2>(_linalg_svd(empty({0, 2}), true)), eye(2));
}

TEST(Eigh, DiagonalizesHermitianMatrices) {
  for (const ScalarType dtype : kDtypes) {
    const Tensor a = positive({2, 3, 3}, dtype);
    for (const char* const triangle : {"L", "U"}) {
      const auto [values, vectors] = _linalg_eigh(triangle[0] == 'L' ? tril(a) : triu(a), triangle);
      expect_close(matmul(a, vectors), mul(vectors, unsqueeze(values, -2)));
      expect_close(std::get<0>(_linalg_eigh(a, triangle, false)), values);
    }
  }
  expect_error([] { _linalg_eigh(waves({2, 2}, kFloat), "X"); }, "expected `UPLO` to be L or U, got X");
}

TEST(Eig, FindsComplexPairs) {
  for (const ScalarType dtype : kDtypes) {
    const Tensor a = waves({2, 4, 4}, dtype);
    const auto [values, vectors] = linalg_eig(a);
    const Tensor wide = structured::to(a, values.scalar_type());
    expect_close(matmul(wide, vectors), mul(vectors, unsqueeze(values, -2)));
  }
  const Tensor turn = tensor<double>({0, -1, 1, 0}, {2, 2});
  EXPECT_EQ(to_vector<Complex<double>>(std::get<0>(linalg_eig(turn))), (std::vector<Complex<double>>{{0, 1}, {0, -1}}));
}

TEST(Ldl, Solves) {
  for (const ScalarType dtype : kDtypes) {
    const Tensor factor = waves({2, 3, 3}, dtype);
    for (const bool hermitian : {false, true}) {
      const Tensor a = add(factor, hermitian ? adjoint(factor) : transpose(factor, -2, -1));
      const auto [factors, pivots] = linalg_ldl_factor(a, hermitian);
      const Tensor b = waves({2, 3, 2}, dtype);
      expect_close(matmul(a, linalg_ldl_solve(factors, pivots, b, hermitian)), b);
    }
  }
}

TEST(Lstsq, MinimizesTheResidual) {
  for (const ScalarType dtype : kDtypes) {
    for (const DimVector& sizes : {DimVector{5, 3}, DimVector{2, 3, 3}, DimVector{2, 3, 5}}) {
      const Tensor a = waves(sizes, dtype);
      DimVector right(sizes);
      right.back() = 2;
      const Tensor b = waves(right, dtype);
      for (const char* const driver : {"gels", "gelsy", "gelsd", "gelss"}) {
        const auto [solution, residuals, rank, values] = linalg_lstsq(a, b, std::nullopt, driver);
        const Tensor error = sub(matmul(a, solution), b);
        expect_close(matmul(adjoint(a), error), mul(matmul(adjoint(a), b), 0));
        const bool has_residuals = a.size(-2) > a.size(-1) && std::string(driver) != "gelsy";
        EXPECT_EQ(residuals.numel(), has_residuals ? 2 : 0);
        if (has_residuals) expect_close(residuals, sum(mul(abs(error), abs(error)), -2));
        if (std::string(driver) != "gels") {
          EXPECT_EQ(rank.data_ptr<int64_t>()[0], 3);
        }
        EXPECT_EQ(values.numel() != 0, std::string(driver) == "gelsd" || std::string(driver) == "gelss");
      }
    }
  }
  const Tensor singular = tensor<double>({1, 2, 2, 4}, {2, 2});
  const auto [solution, residuals, rank, values] = linalg_lstsq(singular, tensor<double>({5, 10}));
  EXPECT_EQ(rank.item<int64_t>(), 1);
  EXPECT_NEAR(at<double>(solution, {0}), 1, 1e-12);
  EXPECT_NEAR(at<double>(solution, {1}), 2, 1e-12);
  expect_error([&] { linalg_lstsq(singular, singular, std::nullopt, "gelsx"); }, "expected `driver` gels, gelsy");
  EXPECT_EQ(std::get<0>(linalg_lstsq(empty({0, 3}), empty({0, 2}))).strides(), IntArrayRef({1, 3}));
}

TEST(MatrixExp, TurnsAndInverts) {
  const double angle = 1000.5;
  const Tensor turn = linalg_matrix_exp(tensor<double>({0, -angle, angle, 0}, {2, 2}));
  EXPECT_NEAR(at<double>(turn, {0, 0}), std::cos(angle), 1e-11);
  EXPECT_NEAR(at<double>(turn, {1, 0}), std::sin(angle), 1e-11);
  for (const ScalarType dtype : kDtypes) {
    const Tensor a = mul(waves({2, 3, 4, 4}, dtype), 0.5);
    expect_close(matmul(linalg_matrix_exp(a), linalg_matrix_exp(mul(a, -1))), expand(eye(4, dtype), a.sizes()));
  }
  EXPECT_EQ(linalg_matrix_exp(empty({3, 0, 0}, kFloat)).sizes(), IntArrayRef({3, 0, 0}));
  expect_error([] { linalg_matrix_exp(empty({2, 3})); }, "expected square matrices");
  expect_error([] { linalg_matrix_exp(empty({2, 2}, kInt)); }, "expected a floating-point or complex dtype");
}

// LAPACK would write outside of the right-hand sides.
TEST(Pivots, AreRowsOfTheMatrix) {
  const Tensor a = eye(2, kDouble);
  const Tensor b = tensor<double>({1, 2}, {2, 1});
  for (const int32_t row : {0, 3, -1}) {
    expect_error([&] { linalg_lu_solve(a, tensor<int32_t>({1, row}), b); }, "expected pivots from 1 to 2");
    expect_error([&] { lu_unpack(a, tensor<int32_t>({1, row})); }, "lu_unpack: expected pivots from 1 to 2");
    expect_error([&] { linalg_ldl_solve(a, tensor<int32_t>({1, row}), b); }, "expected pivots from 1 to 2");
  }
  expect_error([&] { linalg_ldl_solve(a, tensor<int32_t>({-3, -3}), b); }, "got -3 at 0");
}

// Squaring amplifies rounding errors, so that it is done in double.
// Errors of Float do not grow with the norm.
TEST(MatrixExp, OfFloatHasFewRoundingErrors) {
  for (const double norm : {1.0, 20.0, 60.0}) {
    const Tensor a = mul(waves({5, 5}, kFloat), norm / 5);
    const Tensor expected = linalg_matrix_exp(to(a, kDouble));
    const auto largest = [](const Tensor& tensor) { return at<double>(max(abs(tensor)), {}); };
    EXPECT_LE(largest(sub(linalg_matrix_exp(a), expected)), 16 * 0x1p-23 * largest(expected)) << norm;
  }
}

TEST(MatrixPower, MultipliesAndInverts) {
  const Tensor a = tensor<int64_t>({1, 1, 1, 0}, {2, 2});
  EXPECT_EQ(to_vector<int64_t>(linalg_matrix_power(a, 10)), (std::vector<int64_t>{89, 55, 55, 34}));
  EXPECT_EQ(to_vector<int64_t>(linalg_matrix_power(a, 0)), (std::vector<int64_t>{1, 0, 0, 1}));
  EXPECT_EQ(to_vector<int64_t>(linalg_matrix_power(a, 1)), (std::vector<int64_t>{1, 1, 1, 0}));
  const Tensor b = to(a, kDouble);
  expect_close(matmul(linalg_matrix_power(b, -3), linalg_matrix_power(b, 3)), eye(2, kDouble));
}

TEST(Cross, IsOrthogonal) {
  const Tensor a = tensor<float>({1, 0, 0, 0, 2, 0}, {2, 3});
  EXPECT_EQ(to_vector<float>(linalg_cross(a, tensor<float>({0, 1, 0}, {1, 3}))),
            (std::vector<float>{0, 0, 1, 0, 0, 0}));
  expect_error([&] { linalg_cross(a, a, 0); }, "linalg_cross: expected vectors of 3 elements along dimension 0");
  expect_error([&] { linalg_cross(a, select(a, 0, 0)); }, "expected tensors of one number of dimensions, got 2 and 1");
  expect_error([&] { linalg_cross(a, to(a, kInt)); }, "expected tensors of one dtype, got Float and Int");
  expect_error([&] { linalg_cross(to(a, kBool), to(a, kBool)); }, "linalg_cross");
}

TEST(Cross, IsAlongAnyDimensionAndStride) {
  for (const ScalarType dtype : {kByte, kInt, kHalf, kFloat, kComplexDouble}) {
    const Tensor a = to(tensor<int64_t>({1, 2, 3, 4, 5, 7}, {3, 2}), dtype);
    Tensor b = to(tensor<int64_t>({2, 1, 1, 1, 0, 2}, {2, 3}), dtype);
    b = transpose(b, 0, 1);
    const Tensor expected = to(tensor<int64_t>({-2, 8, 9, 3, -5, -4}, {3, 2}), dtype);
    EXPECT_TRUE(equal(linalg_cross(a, b, 0), expected)) << dtype;
    Tensor out = transpose(empty({2, 3}, dtype), 0, 1);
    EXPECT_TRUE(equal(linalg_cross_out(out, a, b, 0), expected)) << dtype;
    expect_error([&] { linalg_cross_out(b, a, b, 0); }, "shares memory with one that is read");
  }
}

TEST(MatrixSqrth, SquaresToTheMatrix) {
  const Tensor root = filled<double>({2, 2}, [](int64_t i) { return i == 0 ? 3.0 : i == 3 ? 2.0 : 1.0; });
  const Tensor result = linalg_matrix_sqrth(matmul(root, root));
  expect_elements<double>(result, {2, 2}, [&](const Index& index) { return at<double>(root, index); }, 1e-12);
  expect_error([] { linalg_matrix_sqrth(full({2, 3}, 1.0)); }, "expected");
}

TEST(Polar, IsAnOrthogonalAndASymmetricFactor) {
  const Tensor a = filled<double>({3, 2}, [](int64_t i) { return std::sin(1.0 + 2.0 * static_cast<double>(i)); });
  const auto [u, h] = linalg_polar(a);
  const Tensor product = matmul(u, h);
  expect_elements<double>(product, {3, 2}, [&](const Index& index) { return at<double>(a, index); }, 1e-12);
  expect_elements<double>(
      matmul(transpose(u, 0, 1), u), {2, 2}, [](const Index& index) { return index[0] == index[1] ? 1 : 0; }, 1e-12);
  EXPECT_NEAR(at<double>(h, {0, 1}), at<double>(h, {1, 0}), 1e-12);
  EXPECT_GT(at<double>(h, {0, 0}), 0);
  expect_error([] { linalg_polar(full({2, 3}, 1.0)); }, "at least as many rows as columns, got sizes [2, 3]");
}

}  // namespace
}  // namespace structured::linear_algebra_test
