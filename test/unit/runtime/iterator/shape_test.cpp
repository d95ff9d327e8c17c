#include "structured/iterator/shape.h"

#include <gmock/gmock.h>

#include "../../expect_error.h"
#include "structured/base/error.h"

namespace structured {
namespace {

using test::expect_error;

TEST(BroadcastShape, MatchesDimensionsFromTheLast) {
  EXPECT_EQ(broadcast_shape({2, 3}, {2, 3}), (DimVector{2, 3}));
  EXPECT_EQ(broadcast_shape({2, 3}, {3}), (DimVector{2, 3}));
  EXPECT_EQ(broadcast_shape({3}, {2, 1}), (DimVector{2, 3}));
  EXPECT_EQ(broadcast_shape({5, 1, 4, 1}, {3, 1, 6}), (DimVector{5, 3, 4, 6}));
  EXPECT_EQ(broadcast_shape({}, {2}), (DimVector{2}));
  EXPECT_EQ(broadcast_shape({}, {}), DimVector());
}

TEST(BroadcastShape, TakesZeroForASizeLikeAnyOther) {
  EXPECT_EQ(broadcast_shape({0}, {1}), (DimVector{0}));
  EXPECT_EQ(broadcast_shape({2, 0}, {2, 1}), (DimVector{2, 0}));
  expect_error([&] { broadcast_shape({0}, {2}); }, "shapes [0] and [2] do not broadcast");
}

TEST(BroadcastShape, NamesTheDimensionThatDoesNotMatch) {
  try {
    broadcast_shape({2, 3, 4}, {5, 4});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "shapes [2, 3, 4] and [5, 4] do not broadcast: expected sizes in dimension 1 to be equal or 1, got 3 and 5");
  }
}

}  // namespace
}  // namespace structured
