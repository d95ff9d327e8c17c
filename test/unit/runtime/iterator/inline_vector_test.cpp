#include "structured/iterator/inline_vector.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

namespace structured::detail {
namespace {

TEST(InlineVector, GrowsBeyondWhatIsInside) {
  InlineVector<std::string, 2> words;
  for (int i = 0; i < 20; ++i) words.emplace_back(std::string(40, static_cast<char>('a' + i)));
  ASSERT_EQ(words.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(words[i], std::string(40, static_cast<char>('a' + i)));
  words.push_back(words[0]);
  EXPECT_EQ(words.back(), words[0]);
}

TEST(InlineVector, DestroysItsElements) {
  const auto counted = std::make_shared<int>(1);
  {
    InlineVector<std::shared_ptr<int>, 2> pointers;
    for (int i = 0; i < 5; ++i) pointers.push_back(counted);
    EXPECT_EQ(counted.use_count(), 6);
    pointers.pop_back();
    pointers.erase(1);
    EXPECT_EQ(counted.use_count(), 4);
    pointers.clear();
    EXPECT_EQ(counted.use_count(), 1);
    EXPECT_TRUE(pointers.empty());
    pointers.push_back(counted);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(InlineVector, EraseKeepsTheOrder) {
  InlineVector<int, 4> numbers;
  numbers.assign(std::vector<int>{1, 2, 3, 4, 5});
  numbers.erase(1);
  EXPECT_THAT(std::vector<int>(numbers.begin(), numbers.end()), testing::ElementsAre(1, 3, 4, 5));
  numbers.resize(2);
  EXPECT_THAT(std::vector<int>(numbers.begin(), numbers.end()), testing::ElementsAre(1, 3));
}

}  // namespace
}  // namespace structured::detail
