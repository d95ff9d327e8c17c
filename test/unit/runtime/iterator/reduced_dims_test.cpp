#include "structured/iterator/reduced_dims.h"

#include <gmock/gmock.h>

#include <vector>

#include "../../expect_error.h"
#include "naive.h"
#include "structured/base/error.h"

namespace structured {
namespace {

using test::expect_error;

TEST(ReducedDims, NoneAndEmptyMeanAll) {
  EXPECT_EQ(reduced_dims("sum", std::nullopt, 3), 0b111u);
  EXPECT_EQ(reduced_dims("sum", IntArrayRef(), 3), 0b111u);
  EXPECT_EQ(reduced_dims("sum", std::nullopt, 0), 0u);
  EXPECT_EQ(reduced_dims("sum", std::nullopt, 64), ~DimMask{0});
}

TEST(ReducedDims, NegativeOnesCountFromTheEnd) {
  EXPECT_EQ(reduced_dims("sum", {0, -1}, 3), 0b101u);
  EXPECT_EQ(reduced_dims("sum", 1, 3), 0b010u);
  EXPECT_EQ(reduced_dims("sum", -64, 64), 1u);
}

TEST(ReducedDims, RankZeroTakesDimensionZeroAndHasNone) {
  EXPECT_EQ(reduced_dims("sum", 0, 0), 0u);
  EXPECT_EQ(reduced_dims("sum", -1, 0), 0u);
  expect_error([&] { reduced_dims("sum", 1, 0); }, "expected a dimension from -1 to 0, got 1");
}

TEST(ReducedDims, RefusesDimensionsThatAreNotThereOrThereTwice) {
  expect_error([&] { reduced_dims("sum", 3, 3); }, "expected a dimension from -3 to 2, got 3");
  expect_error([&] { reduced_dims("sum", -4, 3); }, "expected a dimension from -3 to 2, got -4");
  try {
    reduced_dims("sum", {1, -2}, 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "sum: expected each dimension once, got [1, -2] for 3 dimensions");
  }
}

TEST(ReducedSizes, LeaveOutOrKeepReducedDimensions) {
  EXPECT_EQ(reduced_sizes({2, 3, 4}, 0b010, false), (DimVector{2, 4}));
  EXPECT_EQ(reduced_sizes({2, 3, 4}, 0b010, true), (DimVector{2, 1, 4}));
  EXPECT_EQ(reduced_sizes({2, 3, 4}, 0b111, false), DimVector());
  EXPECT_EQ(reduced_sizes({}, 0, true), DimVector());
}

// Offsets of elements [begin, end), in bytes.
std::vector<int64_t> offsets(const detail::ReducedWalk& walk, int64_t begin, int64_t end) {
  std::vector<int64_t> result;
  walk.for_each_row(begin, end, [&](int64_t offset, int64_t size) {
    for (int64_t i = 0; i < size; ++i) result.push_back(offset + i * walk.stride());
  });
  return result;
}

TEST(ReducedWalk, VisitsReducedDimensionsInMemoryOrder) {
  const Tensor in = naive::arange<int32_t>({2, 3, 4});
  const detail::ReducedWalk walk(in, 0b101);
  EXPECT_EQ(walk.count(), 8);
  EXPECT_EQ(walk.stride(), 4);
  EXPECT_THAT(offsets(walk, 0, 8), testing::ElementsAre(0, 4, 8, 12, 48, 52, 56, 60));
  EXPECT_THAT(offsets(walk, 3, 6), testing::ElementsAre(12, 48, 52));
  EXPECT_THAT(offsets(detail::ReducedWalk(in, 0b110), 10, 12), testing::ElementsAre(40, 44));
}

TEST(ReducedWalk, HasOneElementWhereNothingIsReduced) {
  const Tensor in = naive::arange<int32_t>({2, 1});
  for (const DimMask mask : {0b00, 0b10}) {
    const detail::ReducedWalk walk(in, mask);
    EXPECT_EQ(walk.count(), 1);
    EXPECT_THAT(offsets(walk, 0, 1), testing::ElementsAre(0));
  }
}

TEST(ReducedWalk, PartsMakeTheWhole) {
  const Tensor in = naive::arange<int32_t>({3, 4, 2, 5}, {2, 0, 3, 1}, 1);
  const detail::ReducedWalk walk(in, 0b1011);
  const std::vector<int64_t> all = offsets(walk, 0, walk.count());
  ASSERT_EQ(all.size(), 60u);
  for (int64_t begin = 0; begin < 60; ++begin) {
    for (int64_t end = begin + 1; end <= 60; ++end) {
      ASSERT_EQ(offsets(walk, begin, end), std::vector<int64_t>(all.begin() + begin, all.begin() + end));
    }
  }
}

}  // namespace
}  // namespace structured
