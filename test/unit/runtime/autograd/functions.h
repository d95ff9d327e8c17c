#pragma once
// Differentiable functions for tests, and a fixture that looks for leaked nodes.
#include <gtest/gtest.h>
#include <structured/autograd/function.h>
#include <structured/autograd/gradient.h>
#include <structured/core/factory.h>
#include <structured/ops/mul.h>

#include <vector>

namespace structured::test {

/// a * b
struct Multiply : AutogradFunction<Multiply> {
  static constexpr const char* name = "Multiply";
  static Tensor forward(AutogradContext& context, const Tensor& a, const Tensor& b) {
    context.save_for_backward({a, b});
    return mul(a, b);
  }
  static std::vector<Tensor> backward(AutogradContext& context, std::vector<Tensor> gradients) {
    const std::vector<Tensor> saved = context.saved_tensors();
    return {context.needs_input_grad(0) ? apply(gradients[0], saved[1]) : Tensor(),
            context.needs_input_grad(1) ? apply(gradients[0], saved[0]) : Tensor()};
  }
};

/// factor * x, which saves nothing.
struct Scale : AutogradFunction<Scale> {
  static Tensor forward(AutogradContext&, const Tensor& x, double factor) {
    Tensor result = full({}, factor, kDouble);
    return mul(x, result);
  }
  static std::vector<Tensor> backward(AutogradContext&, std::vector<Tensor> gradients) { return gradients; }
};

inline Tensor leaf(double value) { return full({}, value, kDouble).requires_grad_(); }
inline double value_of(const Tensor& tensor) { return tensor.item<double>(); }

/// Fails if nodes outlive a test.
class Autograd : public testing::Test {
 protected:
  void SetUp() override { before_ = autograd::Node::count(); }
  void TearDown() override { EXPECT_EQ(autograd::Node::count(), before_); }

 private:
  int64_t before_ = 0;
};

}  // namespace structured::test
