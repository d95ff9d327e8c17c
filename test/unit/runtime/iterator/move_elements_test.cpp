// Compares move_elements with its definition.
#include "structured/iterator/move_elements.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "structured/core/dim_vector.h"

namespace structured::move_elements_test {
namespace {

struct Layout {
  DimVector sizes;
  DimVector to;    // in elements
  DimVector from;  // in elements
};

// Position of the smallest index of each dimension, so that negative strides stay inside the buffer.
int64_t origin(const DimVector& sizes, const DimVector& strides) {
  int64_t start = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (strides[d] < 0) start -= strides[d] * (sizes[d] - 1);
  }
  return start;
}

int64_t reach(const DimVector& sizes, const DimVector& strides) {
  int64_t count = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    count += (strides[d] < 0 ? -strides[d] : strides[d]) * (sizes[d] - 1);
  }
  return count;
}

void expect_moved(const Layout& layout, int shift) {
  const auto item = int64_t{1} << shift;
  const auto room = [&](const DimVector& strides) {
    return static_cast<std::size_t>(reach(layout.sizes, strides) * item);
  };
  std::vector<char> from(room(layout.from));
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i * 7 + i / 251);
  std::vector<char> moved(room(layout.to), 0);
  std::vector<char> expected = moved;
  const int64_t to_start = origin(layout.sizes, layout.to) * item;
  const int64_t from_start = origin(layout.sizes, layout.from) * item;

  DimVector index(layout.sizes.size(), 0);
  while (true) {
    int64_t to = to_start;
    int64_t at = from_start;
    for (std::size_t d = 0; d < index.size(); ++d) {
      to += index[d] * layout.to[d] * item;
      at += index[d] * layout.from[d] * item;
    }
    std::memcpy(expected.data() + to, from.data() + at, static_cast<std::size_t>(item));
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == layout.sizes[d - 1]) index[--d] = 0;
    if (d == 0) break;
  }

  DimVector to_bytes(layout.to);
  DimVector from_bytes(layout.from);
  for (int64_t& stride : to_bytes) stride *= item;
  for (int64_t& stride : from_bytes) stride *= item;
  move_elements(moved.data() + to_start, to_bytes, from.data() + from_start, from_bytes, layout.sizes, shift);
  EXPECT_EQ(moved, expected) << "sizes " << layout.sizes << ", to " << layout.to << ", from " << layout.from
                             << ", elements of " << item << " bytes";
}

TEST(MoveElements, DoesWhatIndicesSayForEveryOrder) {
  const Layout layouts[] = {
      {{}, {}, {}},                                          // one element
      {{100}, {1}, {1}},                                     // dense
      {{100}, {1}, {-1}},                                    // backwards
      {{100}, {3}, {2}},                                     // with gaps
      {{5000}, {1}, {0}},                                    // one element, repeated
      {{70, 90}, {90, 1}, {1, 70}},                          // transposed, with edges of tiles
      {{3, 5}, {5, 1}, {1, 3}},                              // smaller than a tile
      {{70, 90}, {90, 1}, {1, 80}},                          // from rows with gaps
      {{4, 70, 3, 33}, {6930, 99, 33, 1}, {99, 396, 1, 3}},  // four dimensions
      {{40, 60}, {60, 1}, {-60, -1}},                        // upside down
      {{40, 60}, {60, 1}, {-1, 40}},                         // rotated
      {{300, 2}, {2, 1}, {1, 0}},
      {{300, 3}, {3, 1}, {1, 0}},
      {{300, 4}, {4, 1}, {1, 0}},
      {{300, 5}, {5, 1}, {1, 0}},
      {{2000, 3}, {4, 1}, {7, 2}},                        // short rows
      {{3, 200, 200}, {40000, 200, 1}, {40000, 1, 200}},  // for several threads
      {{300, 400}, {401, 1}, {402, 1}},
  };
  for (const Layout& layout : layouts) {
    for (int shift = 0; shift <= 4; ++shift) expect_moved(layout, shift);
  }
}

TEST(MoveElements, TouchesNothingWhereThereAreNoElements) {
  move_elements(nullptr, {8, 4}, nullptr, {4, 8}, {2, 0}, 2);
}

}  // namespace
}  // namespace structured::move_elements_test
