#include <structured/ops/digamma.h>
#include <structured/ops/erfinv.h>
#include <structured/ops/floor_divide.h>
#include <structured/ops/frexp.h>
#include <structured/ops/full.h>
#include <structured/ops/glu.h>
#include <structured/ops/i0.h>
#include <structured/ops/igamma.h>
#include <structured/ops/igammac.h>
#include <structured/ops/ldexp.h>
#include <structured/ops/log_sigmoid.h>
#include <structured/ops/log_sigmoid_forward.h>
#include <structured/ops/mvlgamma.h>
#include <structured/ops/polygamma.h>
#include <structured/ops/prelu.h>
#include <structured/ops/selu.h>
#include <structured/ops/special_airy_ai.h>
#include <structured/ops/special_bessel_j0.h>
#include <structured/ops/special_bessel_j1.h>
#include <structured/ops/special_bessel_y0.h>
#include <structured/ops/special_bessel_y1.h>
#include <structured/ops/special_chebyshev_polynomial_t.h>
#include <structured/ops/special_chebyshev_polynomial_u.h>
#include <structured/ops/special_chebyshev_polynomial_v.h>
#include <structured/ops/special_chebyshev_polynomial_w.h>
#include <structured/ops/special_erfcx.h>
#include <structured/ops/special_hermite_polynomial_h.h>
#include <structured/ops/special_hermite_polynomial_he.h>
#include <structured/ops/special_i0e.h>
#include <structured/ops/special_i1.h>
#include <structured/ops/special_i1e.h>
#include <structured/ops/special_laguerre_polynomial_l.h>
#include <structured/ops/special_legendre_polynomial_p.h>
#include <structured/ops/special_log_ndtr.h>
#include <structured/ops/special_modified_bessel_i0.h>
#include <structured/ops/special_modified_bessel_k0.h>
#include <structured/ops/special_modified_bessel_k1.h>
#include <structured/ops/special_ndtri.h>
#include <structured/ops/special_scaled_modified_bessel_k0.h>
#include <structured/ops/special_scaled_modified_bessel_k1.h>
#include <structured/ops/special_shifted_chebyshev_polynomial_t.h>
#include <structured/ops/special_shifted_chebyshev_polynomial_u.h>
#include <structured/ops/special_shifted_chebyshev_polynomial_v.h>
#include <structured/ops/special_shifted_chebyshev_polynomial_w.h>
#include <structured/ops/special_spherical_bessel_j0.h>
#include <structured/ops/special_zeta.h>

#include <cmath>
#include <utility>

#include "kernels/expect.h"
#include "runtime/core/counting_allocator.h"

