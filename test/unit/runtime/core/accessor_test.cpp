#include <gtest/gtest.h>
#include <structured/core/accessor.h>
#include <structured/core/factory.h>

#include <algorithm>
#include <vector>

#include "throws_error.h"

namespace structured {
namespace {

TEST(Accessor, ReadsAndWritesElementsOfAnyStrides) {
  const Tensor matrix = tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor transposed = as_strided(matrix, {3, 2}, {1, 3});
  const auto elements = accessor<float, 2>(transposed);
  EXPECT_EQ(elements(2, 1), 6);
  EXPECT_EQ(elements.size(0), 3);
  EXPECT_EQ(elements.stride(1), 3);
  elements.at(0, 1) = 40;
  EXPECT_EQ(to_vector<float>(matrix), (std::vector<float>{1, 2, 3, 40, 5, 6}));
  EXPECT_EQ((accessor<const int64_t, 0>(tensor<int64_t>({7}, IntArrayRef{}))()), 7);
}

TEST(Accessor, ChecksDtypeRankDeviceAndBounds) {
  const Tensor matrix = tensor<float>({1, 2, 3, 4}, {2, 2});
  EXPECT_ERROR((accessor<double, 2>(matrix)), "accessor: expected a tensor of dtype Double, got Float");
  EXPECT_ERROR((accessor<float, 3>(matrix)), "accessor: expected a tensor of 3 dimensions, got sizes [2, 2]");
  EXPECT_ERROR((accessor<float, 1>(structured::empty({2}, kMeta))), "accessor: expected a tensor on cpu, got meta");
  const auto elements = accessor<float, 2>(matrix);
  EXPECT_ERROR(elements.at(2, 0), "at: expected an index from 0 to 1 in dimension 0, got 2");
  EXPECT_ERROR(elements.at(0, -1), "at: expected an index from 0 to 1 in dimension 1, got -1");
}

TEST(Span, CoversContiguousTensors) {
  const Tensor matrix = tensor<int>({4, 3, 2, 1}, {2, 2});
  std::ranges::sort(span<int>(matrix));
  EXPECT_EQ(to_vector<int>(matrix), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_ERROR(span<int>(as_strided(matrix, {2}, {2})),
               "span: expected a contiguous tensor, got sizes [2] and strides [2]");
  EXPECT_ERROR(span<float>(matrix), "span: expected a tensor of dtype Float, got Int");
}

TEST(Elements, IterateInRowMajorOrder) {
  const Tensor matrix = tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const auto transposed = elements<float>(as_strided(matrix, {3, 2}, {1, 3}));
  EXPECT_EQ(std::vector<float>(transposed.begin(), transposed.end()), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(transposed.size(), 6u);
  for (float& element : elements<float>(as_strided(matrix, {2}, {2}, 1))) element = 0;
  EXPECT_EQ(to_vector<float>(matrix), (std::vector<float>{1, 0, 3, 0, 5, 6}));
  for (const float element : elements<const float>(structured::empty({2, 0}))) ADD_FAILURE() << element;
  int count = 0;
  for (const float element : elements<const float>(full({}, 3.0))) count += element == 3;
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace structured
