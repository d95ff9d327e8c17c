#include "language/nearest.h"

#include <gmock/gmock.h>

namespace structured::gen {
namespace {

const std::vector<std::string> names = {"meta", "impl", "kernel", "kwonly"};

TEST(Nearest, IsTheNameWithTheFewestEdits) {
  EXPECT_EQ(nearest("mata", names), "meta");
  EXPECT_EQ(nearest("Kernel", names), "kernel");
  EXPECT_EQ(nearest("kw_only", names), "kwonly");
}

TEST(Nearest, IsNothingForAnotherWord) {
  EXPECT_EQ(nearest("implementation", names), std::nullopt);
  EXPECT_EQ(nearest("keyword_only", names), std::nullopt);
  EXPECT_EQ(nearest(std::string(10000, 'x'), names), std::nullopt);
}

TEST(Nearest, BecomesAHint) {
  EXPECT_EQ(did_you_mean("mata", names), "; did you mean `meta`?");
  EXPECT_EQ(did_you_mean("implementation", names), "");
}

}  // namespace
}  // namespace structured::gen
