#include "structured/kernel/overlap.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

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

TEST(Overlap, TensorsWithGapsAreSearched) {
  const Tensor base = storage_of(60);
  EXPECT_EQ(overlap(view(base, {3}, {2}), view(base, {3}, {2}, 1)), Overlap::none) << "alternating elements";
  EXPECT_EQ(overlap(view(base, {3}, {2}), view(base, {3}, {2}, 2)), Overlap::partial);
  EXPECT_EQ(overlap(view(base, {3}, {2}), view(base, {2}, {2})), Overlap::partial);
  EXPECT_EQ(overlap(view(base, {3}, {2}), view(base, {4}, {3}, 1)), Overlap::partial) << "element 4";
  EXPECT_EQ(overlap(view(base, {3}, {6}), view(base, {4}, {4}, 1)), Overlap::none) << "odd and even";
  EXPECT_EQ(overlap(view(base, {3, 3}, {5, 1}), view(base, {3, 3}, {1, 5})), Overlap::partial) << "transposed";
  EXPECT_EQ(overlap(view(base, {4, 2}, {10, 1}), view(base, {4, 3}, {10, 1}, 2)), Overlap::none) << "columns";
  EXPECT_EQ(overlap(view(base, {4, 2}, {10, 1}), view(base, {4, 3}, {10, 1}, 1)), Overlap::partial);
  EXPECT_EQ(overlap(view(base, {4, 3}, {10, 1}), view(base, {2, 3}, {0, 1}, 20)), Overlap::partial) << "expanded";
}

TEST(Overlap, SearchAgreesWithEveryAddress) {
  const Tensor base = storage_of(100);
  std::uint64_t state = 1;
  const auto random = [&](std::int64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::int64_t>(state >> 33) % below;
  };
  const auto addresses = [](const Tensor& tensor) {
    std::set<std::int64_t> found{tensor.storage_offset()};
    for (std::int64_t dim = 0; dim < tensor.dim(); ++dim) {
      const std::set<std::int64_t> before = found;
      for (std::int64_t i = 1; i < tensor.size(dim); ++i) {
        for (const std::int64_t address : before) found.insert(address + i * tensor.stride(dim));
      }
    }
    return found;
  };
  for (int round = 0; round < 2000; ++round) {
    const auto some = [&] {
      return view(base, {1 + random(3), 1 + random(4), 1 + random(3)}, {random(14), random(9), random(6)}, random(20));
    };
    const Tensor a = some();
    const Tensor b = some();
    const std::set<std::int64_t> of_b = addresses(b);
    bool is_shared = false;
    for (const std::int64_t address : addresses(a)) is_shared |= of_b.count(address) != 0;
    EXPECT_EQ(overlap(a, b) != Overlap::none, is_shared) << a.strides() << a.sizes() << b.strides() << b.sizes();
  }
}

TEST(Overlap, LeadingDimensionsOfSizeOneDoNotMatter) {
  const Tensor base = storage_of(12);
  EXPECT_EQ(overlap(view(base, {1, 3}, {7, 2}), view(base, {3}, {2})), Overlap::full);
  EXPECT_EQ(overlap(view(base, {3, 1}, {2, 5}), view(base, {3}, {2})), Overlap::partial);
  EXPECT_EQ(overlap(view(base, {3, 1}, {2, 5}), view(base, {3, 1}, {2, 7})), Overlap::full);
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
