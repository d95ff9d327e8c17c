// Operators on lists of tensors.
#include <structured/core/factory.h>
#include <structured/ops/_foreach_abs.h>
#include <structured/ops/_foreach_add.h>
#include <structured/ops/_foreach_addcmul.h>
#include <structured/ops/_foreach_clamp_max.h>
#include <structured/ops/_foreach_copy.h>
#include <structured/ops/_foreach_lerp.h>
#include <structured/ops/_foreach_maximum.h>
#include <structured/ops/_foreach_mm.h>
#include <structured/ops/_foreach_mul.h>
#include <structured/ops/_foreach_norm.h>
#include <structured/ops/_foreach_pow.h>
#include <structured/ops/_foreach_powsum.h>
#include <structured/ops/_foreach_sub.h>
#include <structured/ops/_foreach_zero.h>
#include <structured/ops/linalg__powsum.h>
#include <structured/ops/sum.h>

#include <cmath>
#include <vector>

#include "kernels/expect.h"

namespace structured::foreach_test {
namespace {

using namespace test;

// A matrix and a vector, with elements -2, -1, 0, ...
std::vector<Tensor> pair() {
  const auto value = [](int64_t i) { return static_cast<double>(i) - 2; };
  return {filled<double>({2, 3}, value), filled<double>({4}, value)};
}

double value_of(const Index& index, const Tensor& tensor) {
  return static_cast<double>(index.size() == 1 ? index[0] : index[0] * tensor.size(1) + index[1]) - 2;
}

// Expects `expected(i, x)` for each element x of tensor i in pair().
template <class Expected>
void expect_pair(const std::vector<Tensor>& results, const Expected& expected) {
  const std::vector<Tensor> from = pair();
  ASSERT_EQ(results.size(), from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    expect_elements<double>(
        results[i], from[i].sizes(), [&](const Index& index) { return expected(i, value_of(index, from[i])); }, 1e-15);
  }
}

TEST(Foreach, CallsTheOperatorForEachTensor) {
  expect_pair(_foreach_abs(pair()), [](std::size_t, double x) { return std::abs(x); });
  std::vector<Tensor> tensors = pair();
  const void* const data = tensors[1].data();
  _foreach_abs_(tensors);
  EXPECT_EQ(tensors[1].data(), data);
  expect_pair(tensors, [](std::size_t, double x) { return std::abs(x); });
}

TEST(Foreach, TakesOneScalarOrOneForEachTensor) {
  const std::vector<Scalar> scalars{2, 0.5};
  expect_pair(_foreach_mul(pair(), 3), [](std::size_t, double x) { return 3 * x; });
  expect_pair(_foreach_mul(pair(), scalars), [](std::size_t i, double x) { return i == 0 ? 2 * x : 0.5 * x; });
  expect_pair(_foreach_clamp_max(pair(), scalars),
              [](std::size_t i, double x) { return std::fmin(x, i == 0 ? 2 : 0.5); });
  expect_pair(_foreach_maximum(pair(), 1), [](std::size_t, double x) { return std::fmax(x, 1); });
  expect_pair(_foreach_pow(Scalar(2), pair()), [](std::size_t, double x) { return std::exp2(x); });
}

TEST(Foreach, TakesTensorsForEachTensor) {
  expect_pair(_foreach_add(pair(), pair(), 2), [](std::size_t, double x) { return 3 * x; });
  expect_pair(_foreach_sub(pair(), pair()), [](std::size_t, double) { return 0; });
  std::vector<Tensor> tensors = pair();
  _foreach_add_(tensors, full({}, 5, kDouble), 2);
  expect_pair(tensors, [](std::size_t, double x) { return x + 10; });
  const Tensor values = filled<double>({2}, [](int64_t i) { return i == 0 ? 3.0 : 4.0; });
  expect_pair(_foreach_addcmul(pair(), pair(), pair(), values),
              [](std::size_t i, double x) { return x + (i == 0 ? 3 : 4) * x * x; });
  expect_pair(_foreach_lerp(pair(), _foreach_mul(pair(), 3), 0.25), [](std::size_t, double x) { return 1.5 * x; });
}

TEST(Foreach, WritesToResizedOutputs) {
  const std::vector<Tensor> out{empty({0}, kDouble), empty({7}, kDouble)};
  _foreach_add_out(out, pair(), 1);
  expect_pair(out, [](std::size_t, double x) { return x + 1; });
  _foreach_zero_out(out, pair());
  expect_pair(out, [](std::size_t, double) { return 0; });
  const std::vector<Tensor> floats{empty({0}), empty({0})};
  expect_error([&] { _foreach_add_out(floats, pair(), 1); },
               "_foreach_add.Scalar_out: expected an output of dtype Double, got Float");
  expect_error([&] { _foreach_add_out({}, pair(), 1); }, "_foreach_add.Scalar_out: expected 2 tensors in `out`, got 0");
  const std::vector<Tensor> mixed{full({1}, 7.0, kDouble), full({1}, 7.0)};
  expect_error([&] { _foreach_add_out(mixed, pair(), 1); },
               "_foreach_add.Scalar_out: expected an output of dtype Double, got Float");
  expect_elements<double>(mixed[0], {1}, [](const Index&) { return 7; });
}

TEST(Foreach, CopiesAndFills) {
  const std::vector<Tensor> halves{full({2, 3}, 1.5), full({1}, 2.5)};
  const std::vector<Tensor> copies = _foreach_copy(pair(), halves);
  expect_pair(copies, [](std::size_t i, double) { return i == 0 ? 1.5 : 2.5; });
  std::vector<Tensor> tensors = pair();
  _foreach_copy_(tensors, halves);
  expect_pair(tensors, [](std::size_t i, double) { return i == 0 ? 1.5 : 2.5; });
  _foreach_zero_(tensors);
  expect_pair(tensors, [](std::size_t, double) { return 0; });
  EXPECT_TRUE(_foreach_copy({}, {}).empty());
}

TEST(Foreach, ReducesEachTensor) {
  const std::vector<Tensor> norms = _foreach_norm(pair());
  EXPECT_DOUBLE_EQ(norms[0].item<double>(), std::sqrt(19.0));
  EXPECT_DOUBLE_EQ(norms[1].item<double>(), std::sqrt(6.0));
  const std::vector<Tensor> sums = _foreach_powsum(pair(), 3);
  EXPECT_DOUBLE_EQ(sums[0].item<double>(), 8 + 1 + 1 + 8 + 27);
  EXPECT_DOUBLE_EQ(sums[1].item<double>(), 8 + 1 + 1);
  const std::vector<Tensor> products = _foreach_mm({full({2, 3}, 2.0)}, {full({3, 1}, 4.0)});
  expect_elements<float>(products[0], {2, 1}, [](const Index&) { return 24; });
}

TEST(Foreach, RecordsGradients) {
  const Tensor x = full({3}, 2.0, kDouble).requires_grad_();
  const Tensor y = full({2}, 5.0, kDouble).requires_grad_();
  const std::vector<Tensor> squares = _foreach_mul({x, y}, {x, y});
  sum(squares[0]).backward();
  sum(squares[1]).backward();
  expect_elements<double>(x.grad(), {3}, [](const Index&) { return 4; });
  expect_elements<double>(y.grad(), {2}, [](const Index&) { return 10; });
}

TEST(Foreach, RejectsListsOfOtherLengths) {
  const std::vector<Scalar> scalars{1};
  expect_error([] { _foreach_abs({}); }, "_foreach_abs: Tensor list must have at least one tensor.");
  expect_error([] { _foreach_add(pair(), std::vector<Tensor>{full({1}, 1)}); },
               "_foreach_add: Tensor lists must have the same number of tensors, got 2 and 1");
  expect_error(
      [&] { _foreach_add(pair(), scalars); },
      "_foreach_add: Tensor list must have same number of elements as scalar list, got 2 tensors and 1 scalars");
  expect_error([] { _foreach_mul(pair(), full({1}, 1)); },
               "_foreach_mul: scalar tensor expected to be 0 dim but it has 1 dimensions and 1 elements.");
  const std::vector<Tensor> x = pair();
  expect_error([&] { _foreach_addcmul(x, x, x, full({3}, 1)); },
               "_foreach_addcmul: Expected length of scalars to match input of length 2 but got 3 instead.");
  expect_error([&] { _foreach_addcmul(x, x, x, full({2, 1}, 1)); },
               "Expected packed scalar Tensor to be of dimension 1. Got 2 instead.");
}

TEST(PowSum, SumsPowersOfMagnitudes) {
  const Tensor x = pair()[0];
  EXPECT_DOUBLE_EQ(linalg__powsum(x).item<double>(), 19);
  EXPECT_DOUBLE_EQ(linalg__powsum(x, 0).item<double>(), 6);
  expect_elements<double>(linalg__powsum(x, 1, IntArrayRef{1}, true), {2, 1},
                          [](const Index& index) { return index[0] == 0 ? 3 : 6; });
  const Tensor complex = full({2}, Scalar(Complex<double>(3, 4)), kComplexDouble);
  const Tensor powers = linalg__powsum(complex, 3);
  EXPECT_EQ(powers.scalar_type(), kDouble);
  EXPECT_DOUBLE_EQ(powers.item<double>(), 250);
  EXPECT_EQ(linalg__powsum(x, 2, std::nullopt, false, kHalf).scalar_type(), kHalf);
  expect_error([] { linalg__powsum(full({2}, 1, kLong)); },
               "linalg__powsum: expected `self` or `dtype` to be floating-point or complex, got Long");
}

}  // namespace
}  // namespace structured::foreach_test
