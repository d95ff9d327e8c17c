// Results whose intermediate values overflow, vanish or cancel unless formulas avoid that.
#include <gtest/gtest.h>
#include <structured/autograd/gradient.h>
#include <structured/core/factory.h>
#include <structured/ops/_to_copy.h>
#include <structured/ops/acosh.h>
#include <structured/ops/add.h>
#include <structured/ops/angle.h>
#include <structured/ops/asinh.h>
#include <structured/ops/atan.h>
#include <structured/ops/atanh.h>
#include <structured/ops/binary_cross_entropy_with_logits.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/cumprod.h>
#include <structured/ops/div.h>
#include <structured/ops/expm1.h>
#include <structured/ops/frexp.h>
#include <structured/ops/gelu.h>
#include <structured/ops/glu.h>
#include <structured/ops/i0.h>
#include <structured/ops/index_reduce.h>
#include <structured/ops/ldexp.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/logit.h>
#include <structured/ops/max.h>
#include <structured/ops/min.h>
#include <structured/ops/mul.h>
#include <structured/ops/prod.h>
#include <structured/ops/renorm.h>
#include <structured/ops/scatter_reduce.h>
#include <structured/ops/select.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/special_erfcx.h>
#include <structured/ops/special_i1.h>
#include <structured/ops/special_ndtr.h>
#include <structured/ops/sum.h>
#include <structured/ops/tanh.h>
#include <structured/ops/view_as_complex.h>
#include <structured/ops/view_as_real.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <vector>

#include "kernels/expect.h"

namespace structured::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
using Numbers = std::vector<double>;
using Function = std::function<Tensor(const Tensor&)>;

Tensor doubles(const Numbers& values) { return tensor<double>(values); }
Numbers numbers_of(const Tensor& a) { return to_vector<double>(_to_copy(a, kDouble)); }

// Gradient of the sum of function(input).
Tensor gradient_of(const Function& function, const Tensor& input, bool create_graph = false) {
  const Tensor leaf = input.detach().requires_grad_();
  return grad({sum(function(leaf))}, {leaf}, {}, {.create_graph = create_graph})[0];
}

// Gradient of element `row` of the gradient of the sum of function(input).
Numbers second_derivatives(const Function& function, const Numbers& input, int64_t row) {
  const Tensor leaf = doubles(input).requires_grad_();
  const Tensor first = grad({sum(function(leaf))}, {leaf}, {}, {.create_graph = true})[0];
  return numbers_of(grad({select(first, 0, row)}, {leaf})[0]);
}

void expect_close(const Tensor& found, const Numbers& expected, double tolerance) {
  const Numbers values = numbers_of(found);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isinf(expected[i]) || expected[i] == 0) {
      EXPECT_EQ(values[i], expected[i]) << i;
    } else {
      EXPECT_NEAR(values[i] / expected[i], 1, tolerance) << i << ": " << values[i] << ", expected " << expected[i];
    }
  }
}

const Function product = [](const Tensor& a) { return prod(a); };
const Function product_of_dim = [](const Tensor& a) { return prod(a, 0); };
const Function cumulative = [](const Tensor& a) { return cumprod(a, 0); };

TEST(NumberRange, GradientOfProductsWithAZeroThatOverflow) {
  for (const Function& function : {product, product_of_dim}) {
    EXPECT_EQ(numbers_of(gradient_of(function, doubles({0, 1e200, 1e200, 1e200}))), (Numbers{kInf, 0, 0, 0}));
    EXPECT_EQ(numbers_of(gradient_of(function, doubles({1e200, 1e200, 0, 3}))), (Numbers{0, 0, kInf, 0}));
    EXPECT_EQ(numbers_of(gradient_of(function, doubles({0, 1e300, 0, 1e300}))), (Numbers{0, 0, 0, 0}));
    EXPECT_EQ(numbers_of(gradient_of(function, tensor<float>({1e30F, 1e30F, 0, 2, 5}))), (Numbers{0, 0, kInf, 0, 0}));
    EXPECT_EQ(numbers_of(gradient_of(function, doubles({2, 3, 4, 5, 6}))), (Numbers{360, 240, 180, 144, 120}));
  }
  const Tensor parts =
      gradient_of([](const Tensor& a) { return select(view_as_real(prod(view_as_complex(a))), -1, 0); },
                  tensor<double>({1e200, 1e200, 1e200, 1e200, 0, 0, 2, 1}, {4, 2}));
  const Numbers found = numbers_of(parts);
  for (const std::size_t i : {0, 1, 2, 3, 6, 7}) EXPECT_EQ(found[i], 0) << i;
}

