// relu, exp and acosh.
#include <structured/base/error.h>
#include <structured/ops/acosh.h>
#include <structured/ops/exp.h>
#include <structured/ops/exp2.h>
#include <structured/ops/expm1.h>
#include <structured/ops/log1p.h>
#include <structured/ops/logaddexp.h>
#include <structured/ops/nan_to_num.h>
#include <structured/ops/relu.h>

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "kernels/expect.h"

namespace structured::unary_test {
namespace {

using namespace test;

template <class T>
double tolerance() {
  return std::is_same_v<T, double>     ? 1e-14
         : std::is_same_v<T, float>    ? 1e-6
         : std::is_same_v<T, Half>     ? 1e-3
         : std::is_same_v<T, BFloat16> ? 8e-3
                                       : 0;
}

double relu_of(double x) { return x < 0 ? 0 : x; }
double exp_of(double x) { return std::exp(x); }
double acosh_of(double x) { return std::acosh(x); }

struct Operator {
  Tensor (*functional)(const Tensor&);
  Tensor& (*inplace)(Tensor&);
  Tensor& (*out)(Tensor&, const Tensor&);
  double (*expected)(double);
};

const Operator relu_operator{relu, relu_, relu_out, relu_of};
const Operator exp_operator{exp, exp_, exp_out, exp_of};
const Operator acosh_operator{acosh, acosh_, acosh_out, acosh_of};

template <class T>
void expect_results(const Operator& op, const Tensor& actual, const Tensor& input, IntArrayRef sizes) {
  expect_elements<T>(
      actual, sizes, [&](const Index& index) { return op.expected(static_cast<double>(at<T>(input, index))); },
      tolerance<T>());
}

// Tests every variant of the operator on operands of every layout.
template <class T>
void expect_operator(const Operator& op, T (*value)(int64_t)) {
  for (const DimVector& sizes : {DimVector{}, DimVector{1}, DimVector{19}, DimVector{4, 5}, DimVector{2, 3, 4, 2, 3},
                                 DimVector{0, 3}, DimVector{70000}}) {
    const Tensor input = filled<T>(sizes, value);
    for (const Tensor& a : {input, strided(input)}) {
      expect_results<T>(op, op.functional(a), input, sizes);
      Tensor dense = empty(sizes, scalar_type_of<T>);
      Tensor gaps = strided(dense);
      Tensor none = empty({0}, scalar_type_of<T>);
      for (Tensor* out : {&dense, &gaps, &none}) {
        const Tensor before = *out;
        EXPECT_TRUE(op.out(*out, a).is_same(before));
        expect_results<T>(op, *out, input, sizes);
      }
    }
    for (Tensor a : {filled<T>(sizes, value), strided(input)}) {
      EXPECT_TRUE(op.inplace(a).is_same(a));
      expect_results<T>(op, a, input, sizes);
    }
  }
}

template <class T>
class UnaryOnReals : public testing::Test {};
using RealTypes = testing::Types<float, double, int64_t, int32_t, int16_t, int8_t, uint8_t, Half, BFloat16>;
TYPED_TEST_SUITE(UnaryOnReals, RealTypes);

TYPED_TEST(UnaryOnReals, Relu) {
  expect_operator<TypeParam>(relu_operator,
                             [](int64_t i) { return static_cast<TypeParam>(static_cast<int>(i % 9) - 4); });
}

template <class T>
class UnaryOnFloats : public testing::Test {};
using FloatTypes = testing::Types<float, double, Half, BFloat16>;
TYPED_TEST_SUITE(UnaryOnFloats, FloatTypes);

TYPED_TEST(UnaryOnFloats, Exp) {
  expect_operator<TypeParam>(exp_operator,
                             [](int64_t i) { return TypeParam(0.25f * static_cast<float>(i % 31 - 15)); });
}

TYPED_TEST(UnaryOnFloats, Acosh) {
  expect_operator<TypeParam>(acosh_operator,
                             [](int64_t i) { return TypeParam(1 + 0.5f * static_cast<float>(i % 20)); });
}

template <class T>
class UnaryOnIntegers : public testing::Test {};
using IntegerTypes = testing::Types<int64_t, int32_t, int16_t, int8_t, uint8_t, bool>;
TYPED_TEST_SUITE(UnaryOnIntegers, IntegerTypes);

TYPED_TEST(UnaryOnIntegers, ExpAndAcoshGiveTheDefaultDtype) {
  using T = TypeParam;
  const Tensor input = filled<T>({300}, [](int64_t i) { return static_cast<T>(i % 5 + 1); });
  for (const Tensor& a : {input, strided(input)}) {
    const auto value = [&](const Index& index) { return static_cast<double>(at<T>(input, index)); };
    expect_elements<float>(exp(a), {300}, [&](const Index& index) { return std::exp(value(index)); }, 1e-6);
    expect_elements<float>(acosh(a), {300}, [&](const Index& index) { return std::acosh(value(index)); }, 1e-6);
    Tensor out = counting<double>({300});
    exp_out(out, a);
    expect_elements<double>(out, {300}, [&](const Index& index) { return std::exp(value(index)); }, 1e-6);
  }
  Tensor self = strided(input);
  expect_error([&] { exp_(self); }, "the result has dtype Float");
}

TEST(Relu, KeepsNanAndInfinity) {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor out = relu(tensor<float>({-inf, inf, std::nanf("")}));
  EXPECT_EQ(at<float>(out, {0}), 0);
  EXPECT_EQ(at<float>(out, {1}), inf);
  EXPECT_TRUE(std::isnan(at<float>(out, {2})));
}

TEST(Relu, TakesRealNumbersOnly) {
  expect_error([] { relu(filled<bool>({2}, [](int64_t) { return true; })); }, "relu: expected dtype");
  expect_error([] { relu(filled<Complex<float>>({2}, [](int64_t) { return Complex<float>(1); })); }, "relu: expected");
}

TEST(Relu, RefusesAnOutOfAnotherDtype) {
  Tensor out = counting<double>({2});
  expect_error([&] { relu_out(out, counting<float>({2})); }, "expected all operands to have dtype Float, got Double");
}

TEST(Exp, OverflowsToInfinity) {
  const Tensor out = exp(tensor<float>({1000, -1000, std::nanf("")}));
  EXPECT_EQ(at<float>(out, {0}), std::numeric_limits<float>::infinity());
  EXPECT_EQ(at<float>(out, {1}), 0);
  EXPECT_TRUE(std::isnan(at<float>(out, {2})));
}

TEST(Acosh, IsNanBelowOne) {
  const Tensor out = acosh(tensor<double>({0.5, -2, 1}));
  EXPECT_TRUE(std::isnan(at<double>(out, {0})));
  EXPECT_TRUE(std::isnan(at<double>(out, {1})));
  EXPECT_EQ(at<double>(out, {2}), 0);
}

TEST(Exp, ComputesComplexNumbers) {
  using C = Complex<double>;
  const Tensor in = tensor<C>({C(1, 2), C(-0.5, 3), C(0, 0)});
  const Tensor exponentials = exp(in);
  const Tensor inverses = acosh(in);
  for (int64_t i = 0; i < 3; ++i) {
    const C z = at<C>(in, {i});
    const std::complex<double> expected_exp = std::exp(std::complex<double>(z.real(), z.imag()));
    EXPECT_NEAR(at<C>(exponentials, {i}).real(), expected_exp.real(), 1e-12);
    EXPECT_NEAR(at<C>(exponentials, {i}).imag(), expected_exp.imag(), 1e-12);
    const C w = at<C>(inverses, {i});  // acosh is the inverse of cosh
    const std::complex<double> back = std::cosh(std::complex<double>(w.real(), w.imag()));
    EXPECT_NEAR(back.real(), z.real(), 1e-12);
    EXPECT_NEAR(back.imag(), z.imag(), 1e-12);
  }
}

// Compares a unary operator with a function of std::complex, and near 0 with its series.
template <class Op, class Function>
void expect_complex(Op op, Function function, std::complex<double> near_zero, std::complex<double> expected) {
  using C = Complex<double>;
  const C numbers[] = {C(0.3, -2), C(-4, 0.7), C(2.5, 3), C(-0.2, 0.1), C(near_zero.real(), near_zero.imag())};
  const Tensor result = op(filled<C>({5}, [&](int64_t i) { return numbers[i]; }));
  for (int64_t i = 0; i < 5; ++i) {
    const C z = numbers[i];
    const std::complex<double> wanted = i == 4 ? expected : function(std::complex<double>(z.real(), z.imag()));
    EXPECT_NEAR(at<C>(result, {i}).real(), wanted.real(), 1e-14 * std::abs(wanted)) << i;
    EXPECT_NEAR(at<C>(result, {i}).imag(), wanted.imag(), 1e-14 * std::abs(wanted)) << i;
  }
}

TEST(Exp, AndRelatedFunctionsComputeComplexNumbers) {
  using Z = std::complex<double>;
  const Z tiny(3e-9, -2e-9);
  expect_complex([](const Tensor& x) { return expm1(x); }, [](Z z) { return std::exp(z) - 1.0; }, tiny,
                 tiny + tiny * tiny / 2.0);
  expect_complex([](const Tensor& x) { return log1p(x); }, [](Z z) { return std::log(1.0 + z); }, tiny,
                 tiny - tiny * tiny / 2.0);
  expect_complex([](const Tensor& x) { return exp2(x); }, [](Z z) { return std::pow(Z(2), z); }, Z(0), Z(1));
  expect_complex([](const Tensor& x) { return logaddexp(x, x); }, [](Z z) { return z + std::log(2.0); }, Z(-700, 1),
                 Z(-700 + std::log(2.0), 1));
}

TEST(NanToNum, ReplacesPartsOfComplexNumbers) {
  using C = Complex<float>;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Tensor self = filled<C>({2}, [](int64_t i) { return i == 0 ? C(NAN, 2) : C(infinity, -infinity); });
  const Tensor result = nan_to_num(self, 1, 3);
  EXPECT_TRUE(at<C>(result, {0}) == C(1, 2));
  EXPECT_TRUE(at<C>(result, {1}) == C(3, std::numeric_limits<float>::lowest()));
}

TEST(Exp, ComputesShapesOnMeta) {
  const Tensor out = exp(empty({2, 3}, TensorOptions(kInt).device(kMeta)));
  EXPECT_TRUE(out.is_meta());
  EXPECT_EQ(out.sizes(), (IntArrayRef{2, 3}));
  EXPECT_EQ(out.dtype(), kFloat);
}

}  // namespace
}  // namespace structured::unary_test
