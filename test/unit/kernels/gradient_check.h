#pragma once
// Comparison of gradients with central differences.
#include <gtest/gtest.h>
#include <structured/autograd/forward_mode.h>
#include <structured/autograd/grad_mode.h>
#include <structured/autograd/gradient.h>
#include <structured/autograd/node.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/ops/clone.h>
#include <structured/ops/mul.h>
#include <structured/ops/sum.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace structured::test {

/// Computes a tensor of dtype Double from others.
using Function = std::function<Tensor(const std::vector<Tensor>&)>;

/// A tensor of dtype Double whose elements lie between 0.3 and 1.5 and differ from each other. `seed` selects them.
inline Tensor numbers(IntArrayRef sizes, int seed = 0) {
  Tensor result = empty(sizes, kDouble);
  for (int64_t i = 0; i < result.numel(); ++i) {
    const double position = 0.754877666 * static_cast<double>(i + 1) + 0.27 * seed;
    result.data_ptr<double>()[i] = 0.3 + 1.2 * (position - std::floor(position));
  }
  return result;
}

/// Numbers of alternating signs.
inline Tensor signed_numbers(IntArrayRef sizes, int seed = 0) {
  Tensor result = numbers(sizes, seed);
  for (int64_t i = 0; i < result.numel(); ++i) result.data_ptr<double>()[i] *= i % 2 == 0 ? 0.6 : -0.6;
  return result;
}

/// Sum of the elements, with weights that all differ.
inline Tensor weighted_sum(const Tensor& a) { return sum(mul(a, numbers(a.sizes(), 7))); }

/// Expects the derivative of weighted_sum(function(inputs)) along a direction to be that of the gradients.
inline void expect_tangent(const Function& function, const std::vector<Tensor>& inputs,
                           const std::vector<Tensor>& gradients) {
  std::vector<Tensor> tangents;
  double expected = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    tangents.push_back(signed_numbers(inputs[i].sizes(), 11 + static_cast<int>(i)));
    if (gradients[i].defined()) expected += sum(mul(gradients[i].detach(), tangents[i])).item<double>();
  }
  const auto summed = [&](const std::vector<Tensor>& in) { return std::vector<Tensor>{weighted_sum(function(in))}; };
  const double tangent = jvp(summed, inputs, tangents).tangents[0].item<double>();
  EXPECT_NEAR(tangent, expected, 1e-9 * std::max(1.0, std::abs(expected))) << "forward mode";
}

/// Expects the gradients of weighted_sum(function(inputs)) to be those of central differences, and its tangent in
/// forward mode to be that of the gradients. Inputs must be contiguous and of dtype Double.
inline void expect_gradients(const Function& function, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> leaves;
  for (const Tensor& input : inputs) leaves.push_back(clone(input).requires_grad_());
  const Tensor output = weighted_sum(function(leaves));
  const std::vector<Tensor> found =
      output.requires_grad() ? grad({output}, leaves, {}, {.allow_unused = true}) : std::vector<Tensor>(leaves.size());
  expect_tangent(function, inputs, found);
  const NoGradGuard guard;
  constexpr double step = 1e-5;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor gradient =
        found[i].defined() ? clone(found[i], MemoryFormat::Contiguous) : zeros(inputs[i].sizes(), kDouble);
    ASSERT_EQ(gradient.sizes(), inputs[i].sizes());
    double* const elements = inputs[i].data_ptr<double>();
    for (int64_t e = 0; e < inputs[i].numel(); ++e) {
      const double original = elements[e];
      elements[e] = original + step;
      const double above = weighted_sum(function(inputs)).item<double>();
      elements[e] = original - step;
      const double below = weighted_sum(function(inputs)).item<double>();
      elements[e] = original;
      const double expected = (above - below) / (2 * step);
      EXPECT_NEAR(gradient.data_ptr<double>()[e], expected, 1e-6 * std::max(1.0, std::abs(expected)))
          << "input " << i << ", element " << e;
    }
  }
}

/// expect_gradients, also for the gradients themselves.
inline void expect_two_derivatives(const Function& function, const std::vector<Tensor>& inputs) {
  expect_gradients(function, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    SCOPED_TRACE("derivative of the gradient of input " + std::to_string(i));
    expect_gradients(
        [&](const std::vector<Tensor>& values) {
          const EnableGradGuard enable;
          std::vector<Tensor> leaves;
          for (const Tensor& value : values) {
            leaves.push_back(value.requires_grad() ? value : value.detach().requires_grad_());
          }
          return grad({weighted_sum(function(leaves))}, {leaves[i]}, {}, {.create_graph = true})[0];
        },
        inputs);
  }
}

/// Fails if nodes outlive a test.
class Derivatives : public testing::Test {
 protected:
  void SetUp() override { before_ = autograd::Node::count(); }
  void TearDown() override { EXPECT_EQ(autograd::Node::count(), before_); }

 private:
  int64_t before_ = 0;
};

}  // namespace structured::test