TEST(NumberRange, SecondDerivativesOfProductsWithAZeroThatOverflow) {
  EXPECT_EQ(second_derivatives(product, {0, 2, 1e200, 1e200}, 1), (Numbers{kInf, 0, 0, 0}));
  EXPECT_EQ(second_derivatives(product, {0, 2, 3, 0}, 0), (Numbers{0, 0, 0, 6}));
  EXPECT_EQ(second_derivatives(product, {2, 3, 5}, 0), (Numbers{0, 5, 3}));
}

TEST(NumberRange, GradientOfCumulativeProductsWithAZeroThatOverflow) {
  EXPECT_EQ(numbers_of(gradient_of(cumulative, doubles({0, 1e200, 1e200, 3}))), (Numbers{kInf, 0, 0, 0}));
  EXPECT_EQ(numbers_of(gradient_of(cumulative, doubles({1e200, 1e200, 0, 3})))[3], 0);
  // Products that overflow after the only one with a gradient
  const Function first = [](const Tensor& a) { return select(cumprod(a, 0), 0, 0); };
  EXPECT_EQ(numbers_of(gradient_of(first, doubles({1e200, 1e200, 1e200}))), (Numbers{1, 0, 0}));
  EXPECT_EQ(numbers_of(gradient_of(cumulative, doubles({2, 3, 0, 5}))), (Numbers{4, 2, 36, 0}));
  EXPECT_EQ(numbers_of(gradient_of(cumulative, doubles({2, 3, 0, 5}), true)), (Numbers{4, 2, 36, 0}));
}

TEST(NumberRange, SecondDerivativesOfCumulativeProductsWithZeros) {
  EXPECT_EQ(second_derivatives(cumulative, {0, 2, 3}, 0), (Numbers{0, 4, 2}));
  EXPECT_EQ(second_derivatives(cumulative, {0, 2, 3}, 1), (Numbers{4, 0, 0}));
  EXPECT_EQ(second_derivatives(cumulative, {0, 2, 0}, 0), (Numbers{0, 1, 2}));
}

TEST(NumberRange, GradientOfScatteredProductsWithAZeroThatOverflow) {
  const Function scattered = [](const Tensor& a) {
    return scatter_reduce(full({1}, 1, kDouble), 0, zeros({4}, kLong), a, "prod");
  };
  EXPECT_EQ(numbers_of(gradient_of(scattered, doubles({1e200, 1e200, 0, 3}))), (Numbers{0, 0, kInf, 0}));
}

TEST(NumberRange, GradientOfWhatScatteredProductsMultiply) {
  const Numbers factors[] = {{1e200, 1e200, 0, 3}, {0, 0, 0, 2}, {0x1p-600, 0x1p600, 2, 5}};
  const double expected[] = {0, 0, 10};
  for (std::size_t i = 0; i < std::size(factors); ++i) {
    for (const double self : {0.0, 2.0, 1e200}) {
      const auto multiplied = [&](const Tensor& a, bool is_by_index) {
        const Tensor index = zeros({4}, kLong);
        return is_by_index ? index_reduce(a, 0, index, doubles(factors[i]), "prod")
                           : scatter_reduce(a, 0, index, doubles(factors[i]), "prod");
      };
      for (const bool is_by_index : {false, true}) {
        const Function function = [&](const Tensor& a) { return multiplied(a, is_by_index); };
        EXPECT_EQ(numbers_of(gradient_of(function, doubles({self, 7}))), (Numbers{expected[i], 1})) << i << " " << self;
      }
    }
  }
}