namespace structured::special_test {
namespace {

using namespace test;

Tensor number(double x) { return scalar_tensor(x, TensorOptions(kDouble)); }
double of(const Tensor& tensor) { return tensor.item<double>(); }

// Expects a value within 1e-12 times the larger of `expected` and 1.
void expect_near(const Tensor& found, double expected) {
  if (std::isinf(expected)) {
    EXPECT_EQ(of(found), expected);
  } else {
    EXPECT_NEAR(of(found), expected, 1e-12 * std::max(1.0, std::fabs(expected)));
  }
}

TEST(Special, InversesOfTheErrorFunction) {
  for (const double x : {0.0, 1e-300, 1e-9, 0.1, 0.3, 0.49, 0.51, 1.0, 2.5, 5.0}) {
    EXPECT_NEAR(of(erfinv(number(std::erf(x)))), x, 1e-13 * std::exp(x * x) + 1e-15);
    EXPECT_NEAR(of(erfinv(number(-std::erf(x)))), -x, 1e-13 * std::exp(x * x) + 1e-15);
  }
  expect_near(erfinv(number(1)), kInfinity);
  EXPECT_TRUE(std::isnan(of(erfinv(number(1.1)))));
  for (const double x : {-30.0, -5.0, -1.0, 0.0, 3.0}) {
    EXPECT_NEAR(of(special_ndtri(number(std::erfc(-x / std::sqrt(2)) / 2))), x, 1e-11);
  }
  expect_near(special_ndtri(number(0)), -kInfinity);
  expect_near(special_log_ndtr(number(-40)), -804.6084420137538);
  expect_near(special_log_ndtr(number(0)), std::log(0.5));
  expect_near(special_erfcx(number(1)), std::exp(1.0) * std::erfc(1.0));
  expect_near(special_erfcx(number(1e10)), 1 / (1e10 * std::sqrt(M_PI)));
}

TEST(Special, BesselFunctions) {
  // Abramowitz and Stegun, tables 9.8 and 9.10
  expect_near(i0(number(1)), 1.2660658777520083356);
  expect_near(special_i1(number(-1)), -0.5651591039924850272);
  EXPECT_NEAR(of(i0(number(50))) / 2.9325537838493363267e20, 1, 1e-13);
  for (const double x : {29.9, 30.1}) {  // where the two series meet: I0' = I1, by finite differences
    const double h = 1e-4;
    EXPECT_NEAR((of(i0(number(x + h))) - of(i0(number(x - h)))) / (2 * h) / of(special_i1(number(x))), 1, 1e-7);
  }
  expect_near(special_i1e(number(kInfinity)), 0);
  expect_near(i0(number(1e308)), kInfinity);
  expect_near(special_i1(number(-1.79e308)), -kInfinity);
  EXPECT_NEAR(of(special_i0e(number(1e308))) / 3.9894228040143267794e-155, 1, 1e-14);
}

TEST(Special, GammaFunctions) {
  constexpr double euler = 0.57721566490153286061;
  expect_near(digamma(number(1)), -euler);
  expect_near(digamma(number(0.5)), -euler - 2 * std::log(2));
  expect_near(digamma(number(-0.5)), of(digamma(number(0.5))) + 2);
  expect_near(digamma(number(0.0)), -kInfinity);
  EXPECT_TRUE(std::isnan(of(digamma(number(-3)))));
  EXPECT_TRUE(std::isnan(of(digamma(number(-kInfinity)))));
  expect_near(digamma(number(kInfinity)), kInfinity);
  expect_near(special_zeta(number(kInfinity), number(1)), 1);
  expect_near(special_zeta(number(kInfinity), number(0.5)), kInfinity);
  expect_near(special_zeta(number(2), number(1)), M_PI * M_PI / 6);
  expect_near(special_zeta(number(3), number(-2.5)),
              of(special_zeta(number(3), number(0.5))) - 1 / 0.125 - 1 / 3.375 - 1 / 15.625);
  expect_near(special_zeta(number(1), number(1)), kInfinity);
  expect_near(polygamma(0, number(1)), -euler);
  expect_near(polygamma(1, number(0.5)), M_PI * M_PI / 2);
  expect_near(polygamma(2, number(1)), -2 * 1.2020569031595942854);
  expect_near(polygamma(1, number(-2.5)), M_PI * M_PI / 2 + 4 + 4 / 9.0 + 4 / 25.0);
  expect_near(polygamma(1, number(0)), kInfinity);
  const Tensor pole = polygamma(1, tensor<float>({-1}));
  EXPECT_NEAR(*pole.data_ptr<float>() / 1.2913697e15, 1, 1e-5);  // at the float next to pi
  expect_error([] { polygamma(-1, number(1)); }, "expected `n` not to be negative");
}

TEST(Special, BinaryOperatorsTakeScalars) {
  expect_near(special_zeta(number(2), Scalar(1)), M_PI * M_PI / 6);
  expect_near(special_zeta(Scalar(2), number(1)), M_PI * M_PI / 6);
  expect_near(special_hermite_polynomial_h(number(0.5), Scalar(2)), -1);
  expect_near(special_hermite_polynomial_h(Scalar(0.5), number(2)), -1);
  expect_near(special_legendre_polynomial_p(Scalar(0.5), number(2)), -0.125);
}

TEST(Special, MadeOfOthers) {
  EXPECT_EQ(of(floor_divide(number(-7), Scalar(2))), -4);
  Tensor changed = number(-7);
  EXPECT_EQ(of(floor_divide_(changed, Scalar(2))), -4);
  expect_near(selu(number(-1)), 1.0507009873554804934 * 1.6732632423543772848 * std::expm1(-1));
  expect_near(log_sigmoid(number(0)), -std::log(2));
}

TEST(Special, Gates) {
  const Tensor dense = counting<double>({3, 4, 2});
  for (const Tensor& self : {dense, strided(dense)}) {
    expect_elements<double>(
        glu(self, 1), {3, 2, 2},
        [&](const Index& i) {
          return at<double>(dense, i) / (1 + std::exp(-at<double>(dense, {i[0], i[1] + 2, i[2]})));
        },
        1e-14);
  }
  expect_error([&] { glu(dense, 0); }, "expected an even size along dimension 0, got 3");
  EXPECT_EQ(glu(empty({2, 0}), 1).sizes(), IntArrayRef({2, 0}));
  const Tensor signs = filled<double>({2, 2, 2}, [](int64_t i) { return i % 2 == 0 ? -1.0 : 1.0; });
  EXPECT_EQ(to_vector<double>(prelu(signs, tensor<double>({0.5, 0.25}))),
            (std::vector<double>{-0.5, 1, -0.25, 1, -0.5, 1, -0.25, 1}));
  expect_error([&] { prelu(signs, tensor<double>({1, 2, 3})); }, "expected one element of `weight`");
  const auto [output, buffer] = log_sigmoid_forward(tensor<double>({-1000, 0, 1000, 1}));
  const std::vector<double> logs = to_vector<double>(output);
  EXPECT_EQ(logs[0], -1000);
  EXPECT_NEAR(logs[1], -std::log(2), 1e-15);
  EXPECT_EQ(logs[2], 0);
  EXPECT_NEAR(logs[3], -std::log1p(std::exp(-1)), 1e-15);
  EXPECT_EQ(to_vector<double>(buffer)[3], std::exp(-1.0));
}

TEST(Special, OrthogonalPolynomials) {
  using Polynomial = Tensor (*)(const Tensor&, const Tensor&);
  const auto expect_values = [](Polynomial polynomial, double x, double degree, double expected) {
    expect_near(polynomial(number(x), number(degree)), expected);
  };
  const auto expect_all = [&](Polynomial polynomial, double third, double ninth, double fourth, double edge,
                              double lowest) {
    expect_values(polynomial, 0.3, 3, third);
    expect_values(polynomial, 0.3, 9, ninth);
    expect_values(polynomial, 2, 4, fourth);
    expect_values(polynomial, edge, 3, lowest);
    expect_values(polynomial, 0.3, -1, 0);
    expect_values(polynomial, 0.3, 0, 1);
  };
  const auto as_function = [](auto function) -> Polynomial { return function; };
  expect_all(as_function([](const Tensor& x, const Tensor& n) { return special_chebyshev_polynomial_t(x, n); }), -0.792,
             0.388827648, 97, -1, -1);
  expect_all(as_function([](const Tensor& x, const Tensor& n) { return special_chebyshev_polynomial_u(x, n); }), -0.984,
             0.099088896, 209, -1, -4);
  expect_all(as_function([](const Tensor& x, const Tensor& n) { return special_chebyshev_polynomial_v(x, n); }), -0.344,
             1.064884736, 153, -1, -7);
  expect_all(as_function([](const Tensor& x, const Tensor& n) { return special_chebyshev_polynomial_w(x, n); }), -1.624,
             -0.866706944, 265, -1, -1);
  expect_all(as_function([](const Tensor& x, const Tensor& n) { return special_shifted_chebyshev_polynomial_t(x, n); }),
             0.944, 0.532929536, 577, 0, -1);
  expect_all(as_function([](const Tensor& x, const Tensor& n) { return special_shifted_chebyshev_polynomial_u(x, n); }),
             1.088, 0.902223872, 1189, 0, -4);
  expect_all(as_function([](const Tensor& x, const Tensor& n) { return special_shifted_chebyshev_polynomial_v(x, n); }),
             1.448, 1.825459712, 985, 0, -7);
  expect_all(as_function([](const Tensor& x, const Tensor& n) { return special_shifted_chebyshev_polynomial_w(x, n); }),
             0.728, -0.021011968, 1393, 0, -1);
  expect_near(special_hermite_polynomial_h(number(0.3), number(5)), 31.75776);
  expect_near(special_hermite_polynomial_h(number(-2), number(4)), 76);
  expect_near(special_hermite_polynomial_he(number(0.3), number(5)), 4.23243);
  expect_near(special_laguerre_polynomial_l(number(0.3), number(5)), -0.09333275);
  expect_near(special_legendre_polynomial_p(number(-2), number(4)), 55.375);
  EXPECT_TRUE(std::isnan(of(special_hermite_polynomial_h(number(1), number(600)))));
  EXPECT_EQ(special_legendre_polynomial_p(tensor<int32_t>({2}), tensor<int32_t>({2})).item<float>(), 5.5F);
}

TEST(Special, BesselFunctionsOfBothKinds) {
  expect_near(special_bessel_j0(number(-3)), -0.2600519549019334);
  expect_near(special_bessel_j1(number(2.5)), 0.4970941024642741);
  expect_near(special_bessel_y0(number(0.2)), -1.081105322372066);
  expect_near(special_bessel_y1(number(2.5)), 0.1459181379667858);
  expect_near(special_bessel_y0(number(0)), -HUGE_VAL);
  expect_near(special_modified_bessel_k0(number(2.5)), 0.06234755320036619);
  expect_near(special_modified_bessel_k1(number(0.2)), 4.775972543220472);
  EXPECT_NEAR(of(special_modified_bessel_k1(number(400))) / 1.201278833261033e-175, 1, 1e-11);
  expect_near(special_scaled_modified_bessel_k0(number(400)), 0.06264615129957784);
  expect_near(special_scaled_modified_bessel_k1(number(0)), HUGE_VAL);
  expect_near(special_modified_bessel_i0(number(2.5)), 3.289839144050123);
  expect_near(special_spherical_bessel_j0(number(-3)), std::sin(3.0) / 3);
  expect_near(special_spherical_bessel_j0(number(1e-6)), 1);
  EXPECT_TRUE(std::isnan(of(special_bessel_y1(number(-1)))));
  EXPECT_TRUE(std::isnan(of(special_modified_bessel_k0(number(-1)))));
}

TEST(Special, AiryFunction) {
  EXPECT_NEAR(of(special_airy_ai(number(-5.5))), 0.017781541276587, 1e-13);
  EXPECT_NEAR(of(special_airy_ai(number(-0.3))), 0.430903095285581, 1e-13);
  EXPECT_NEAR(of(special_airy_ai(number(0.7))), 0.189162400398150, 1e-13);
  EXPECT_NEAR(of(special_airy_ai(number(4))), 0.000951563851205, 1e-13);
  EXPECT_NEAR(of(special_airy_ai(number(0))), 0.355028053887817, 1e-13);
  EXPECT_EQ(of(special_airy_ai(number(200))), 0);
}

TEST(Special, IncompleteGammaFunctions) {
  const auto lower = [](double a, double x) { return of(igamma(number(a), number(x))); };
  const auto upper = [](double a, double x) { return of(igammac(number(a), number(x))); };
  EXPECT_NEAR(lower(0.5, 2), 0.954499736103641, 1e-13);
  EXPECT_NEAR(lower(4, 4), 0.566529879633291, 1e-13);
  EXPECT_NEAR(lower(1000, 1010), 0.627678944736995, 1e-12);
  EXPECT_NEAR(upper(4, 40) / 4.888864465181043e-14, 1, 1e-11);
  EXPECT_NEAR(upper(1000, 1010), 0.372321055263005, 1e-12);
  EXPECT_EQ(lower(0, 1), 1);
  EXPECT_EQ(upper(0, 1), 0);
  EXPECT_EQ(lower(HUGE_VAL, 3), 0);
  EXPECT_EQ(upper(2, HUGE_VAL), 0);
  for (const auto& [a, x] : {std::pair(0.0, 0.0), std::pair(-1.0, 1.0), std::pair(1.0, -1.0)}) {
    EXPECT_TRUE(std::isnan(lower(a, x))) << a << ", " << x;
    EXPECT_TRUE(std::isnan(upper(a, x))) << a << ", " << x;
  }
}

TEST(Special, MultivariateGammaFunction) {
  EXPECT_NEAR(of(mvlgamma(number(3), 3)), 2.694924879806965, 1e-13);
  Tensor self = number(4.5);
  EXPECT_NEAR(of(mvlgamma_(self, 3)), 7.163564471191672, 1e-13);
  expect_error([&] { mvlgamma(self, 0); }, "mvlgamma: expected `p` of 1 or more, got 0");
}

TEST(Special, ProductsWithPowersOfTwo) {
  EXPECT_EQ(to_vector<float>(ldexp(tensor<float>({3, 5}), tensor<int32_t>({2, -1}))), (std::vector<float>{12, 2.5F}));
  EXPECT_EQ(ldexp(full({1}, 3, kHalf), tensor<int32_t>({2})).scalar_type(), kHalf);
}

TEST(Special, Frexp) {
  const auto [mantissa, exponent] = frexp(tensor<float>({0, 3, -0.125F, 1024}, {2, 2}));
  EXPECT_EQ(to_vector<float>(mantissa), (std::vector<float>{0, 0.75F, -0.5F, 0.5F}));
  EXPECT_EQ(to_vector<int32_t>(exponent), (std::vector<int32_t>{0, 2, -2, 11}));
  Tensor numbers = empty({0}, kDouble);
  Tensor powers = empty({0}, kInt);
  frexp_out(numbers, powers, full({2}, 6, kHalf));
  EXPECT_EQ(to_vector<double>(numbers), (std::vector<double>{0.75, 0.75}));
  EXPECT_EQ(to_vector<int32_t>(powers), (std::vector<int32_t>{3, 3}));
  EXPECT_TRUE(std::isinf(of(std::get<0>(frexp(number(HUGE_VAL))))));
  expect_error([] { frexp(tensor<int32_t>({1})); }, "expected `self` of dtype");
}

TEST(Special, FrexpRefusesDevicesWithoutAKernel) {
  CountingAllocator memory;
  const ScopedAllocator scope(kPrivateUse1, memory);
  const Tensor self = empty({2}, TensorOptions(kFloat).device(kPrivateUse1));
  Tensor mantissa = empty({2}, self.options());
  Tensor exponent = empty({2}, self.options().dtype(kInt));
  expect_error([&] { frexp_out(mantissa, exponent, self); }, "frexp.Tensor");
}

}  // namespace
}  // namespace structured::special_test
