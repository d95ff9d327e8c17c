// Hooks of saved tensors, anomaly mode and forward mode.
#include <structured/autograd/anomaly.h>
#include <structured/autograd/forward_mode.h>
#include <structured/autograd/saved_hooks.h>
#include <structured/ops/_unique2.h>
#include <structured/ops/add.h>
#include <structured/ops/clone.h>
#include <structured/ops/exp.h>
#include <structured/ops/log.h>
#include <structured/ops/mul.h>
#include <structured/ops/select.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>

#include <cmath>
#include <string>

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using SavedHooks = Autograd;

TEST_F(SavedHooks, ReplaceInputsAndResults) {
  const Tensor x = leaf(3);
  std::vector<double> packed;
  int unpacked = 0;
  const auto pack = [&](const Tensor& tensor) {
    packed.push_back(value_of(tensor));
    EXPECT_FALSE(tensor.requires_grad());
    return [&unpacked, kept = add(tensor, 1)] {
      ++unpacked;
      return sub(kept, 1);
    };
  };
  const Tensor y = [&] {
    const SavedTensorHooks hooks(pack);
    return exp(mul(x, x));
  }();
  EXPECT_EQ(packed, (std::vector<double>{3, 3, std::exp(9.0)}));
  y.backward();
  EXPECT_EQ(unpacked, 3);
  EXPECT_NEAR(value_of(x.grad()), 6 * std::exp(9.0), 1e-9 * std::exp(9.0));
}

TEST_F(SavedHooks, KeepTheHistoryOfSavedTensors) {
  const Tensor x = leaf(3);
  const SavedTensorHooks hooks([](const Tensor& tensor) { return [kept = clone(tensor)] { return kept; }; });
  const Tensor y = mul(mul(x, x), x);
  const Tensor first = grad({y}, {x}, {}, {.create_graph = true})[0];
  EXPECT_EQ(value_of(grad({first}, {x})[0]), 18);
}

// Hooks that keep the tensor itself would give back the modified one.
TEST_F(SavedHooks, GetACopyOfAnInputThatMayBeModified) {
  const Tensor x = leaf(38);
  const Tensor y = [&] {
    const SavedTensorHooks hooks([](const Tensor& tensor) { return [tensor] { return tensor; }; });
    Tensor input = mul(x, 1);
    const Tensor result = sigmoid(input);
    mul_(input, 2);
    return result;
  }();
  const Tensor first = grad({y}, {x}, {}, {.create_graph = true})[0];
  EXPECT_NEAR(value_of(first) / std::exp(-38.0), 1, 1e-13);
  EXPECT_NEAR(value_of(grad({first}, {x})[0]) / -std::exp(-38.0), 1, 1e-13);
}

TEST_F(SavedHooks, OfTheInnermostScopeApply) {
  const Tensor x = leaf(3);
  int outer = 0;
  int inner = 0;
  const auto counting = [](int& count) {
    return [&count](const Tensor& tensor) {
      ++count;
      return [tensor] { return tensor; };
    };
  };
  const SavedTensorHooks first(counting(outer));
  exp(x);
  {
    const SavedTensorHooks second(counting(inner));
    exp(x);
    Multiply::apply(x, x);
  }
  exp(x);
  EXPECT_EQ(outer, 2);
  EXPECT_EQ(inner, 3);
}

TEST_F(SavedHooks, MustNotWriteToTensorsNorReturnNothing) {
  const Tensor x = leaf(3);
  {
    const SavedTensorHooks hooks([](const Tensor& tensor) {
      Tensor changed = tensor;
      mul_(changed, 2);
      return [tensor] { return tensor; };
    });
    expect_error([&] { exp(x); }, "A saved tensor pack hook is modifying its input in place");
  }
  const SavedTensorHooks hooks([](const Tensor&) { return [] { return Tensor(); }; });
  const Tensor y = exp(x);
  expect_error([&] { y.backward(); }, "the hook that unpacks a saved tensor returned an undefined tensor");
}

std::string warnings;

// Collects warnings, and is in anomaly mode.
class Anomaly : public Autograd {
 protected:
  void SetUp() override {
    Autograd::SetUp();
    warnings.clear();
    previous_ = set_warning_handler([](const char* text) { warnings += text; });
  }
  void TearDown() override {
    set_warning_handler(previous_);
    Autograd::TearDown();
  }

 private:
  WarningHandler previous_ = nullptr;
};

TEST_F(Anomaly, ModeNamesTheCallWhoseDerivativeIsNan) {
  const Tensor x = leaf(0);
  set_call_stack_description([] { return std::string("  in the test\n"); });
  const DetectAnomalyGuard guard;
  const Tensor y = mul(log(x), full({}, 0, kDouble));
  set_call_stack_description([] { return std::string("  elsewhere\n"); });
  expect_error([&] { mul(y, y).backward(); }, "Function 'MulBackward0' returned nan values in its 0th output.");
  EXPECT_NE(warnings.find("Error detected in MulBackward0. Functions that were running when it was recorded:\n"
                          "  elsewhere\n"),
            std::string::npos)
      << warnings;
}

TEST_F(Anomaly, ModeNamesTheCallWhoseDerivativeThrows) {
  const Tensor x = leaf(2);
  const Tensor early = std::get<0>(_unique2(x));
  const DetectAnomalyGuard guard(AnomalyMode::on);
  expect_error([&] { sum(early).backward(); }, "the derivative for '_unique2' is not implemented.");
  EXPECT_NE(warnings.find("Error detected in Unique2Backward0. It was not recorded in anomaly mode."),
            std::string::npos)
      << warnings;
}

