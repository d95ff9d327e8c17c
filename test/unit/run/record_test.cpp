// Records have the dtypes in which kernels compute, also those that no argument and no result has.
#include "record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/ops/add.h>
#include <structured/ops/lt.h>
#include <structured/ops/scaled_dot_product_attention.h>

#include <set>
#include <string>

namespace structured::run {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Key;
using testing::Not;

TEST(Record, AnAttentionOfBFloat16ComputesInFloat) {
  const Tensor x = zeros({2, 4, 8}, kBFloat16);
  Recorder recorder;
  structured::scaled_dot_product_attention(x, x, x);
  std::set<std::string> all;
  for (const auto& [op, dtypes] : recorder.dtypes) all.insert(dtypes.begin(), dtypes.end());
  EXPECT_THAT(all, Contains("BFloat16"));
  EXPECT_THAT(all, Contains("Float"));
  EXPECT_THAT(all, Not(Contains("Half")));
}

TEST(Record, AComparisonComputesInTheCommonDtype) {
  const Tensor bytes = zeros({4}, kByte);
  const Tensor chars = zeros({4, 1}, kChar);
  Recorder recorder;
  structured::lt(bytes, chars);
  EXPECT_THAT(recorder.dtypes["aten::lt.Tensor"], ElementsAre("Bool", "Byte", "Char", "Short"));
}

TEST(Record, TensorsOfTheCallerAreNotThoseOfAnOperator) {
  const Tensor x = zeros({4}, kHalf);
  Recorder recorder;
  zeros({4}, kDouble);
  const Tensor long_lived = empty({3}, kShort);
  structured::add(x, x);
  const Tensor other = empty({3}, kInt);
  EXPECT_THAT(recorder.dtypes["aten::add.Tensor"], Not(Contains("Short")));
  EXPECT_THAT(recorder.dtypes["aten::add.Tensor"], Not(Contains("Int")));
  EXPECT_THAT(recorder.dtypes["aten::add.Tensor"], Contains("Half"));
}

}  // namespace
}  // namespace structured::run
