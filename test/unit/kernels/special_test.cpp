#include <structured/ops/digamma.h>
#include <structured/ops/erfinv.h>
#include <structured/ops/floor_divide.h>
#include <structured/ops/glu.h>
#include <structured/ops/i0.h>
#include <structured/ops/log_sigmoid.h>
#include <structured/ops/log_sigmoid_forward.h>
#include <structured/ops/polygamma.h>
#include <structured/ops/prelu.h>
#include <structured/ops/selu.h>
#include <structured/ops/special_erfcx.h>
#include <structured/ops/special_i0e.h>
#include <structured/ops/special_i1.h>
#include <structured/ops/special_i1e.h>
#include <structured/ops/special_log_ndtr.h>
#include <structured/ops/special_ndtri.h>
#include <structured/ops/special_zeta.h>

#include <cmath>

#include "kernels/expect.h"

namespace structured {
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

}  // namespace
}  // namespace structured
