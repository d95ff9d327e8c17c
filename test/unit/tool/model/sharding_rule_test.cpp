#include "model/sharding_rule.h"

#include <gtest/gtest.h>

namespace structured::gen {
namespace {

using Kind = ShardingDim::Kind;

std::string error_of(llvm::StringRef text) {
  llvm::Expected<ShardingRule> rule = parse_sharding_rule(text);
  return rule ? "" : llvm::toString(rule.takeError());
}

std::string misfit_of(llvm::StringRef text, llvm::StringRef schema) {
  return misfit(llvm::cantFail(parse_sharding_rule(text)), llvm::cantFail(parse_schema(schema))).value_or("");
}

TEST(ShardingRule, HasATermForEachTensor) {
  const ShardingRule rule = llvm::cantFail(parse_sharding_rule("... i _,_ j ,  -> ...  i j, ..."));
  ASSERT_EQ(rule.arguments.size(), 3u);
  EXPECT_EQ(rule.arguments[0], (ShardingTerm{{Kind::broadcast}, {Kind::spread, "i"}, {Kind::whole}}));
  EXPECT_EQ(rule.arguments[1], (ShardingTerm{{Kind::whole}, {Kind::spread, "j"}}));
  EXPECT_TRUE(rule.arguments[2].empty());
  ASSERT_EQ(rule.results.size(), 2u);
  EXPECT_EQ(rule.results[1], (ShardingTerm{{Kind::broadcast}}));
}

TEST(ShardingRule, MayLeaveOutDimensionsThatAnArgumentLists) {
  const ShardingRule rule = llvm::cantFail(parse_sharding_rule("...-dim _ -> ..."));
  EXPECT_EQ(rule.arguments[0], (ShardingTerm{{Kind::broadcast, "dim"}, {Kind::whole}}));
}

TEST(ShardingRule, PrintsAsItWasRead) {
  for (const char* text : {"... i _, _ j -> ... i j", "...-dim -> ...", "n _,  -> _"}) {
    EXPECT_EQ(to_string(llvm::cantFail(parse_sharding_rule(text))), text);
  }
}

TEST(ShardingRule, StatesWhatWasExpected) {
  EXPECT_EQ(error_of("n _"), "expected `->` between the tensors and the results");
  EXPECT_EQ(error_of("n 2 -> n"), "expected a name, `_`, `...` or `...-argument`, found `2`");
  EXPECT_EQ(error_of("n.. -> n"), "expected a name, `_`, `...` or `...-argument`, found `n..`");
  EXPECT_EQ(error_of("...- -> n"), "expected the name of an argument after `...-`, found `...-`");
  EXPECT_EQ(error_of("n n -> n"), "a tensor has `n` twice");
  EXPECT_EQ(error_of("... ... -> ..."), "a tensor has `...` twice");
  EXPECT_EQ(error_of("n -> n m"), "a result has `m`, which no argument has");
  EXPECT_EQ(error_of("n -> ..."), "a result has `...`, which no argument has");
  EXPECT_EQ(error_of("...-dim -> ...-dim"),
            "a result has `...-dim`; write `...`, which stands for the dimensions that are left");
  EXPECT_EQ(error_of("n _ _ -> n _"), "");
}

TEST(ShardingRule, FitsTheTensorsOfASchema) {
  EXPECT_EQ(misfit_of("n _, n -> n _, _", "f(Tensor[] a, int k, Tensor? b) -> (Tensor, Tensor)"), "");
  EXPECT_EQ(misfit_of("n -> n", "f(Tensor a, Tensor? b) -> Tensor"),
            "has 1 tensor; expected 2, one for each argument that is a tensor or a list of tensors");
  EXPECT_EQ(misfit_of("n -> n, n", "f(Tensor a) -> Tensor"), "has 2 results; expected 1");
  EXPECT_EQ(misfit_of("...-dim -> ...", "f(Tensor a, int[1]? dim) -> Tensor"), "");
  EXPECT_EQ(misfit_of("...-axis -> ...", "f(Tensor a, int dim) -> Tensor"), "names `axis`, which is not an argument");
  EXPECT_EQ(misfit_of("...-dim -> ...", "f(Tensor a, bool dim) -> Tensor"),
            "names `dim`, which is not an integer or a list of them");
}

TEST(ShardingRule, OfAPointwiseOperatorBroadcasts) {
  const Schema schema = llvm::cantFail(parse_schema("f(Tensor a, Scalar s, Tensor b) -> Tensor"));
  EXPECT_EQ(to_string(pointwise_sharding_rule(schema)), "..., ... -> ...");
}

}  // namespace
}  // namespace structured::gen