// With create_graph, the gradient has a history, and the values of one without.
TEST(NumberRange, GradientOfScatteredProductsWithACreatedGraph) {
  const Tensor index = zeros({4}, kLong);
  const Numbers values = {0, 1e200, 1e200, 3};
  for (const bool is_by_index : {false, true}) {
    const auto reduced = [&](const Tensor& self, const Tensor& src) {
      return is_by_index ? index_reduce(self, 0, index, src, "prod") : scatter_reduce(self, 0, index, src, "prod");
    };
    const Function of_self = [&](const Tensor& a) { return reduced(a, doubles(values)); };
    const Function of_src = [&](const Tensor& a) { return reduced(doubles({1e200, 7}), a); };
    const Function of_small = [&](const Tensor& a) { return reduced(doubles({2, 7}), a); };
    for (const bool create_graph : {false, true}) {
      EXPECT_EQ(numbers_of(gradient_of(of_self, doubles({2, 7}), create_graph)), (Numbers{0, 1}));
      EXPECT_EQ(numbers_of(gradient_of(of_src, doubles(values), create_graph)), (Numbers{kInf, 0, 0, 0}));
    }
    EXPECT_EQ(second_derivatives(of_small, {0, 2, 3, 5}, 0), (Numbers{0, 30, 20, 12}));
    EXPECT_EQ(second_derivatives(of_small, {0, 2, 3, 5}, 1), (Numbers{30, 0, 0, 0}));
    EXPECT_EQ(second_derivatives(of_small, {4, 2, 3, 5}, 1), (Numbers{30, 0, 40, 24}));
  }
}

// PyTorch's kernels for CUDA compute so; those for CPU round alpha.
TEST(NumberRange, AlphaOfSumsInHalfIsNotRounded) {
  const Tensor sums = add(_to_copy(doubles({-2048}), kHalf), _to_copy(doubles({2048}), kHalf), 1.000244140625);
  EXPECT_EQ(numbers_of(sums), (Numbers{0.5}));
}

TEST(NumberRange, LogitWithABoundBeyondItsDtypeIsNaN) {
  for (const ScalarType dtype : {kFloat, kDouble, kHalf}) {
    const Tensor a = _to_copy(doubles({0.25, 2}), dtype);
    for (const double number : numbers_of(logit(a, 1e300))) EXPECT_TRUE(std::isnan(number));
    EXPECT_EQ(numbers_of(gradient_of([](const Tensor& x) { return logit(x, 1e300); }, a)), (Numbers{0, 0}));
  }
}

TEST(NumberRange, LdexpRoundsOnce) {
  EXPECT_EQ(numbers_of(ldexp(doubles({3}), tensor<int64_t>({200}))), (Numbers{std::ldexp(3, 200)}));
  EXPECT_EQ(numbers_of(ldexp(doubles({0x1p-1000, 0x1p1000, 0, -kInf}), tensor<int64_t>({2000, -2000, 5000, -5000}))),
            (Numbers{0x1p1000, 0x1p-1000, 0, -kInf}));
  EXPECT_EQ(numbers_of(ldexp(tensor<float>({0x1p-100F, 0x1p-149F, 3}), tensor<int32_t>({200, 276, -150}))),
            (Numbers{0x1p100, 0x1p127, 0x1p-148}));
  // 1.5 times the smallest number and a little more, which would round down if it were rounded twice
  const double above = std::nextafter(0x1.8p0, 2);
  EXPECT_EQ(numbers_of(ldexp(doubles({above}), tensor<int32_t>({-1074}))), (Numbers{std::ldexp(above, -1074)}));
  for (const ScalarType dtype : {kHalf, kBFloat16}) {
    const Tensor found = ldexp(full({2}, 3, dtype), tensor<int32_t>({-20, 12}));
    EXPECT_EQ(found.scalar_type(), dtype);
    EXPECT_EQ(numbers_of(found), (Numbers{3 * 0x1p-20, 12288}));
  }
  EXPECT_EQ(numbers_of(ldexp(full({1}, 0x1p-130, kBFloat16), tensor<int32_t>({256}))), (Numbers{0x1p126}));
  Tensor half = full({1}, 0x1p-24, kHalf);
  EXPECT_EQ(numbers_of(ldexp_(half, tensor<int64_t>({39}))), (Numbers{0x1p15}));
  EXPECT_NEAR(numbers_of(ldexp(doubles({3}), doubles({0.5})))[0], 3 * std::sqrt(2.0), 1e-15);
  Tensor whole = tensor<int32_t>({1});
  expect_error([&] { ldexp_(whole, tensor<int32_t>({1})); }, "Int");
}

TEST(NumberRange, LdexpOfComplexNumbers) {
  const Tensor found = ldexp(view_as_complex(tensor<double>({3, -5}, {1, 2})), tensor<int64_t>({200}));
  EXPECT_EQ(numbers_of(view_as_real(found)), (Numbers{std::ldexp(3, 200), std::ldexp(-5, 200)}));
}

