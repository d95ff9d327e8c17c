#include "structured/iterator/reduce_with_index.h"

#include <gmock/gmock.h>

#include <random>
#include <vector>

#include "naive.h"

namespace structured {
namespace {

struct Smallest {
  static bool is_better(int32_t candidate, int32_t best) { return candidate < best; }
};

void expect_smallest(const Tensor& in, int64_t dim, bool keepdim) {
  const DimMask mask = in.dim() == 0 ? 0 : DimMask{1} << dim;
  const DimVector sizes = reduced_sizes(in.sizes(), mask, keepdim);
  const Tensor values = naive::arange<int32_t>(sizes, {}, 1);
  const Tensor indices = naive::arange<int64_t>(sizes, {}, 0);
  reduce_with_index<int32_t, Smallest>(values, indices, in, dim);
  naive::for_each_index(sizes, [&](const naive::Index& at) {
    naive::Index index(at);
    if (in.dim() != 0 && !keepdim) index.insert(index.begin() + dim, 0);
    int32_t best = naive::element<int32_t>(in, index);
    int64_t best_index = 0;
    for (int64_t i = 1; in.dim() != 0 && i < in.size(dim); ++i) {
      index[static_cast<std::size_t>(dim)] = i;
      const int32_t candidate = naive::element<int32_t>(in, index);
      if (candidate < best) {
        best = candidate;
        best_index = i;
      }
    }
    ASSERT_EQ(naive::element<int32_t>(values, at), best) << in.sizes() << " along " << dim;
    ASSERT_EQ(naive::element<int64_t>(indices, at), best_index) << in.sizes() << " along " << dim;
  });
}

// Few distinct values, so that the first of several equal ones matters.
Tensor random_tensor(std::mt19937& random, IntArrayRef sizes, IntArrayRef order, int64_t gap) {
  const Tensor tensor = naive::arange<int32_t>(sizes, order, gap);
  naive::for_each_index(sizes, [&](const naive::Index& index) {
    naive::element<int32_t>(tensor, index) = static_cast<int32_t>(random() % 7) - 3;
  });
  return tensor;
}

TEST(ReduceWithIndex, FindsTheFirstOfTheBest) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<int64_t> sizes(random() % 4 + 1);
    std::vector<int64_t> order;
    for (int64_t& size : sizes) {
      size = static_cast<int64_t>(random() % 7 + 1);
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(random() % (order.size() + 1)),
                   static_cast<int64_t>(order.size()));
    }
    const auto dim = static_cast<int64_t>(random() % sizes.size());
    expect_smallest(random_tensor(random, sizes, order, random() % 2), dim, random() % 2);
  }
}

TEST(ReduceWithIndex, LongRowsAndWideStrips) {
  std::mt19937 random(6);
  expect_smallest(random_tensor(random, {3, 100000}, {}, 0), 1, false);
  expect_smallest(random_tensor(random, {5000, 7}, {}, 0), 0, false);
  expect_smallest(random_tensor(random, {40, 1000}, {}, 0), 0, true);
  expect_smallest(random_tensor(random, {9, 300, 20}, {}, 1), 1, false);
  expect_smallest(naive::expand(random_tensor(random, {1, 5}, {}, 0), {10, 5}), 0, false);
}

TEST(ReduceWithIndex, ScalarsAndEmptyResults) {
  std::mt19937 random(7);
  expect_smallest(random_tensor(random, {}, {}, 0), 0, false);
  expect_smallest(random_tensor(random, {0, 3}, {}, 0), 1, false);
}

}  // namespace
}  // namespace structured
