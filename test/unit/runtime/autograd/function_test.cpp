#include "structured/autograd/function.h"

#include <structured/ops/select.h>

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using Function = Autograd;

// Two results: a copy and a number of elements that has no gradient.
struct Pair : AutogradFunction<Pair> {
  static std::vector<Tensor> forward(AutogradContext& context, const Tensor& x) {
    std::vector<Tensor> results{mul(x, x), full({}, 7, kDouble)};
    context.mark_non_differentiable(results[1]);
    return results;
  }
  static std::vector<Tensor> backward(AutogradContext&, std::vector<Tensor> gradients) { return {gradients[0]}; }
};

// 10 times the gradient of a view.
struct First : AutogradFunction<First> {
  static constexpr const char* name = "First";
  static Tensor forward(AutogradContext&, const Tensor& x) { return select(x, 0, 0); }
  static std::vector<Tensor> backward(AutogradContext&, std::vector<Tensor> gradients) {
    return {mul(gradients[0], full({1}, 10, kDouble))};
  }
};

struct WrongCount : AutogradFunction<WrongCount> {
  static constexpr const char* name = "WrongCount";
  static Tensor forward(AutogradContext&, const Tensor& a, const Tensor& b) { return mul(a, b); }
  static std::vector<Tensor> backward(AutogradContext&, std::vector<Tensor> gradients) { return gradients; }
};

struct WrongShape : AutogradFunction<WrongShape> {
  static Tensor forward(AutogradContext&, const Tensor& a) { return mul(a, a); }
  static std::vector<Tensor> backward(AutogradContext&, std::vector<Tensor>) { return {tensor<double>({1, 2, 3})}; }
};

// Saves its result.
struct Square : AutogradFunction<Square> {
  static Tensor forward(AutogradContext& context, const Tensor& x) {
    Tensor result = mul(x, x);
    context.save_for_backward(result);
    return result;
  }
  static std::vector<Tensor> backward(AutogradContext& context, std::vector<Tensor> gradients) {
    return {Multiply::apply(gradients[0], context.saved_tensors()[0])};
  }
};

struct Identity : AutogradFunction<Identity> {
  static Tensor forward(AutogradContext&, const Tensor& x) { return x; }
  static std::vector<Tensor> backward(AutogradContext&, std::vector<Tensor> gradients) {
    return {Scale::apply(gradients[0], 5)};
  }
};

TEST_F(Function, HasSeveralResults) {
  const Tensor x = leaf(3);
  const std::vector<Tensor> results = Pair::apply(x);
  EXPECT_TRUE(results[0].requires_grad());
  EXPECT_FALSE(results[1].requires_grad());
  results[0].backward();
  EXPECT_EQ(value_of(x.grad()), 1);
}

TEST_F(Function, MustReturnAGradientForEachInput) {
  const Tensor x = leaf(3);
  expect_error([&] { WrongCount::apply(x, x).backward(); },
               "function WrongCountBackward returned an incorrect number of gradients (expected 2, got 1)");
}

TEST_F(Function, MustReturnGradientsOfTheInputsShape) {
  const Tensor x = tensor<double>({1, 2}).requires_grad_();
  expect_error([&] { WrongShape::apply(x).backward(tensor<double>({1, 1})); },
               "returned an invalid gradient at index 0 - got [3] but expected shape compatible with [2]");
}

TEST_F(Function, SumsGradientsOfBroadcastInputs) {
  const Tensor a = tensor<double>({1, 2, 3}).requires_grad_();
  const Tensor b = leaf(2);
  Multiply::apply(a, b).backward(tensor<double>({1, 1, 1}));
  EXPECT_EQ(value_of(b.grad()), 6);
  EXPECT_EQ(b.grad().dim(), 0);
}

TEST_F(Function, SavesResultsWithoutACycle) {
  const Tensor x = leaf(3);
  const Tensor y = Square::apply(x);
  const Tensor first = grad(y, x, {}, {.create_graph = true})[0];
  EXPECT_EQ(value_of(first), 9);
  EXPECT_EQ(value_of(grad(first, x)[0]), 9);  // the saved result, 9, is a function of x
}

TEST_F(Function, DetectsWritesToSavedTensors) {
  const Tensor x = leaf(3);
  const Tensor factor = full({}, 2, kDouble);
  const Tensor y = Multiply::apply(x, factor);
  factor.bump_version();
  expect_error([&] { y.backward(); },
               "modified by an inplace operation: [CPUDoubleType []] is at version 1; expected version 0 instead");
}

TEST_F(Function, MayReturnAnInput) {
  const Tensor x = leaf(3);
  const Tensor y = Identity::apply(x);
  EXPECT_FALSE(y.is_same(x));
  EXPECT_TRUE(x.is_leaf());
  y.backward();
  EXPECT_EQ(value_of(x.grad()), 5);
}

TEST_F(Function, MayReturnAViewOfAnInputThatHasBeenWrittenTo) {
  const Tensor x = full({1}, 3, kDouble);
  x.bump_version();
  x.requires_grad_();
  const Tensor y = First::apply(x);
  EXPECT_EQ(grad_fn(y)->name(), "FirstBackward");
  mul(y, y).backward();
  EXPECT_EQ(value_of(x.grad()), 60);
}

}  // namespace
}  // namespace structured::test
