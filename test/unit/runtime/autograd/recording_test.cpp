// Operators with derivatives: recording, in-place variants, views, and what nodes save.
#include <structured/iterator/copy.h>
#include <structured/ops/add.h>
#include <structured/ops/argmax.h>
#include <structured/ops/cat.h>
#include <structured/ops/copy.h>
#include <structured/ops/eq.h>
#include <structured/ops/equal.h>
#include <structured/ops/exp.h>
#include <structured/ops/fill.h>
#include <structured/ops/max.h>
#include <structured/ops/mul.h>
#include <structured/ops/relu.h>
#include <structured/ops/reshape.h>
#include <structured/ops/select.h>
#include <structured/ops/sum.h>
#include <structured/ops/unbind.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/zeros_like.h>

#include <vector>

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using Recording = Autograd;

std::vector<double> values(const Tensor& a) {
  std::vector<double> result;
  for (int64_t i = 0; i < a.numel(); ++i) result.push_back(select(reshape(a, -1), 0, i).item<double>());
  return result;
}

Tensor vector_leaf() { return tensor<double>({1, 2, 3}).requires_grad_(); }
Tensor ones_of(int64_t count) { return full({count}, 1, kDouble); }

TEST_F(Recording, GivesResultsANodeWithTheOperatorsName) {
  const Tensor x = vector_leaf();
  const Tensor y = mul(x, x);
  EXPECT_TRUE(y.requires_grad());
  EXPECT_FALSE(y.is_leaf());
  EXPECT_EQ(grad_fn(y)->name(), "MulBackward0");
  EXPECT_EQ(grad_fn(mul(x, 2))->name(), "MulBackward1");
  y.backward(ones_of(3));
  EXPECT_EQ(values(x.grad()), (std::vector<double>{2, 4, 6}));
}

TEST_F(Recording, DoesNothingWithoutGradMode) {
  const Tensor x = vector_leaf();
  const NoGradGuard guard;
  EXPECT_FALSE(mul(x, x).requires_grad());
  EXPECT_FALSE(reshape(x, {3, 1}).requires_grad());
}

TEST_F(Recording, SumsGradientsOfBroadcastInputs) {
  const Tensor x = leaf(2);
  const Tensor y = tensor<double>({{1, 2}, {3, 4}}).requires_grad_();
  sum(mul(x, y)).backward();
  EXPECT_EQ(value_of(x.grad()), 10);
  EXPECT_EQ(values(y.grad()), (std::vector<double>{2, 2, 2, 2}));
}

TEST_F(Recording, ConvertsGradientsOfPromotedInputs) {
  const Tensor x = tensor<float>({1, 2}).requires_grad_();
  sum(mul(x, tensor<double>({3, 4}))).backward();
  EXPECT_EQ(x.grad().dtype(), kFloat);
  EXPECT_EQ(x.grad().data_ptr<float>()[1], 4);
}

TEST_F(Recording, CopiesTheValueThatAnInPlaceOperatorOverwrites) {
  const Tensor x = vector_leaf();
  const Tensor w = tensor<double>({5, 6, 7}).requires_grad_();
  Tensor y = mul(x, 2);
  mul_(y, w);
  sum(y).backward();
  EXPECT_EQ(values(x.grad()), (std::vector<double>{10, 12, 14}));
  EXPECT_EQ(values(w.grad()), (std::vector<double>{2, 4, 6}));
}

TEST_F(Recording, SavesTheResultOfAnInPlaceOperator) {
  const Tensor x = tensor<double>({-1, 2}).requires_grad_();
  Tensor y = mul(x, 3);
  relu_(y);
  sum(y).backward();
  EXPECT_EQ(values(x.grad()), (std::vector<double>{0, 3}));
}