TEST(NumberRange, GradientsOfLdexpAndFrexp) {
  const Function scaled = [](const Tensor& a) { return ldexp(a, tensor<int64_t>({200})); };
  EXPECT_EQ(numbers_of(gradient_of(scaled, doubles({3}))), (Numbers{0x1p200}));
  const Function mantissa = [](const Tensor& a) { return std::get<0>(frexp(a)); };
  EXPECT_EQ(numbers_of(gradient_of(mantissa, doubles({0x1p-1022}))), (Numbers{0x1p1021}));
  EXPECT_EQ(numbers_of(gradient_of(mantissa, full({1}, 0x1p-16, kHalf))), (Numbers{0x1p15}));
}

TEST(NumberRange, NormsOfLargeAndSmallNumbers) {
  for (const double scale : {1e25, 1e-25}) {
    const Tensor values = tensor<float>({static_cast<float>(3 * scale), static_cast<float>(4 * scale)});
    expect_close(linalg_vector_norm(values), {5 * scale}, 1e-6);
    expect_close(linalg_vector_norm(values, 3), {std::cbrt(91.0) * scale}, 1e-6);
    expect_close(linalg_vector_norm(values, -3), {std::pow(1 / 27.0 + 1 / 64.0, -1 / 3.0) * scale}, 1e-6);
    expect_close(linalg_vector_norm(_to_copy(values, kBFloat16)), {5 * scale}, 1e-2);
  }
  for (const double scale : {1e200, 1e-200, 1e-310}) {
    expect_close(linalg_vector_norm(doubles({3 * scale, 4 * scale})), {5 * scale}, 1e-12);
  }
  const Tensor rows = tensor<double>({3e200, 4e200, 3, 4, 0, 0, kInf, 1}, {4, 2});
  expect_close(linalg_vector_norm(rows, 2, {1}), {5e200, 5, 0, kInf}, 1e-15);
  expect_close(linalg_vector_norm(rows, 2, {1}, true), {5e200, 5, 0, kInf}, 1e-15);
  EXPECT_EQ(numbers_of(linalg_vector_norm(doubles({1.7e308, 1.7e308}))), (Numbers{kInf}));
  EXPECT_TRUE(std::isnan(numbers_of(linalg_vector_norm(doubles({1e200, std::nan("")})))[0]));
}

TEST(NumberRange, GradientsOfNormsInHalf) {
  const Tensor values = _to_copy(doubles({3000, 4000}), kHalf);
  const Function normalized = [](const Tensor& a) {
    return select(div(a, clamp_min(linalg_vector_norm(a, 2, {0}, true), 1e-12)), 0, 0);
  };
  expect_close(gradient_of(normalized, values), {1.28e-4, -9.6e-5}, 0.02);
  const Function cubic = [](const Tensor& a) { return linalg_vector_norm(a, 3); };
  const double norm = std::cbrt(91.0);
  expect_close(gradient_of(cubic, values), {9 / (norm * norm), 16 / (norm * norm)}, 2e-3);
  const Function limited = [](const Tensor& a) { return select(select(renorm(a, 2, 0, 1), 0, 0), 0, 0); };
  const Tensor gradient = gradient_of(limited, _to_copy(tensor<double>({3000, 4000, 0, 0}, {2, 2}), kHalf));
  expect_close(gradient, {1.28e-4, -9.6e-5, 0, 0}, 0.02);
}

TEST(NumberRange, GradientsOfNormsOfLowOrderAtZero) {
  const Function low = [](const Tensor& a) { return linalg_vector_norm(a, 0.5); };
  EXPECT_EQ(numbers_of(gradient_of(low, doubles({0, 4}))), (Numbers{0, 1}));
}

