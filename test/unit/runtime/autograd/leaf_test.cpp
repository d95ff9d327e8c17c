#include "structured/autograd/leaf.h"

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using Leaf = Autograd;

TEST_F(Leaf, RequiresGradients) {
  const Tensor x = full({2}, 1, kDouble);
  EXPECT_FALSE(x.requires_grad());
  EXPECT_TRUE(x.is_leaf());
  x.requires_grad_();
  EXPECT_TRUE(x.requires_grad());
  EXPECT_TRUE(x.is_leaf());
  x.requires_grad_(false);
  EXPECT_FALSE(x.requires_grad());
}

TEST_F(Leaf, RefusesDtypesWithoutGradients) {
  expect_error([] { full({2}, 1, kLong).requires_grad_(); },
               "only Tensors of floating point and complex dtype can require gradients");
}

TEST_F(Leaf, KeepsItsGradientWhenItRequiresNoMore) {
  const Tensor x = leaf(2);
  Multiply::apply(x, x).backward();
  x.requires_grad_(false);
  EXPECT_EQ(value_of(x.grad()), 4);
  x.set_grad(Tensor());
  EXPECT_FALSE(x.grad().defined());
}

TEST_F(Leaf, ChecksAssignedGradients) {
  const Tensor x = leaf(2);
  expect_error([&] { x.set_grad(x); }, "can't assign Variable as its own grad");
  expect_error([&] { x.set_grad(full({}, 1, kFloat)); }, "assigned grad has data of a different type");
  expect_error([&] { x.set_grad(full({2}, 1, kDouble)); }, "assigned grad has data of a different size");
  x.set_grad(full({}, 3, kDouble));
  Multiply::apply(x, x).backward();
  EXPECT_EQ(value_of(x.grad()), 7);
}

TEST_F(Leaf, DoesNotKeepTheCallersGradient) {
  const Tensor x = leaf(2);
  const Tensor gradient = full({}, 5, kDouble);
  x.backward(gradient);
  EXPECT_EQ(value_of(x.grad()), 5);
  EXPECT_FALSE(x.grad().is_same(gradient));
  EXPECT_NE(x.grad().data(), gradient.data());
}

TEST_F(Leaf, MayDieBeforeItsResults) {
  Tensor x = leaf(2);
  const Tensor y = Multiply::apply(x, x);
  x.reset();
  y.backward();
}

TEST_F(Leaf, IsNoComputedTensor) {
  const Tensor x = leaf(2);
  const Tensor y = Multiply::apply(x, x);
  EXPECT_FALSE(y.is_leaf());
  EXPECT_EQ(grad_fn(y)->name(), "MultiplyBackward");
  EXPECT_FALSE(grad_fn(x));
  expect_error([&] { y.requires_grad_(false); }, "you can only change requires_grad flags of leaf variables");
  const Tensor z = y.detach();
  EXPECT_FALSE(z.requires_grad());
  EXPECT_EQ(z.data(), y.data());
  EXPECT_EQ(z.version(), y.version());
  y.bump_version();
  EXPECT_EQ(z.version(), y.version());
}

TEST_F(Leaf, CallsHooksAfterEachPass) {
  const Tensor x = leaf(2);
  std::vector<double> seen;
  register_post_accumulate_grad_hook(x, [&](const Tensor& gradient) { seen.push_back(value_of(gradient)); });
  Multiply::apply(x, x).backward();
  Multiply::apply(x, x).backward();
  EXPECT_EQ(seen, (std::vector<double>{4, 8}));
}

}  // namespace
}  // namespace structured::test
