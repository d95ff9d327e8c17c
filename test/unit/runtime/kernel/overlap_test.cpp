#include "structured/kernel/overlap.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "structured/core/factory.h"
#include "structured/core/tensor_impl.h"
#include "test_support.h"

namespace structured {
namespace {

Tensor view(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, int64_t offset = 0) {
  return as_strided(base, sizes, strides, offset);
}

// Returns a tensor without elements of another dtype, of the same storage.
Tensor of_dtype(const Tensor& base, ScalarType dtype) {
  return Tensor::adopt(TensorImpl::create(base.storage(), base.device(), dtype));
}

Tensor storage_of(int64_t elements) { return empty({elements}, kFloat); }

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

// Source of numbers that are the same in every run.
class Numbers {
 public:
  int64_t below(int64_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int64_t>(state_ >> 33) % limit;
  }

 private:
  uint64_t state_ = 1;
};

// Returns the offset of each byte of `tensor` in its storage.
std::set<int64_t> bytes_of(const Tensor& tensor) {
  std::set<int64_t> elements{tensor.storage_offset()};
  for (int64_t dim = 0; dim < tensor.dim(); ++dim) {
    const std::set<int64_t> before = elements;
    for (int64_t i = 1; i < tensor.size(dim); ++i) {
      for (const int64_t element : before) elements.insert(element + i * tensor.stride(dim));
    }
  }
  const auto size = static_cast<int64_t>(tensor.element_size());
  std::set<int64_t> bytes;
  for (const int64_t element : elements) {
    for (int64_t byte = 0; byte < size; ++byte) bytes.insert(element * size + byte);
  }
  return bytes;
}

void expect_search_agrees(const Tensor& a, const Tensor& b) {
  const std::set<int64_t> of_b = bytes_of(b);
  bool is_shared = false;
  for (const int64_t byte : bytes_of(a)) is_shared |= of_b.count(byte) != 0;
  const Overlap found = overlap(a, b);
  EXPECT_TRUE(is_shared ? found == Overlap::partial || found == Overlap::full : found == Overlap::none)
      << static_cast<int>(found) << a.strides() << a.sizes() << b.strides() << b.sizes();
}

TEST(Overlap, SearchAgreesWithEveryAddress) {
  const Tensor base = storage_of(100);
  Numbers numbers;
  const auto some = [&] {
    return view(base, {1 + numbers.below(3), 1 + numbers.below(4), 1 + numbers.below(3)},
                {numbers.below(14), numbers.below(9), numbers.below(6)}, numbers.below(20));
  };
  for (int round = 0; round < 2000; ++round) {
    const Tensor a = some();
    const Tensor b = some();
    expect_search_agrees(a, b);
  }
}

TEST(Overlap, SearchAgreesWithEveryByteOfItemsOfOtherSizes) {
  const Tensor base = empty({100}, kComplexDouble);
  const ScalarType dtypes[] = {kByte, kHalf, kFloat, kDouble, kComplexDouble};
  Numbers numbers;
  const auto some = [&] {
    const ScalarType dtype = dtypes[numbers.below(5)];
    const auto size = static_cast<int64_t>(item_size(dtype));
    return view(of_dtype(base, dtype), {1 + numbers.below(3), 1 + numbers.below(4)},
                {numbers.below(160 / size), numbers.below(80 / size)}, numbers.below(64 / size));
  };
  for (int round = 0; round < 2000; ++round) {
    const Tensor a = some();
    const Tensor b = some();
    expect_search_agrees(a, b);
  }
}

TEST(Overlap, CommonDivisorsOfStridesDecideLargeTensors) {
  const Tensor base = empty({3'100}, TensorOptions(kFloat).device(kMeta));
  const auto of_strides = [&](int64_t offset) { return view(base, {100, 100, 100}, {6, 10, 14}, offset); };
  EXPECT_EQ(overlap(of_strides(0), of_strides(1)), Overlap::none) << "even and odd";
  EXPECT_EQ(overlap(of_strides(0), of_strides(6)), Overlap::partial);
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
