#include <structured/core/dim_vector.h>
#include <structured/format/print.h>

#include "throws_error.h"

namespace structured {
namespace {

TEST(DimVector, GrowsAndShrinks) {
  DimVector dims;
  EXPECT_TRUE(dims.empty());
  dims.push_back(2);
  dims.push_back(3);
  dims.insert(0, 1);
  dims.insert(3, 4);
  EXPECT_EQ(dims, (DimVector{1, 2, 3, 4}));
  dims.erase(1);
  EXPECT_EQ(dims, (DimVector{1, 3, 4}));
  dims.pop_back();
  EXPECT_EQ(dims.back(), 3);
  dims.resize(4, 7);
  EXPECT_EQ(dims, (DimVector{1, 3, 7, 7}));
  dims.resize(1);
  EXPECT_EQ(dims, IntArrayRef(1));
  dims.clear();
  EXPECT_EQ(dims, DimVector());
}

TEST(DimVector, CopiesAndAssigns) {
  const DimVector original(3, 5);
  DimVector copy = original;
  EXPECT_EQ(copy, (DimVector{5, 5, 5}));
  copy[1] = 0;
  EXPECT_EQ(original[1], 5);
  copy = original;
  EXPECT_EQ(copy, original);
  copy = *&copy;
  EXPECT_EQ(copy, original);
  copy.assign({1, 2});
  EXPECT_EQ(copy, DimVector(IntArrayRef({1, 2})));
}

TEST(DimVector, HoldsSixtyFour) {
  DimVector dims(64, 1);
  EXPECT_EQ(dims.size(), 64u);
  EXPECT_ERROR(dims.push_back(1), "expected at most 64 dimensions, got 65");
  EXPECT_ERROR(dims.insert(0, 1), "expected at most 64 dimensions, got 65");
  EXPECT_ERROR(dims.resize(65), "expected at most 64 dimensions, got 65");
  EXPECT_EQ(dims, DimVector(64, 1));
}

TEST(DimVector, ChecksPositions) {
  DimVector dims{1, 2};
  EXPECT_ERROR(dims.insert(3, 0), "expected a position up to 2, got 3");
  EXPECT_ERROR(dims.erase(2), "expected a position below 2, got 2");
  DimVector none;
  EXPECT_ERROR(none.pop_back(), "expected a dimension to drop, got none");
}

TEST(DimVector, Prints) { EXPECT_EQ(to_string(DimVector{1, 2}), "[1, 2]"); }

}  // namespace
}  // namespace structured
