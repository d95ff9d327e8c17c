// The in-place variant that adaptors.h makes of a meta function and a computation.
#include <gtest/gtest.h>

#include <vector>

#include "structured/core/factory.h"
#include "structured/kernel/adaptors.h"
#include "test_operators.h"
#include "test_support.h"

namespace structured::inplace_test {
namespace {

using test::Demand;
using test::Twice;

const std::vector<float> doubled{2, 4, 6, 8, 10, 12};

Tensor two_by_three() { return tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3}); }

Tensor transposed() {
  const Tensor base = tensor<float>({1, 4, 2, 5, 3, 6}, {3, 2});
  return as_strided(base, {2, 3}, {1, 2}, 0);
}

TEST(Inplace, WritesToSelf) {
  Tensor self = two_by_three();
  const void* data = self.data();
  EXPECT_TRUE(test::twice_(self, Demand::raw).is_same(self));
  EXPECT_EQ(to_vector<float>(self), doubled);
  EXPECT_EQ(self.data(), data);
  EXPECT_EQ(self.version(), 1u);
}

TEST(Inplace, TheBaseLearnsOfSelf) {
  Tensor self = two_by_three();
  Inplace<Twice> op(self);
  EXPECT_TRUE(op.maybe_get_output().is_same(self)) << "also before meta, which may build on it";
  op.meta(self, Demand::raw);
  EXPECT_EQ(op.calls, 1);
  EXPECT_TRUE(op.learned.is_same(self));
}

TEST(Inplace, OtherStridesAreMetByAStandIn) {
  Tensor self = transposed();
  Inplace<Twice> op(self);
  op.meta(self, Demand::contiguous);
  EXPECT_FALSE(op.output(0).is_same(self));
  op.impl(self, Demand::contiguous, op.output(0));
  EXPECT_EQ(op.seen_strides, (DimVector{3, 1}));
  EXPECT_EQ(to_vector<float>(self), (std::vector<float>{1, 2, 3, 4, 5, 6})) << "untouched until finish";
  op.finish();
  EXPECT_EQ(to_vector<float>(self), doubled);
  EXPECT_EQ(self.strides(), (IntArrayRef{1, 2}));
  EXPECT_EQ(self.version(), 1u);
}

TEST(Inplace, NoStandInWhereTheStridesSuit) {
  Tensor self = transposed();
  Inplace<Twice> op(self);
  op.meta(self, Demand::strided);
  EXPECT_TRUE(op.output(0).is_same(self));
}

TEST(Inplace, ShapeDtypeAndDeviceMustStay) {
  Tensor self = two_by_three();
  EXPECT_EQ(message_of([&] { test::twice_(self, Demand::wrong_sizes); }),
            "expected an in-place result of sizes [2, 3], got [7]");
  EXPECT_EQ(message_of([&] { test::twice_(self, Demand::wrong_dtype); }),
            "expected an in-place result of dtype Float, got Long");
  EXPECT_EQ(message_of([&] { test::twice_(self, Demand::wrong_device); }),
            "expected an in-place result on cpu, got one on meta");
  EXPECT_EQ(self.version(), 0u);
  EXPECT_EQ(to_vector<float>(self), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Inplace, OneThatOverlapsItselfIsRefused) {
  const Tensor base = tensor<float>({1, 2, 3});
  Tensor self = as_strided(base, {2, 3}, {0, 1}, 0);
  EXPECT_NE(message_of([&] { test::twice_(self, Demand::raw); }).find("share one memory location"), std::string::npos);
  EXPECT_EQ(base.version(), 0u);
}

TEST(Inplace, AnOutputThatIsLeftOutIsNotWritten) {
  Tensor self = two_by_three();
  test::twice_(self, Demand::undefined);
  EXPECT_EQ(self.version(), 0u);
}

TEST(Inplace, MistakesOfMetaAreErrors) {
  Tensor self = two_by_three();
  EXPECT_EQ(message_of([&] { test::twice_(self, Demand::never); }), "output 0 was not set by the meta function");
  EXPECT_EQ(message_of([&] { test::twice_(self, Demand::twice); }), "output 0 was set twice by the meta function");
  EXPECT_EQ(message_of([&] { test::twice_(self, Demand::second); }), "expected the index of an output below 1, got 1");
}

}  // namespace
}  // namespace structured::inplace_test
