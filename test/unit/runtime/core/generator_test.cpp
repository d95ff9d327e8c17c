#include <gtest/gtest.h>
#include <structured/core/generator.h>
#include <structured/number/philox.h>

#include <set>
#include <thread>
#include <vector>

namespace structured {
namespace {

// Known answers that the authors of Philox publish with their code.
TEST(Philox, GivesTheKnownAnswers) {
  const auto words = [](PhiloxBlock block) { return std::vector<uint32_t>(block.words, block.words + 4); };
  EXPECT_EQ(words(philox(0, 0)), (std::vector<uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(words(philox(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0})),
            (std::vector<uint32_t>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(words(philox(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e)),
            (std::vector<uint32_t>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Generator, HandsOutItsSequence) {
  const Generator generator(kCPU, 5);
  EXPECT_EQ(generator.device(), Device(kCPU));
  EXPECT_EQ(generator.current_seed(), 5u);
  EXPECT_EQ(generator.reserve(10).first, 0u);
  const Generator::Range next = generator.reserve(1);
  EXPECT_EQ(next.first, 10u);
  EXPECT_EQ(next.seed, 5u);
}

TEST(Generator, StartsAgainWithASeed) {
  const Generator generator(kCPU);
  EXPECT_EQ(generator.current_seed(), Generator::kDefaultSeed);
  generator.reserve(10);
  generator.set_current_seed(7);
  const Generator::Range range = generator.reserve(1);
  EXPECT_EQ(range.seed, 7u);
  EXPECT_EQ(range.first, 0u);
}

TEST(Generator, CopiesShareTheState) {
  const Generator generator(kCPU, 1);
  Generator copy = generator;
  EXPECT_TRUE(copy.is_same(generator));
  copy.reserve(3);
  EXPECT_EQ(generator.reserve(1).first, 3u);
  copy = Generator(kCPU, 2);
  EXPECT_FALSE(copy.is_same(generator));
  EXPECT_EQ(generator.current_seed(), 1u);
}

TEST(Generator, GivesEachThreadItsOwn) {
  const Generator generator(kCPU);
  std::vector<std::vector<uint64_t>> firsts(4);
  std::vector<std::thread> threads;
  for (auto& mine : firsts) {
    threads.emplace_back([&generator, &mine] {
      for (int i = 0; i < 100; ++i) mine.push_back(generator.reserve(2).first);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<uint64_t> all;
  for (const auto& mine : firsts) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), 400u);
  EXPECT_EQ(*all.rbegin(), 798u);
}

}  // namespace
}  // namespace structured
