// Memory for computations that are repeated.
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/memory/allocator.h>
#include <structured/memory/arena.h>
#include <structured/memory/scratch.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <vector>

namespace structured {
namespace {

// Freed blocks are not kept under AddressSanitizer: an arena is unused then.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_used = false;
#else
constexpr bool is_used = true;
#endif

constexpr int64_t kLarge = 100'000;

Tensor bytes(int64_t count, unsigned char mark = 0) {
  Tensor tensor = empty({count}, kByte);
  std::memset(tensor.data(), mark, static_cast<std::size_t>(count));
  return tensor;
}

bool has_mark(const Tensor& tensor, unsigned char mark) {
  const auto* const data = tensor.data_ptr<unsigned char>();
  return std::all_of(data, data + tensor.numel(), [mark](unsigned char byte) { return byte == mark; });
}

TEST(Arena, ServesLaterRuns) {
  Arena arena;
  std::vector<const void*> addresses;
  for (int i = 0; i < 3; ++i) {
    const Arena::Run run(arena);
    const Tensor a = bytes(10), b = bytes(kLarge), c = bytes(5'000'000);
    addresses.push_back(c.data());
  }
  if (!is_used) return;
  EXPECT_GT(arena.statistics().served_blocks, 2U);
  EXPECT_EQ(arena.statistics().other_blocks, 0U);
  EXPECT_EQ(addresses[1], addresses[2]);
}

TEST(Arena, SharesMemoryAmongBlocksThatDoNotLiveAtTheSameTime) {
  Arena arena;
  for (int i = 0; i < 2; ++i) {
    const Arena::Run run(arena);
    Tensor last = bytes(kLarge);
    for (int step = 0; step < 10; ++step) last = bytes(kLarge);
  }
  if (!is_used) return;
  EXPECT_GE(arena.statistics().nbytes, 2U * kLarge);
  EXPECT_LT(arena.statistics().nbytes, 3U * kLarge);
}

TEST(Arena, LeavesTensorsThatOutliveTheRunToTheCache) {
  Arena arena;
  std::vector<Tensor> kept;
  for (unsigned char i = 0; i < 4; ++i) {
    const Arena::Run run(arena);
    const Tensor temporary = bytes(kLarge, 99);
    kept.push_back(bytes(kLarge, i));
  }
  for (unsigned char i = 0; i < 4; ++i) EXPECT_TRUE(has_mark(kept[i], i));
  if (is_used) {
    EXPECT_GT(arena.statistics().served_blocks, 0U);
    EXPECT_GT(arena.statistics().other_blocks, 0U);
  }
}

TEST(Arena, RecordsARunThatDeviates) {
  Arena arena;
  const auto run_with = [&](int64_t count) {
    const Arena::Run run(arena);
    const Tensor a = bytes(kLarge, 1), b = bytes(count, 2), c = bytes(kLarge, 3);
    EXPECT_TRUE(has_mark(a, 1) && has_mark(b, 2) && has_mark(c, 3));
  };
  for (const int64_t count : {10, 10, 20}) run_with(count);
  if (is_used) {
    EXPECT_GT(arena.statistics().served_blocks, 0U);  // before the deviation
    EXPECT_GT(arena.statistics().other_blocks, 0U);
  }
  run_with(20);
  EXPECT_EQ(arena.statistics().other_blocks, 0U);
  for (const int64_t count : {30, 40, 50}) run_with(count);
  EXPECT_EQ(arena.statistics().nbytes, 0U);  // unused after four recorded runs
  arena.reset();
  run_with(50);
  EXPECT_EQ(arena.statistics().nbytes > 0, is_used);
}

// The first run frees the tensor, the second one keeps it: its memory is not reused.
TEST(Arena, AbandonsMemoryOfATensorThatOutlivesADeviatingRun) {
  std::vector<Tensor> kept;
  {
    Arena arena;
    for (const bool keeps : {false, true, false}) {
      const Arena::Run run(arena);
      const Tensor a = bytes(10, 1), b = bytes(kLarge, 2);
      if (keeps) kept = {a, b};
    }
  }
  empty_host_cache();
  const Tensor other = bytes(kLarge, 3);
  EXPECT_TRUE(has_mark(kept[0], 1) && has_mark(kept[1], 2));
  kept.clear();
  empty_host_cache();
  const Tensor again = bytes(10, 4), large = bytes(kLarge, 5);
  EXPECT_TRUE(has_mark(again, 4) && has_mark(large, 5) && has_mark(other, 3));
}

TEST(Arena, KeepsItsPlanWhenRunsFail) {
  Arena arena;
  const auto run_and_fail = [&](bool fails) {
    try {
      const Arena::Run run(arena);
      const Tensor a = bytes(kLarge), b = bytes(10);
      if (fails) throw std::runtime_error("failed");
      const Tensor c = bytes(kLarge);
    } catch (const std::runtime_error&) {
    }
  };
  for (int i = 0; i < 10; ++i) run_and_fail(true);
  for (int i = 0; i < 2; ++i) run_and_fail(false);
  EXPECT_EQ(arena.statistics().other_blocks, 0U);
  EXPECT_EQ(arena.statistics().served_blocks > 0, is_used);
}

TEST(Arena, ServesScratchVectors) {
  Arena arena;
  for (int i = 0; i < 2; ++i) {
    const Arena::Run run(arena);
    ScratchVector<int> vector(1000, 7);
    vector.push_back(8);
    EXPECT_EQ(vector[999] + vector[1000], 15);
  }
  EXPECT_EQ(arena.statistics().served_blocks, is_used ? 2U : 0U);
}

// The inner run frees a tensor of the outer one, and leaves it another one.
TEST(Arena, AllowsNestedRunsOfOtherArenas) {
  Arena outer, inner;
  for (int i = 0; i < 3; ++i) {
    const Arena::Run run(outer);
    Tensor a = bytes(kLarge, 1);
    Tensor b = bytes(kLarge, 2);
    {
      const Arena::Run nested(inner);
      const Tensor temporary = bytes(kLarge, 3);
      a = bytes(kLarge, 4);
      EXPECT_TRUE(has_mark(b, 2) && has_mark(temporary, 3));
    }
    const Tensor c = bytes(kLarge, 5);
    EXPECT_TRUE(has_mark(a, 4) && has_mark(b, 2) && has_mark(c, 5));
  }
}

// Some sequences of allocations repeat, and some tensors outlive their run.
TEST(Arena, HandsNoMemoryOutTwice) {
  Arena arena;
  std::mt19937 random(1);
  std::vector<std::pair<Tensor, unsigned char>> live;
  unsigned char mark = 0;
  for (int i = 0; i < 300; ++i) {
    if (i % 8 == 0) arena.reset();
    std::mt19937 sequence(static_cast<unsigned>(i / 8));
    const Arena::Run run(arena);
    for (int step = 0; step < 40; ++step) {
      if (live.empty() || sequence() % 2 == 0) {
        const int64_t count = 1 << (sequence() % 16);
        live.emplace_back(bytes(count, ++mark), mark);
      } else {
        const std::size_t at = sequence() % live.size();
        ASSERT_TRUE(has_mark(live[at].first, live[at].second));
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    const std::size_t kept = random() % 4 == 0 ? random() % 3 : 0;
    while (live.size() > kept) {
      ASSERT_TRUE(has_mark(live.back().first, live.back().second));
      live.pop_back();
    }
  }
}

}  // namespace
}  // namespace structured
