// Gradients of tensors that in-place operators have overwritten.
#include <structured/ops/add.h>
#include <structured/ops/mul.h>
#include <structured/ops/select.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/sum.h>
#include <structured/ops/topk.h>
#include <structured/ops/unbind.h>
#include <structured/ops/view.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using Inplace = Autograd;

Tensor computed() { return mul(full({2}, 3, kDouble).requires_grad_(), 1); }

TEST_F(Inplace, RetainedGradientsAreThoseOfTheNewValue) {
  Tensor x = computed();
  x.retain_grad();
  mul_(x, 2);
  sum(x).backward();
  EXPECT_EQ(value_of(select(x.grad(), 0, 0)), 1);
}

// The derivative of sigmoid takes its input as an optional.
TEST_F(Inplace, ADerivativeCanDoWithoutAModifiedInput) {
  const Tensor x = leaf(2);
  Tensor y = mul(x, 1);
  mul_(y, sigmoid(y));
  y.backward();
  const double gate = 1 / (1 + std::exp(-2.0));
  EXPECT_NEAR(value_of(x.grad()), gate + 2 * gate * (1 - gate), 1e-14);
}

TEST_F(Inplace, ADerivativeWithoutAModifiedInputHasADerivative) {
  const Tensor x = leaf(2);
  Tensor y = mul(x, 1);
  const Tensor z = sigmoid(y);
  mul_(y, 3);
  const Tensor first = grad({z}, {x}, {}, {.create_graph = true})[0];
  const double gate = 1 / (1 + std::exp(-2.0));
  EXPECT_NEAR(value_of(first), gate * (1 - gate), 1e-14);
  EXPECT_NEAR(value_of(grad({first}, {x})[0]), gate * (1 - gate) * (1 - 2 * gate), 1e-14);
}

TEST_F(Inplace, ASecondPassFailsAlsoWithoutAModifiedInput) {
  const Tensor x = leaf(2);
  Tensor y = mul(x, 1);
  const Tensor z = sigmoid(y);
  z.backward(Tensor(), /*retain_graph=*/true);
  mul_(y, 3);
  z.backward();
  expect_error([&] { z.backward(); }, "Trying to backward through the graph a second time");
}

TEST_F(Inplace, RetainedGradientsOfViewsAreThoseOfTheNewValue) {
  const Tensor base = computed();
  Tensor first = view(base, {2, 1});
  const Tensor second = view(base, {2, 1});
  first.retain_grad();
  second.retain_grad();
  mul_(first, 2);
  sum(add(first, second)).backward();
  EXPECT_EQ(value_of(select(first.grad(), 0, 0)), 1);
  EXPECT_EQ(value_of(select(second.grad(), 0, 0)), 1);
}

TEST_F(Inplace, RejectsOneOfSeveralViewsAndItsViews) {
  constexpr const char* text = "Output 1 of UnbindBackward0 is a view and is being modified inplace.";
  const std::vector<Tensor> parts = unbind(computed());
  Tensor part = parts[1];
  expect_error([&] { mul_(part, 2); }, text);
  Tensor other = view(part, {1});
  expect_error([&] { mul_(other, 2); }, text);
}

TEST_F(Inplace, AcceptsViewsOfOneOfSeveralResults) {
  const Tensor values = std::get<0>(topk(computed(), 1));
  Tensor part = view(values, {});
  mul_(part, 2);
  EXPECT_EQ(value_of(values), 6);
}

}  // namespace
}  // namespace structured::test