TEST_F(Recording, RefusesInPlaceOperatorsOnLeaves) {
  Tensor x = vector_leaf();
  expect_error([&] { mul_(x, 2); }, "a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(values(x), (std::vector<double>{1, 2, 3}));
}

TEST_F(Recording, FindsValuesThatWereModified) {
  const Tensor x = vector_leaf();
  Tensor y = mul(x, 2);
  const Tensor z = mul(y, y);
  add_(y, 1);
  expect_error([&] { sum(z).backward(); }, "modified by an inplace operation");
}

TEST_F(Recording, SavesNoMoreThanTheDerivativeTakes) {
  const Tensor x = vector_leaf();
  Tensor y = mul(x, 2);
  const Tensor z = sum(y);  // its derivative takes sizes only
  add_(y, 1);
  z.backward();
  EXPECT_EQ(values(x.grad()), (std::vector<double>{2, 2, 2}));
}

TEST_F(Recording, FreesWhatItSavedAfterAPass) {
  const Tensor x = vector_leaf();
  const Tensor z = sum(exp(x));
  z.backward();
  expect_error([&] { z.backward(); }, "Trying to backward through the graph a second time");
}

TEST_F(Recording, FollowsWritesToViews) {
  const Tensor x = vector_leaf();
  const Tensor w = leaf(10);
  Tensor y = mul(x, 2);
  Tensor second = select(y, 0, 1);
  mul_(second, w);
  EXPECT_EQ(values(y), (std::vector<double>{2, 40, 6}));
  sum(y).backward();
  EXPECT_EQ(values(x.grad()), (std::vector<double>{2, 20, 2}));
  EXPECT_EQ(value_of(w.grad()), 4);
}

TEST_F(Recording, FollowsOperatorsThatChangeAViewAndNotItsData) {
  const Tensor x = tensor<double>({{1, 2}, {3, 4}}).requires_grad_();
  const Tensor y = mul(x, 2);
  Tensor row = select(y, 0, 0);
  unsqueeze_(row, 0);
  mul_(row, 5);
  sum(add(y, row)).backward();
  EXPECT_TRUE(equal(x.grad(), tensor<double>({{20 + 10, 20 + 10}, {2 + 0, 2 + 0}})));
}

TEST_F(Recording, RefusesWritesToOneOfSeveralViews) {
  const Tensor x = vector_leaf();
  std::vector<Tensor> parts = unbind(mul(x, 2));
  expect_error([&] { mul_(parts[0], 2); }, "Such functions do not allow the output views to be modified inplace");
}

TEST_F(Recording, DropsTheHistoryOfOverwrittenValues) {
  const Tensor x = vector_leaf();
  const Tensor w = vector_leaf();
  Tensor y = mul(x, 2);
  copy_(y, w);
  sum(y).backward();
  EXPECT_EQ(values(w.grad()), (std::vector<double>{1, 1, 1}));
  EXPECT_FALSE(x.grad().defined());
  Tensor z = mul(x, 2);
  fill_(z, 7);
  sum(add(z, x)).backward();
  EXPECT_EQ(values(x.grad()), (std::vector<double>{1, 1, 1}));
}

TEST_F(Recording, RecordsCompositesByTheirOperators) {
  const Tensor x = vector_leaf();
  const Tensor y = reshape(x, {3, 1});
  EXPECT_TRUE(y.requires_grad());
  sum(cat({y, mul(y, 2)}, 1)).backward();
  EXPECT_EQ(values(x.grad()), (std::vector<double>{3, 3, 3}));
}

TEST_F(Recording, GivesNoHistoryToResultsWithoutGradients) {
  const Tensor x = vector_leaf();
  EXPECT_FALSE(eq(x, 1).requires_grad());
  EXPECT_FALSE(argmax(x).requires_grad());
  EXPECT_FALSE(zeros_like(x).requires_grad());
  const auto [largest, index] = max(x, 0);
  EXPECT_TRUE(largest.requires_grad());
  EXPECT_FALSE(index.requires_grad());
}

TEST_F(Recording, RefusesFunctionsThatRecordNothing) {
  const Tensor x = tensor<double>({1, 2}).requires_grad_();
  const Tensor other = tensor<double>({0, 0});
  expect_error([&] { detail::as_strided(x, {1}, {1}, 0); },
               "the tensor requires gradients, which this function does not record; call the operator as_strided");
  expect_error([&] { copy_into(other, x); }, "copy_into: the tensor requires gradients");
  expect_error([&] { copy_into(x, other); }, "call the operator copy_");
  const NoGradGuard guard;
  copy_into(x, detail::as_strided(x, {2}, {0}, 1));
  EXPECT_EQ(values(x), (std::vector<double>{2, 2}));
}

TEST_F(Recording, RefusesOutputsOfTheCaller) {
  const Tensor x = vector_leaf();
  Tensor out = zeros_like(x);
  expect_error([&] { mul_out(out, x, x); }, "don't support automatic differentiation");
}

TEST_F(Recording, DifferentiatesGradients) {
  const Tensor x = leaf(2);
  const Tensor y = mul(mul(x, x), x);
  const Tensor slope = grad({y}, {x}, {}, {.create_graph = true})[0];
  EXPECT_EQ(value_of(slope), 12);
  const Tensor curvature = grad({slope}, {x}, {}, {.create_graph = true})[0];
  EXPECT_EQ(value_of(curvature), 12);
  EXPECT_EQ(value_of(grad({curvature}, {x})[0]), 6);
}

}  // namespace
}  // namespace structured::test