TEST(NumberRange, GradientsWhoseSquaresOverflow) {
  const Tensor half = full({1}, 300, kHalf);
  expect_close(gradient_of([](const Tensor& a) { return atan(a); }, half), {1 / 90001.0}, 0.01);
  expect_close(gradient_of([](const Tensor& a) { return asinh(a); }, half), {1 / 300.0}, 2e-3);
  expect_close(gradient_of([](const Tensor& a) { return acosh(a); }, half), {1 / 300.0}, 2e-3);
  expect_close(gradient_of([](const Tensor& a) { return asinh(a); }, doubles({1e200})), {1e-200}, 1e-14);
  expect_close(gradient_of([](const Tensor& a) { return acosh(a); }, doubles({1e200})), {1e-200}, 1e-14);
  const Function direction = [](const Tensor& a) { return angle(view_as_complex(a)); };
  expect_close(gradient_of(direction, tensor<double>({1e200, 1e200}, {1, 2})), {-5e-201, 5e-201}, 1e-14);
}

TEST(NumberRange, TailsOfGradients) {
  expect_close(gradient_of([](const Tensor& a) { return atanh(a); }, doubles({1 - 0x1p-53})), {0x1p52}, 1e-15);
  expect_close(gradient_of([](const Tensor& a) { return glu(a, 0); }, doubles({1, 38})), {1, std::exp(-38.0)}, 1e-14);
  const Function by_erf = [](const Tensor& a) { return gelu(a); };
  const double density = std::exp(-40.5) / std::sqrt(2 * M_PI), tail = std::erfc(9 / std::sqrt(2.0)) / 2;
  expect_close(gradient_of(by_erf, doubles({-9})), {tail - 9 * density}, 1e-13);
  expect_close(gelu(doubles({-9})), {-9 * tail}, 1e-13);
  const double inner = std::sqrt(8 / M_PI) * (8 + 0.044715 * 512);
  expect_close(gelu(doubles({-8}), "tanh"), {-8 * std::exp(-inner)}, 1e-12);
  const double slope = std::sqrt(8 / M_PI) * (1 + 3 * 0.044715 * 64);
  const Function by_tanh = [](const Tensor& a) { return gelu(a, "tanh"); };
  expect_close(gradient_of(by_tanh, doubles({-8})), {std::exp(-inner) * (1 - 8 * slope)}, 1e-12);
  const Function scaled_tail = [](const Tensor& a) { return special_erfcx(a); };
  expect_close(gradient_of(scaled_tail, doubles({1e8, 25})), {-1e-16 / std::sqrt(M_PI), -9.0054546344462673e-4}, 1e-7);
}

// The results round to 1 or -1.
TEST(NumberRange, TailsOfGradientsOfSigmoidTanhAndExpm1) {
  const Function gate = [](const Tensor& a) { return sigmoid(a); };
  const Function gate_in_place = [](const Tensor& a) {
    Tensor b = mul(a, 1);
    return sigmoid_(b);
  };
  const Function bounded = [](const Tensor& a) { return tanh(a); };
  const Function bounded_in_place = [](const Tensor& a) {
    Tensor b = mul(a, 1);
    return tanh_(b);
  };
  const Function exponential = [](const Tensor& a) { return expm1(a); };
  const double tail = std::exp(-38.0), small = std::exp(-700.0);
  for (const Function& function : {gate, gate_in_place}) {
    expect_close(gradient_of(function, doubles({38, -38, 700, 800, kInf, -kInf})), {tail, tail, small, 0, 0, 0}, 1e-13);
    expect_close(gradient_of(function, full({1}, 20, kFloat)), {std::exp(-20.0)}, 1e-6);
    expect_close(gradient_of(function, full({1}, 12, kHalf)), {std::exp(-12.0)}, 0.02);
    expect_close(gradient_of(function, full({1}, 20, kBFloat16)), {std::exp(-20.0)}, 0.02);
  }
  for (const Function& function : {bounded, bounded_in_place}) {
    expect_close(gradient_of(function, doubles({19, -19, 350, 400, kInf, -kInf})),
                 {4 * tail, 4 * tail, 4 * small, 0, 0, 0}, 1e-13);
    expect_close(gradient_of(function, full({1}, 10, kFloat)), {4 * std::exp(-20.0)}, 1e-6);
    expect_close(gradient_of(function, full({1}, 6, kHalf)), {4 * std::exp(-12.0)}, 0.02);
    expect_close(gradient_of(function, full({1}, 10, kBFloat16)), {4 * std::exp(-20.0)}, 0.02);
  }
  expect_close(gradient_of(exponential, doubles({-38, -700})), {tail, small}, 1e-13);
  EXPECT_EQ(second_derivatives(gate, {800}, 0), (Numbers{0}));
  EXPECT_EQ(second_derivatives(bounded, {800}, 0), (Numbers{0}));
  expect_close(doubles(second_derivatives(gate, {38}, 0)), {-tail}, 1e-13);
  expect_close(doubles(second_derivatives(bounded, {19}, 0)), {-8 * tail}, 1e-13);
}

