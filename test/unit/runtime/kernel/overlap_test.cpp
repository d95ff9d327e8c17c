#include "structured/kernel/overlap.h"

#include <gtest/gtest.h>

#include "structured/core/factory.h"
#include "test_support.h"

namespace structured {
namespace {

Tensor view(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, std::int64_t offset = 0) {
  return as_strided(base, sizes, strides, offset);
}

Tensor storage_of(std::int64_t elements) { return empty({elements}, kFloat); }

TEST(InternalOverlap, DenseTensorsHaveNone) {
  EXPECT_EQ(internal_overlap(empty({2, 3}, kFloat)), InternalOverlap::no);
  EXPECT_EQ(internal_overlap(empty_strided({2, 3}, {1, 2}, kFloat)), InternalOverlap::no);
  EXPECT_EQ(internal_overlap(scalar_tensor(1.0, kFloat)), InternalOverlap::no);
}

TEST(InternalOverlap, ExpandedDimensionsOverlap) {
  const Tensor base = storage_of(6);
  EXPECT_EQ(internal_overlap(view(base, {2, 3}, {0, 1})), InternalOverlap::yes);
  EXPECT_EQ(internal_overlap(view(base, {2, 3}, {1, 0})), InternalOverlap::yes);
  EXPECT_EQ(internal_overlap(view(base, {1, 3}, {0, 1})), InternalOverlap::no) << "one element is not expanded";
  EXPECT_EQ(internal_overlap(view(base, {2, 0}, {0, 1})), InternalOverlap::no) << "nor are none";
}

TEST(InternalOverlap, OtherStridesAreUndecided) {
  const Tensor base = storage_of(12);
  EXPECT_EQ(internal_overlap(view(base, {3}, {2})), InternalOverlap::undecided);
  EXPECT_EQ(internal_overlap(view(base, {3, 3}, {1, 1})), InternalOverlap::undecided);
  EXPECT_EQ(message_of([&] { assert_no_internal_overlap(view(base, {3}, {2})); }), "no error");
}

TEST(InternalOverlap, AssertionNamesSizesAndStrides) {
  EXPECT_EQ(message_of([] { assert_no_internal_overlap(view(storage_of(6), {2, 3}, {0, 1})); }),
            "several elements of the tensor to be written, of sizes [2, 3] and strides [0, 1], share one memory "
            "location; clone it first");
  EXPECT_EQ(message_of([] { assert_no_internal_overlap(storage_of(6)); }), "no error");
}

TEST(Overlap, DistinctStoragesHaveNothingInCommon) {
  EXPECT_EQ(overlap(storage_of(4), storage_of(4)), Overlap::none);
  EXPECT_EQ(overlap(view(storage_of(4), {2}, {2}), storage_of(4)), Overlap::none);
}

TEST(Overlap, TheSameElementsOverlapFully) {
  const Tensor base = storage_of(6);
  EXPECT_EQ(overlap(base, base), Overlap::full);
  EXPECT_EQ(overlap(base, view(base, {6}, {1})), Overlap::full);
  EXPECT_EQ(overlap(view(base, {2, 3}, {3, 1}), view(base, {2, 3}, {3, 1})), Overlap::full);
  EXPECT_EQ(overlap(view(base, {3}, {2}), view(base, {3}, {2})), Overlap::full);
}

TEST(Overlap, TheSameElementsInAnotherOrderOverlapInPart) {
  const Tensor base = storage_of(4);
  EXPECT_EQ(overlap(view(base, {2, 2}, {2, 1}), view(base, {2, 2}, {1, 2})), Overlap::partial);
}

TEST(Overlap, RangesAreComparedWithinAStorage) {
  const Tensor base = storage_of(6);
  EXPECT_EQ(overlap(view(base, {3}, {1}, 0), view(base, {3}, {1}, 3)), Overlap::none);
  EXPECT_EQ(overlap(view(base, {3}, {1}, 3), view(base, {3}, {1}, 0)), Overlap::none);
  EXPECT_EQ(overlap(view(base, {4}, {1}, 0), view(base, {3}, {1}, 3)), Overlap::partial);
  EXPECT_EQ(overlap(view(base, {3}, {1}, 3), view(base, {4}, {1}, 0)), Overlap::partial);
  EXPECT_EQ(overlap(base, view(base, {1}, {1}, 2)), Overlap::partial);
}

TEST(Overlap, EmptyTensorsHaveNothingInCommon) {
  const Tensor base = storage_of(6);
  EXPECT_EQ(overlap(base, view(base, {0}, {1}, 2)), Overlap::none);
}

TEST(Overlap, TensorsWithGapsAreUndecided) {
  const Tensor base = storage_of(6);
  EXPECT_EQ(overlap(view(base, {3}, {2}), view(base, {3}, {2}, 1)), Overlap::undecided);
  EXPECT_EQ(overlap(view(base, {3}, {2}), view(base, {2}, {2})), Overlap::undecided);
}

TEST(Overlap, TensorsWithoutDataOverlapToo) {
  const Tensor base = empty({6}, TensorOptions(kFloat).device(kMeta));
  EXPECT_EQ(overlap(view(base, {4}, {1}, 0), view(base, {3}, {1}, 3)), Overlap::partial);
  EXPECT_EQ(overlap(view(base, {3}, {1}, 0), view(base, {3}, {1}, 3)), Overlap::none);
}

TEST(Overlap, Assertions) {
  const Tensor base = storage_of(6);
  const Tensor low = view(base, {4}, {1}, 0);
  const Tensor high = view(base, {4}, {1}, 2);
  EXPECT_EQ(message_of([&] { assert_no_partial_overlap(low, high); }),
            "the tensor to be written, of sizes [4] and strides [1], overlaps a part of one that is read, of sizes [4] "
            "and strides [1]; clone one of them first");
  EXPECT_EQ(message_of([&] { assert_no_partial_overlap(low, low); }), "no error");
  EXPECT_EQ(message_of([&] { assert_no_overlap(low, low); }),
            "the tensor to be written, of sizes [4] and strides [1], shares memory with one that is read, of sizes [4] "
            "and strides [1]; clone one of them first");
  EXPECT_NE(message_of([&] { assert_no_overlap(low, high); }), "no error");
  EXPECT_EQ(message_of([&] { assert_no_overlap(low, storage_of(4)); }), "no error");
}

}  // namespace
}  // namespace structured
