// The out= variant that adaptors.h makes of a meta function and a computation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "../../expect_error.h"
#include "structured/core/factory.h"
#include "structured/kernel/adaptors.h"
#include "test_operators.h"
#include "test_support.h"

namespace structured::out_test {
namespace {

using test::Demand;
using test::expect_error;
using test::Twice;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<float> doubled{2, 4, 6, 8, 10, 12};

Tensor two_by_three() { return tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3}); }

TEST(Out, WritesToWhatTheCallerGave) {
  Tensor out = empty({2, 3});
  const void* data = out.data();
  const CaughtWarnings warnings;
  EXPECT_TRUE(test::twice_out(two_by_three(), Demand::raw, out).is_same(out));
  EXPECT_EQ(to_vector<float>(out), doubled);
  EXPECT_EQ(out.data(), data);
  EXPECT_EQ(out.version(), 1u);
  EXPECT_THAT(warnings.get(), IsEmpty());
}

TEST(Out, EmptyOnesAreResizedSilently) {
  Tensor out = empty({0});
  const CaughtWarnings warnings;
  test::twice_out(two_by_three(), Demand::raw, out);
  EXPECT_EQ(out.sizes(), (IntArrayRef{2, 3}));
  EXPECT_EQ(to_vector<float>(out), doubled);
  EXPECT_EQ(out.version(), 1u);
  EXPECT_THAT(warnings.get(), IsEmpty());
}

TEST(Out, OthersAreResizedWithAWarning) {
  for (const DimVector& sizes : {DimVector{4, 5}, DimVector{1}}) {
    Tensor out = empty(sizes);
    const CaughtWarnings warnings;
    test::twice_out(two_by_three(), Demand::raw, out);
    EXPECT_EQ(out.sizes(), (IntArrayRef{2, 3}));
    EXPECT_EQ(to_vector<float>(out), doubled);
    EXPECT_EQ(warnings.get().size(), 1u);
  }
}

TEST(Out, TheWarningSaysWhatWasExpected) {
  Tensor out = empty({4});
  const CaughtWarnings warnings;
  test::twice_out(two_by_three(), Demand::raw, out);
  EXPECT_THAT(warnings.get(), ElementsAre("an output of sizes [4] was resized to [2, 3] although it had elements; pass "
                                          "one of those sizes, or one without elements"));
}

TEST(Out, SuggestedStridesMatterOnlyWhereItIsResized) {
  Tensor resized = empty({0});
  test::twice_out(two_by_three(), Demand::transposed, resized);
  EXPECT_EQ(resized.strides(), (IntArrayRef{1, 2}));
  EXPECT_EQ(to_vector<float>(resized), doubled);
  Tensor fits = empty({2, 3});
  test::twice_out(two_by_three(), Demand::transposed, fits);
  EXPECT_EQ(fits.strides(), (IntArrayRef{3, 1}));
  EXPECT_EQ(to_vector<float>(fits), doubled);
}

TEST(Out, AResizedOneGetsTheMemoryFormat) {
  Tensor out = empty({0});
  Out<Twice, 1> op(out);
  op.set_output_raw_strided(0, {2, 3, 4, 5}, {}, TensorOptions(kFloat).memory_format(MemoryFormat::ChannelsLast));
  EXPECT_TRUE(out.is_contiguous(MemoryFormat::ChannelsLast));
}

TEST(Out, ATransposedOneIsWrittenThroughAStandIn) {
  Tensor out = empty_strided({2, 3}, {1, 2}, kFloat);
  Out<Twice, 1> op(out);
  op.meta(two_by_three(), Demand::contiguous);
  EXPECT_FALSE(op.output(0).is_same(out));
  EXPECT_TRUE(op.learned.is_same(op.output(0))) << "the base works on the stand-in";
  EXPECT_TRUE(op.maybe_get_output().is_same(op.output(0)));
  op.impl(two_by_three(), Demand::contiguous, op.output(0));
  EXPECT_EQ(op.seen_strides, (DimVector{3, 1}));
  EXPECT_EQ(out.version(), 0u);
  op.finish();
  EXPECT_EQ(out.strides(), (IntArrayRef{1, 2})) << "the caller's strides stay";
  EXPECT_EQ(to_vector<float>(out), doubled);
  EXPECT_EQ(out.version(), 1u);
}

