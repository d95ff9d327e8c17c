#include <structured/core/memory_format.h>
#include <structured/format/print.h>

#include "throws_error.h"

namespace structured {
namespace {

TEST(MemoryFormat, Prints) {
  EXPECT_EQ(to_string(MemoryFormat::Contiguous), std::string("Contiguous"));
  EXPECT_EQ(to_string(MemoryFormat::ChannelsLast3d), std::string("ChannelsLast3d"));
}

TEST(MemoryFormat, GivesStrides) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}), (DimVector{12, 4, 1}));
  EXPECT_EQ(contiguous_strides({2, 0, 4}), (DimVector{4, 4, 1}));
  EXPECT_EQ(contiguous_strides({}), DimVector());
  EXPECT_EQ(strides_for({2, 3}, MemoryFormat::Contiguous), (DimVector{3, 1}));
  EXPECT_EQ(strides_for({2, 3, 4, 5}, MemoryFormat::ChannelsLast), (DimVector{60, 1, 15, 3}));
  EXPECT_EQ(strides_for({2, 3, 4, 5, 6}, MemoryFormat::ChannelsLast3d), (DimVector{360, 1, 90, 18, 3}));
}

TEST(MemoryFormat, RefusesStridesThatItHasNot) {
  EXPECT_ERROR(strides_for({2, 3}, MemoryFormat::ChannelsLast),
               "expected 4 dimensions for memory format ChannelsLast, got sizes [2, 3]");
  EXPECT_ERROR(strides_for({2}, MemoryFormat::ChannelsLast3d),
               "expected 5 dimensions for memory format ChannelsLast3d, got sizes [2]");
  EXPECT_ERROR(strides_for({2}, MemoryFormat::Preserve),
               "expected a memory format with an order of its own, got Preserve");
}

TEST(MemoryFormat, RecognisesContiguous) {
  EXPECT_TRUE(is_contiguous({}, {}));
  EXPECT_TRUE(is_contiguous({2, 3}, {3, 1}));
  EXPECT_TRUE(is_contiguous({2, 1, 3}, {3, 77, 1}));  // the stride of a single element does not matter
  EXPECT_TRUE(is_contiguous({5, 0}, {9, 9}));
  EXPECT_FALSE(is_contiguous({2, 3}, {1, 2}));
  EXPECT_FALSE(is_contiguous({2, 3}, {4, 1}));
  EXPECT_FALSE(is_contiguous({3}, {0}));
}

TEST(MemoryFormat, RecognisesDenseChannelsLast) {
  EXPECT_TRUE(is_channels_last_contiguous({2, 3, 4, 5}, {60, 1, 15, 3}));
  EXPECT_FALSE(is_channels_last_contiguous({2, 3, 4, 5}, {60, 20, 5, 1}));
  EXPECT_FALSE(is_channels_last_contiguous({2, 3, 4, 5}, {120, 2, 30, 6}));
  EXPECT_TRUE(is_channels_last_contiguous({2, 1, 4, 5}, {20, 20, 5, 1}));  // both at once
  EXPECT_TRUE(is_channels_last_contiguous({2, 3, 4, 5, 6}, {360, 1, 90, 18, 3}));
  EXPECT_FALSE(is_channels_last_contiguous({2, 3, 4}, {12, 1, 3}));
}

TEST(MemoryFormat, RecognisesTheOrderOfChannelsLast) {
  EXPECT_TRUE(has_channels_last_strides({2, 3, 4, 5}, {60, 1, 15, 3}));
  EXPECT_TRUE(has_channels_last_strides({2, 3, 4, 5}, {120, 2, 30, 6}));  // in order, not dense
  EXPECT_FALSE(has_channels_last_strides({2, 3, 4, 5}, {60, 20, 5, 1}));
  EXPECT_FALSE(has_channels_last_strides({1, 1, 4, 5}, {20, 20, 5, 1}));
  EXPECT_FALSE(has_channels_last_strides({2, 1, 1, 1}, {1, 1, 1, 1}));  // ambiguous
  EXPECT_FALSE(has_channels_last_strides({2, 3, 1, 1}, {3, 1, 1, 1}));
  EXPECT_TRUE(has_channels_last_strides({2, 3, 1, 1}, {3, 1, 3, 3}));
  EXPECT_FALSE(has_channels_last_strides({2, 3, 4, 5}, {0, 0, 0, 0}));
  EXPECT_FALSE(has_channels_last_strides({2, 0, 4, 5}, {20, 1, 5, 1}));
  EXPECT_TRUE(has_channels_last_strides({2, 3, 4, 5, 6}, {360, 1, 90, 18, 3}));
  EXPECT_FALSE(has_channels_last_strides({2, 3, 4}, {12, 1, 3}));
}

TEST(MemoryFormat, SizesThatOverflowAreRefusedByWhoeverCountsBytes) {
  const int64_t many = int64_t{1} << 40;
  EXPECT_EQ(strides_for({many, many, many, 1}, MemoryFormat::ChannelsLast)[1], 1);
}

TEST(MemoryFormat, RecognisesDenseInAnyOrder) {
  EXPECT_TRUE(is_non_overlapping_and_dense({2, 3, 4}, {12, 4, 1}));
  EXPECT_TRUE(is_non_overlapping_and_dense({2, 3, 4}, {1, 8, 2}));
  EXPECT_TRUE(is_non_overlapping_and_dense({2, 1, 3}, {3, 50, 1}));
  EXPECT_TRUE(is_non_overlapping_and_dense({0, 3}, {8, 8}));
  EXPECT_TRUE(is_non_overlapping_and_dense({}, {}));
  EXPECT_TRUE(is_non_overlapping_and_dense({1}, {5}));
  EXPECT_FALSE(is_non_overlapping_and_dense({2, 3}, {4, 1}));
  EXPECT_FALSE(is_non_overlapping_and_dense({2, 3}, {0, 1}));
  EXPECT_FALSE(is_non_overlapping_and_dense({2, 2}, {1, 1}));
}

}  // namespace
}  // namespace structured
