#include "structured/iterator/parallel.h"

#include <gmock/gmock.h>
#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "../../expect_error.h"
#include "structured/base/error.h"

namespace structured {
namespace {

using test::expect_error;

TEST(ParallelFor, CoversTheRangeOnce) {
  for (const int64_t count : {1, 2, 7, 100, 1001}) {
    for (const int64_t grain : {1, 3, 50, 5000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
      parallel_for(5, 5 + count, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i - 5)];
      });
      for (const std::atomic<int>& times : seen) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ParallelFor, CallsNothingForAnEmptyRange) {
  const auto body = [](int64_t, int64_t) { ADD_FAILURE(); };
  parallel_for(3, 3, 1, body);
  parallel_for(4, 3, 1, body);
}

TEST(ParallelFor, SmallRangesAreOnePiece) {
  int pieces = 0;
  parallel_for(0, 10, 10, [&](int64_t begin, int64_t end) {
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 10);
    ++pieces;
  });
  EXPECT_EQ(pieces, 1);
}

TEST(ParallelFor, UsesTheThreadsThereAre) {
  std::atomic<int> pieces = 0;
  parallel_for(0, 1000, 1, [&](int64_t, int64_t) { ++pieces; });
  EXPECT_EQ(pieces, max_threads());
}

TEST(ParallelFor, NestedLoopsStayOnTheirThread) {
  std::atomic<int> inner_pieces = 0;
  std::atomic<int> outer_pieces = 0;
  parallel_for(0, 2, 1, [&](int64_t, int64_t) {
    ++outer_pieces;
    if (max_threads() == 1) parallel_for(0, 100, 1, [&](int64_t, int64_t) { ++inner_pieces; });
  });
  // There is one thread inside a parallel region, and no region with a limit of one thread.
  EXPECT_EQ(inner_pieces, outer_pieces);
}

TEST(ParallelFor, ThrowsTheFirstExceptionAgain) {
  std::atomic<int> pieces = 0;
  expect_error(
      [&] {
        parallel_for(0, 100, 1, [&](int64_t, int64_t) {
          ++pieces;
          fail("a piece failed");
        });
      },
      "a piece failed");
  EXPECT_EQ(pieces, max_threads());
}

TEST(ParallelFor, UsesNoMoreThreadsThanItMay) {
  const int before = max_threads();
  for (const int count : {1, 3}) {
    set_num_threads(count);
    EXPECT_EQ(max_threads(), count);
    std::atomic<int> pieces = 0;
    parallel_for(0, 1000, 1, [&](int64_t, int64_t) { ++pieces; });
    EXPECT_EQ(pieces, count);
    std::thread([&] { EXPECT_EQ(max_threads(), count) << "in other threads, too"; }).join();
  }
  expect_error([&] { set_num_threads(0); }, "set_num_threads: expected 1 or more, got 0");
  set_num_threads(before);
}

#if defined(__unix__)
TEST(ParallelFor, WorksInAChildThatWasForked) {
  set_num_threads(2);
  parallel_for(0, 1000, 1, [](int64_t, int64_t) {});  // starts threads, which the child lacks
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::atomic<int> sum = 0;
    parallel_for(0, 1000, 1, [&](int64_t begin, int64_t end) { sum += static_cast<int>(end - begin); });
    _exit(sum == 1000 && max_threads() == 1 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
#endif

}  // namespace
}  // namespace structured