TEST(Out, ExactStridesAreMetByAStandIn) {
  Tensor out = empty({2, 3});
  test::twice_out(two_by_three(), Demand::strided, out);
  EXPECT_EQ(out.strides(), (IntArrayRef{3, 1}));
  EXPECT_EQ(to_vector<float>(out), doubled);
  Tensor suits = empty_strided({2, 3}, {1, 2}, kFloat);
  Out<Twice, 1> op(suits);
  op.meta(two_by_three(), Demand::strided);
  EXPECT_TRUE(op.output(0).is_same(suits)) << "no stand-in where the strides are those demanded";
  Tensor resized = empty({0});
  Out<Twice, 1> resizing(resized);
  resizing.meta(two_by_three(), Demand::strided);
  EXPECT_TRUE(resizing.output(0).is_same(resized)) << "nor where it was resized to them";
}

TEST(Out, AViewOfOtherDataIsWrittenInPlace) {
  const Tensor base = tensor<float>({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {3, 4});
  Tensor out = as_strided(base, {2, 3}, {4, 1}, 5);
  const CaughtWarnings warnings;
  test::twice_out(two_by_three(), Demand::raw, out);
  EXPECT_EQ(to_vector<float>(base), (std::vector<float>{0, 0, 0, 0, 0, 2, 4, 6, 0, 8, 10, 12}));
  test::twice_out(two_by_three(), Demand::contiguous, out);
  EXPECT_EQ(to_vector<float>(base), (std::vector<float>{0, 0, 0, 0, 0, 2, 4, 6, 0, 8, 10, 12}));
  EXPECT_EQ(base.version(), 2u) << "views share their version";
  EXPECT_THAT(warnings.get(), IsEmpty());
}

TEST(Out, AnOutputThatIsLeftOutStaysAsItIs) {
  Tensor out = tensor<float>({5}, {1});
  Out<Twice, 1> op(out);
  op.meta(two_by_three(), Demand::undefined);
  EXPECT_FALSE(op.output(0).defined());
  op.finish();
  EXPECT_EQ(to_vector<float>(out), std::vector<float>{5});
  EXPECT_EQ(out.version(), 0u);
}

TEST(Out, DtypeAndDeviceMustBeThoseOfTheResult) {
  Tensor floats = empty({2, 3});
  EXPECT_EQ(message_of([&] { test::twice_out(two_by_three(), Demand::wrong_dtype, floats); }),
            "expected output 0 of dtype Long, got Float");
  Tensor longs = empty({0}, kLong);
  EXPECT_EQ(message_of([&] { test::twice_out(two_by_three(), Demand::strided, longs); }),
            "expected output 0 of dtype Float, got Long");
  EXPECT_EQ(longs.sizes(), (IntArrayRef{0})) << "a refused tensor is left as it was";
  Tensor meta = empty({2, 3}, TensorOptions(kFloat).device(kMeta));
  EXPECT_EQ(message_of([&] { test::twice_out(two_by_three(), Demand::raw, meta); }),
            "expected output 0 on cpu, got one on meta");
  EXPECT_EQ(floats.version() + longs.version() + meta.version(), 0u);
}

TEST(Out, OneThatOverlapsItselfIsRefused) {
  Tensor out = empty_strided({2, 3}, {0, 1}, kFloat);
  const std::string expected =
      "several elements of the tensor to be written, of sizes [2, 3] and strides [0, 1], share one memory location; "
      "clone it first";
  EXPECT_EQ(message_of([&] { test::twice_out(two_by_three(), Demand::raw, out); }), expected);
  EXPECT_EQ(message_of([&] { test::twice_out(two_by_three(), Demand::contiguous, out); }), expected);
  EXPECT_EQ(out.version(), 0u);
}

TEST(Out, AnInputThatMayBeItIsRefusedWhereItOverlapsInPart) {
  const Tensor memory = empty({6}, kFloat);
  Tensor out = as_strided(memory, {4}, {1}, 0);
  Out<test::Twice, 1> op(out);
  EXPECT_NO_THROW(op.check_self(out));
  EXPECT_NO_THROW(op.check_self(as_strided(memory, {4}, {1}, 0)));
  expect_error([&] { op.check_self(as_strided(memory, {4}, {1}, 2)); }, "overlaps a part of one that is read");
}

TEST(Out, AViewThatWouldReachIntoAnInputIsRefused) {
  const auto twice_into = [](Tensor out, const Tensor& self) {
    Out<Twice, 1> op(out);
    op.check_inputs(self);
    op.meta(self, Demand::raw);
  };
  const Tensor memory = empty({12}, kFloat);
  const auto rows = [&](int64_t count, int64_t start) { return as_strided(memory, {count, 3}, {3, 1}, start); };
  const Tensor self = rows(2, 3);
  EXPECT_THAT(message_of([&] { twice_into(rows(0, 3), self); }), HasSubstr("shares memory"));
  EXPECT_THAT(message_of([&] { twice_into(rows(0, 0), self); }), HasSubstr("shares memory"));
  EXPECT_NO_THROW(twice_into(rows(0, 9), self));
  EXPECT_NO_THROW(twice_into(rows(0, 3), empty({2, 3})));
  const Tensor none = rows(0, 3);
  EXPECT_NO_THROW(twice_into(rows(0, 3), none));
}

TEST(Out, MistakesOfMetaAreErrors) {
  Tensor out = empty({2, 3});
  EXPECT_EQ(message_of([&] { test::twice_out(two_by_three(), Demand::never, out); }),
            "output 0 was not set by the meta function");
  EXPECT_EQ(message_of([&] { test::twice_out(two_by_three(), Demand::twice, out); }),
            "output 0 was set twice by the meta function");
  EXPECT_EQ(message_of([&] { test::twice_out(two_by_three(), Demand::second, out); }),
            "expected the index of an output below 1, got 1");
  EXPECT_EQ(message_of([&] {
              Out<Twice, 1> op(out);
              op.meta(two_by_three(), Demand::never);
              op.finish();
            }),
            "output 0 was not set by the meta function");
  EXPECT_EQ(out.version(), 0u);
}

TEST(OutOfTwo, EachIsResizedAndBumpedByItself) {
  Tensor positive = empty_strided({3}, {2}, kFloat);
  Tensor negative = empty({7});
  const CaughtWarnings warnings;
  const auto [first, second] = test::split_sign_out(tensor<float>({1, -2, 3}), true, positive, negative);
  EXPECT_TRUE(first.is_same(positive));
  EXPECT_TRUE(second.is_same(negative));
  EXPECT_EQ(to_vector<float>(positive), (std::vector<float>{1, 0, 3})) << "by way of a stand-in";
  EXPECT_EQ(positive.stride(0), 2);
  EXPECT_EQ(to_vector<float>(negative), (std::vector<float>{0, -2, 0}));
  EXPECT_EQ(positive.version(), 1u);
  EXPECT_EQ(negative.version(), 1u);
  EXPECT_EQ(warnings.get().size(), 1u);
}

TEST(OutOfTwo, TheOneLeftOutIsNotTouched) {
  Tensor positive = empty({3});
  Tensor negative = tensor<float>({8, 8}, {2});
  test::split_sign_out(tensor<float>({1, -2, 3}), false, positive, negative);
  EXPECT_EQ(to_vector<float>(positive), (std::vector<float>{1, 0, 3}));
  EXPECT_EQ(to_vector<float>(negative), (std::vector<float>{8, 8}));
  EXPECT_EQ(positive.version(), 1u);
  EXPECT_EQ(negative.version(), 0u);
}

TEST(OutOfTwo, TheyMustNotOverlap) {
  Tensor both = empty({3});
  EXPECT_EQ(message_of([&] { test::split_sign_out(tensor<float>({1, -2, 3}), true, both, both); }),
            "expected outputs that do not overlap, got outputs 0 and 1 with memory in common");
  const Tensor base = empty({4});
  Tensor low = as_strided(base, {3}, {1}, 0);
  Tensor high = as_strided(base, {3}, {1}, 1);
  EXPECT_EQ(message_of([&] { test::split_sign_out(tensor<float>({1, -2, 3}), true, low, high); }),
            "expected outputs that do not overlap, got outputs 0 and 1 with memory in common");
  EXPECT_EQ(message_of([&] { test::split_sign_out(tensor<float>({1, -2, 3}), false, both, both); }), "no error");
}

TEST(OutOfTwo, NeighboursInOneStorageAreFine) {
  const Tensor base = empty({6});
  Tensor low = as_strided(base, {3}, {1}, 0);
  Tensor high = as_strided(base, {3}, {1}, 3);
  test::split_sign_out(tensor<float>({1, -2, 3}), true, low, high);
  EXPECT_EQ(to_vector<float>(base), (std::vector<float>{1, 0, 3, 0, -2, 0}));
}

}  // namespace
}  // namespace structured::out_test
