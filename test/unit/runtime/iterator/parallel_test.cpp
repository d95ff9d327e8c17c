#include "structured/iterator/parallel.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cstddef>
#include <vector>

#include "structured/core/error.h"

namespace structured {
namespace {

TEST(ParallelFor, CoversTheRangeOnce) {
  for (const std::int64_t count : {1, 2, 7, 100, 1001}) {
    for (const std::int64_t grain : {1, 3, 50, 5000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
      parallel_for(5, 5 + count, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i - 5)];
      });
      for (const std::atomic<int>& times : seen) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ParallelFor, CallsNothingForAnEmptyRange) {
  const auto body = [](std::int64_t, std::int64_t) { ADD_FAILURE(); };
  parallel_for(3, 3, 1, body);
  parallel_for(4, 3, 1, body);
}

TEST(ParallelFor, SmallRangesAreOnePiece) {
  int pieces = 0;
  parallel_for(0, 10, 10, [&](std::int64_t begin, std::int64_t end) {
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 10);
    ++pieces;
  });
  EXPECT_EQ(pieces, 1);
}

TEST(ParallelFor, UsesTheThreadsThereAre) {
  std::atomic<int> pieces = 0;
  parallel_for(0, 1000, 1, [&](std::int64_t, std::int64_t) { ++pieces; });
  EXPECT_EQ(pieces, max_threads());
}

TEST(ParallelFor, NestedLoopsStayOnTheirThread) {
  std::atomic<int> inner_pieces = 0;
  std::atomic<int> outer_pieces = 0;
  parallel_for(0, 2, 1, [&](std::int64_t, std::int64_t) {
    ++outer_pieces;
    if (max_threads() == 1) parallel_for(0, 100, 1, [&](std::int64_t, std::int64_t) { ++inner_pieces; });
  });
  // Inside of a parallel region there is one thread; with a pool of one there is no region.
  EXPECT_EQ(inner_pieces, outer_pieces);
}

TEST(ParallelFor, ThrowsTheFirstExceptionAgain) {
  std::atomic<int> pieces = 0;
  EXPECT_THROW(parallel_for(0, 100, 1,
                            [&](std::int64_t, std::int64_t) {
                              ++pieces;
                              fail("a piece failed");
                            }),
               Error);
  EXPECT_EQ(pieces, max_threads());
}

}  // namespace
}  // namespace structured