TEST_F(Anomaly, ModeDescribesCppFunctions) {
  set_call_stack_description(nullptr);
  const DetectAnomalyGuard guard;
  const Tensor y = exp(leaf(1));
  const std::string stack(grad_fn(y)->call_stack());
  EXPECT_NE(stack.find("runtime_autograd_test+0x"), std::string::npos) << stack;
  EXPECT_EQ(stack.find("libstructured_"), std::string::npos) << stack;
}

TEST_F(Anomaly, ModeIsOffByDefault) {
  const Tensor x = leaf(0);
  const Tensor y = exp(x);
  EXPECT_TRUE(grad_fn(y)->call_stack().empty());
  mul(log(x), full({}, 0, kDouble)).backward();
  EXPECT_TRUE(std::isnan(value_of(x.grad())));
}

using ForwardMode = Autograd;

Tensor dual(double value, double slope) { return make_dual(full({}, value, kDouble), full({}, slope, kDouble)); }

TEST_F(ForwardMode, ComputesTangentsWithResults) {
  const ForwardModeGuard scope;
  const Tensor x = dual(2, 5);
  const Tensor y = full({}, 3, kDouble);
  EXPECT_EQ(value_of(tangent_of(x)), 5);
  EXPECT_EQ(value_of(tangent_of(mul(mul(x, x), y))), 2 * 2 * 3 * 5);
  EXPECT_FALSE(tangent_of(mul(y, y)).defined());
  EXPECT_FALSE(tangent_of(x).requires_grad());
}

TEST_F(ForwardMode, FollowsWritesToViews) {
  const ForwardModeGuard scope;
  Tensor base = full({2}, 1, kDouble);
  Tensor first = select(base, 0, 0);
  mul_(first, dual(2, 5));
  EXPECT_EQ(value_of(tangent_of(first)), 5);
  EXPECT_EQ(value_of(tangent_of(sum(base))), 5);
  mul_(base, 3);
  EXPECT_EQ(value_of(tangent_of(first)), 15);
}

TEST_F(ForwardMode, UsesTheDerivativesOfFunctions) {
  const ForwardModeGuard scope;
  const Tensor x = dual(2, 5);
  EXPECT_EQ(value_of(tangent_of(Multiply::apply(x, x))), 20);
}

TEST_F(ForwardMode, DifferentiatesGradients) {
  const ForwardModeGuard scope;
  const Tensor x = dual(2, 5);
  const Tensor first = grad({mul(mul(x, x), x)}, {x}, {}, {.create_graph = true})[0];
  EXPECT_EQ(value_of(first), 12);
  EXPECT_EQ(value_of(tangent_of(first)), 12 * 5);
}

TEST_F(ForwardMode, PassesGradientsToPrimals) {
  const Tensor x = leaf(2);
  const ForwardModeGuard scope;
  exp(make_dual(x, full({}, 1, kDouble))).backward();
  EXPECT_NEAR(value_of(x.grad()), std::exp(2.0), 1e-12);
}

TEST_F(ForwardMode, HasTangentsForEachScope) {
  const ForwardModeGuard outer;
  const Tensor x = dual(2, 5);
  {
    const ForwardModeGuard inner;
    EXPECT_FALSE(tangent_of(x).defined());
    const Tensor y = dual(2, 7);
    EXPECT_EQ(value_of(tangent_of(mul(x, y))), 14);
  }
  EXPECT_EQ(value_of(tangent_of(x)), 5);
}

TEST_F(ForwardMode, ReturnsTheProductOfTheJacobianAndAVector) {
  const Tensor x = tensor<double>({1, 2});
  const Tensor weight = tensor<double>({3, 4});
  const auto function = [&](const std::vector<Tensor>& in) {
    return std::vector<Tensor>{sum(mul(mul(in[0], in[0]), weight)), weight};
  };
  const Jvp found = jvp(function, {x}, {tensor<double>({1, 10})});
  EXPECT_EQ(value_of(found.results[0]), 3 + 16);
  EXPECT_EQ(value_of(found.tangents[0]), 2 * 3 + 2 * 2 * 4 * 10);
  EXPECT_EQ(value_of(sum(found.tangents[1])), 0);
  EXPECT_FALSE(found.results[0].requires_grad());
}

TEST_F(ForwardMode, RejectsWrongTangents) {
  const Tensor x = tensor<double>({1, 2});
  expect_error([&] { make_dual(x, x); }, "expected a ForwardModeGuard");
  const ForwardModeGuard scope;
  expect_error(
      [&] { make_dual(x, tensor<double>({1, 2, 3})); },
      "make_dual: expected `tangent` to have the sizes, dtype and device of `primal`, [2], Double and cpu; got "
      "[3], Double and cpu");
  expect_error([&] { make_dual(tensor<int64_t>({1}), x); }, "of a floating-point or complex dtype, got Long");
  expect_error([&] { _unique2(make_dual(x, x)); }, "the derivative for '_unique2' is not implemented.");
  const NoGradGuard guard;
  expect_error([&] { make_dual(x, x); }, "no tangents are computed in a NoGradGuard");
}

}  // namespace
}  // namespace structured::test
