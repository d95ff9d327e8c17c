// embedding_bag and its gradient.
#include <structured/ops/_embedding_bag_forward_only.h>
#include <structured/ops/embedding_bag.h>
#include <structured/ops/embedding_dense_backward.h>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

const Tensor& table() {
  static const Tensor rows = counting<float>({4, 2});
  return rows;
}

TEST(EmbeddingBag, CombinesRowsOfBags) {
  const Tensor indices = tensor<int64_t>({3, 1, 0, 3});
  const Tensor offsets = tensor<int64_t>({0, 2, 2});
  const auto bags = [&](int64_t mode, const std::optional<Tensor>& weights = {}) {
    return embedding_bag(table(), indices, offsets, false, mode, false, weights);
  };
  const float sums[] = {8, 10, 0, 0, 6, 8};  // the second bag is empty
  expect_elements<float>(std::get<0>(bags(0)), {3, 2}, [&](const Index& i) { return sums[2 * i[0] + i[1]]; });
  const auto [means, bag_of, sizes, again] = bags(1);
  expect_elements<float>(means, {3, 2}, [&](const Index& i) { return sums[2 * i[0] + i[1]] / 2; });
  const int64_t expected_bags[] = {0, 0, 2, 2};
  expect_elements<int64_t>(bag_of, 4, [&](const Index& i) { return static_cast<double>(expected_bags[i[0]]); });
  expect_elements<int64_t>(sizes, 3, [](const Index& i) { return i[0] == 1 ? 0 : 2; });
  const auto [maxima, bag, count, places] = bags(2);
  expect_elements<float>(maxima, {3, 2}, [](const Index& i) { return i[0] == 1 ? 0 : static_cast<double>(6 + i[1]); });
  expect_elements<int64_t>(places, {3, 2}, [](const Index& i) { return i[0] == 1 ? 0 : 3; });

  const Tensor weights = tensor<float>({1, 2, 3, 4});
  const float weighted[] = {6 + 2 * 2, 7 + 2 * 3, 0, 0, 0 + 4 * 6, 3 + 4 * 7};
  expect_elements<float>(std::get<0>(bags(0, weights)), {3, 2},
                         [&](const Index& i) { return weighted[2 * i[0] + i[1]]; });
  expect_error([&] { bags(1, weights); }, "expected `mode` 0, sums, together with `per_sample_weights`, got 1");
}

TEST(EmbeddingBag, LeavesPaddingOut) {
  const Tensor indices = tensor<int32_t>({3, 1, 3});
  const Tensor offsets = tensor<int32_t>({0, 1, 3});
  const auto [means, bag_of, sizes, again] =
      embedding_bag(table(), indices, offsets, false, 1, false, {}, true, -1);  // row 3
  expect_elements<float>(means, {2, 2}, [](const Index& i) { return i[0] == 0 ? 0 : static_cast<double>(2 + i[1]); });
  expect_elements<int32_t>(sizes, 2, [](const Index& i) { return static_cast<double>(i[0]); });
  // For sums, the bag sizes are zeros, one for each offset including the last one.
  const auto forward = _embedding_bag_forward_only(table(), indices, offsets, false, 0, false, {}, true);
  EXPECT_EQ(std::get<0>(forward).sizes(), IntArrayRef({2, 2}));
  expect_elements<int32_t>(std::get<2>(forward), 3, [](const Index&) { return 0; });
  expect_elements<int32_t>(std::get<3>(forward), 3, [](const Index&) { return 0; });
}

TEST(EmbeddingBag, RejectsInvalidIndicesAndOffsets) {
  const Tensor zero = tensor<int64_t>({0});
  expect_error([&] { embedding_bag(table(), tensor<int64_t>({4}), zero); }, "expected indices from 0 to 3, got 4");
  expect_error([&] { embedding_bag(table(), zero, empty({0}, kLong), false, 0, false, {}, true); },
               "expected `offsets` to have an element");
  expect_error([&] { embedding_bag(table(), zero, tensor<int64_t>({1})); },
               "expected the first of `offsets` to be 0, got 1");
  expect_error([&] { embedding_bag(table(), zero, tensor<int64_t>({0, 2})); }, "expected `offsets` of at most 1");
  expect_error([&] { embedding_bag(table(), tensor<int64_t>({0, 0, 0}), tensor<int64_t>({0, 2, 1})); },
               "expected `offsets` in ascending order");
}

TEST(EmbeddingBackward, AddsRowsUp) {
  const Tensor gradients = filled<float>({2, 2, 3}, [](int64_t i) { return static_cast<float>(i / 3 + 1); });
  const Tensor indices = tensor<int64_t>({1, 0, 1, 3}, {2, 2});
  const float sums[] = {2, 1 + 3, 0, 4};
  const auto backward = [&](int64_t padding, bool scale) {
    return embedding_dense_backward(strided(gradients), indices, 4, padding, scale);
  };
  expect_elements<float>(backward(-1, false), {4, 3}, [&](const Index& i) { return sums[i[0]]; });
  expect_elements<float>(backward(-1, true), {4, 3}, [&](const Index& i) { return sums[i[0]] / (i[0] == 1 ? 2 : 1); });
  expect_elements<float>(backward(1, false), {4, 3}, [&](const Index& i) { return i[0] == 1 ? 0 : sums[i[0]]; });
  expect_error([&] { embedding_dense_backward(gradients, indices, 3, -1, false); },
               "expected indices from 0 to 2, got 3");
}

}  // namespace
}  // namespace structured