// The gradient of the sum of real and imaginary parts, for a derivative that is about factor * exp(-38 -+ i).
TEST(NumberRange, TailsOfGradientsOfComplexSigmoidAndTanh) {
  const auto parts_of = [](const Function& function) {
    return [function](const Tensor& a) { return view_as_real(function(view_as_complex(a))); };
  };
  const Function gate = parts_of([](const Tensor& a) { return sigmoid(a); });
  const Function bounded = parts_of([](const Tensor& a) { return tanh(a); });
  const double difference = std::exp(-38.0) * (std::cos(1) - std::sin(1));
  const double total = std::exp(-38.0) * (std::cos(1) + std::sin(1));
  const auto complex = [](const Numbers& parts) { return tensor<double>(parts, {3, 2}); };
  expect_close(gradient_of(gate, complex({38, 1, -38, 1, 800, 1})), {difference, total, total, difference, 0, 0},
               1e-13);
  expect_close(gradient_of(bounded, complex({19, 0.5, -19, 0.5, 400, 0.5})),
               {4 * difference, 4 * total, 4 * total, 4 * difference, 0, 0}, 1e-13);
}

TEST(NumberRange, TailsOfGradientsOfCrossEntropyWithLogits) {
  const auto loss = [](double target) {
    return [target](const Tensor& a) {
      return binary_cross_entropy_with_logits(a, full({2}, target, kDouble), {}, full({}, 3, kDouble), 2);
    };
  };
  expect_close(gradient_of(loss(1), doubles({38, -38})), {-3 * std::exp(-38.0), -3}, 1e-13);
  expect_close(gradient_of(loss(0), doubles({38, -38})), {1, std::exp(-38.0)}, 1e-13);
}

TEST(NumberRange, BesselFunctionsNearOverflow) {
  // exp(x) / sqrt(2 pi x) (1 + 1 / (8 x) + 9 / (128 x^2)), and with -3 / (8 x) - 15 / (128 x^2) for order 1
  const double x = 713;
  const double leading = std::exp(x - 100) / std::sqrt(2 * M_PI * x) * std::exp(100.0);
  expect_close(i0(doubles({x})), {leading * (1 + 1 / (8 * x) + 9 / (128 * x * x))}, 1e-8);
  expect_close(special_i1(doubles({-x})), {-leading * (1 - 3 / (8 * x) - 15 / (128 * x * x))}, 1e-8);
}

TEST(NumberRange, NormalDistribution) {
  expect_close(special_ndtr(doubles({-10, 0, 10, -38, -kInf})),
               {7.61985302416052606597e-24, 0.5, 1, 2.8854283600687843e-316, 0}, 1e-7);
  expect_close(special_ndtr(tensor<int64_t>({1})), {0.8413447460685429}, 1e-6);
  const Function distribution = [](const Tensor& a) { return special_ndtr(a); };
  expect_close(gradient_of(distribution, doubles({-10, 1})), {7.69459862670642e-23, 0.24197072451914337}, 1e-14);
}

TEST(NumberRange, ExtremaOfNoElements) {
  Tensor out = empty({}, kFloat);
  EXPECT_EQ(max_out(out, empty({0}, kFloat)).item<float>(), -kInfinity);
  EXPECT_EQ(min_out(out, empty({0, 3}, kFloat)).item<float>(), kInfinity);
  Tensor whole = empty({}, kLong);
  EXPECT_EQ(max_out(whole, empty({0}, kLong)).item<int64_t>(), std::numeric_limits<int64_t>::lowest());
  EXPECT_EQ(min_out(whole, empty({0}, kLong)).item<int64_t>(), std::numeric_limits<int64_t>::max());
  Tensor truth = empty({}, kBool);
  EXPECT_FALSE(max_out(truth, empty({0}, kBool)).item<bool>());
  EXPECT_TRUE(min_out(truth, empty({0}, kBool)).item<bool>());
  expect_error([] { max(empty({0}, kFloat)); }, "max: expected a nonempty `self`");
}

}  // namespace
}  // namespace structured::test
