// Gradients of pointwise operators, at interior points and at their edges.
#include <gtest/gtest.h>
#include <structured/dispatch/call.h>
#include <structured/find_operator.h>
#include <structured/ops/add.h>
#include <structured/ops/full.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "expect_error.h"
#include "kernels/gradient_check.h"

namespace structured::pointwise_derivatives_test {
namespace {

using namespace test;

/// Numbers between `low` and `high`.
Tensor between(double low, double high, int seed = 0) {
  Tensor result = numbers({5}, seed);
  double* const elements = result.data_ptr<double>();
  for (int i = 0; i < 5; ++i) elements[i] = low + (elements[i] - 0.3) / 1.2 * (high - low);
  return result;
}

Tensor call(const std::string& op, Stack arguments) {
  const OperatorHandle* const found = find_operator("aten::" + op);
  EXPECT_NE(found, nullptr) << op;
  return call_operator(*found, std::move(arguments))[0].to_tensor();
}

struct Unary {
  const char* op;
  double low;
  double high;
  Stack more = {};
};

// Adds the square, so that second derivatives of piecewise linear functions are not all zero.
TEST_F(Derivatives, OfPointwiseFunctionsOfOneTensor) {
  const Unary cases[] = {{"mish", -3, 3},
                         {"hardsigmoid", -2.5, 2.5},
                         {"hardswish", -2.5, 2.5},
                         {"hardshrink", 0.6, 2},
                         {"hardshrink", -0.4, 0.4},
                         {"silu", -3, 3},
                         {"elu", -2, 2, {1.5, 0.7, 1.2}},
                         {"leaky_relu", -2, 2, {0.2}},
                         {"softplus", -2, 2, {2, 3}},
                         {"deg2rad", -2, 2},
                         {"rad2deg", -2, 2},
                         {"angle", 0.5, 2},
                         {"erf", -2, 2},
                         {"erfc", -2, 2},
                         {"log1p", -0.5, 2},
                         {"expm1", -2, 2},
                         {"exp2", -2, 2},
                         {"asinh", -2, 2},
                         {"acosh", 1.5, 3},
                         {"atanh", -0.8, 0.8},
                         {"sinc", 0.2, 1.8},
                         {"fmod.Scalar", 1.1, 1.9, {1}},
                         {"remainder.Scalar", -0.9, -0.1, {1}},
                         {"frac", 1.1, 1.9},
                         {"logit", 0.2, 0.8},
                         {"logit", 0.2, 0.8, {0.1}},
                         {"special_entr", 0.2, 2},
                         {"xlogy.Scalar_Other", 0.2, 2, {1.5}},
                         {"special_xlog1py.other_scalar", 0.2, 2, {1.5}},
                         {"copysign.Scalar", 0.2, 2, {-1}},
                         {"lgamma", 0.5, 3},
                         {"digamma", 0.5, 3},
                         {"i0", 0.2, 2},
                         {"special_i0e", 0.2, 2},
                         {"special_i1", 0.2, 2},
                         {"special_i1e", 0.2, 2},
                         {"erfinv", -0.8, 0.8},
                         {"special_ndtri", 0.2, 0.8},
                         {"special_log_ndtr", -2, 2},
                         {"special_erfcx", -1, 1}};
  for (const Unary& unary : cases) {
    SCOPED_TRACE(unary.op);
    const auto function = [&](const std::vector<Tensor>& in) {
      Stack arguments{in[0]};
      for (const Value& more : unary.more) arguments.push_back(more);
      return add(call(unary.op, std::move(arguments)), mul(in[0], in[0]));
    };
    expect_two_derivatives(function, {between(unary.low, unary.high)});
  }
}

TEST_F(Derivatives, OfPointwiseFunctionsOfTwoTensors) {
  for (const char* op :
       {"fmod.Tensor", "remainder.Tensor", "logaddexp", "logaddexp2", "xlogy.Tensor", "special_xlog1py", "hypot",
        "fmax", "fmin", "clamp_max.Tensor", "clamp_min.Tensor", "copysign.Tensor", "atan2"}) {
    SCOPED_TRACE(op);
    const auto function = [&](const std::vector<Tensor>& in) {
      return add(call(op, {in[0], in[1]}), mul(mul(in[0], in[0]), in[1]));
    };
    expect_two_derivatives(function, {between(1.1, 1.4), between(0.55, 0.68, 3)});
    expect_two_derivatives(function, {between(0.3, 0.5), between(1.2, 1.9, 3)});
  }
}

TEST_F(Derivatives, OfPointwiseFunctionsOfANumberAndATensor) {
  for (const char* op : {"xlogy.Scalar_Self", "special_xlog1py.self_scalar", "remainder.Scalar_Tensor"}) {
    SCOPED_TRACE(op);
    expect_two_derivatives(
        [&](const std::vector<Tensor>& in) { return add(call(op, {1.5, in[0]}), mul(in[0], in[0])); },
        {between(0.55, 0.7)});
  }
}

/// Gradient of an operator of one tensor at `x`.
double slope(const std::string& op, double x, Stack more = {}) {
  const Tensor leaf = full({}, x, kDouble).requires_grad_();
  Stack arguments{leaf};
  for (const Value& value : more) arguments.push_back(value);
  return grad({call(op, std::move(arguments))}, {leaf})[0].item<double>();
}

TEST_F(Derivatives, OfIncompleteGammaFunctionsByTheBound) {
  for (const char* op : {"igamma", "igammac"}) {
    SCOPED_TRACE(op);
    const Tensor exponent = between(0.5, 2.5, 4);
    expect_two_derivatives([&](const std::vector<Tensor>& in) { return call(op, {exponent, in[0]}); },
                           {between(0.4, 3)});
  }
}

// A result that silently needed no gradient would lose a part of it.
TEST_F(Derivatives, ThatAreNotImplementedThrow) {
  const Tensor two = full({}, 2, kDouble);
  expect_error([] { slope("special_spherical_bessel_j0", 0.5); },
               "Bessel functions and Airy functions' is not implemented.");
  expect_error([] { slope("special_airy_ai", 0.5); }, "Bessel functions and Airy functions' is not implemented.");
  expect_error([&] { slope("special_hermite_polynomial_h", 0.5, {two}); },
               "the derivative for 'orthogonal polynomials' is not implemented.");
  expect_error([&] { slope("igamma", 0.5, {two}); }, "the derivative for 'igamma: input' is not implemented.");
}

TEST_F(Derivatives, OfLerpWithATensorOfWeights) {
  expect_two_derivatives([](const std::vector<Tensor>& in) { return call("lerp.Tensor", {in[0], in[1], in[2]}); },
                         {between(0, 1), between(1, 2, 3), between(0.2, 0.8, 5)});
}

TEST_F(Derivatives, HaveTheConventionsOfPyTorchAtEdges) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(slope("relu", 0), 0);
  EXPECT_EQ(slope("leaky_relu", 0, {0.2}), 0.2);
  EXPECT_EQ(slope("hardtanh", 1), 0);
  EXPECT_EQ(slope("hardtanh", -1), 0);
  EXPECT_EQ(slope("threshold", 0.5, {0.5, 2}), 0);
  EXPECT_EQ(slope("special_entr", 0), infinity);
  EXPECT_EQ(slope("silu", -1000), 0);
  EXPECT_EQ(slope("softplus", 1000), 1);
  EXPECT_EQ(slope("logaddexp", 2, {full({}, 2, kDouble)}), 0.5);
  EXPECT_EQ(slope("fmax", 2, {full({}, 2, kDouble)}), 0.5);
  EXPECT_EQ(slope("fmin", 2, {full({}, infinity - infinity, kDouble)}), 1);
  EXPECT_EQ(slope("maximum", 2, {full({}, 2, kDouble)}), 0.5);
  EXPECT_EQ(slope("clamp_min.Tensor", 2, {full({}, 2, kDouble)}), 0.5);
  EXPECT_EQ(slope("clamp_max", 2, {2}), 0);
  EXPECT_EQ(slope("hardswish", -3), 0);
  EXPECT_EQ(slope("hardswish", 3), 1);
  EXPECT_TRUE(std::isnan(slope("logit", -0.5)));
  EXPECT_EQ(slope("logit", 0.05, {0.1}), 0);
  EXPECT_EQ(slope("xlogy.Tensor", 0, {full({}, -1, kDouble)}), 0);
  EXPECT_EQ(slope("copysign.Tensor", 0, {full({}, -1, kDouble)}), 0);
  EXPECT_EQ(slope("atan2", 0, {full({}, 0, kDouble)}), 0);
}

TEST_F(Derivatives, OfPointwiseFunctionsHaveTheDtypeOfTheInput) {
  const Tensor half = full({3}, 0.5, kHalf).requires_grad_();
  EXPECT_EQ(grad({sum(call("mish", {half}))}, {half})[0].dtype(), kHalf);
  const Tensor bases = numbers({2, 3}).requires_grad_();
  const Tensor column = full({2, 1}, 2, kFloat).requires_grad_();
  const std::vector<Tensor> gradients = grad({sum(call("hypot", {bases, column}))}, {bases, column});
  EXPECT_EQ(gradients[1].dtype(), kFloat);
  EXPECT_EQ(gradients[1].sizes(), column.sizes());
}

TEST_F(Derivatives, OfPointwiseFunctionsRejectComplexNumbers) {
  const Tensor z = full({2}, Complex<double>(1, 2), kComplexDouble).requires_grad_();
  const Tensor y = call("silu", {z});
  expect_error([&] { grad({y}, {z}, {y.detach()}); }, "derivative for silu is not implemented for 'ComplexDouble'");
}

TEST_F(Derivatives, OfThirdOrderAreRejectedWhereTheyAreDerived) {
  const Tensor x = full({}, 0.5, kDouble).requires_grad_();
  const Tensor first = grad({call("mish", {x})}, {x}, {}, {.create_graph = true})[0];
  const Tensor second = grad({first}, {x}, {}, {.create_graph = true})[0];
  expect_error([&] { grad({second}, {x}); }, "derivative of order 3 of mish is not implemented");
}

}  // namespace
}  // namespace structured::pointwise_derivatives_test
