#include "structured/kernel/refined.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "../../expect_error.h"
#include "structured/core/factory.h"

namespace structured {
namespace {

using test::expect_error;

TEST(RefinedTensor, RefersToATensor) {
  const Tensor a = tensor<float>({{1, 2, 3}, {4, 5, 6}});
  const DenseTensor<float, 2> refined = a;
  EXPECT_TRUE((*refined).is_same(a));
  EXPECT_EQ(refined.dim(), 2);
  EXPECT_EQ(refined.size(1), 3);
  EXPECT_EQ(refined(1, 2), 6);
  refined(0, 0) = 7;
  EXPECT_EQ(a.data_ptr<float>()[0], 7);
  EXPECT_EQ(sizeof(refined), sizeof(void*));
}

TEST(RefinedTensor, ReadsElementsByStrides) {
  const Tensor a = as_strided(tensor<int64_t>({1, 2, 3, 4, 5, 6}), {3, 2}, {1, 3});
  const RefinedTensor<int64_t, 2> refined = a;
  EXPECT_EQ(refined(0, 1), 4);
  EXPECT_EQ(refined(2, 0), 3);
}

TEST(RefinedTensor, ConvertsToLessRefinedTensorsOnly) {
  static_assert(std::is_convertible_v<DenseTensor<float, 2>, RankedTensor<2>>);
  static_assert(std::is_convertible_v<RankedTensor<2>, RefinedTensor<>>);
  static_assert(std::is_convertible_v<RankedTensor<2>, const Tensor&>);
  static_assert(!std::is_constructible_v<DenseTensor<float, 2>, DenseTensor<float, 1>>);
  const Tensor a = tensor<float>({{1, 2}});
  const RankedTensor<2> less = DenseTensor<float, 2>(a);
  EXPECT_TRUE((*less).is_same(a));
}

TEST(CheckRefined, AcceptsTensorsWithAllProperties) {
  check_refined<DenseTensor<float, 2>>("op", "self", tensor<float>({{1, 2}}));
  check_refined<RefinedTensor<>>("op", "self", tensor<int64_t>({1}));
  check_refined<CPUTensor>("op", "self", tensor<float>({1}));
}

TEST(CheckRefined, NamesTheMissingProperty) {
  expect_error([] { check_refined<RankedTensor<2>>("trace", "self", tensor<float>({1})); },
               "trace: expected `self` to have 2 dimensions, got sizes [1]");
  expect_error([] { check_refined<RankedTensor<1>>("dot", "other", tensor(1)); },
               "dot: expected `other` to have 1 dimension, got sizes []");
  expect_error([] { check_refined<DenseTensor<float>>("op", "self", tensor<double>({1})); },
               "op: expected `self` of dtype Float, got Double");
  expect_error(
      [] { check_refined<DenseTensor<float>>("op", "self", as_strided(tensor<float>({1, 2, 3, 4}), {2}, {2})); },
      "op: expected `self` to be contiguous, got sizes [2] and strides [2]");
  expect_error([] { check_refined<RefinedTensor<>>("op", "self", Tensor()); },
               "op: expected `self` to be a defined tensor, got an undefined one");
}

}  // namespace
}  // namespace structured
