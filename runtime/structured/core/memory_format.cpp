#include "structured/core/memory_format.h"

#include <algorithm>
#include <ostream>

#include "structured/core/layout.h"

namespace structured {

namespace {

// Dimensions from the fastest to the slowest; empty if the format does not support this rank.
ArrayRef<int> channels_last_order(std::size_t rank) {
  static constexpr int order_4d[] = {1, 3, 2, 0};
  static constexpr int order_5d[] = {1, 4, 3, 2, 0};
  if (rank == 4) return order_4d;
  if (rank == 5) return order_5d;
  return {};
}

DimVector channels_last_strides(IntArrayRef sizes) {
  DimVector strides(sizes.size(), 0);
  int64_t step = 1;
  for (const int dim : channels_last_order(sizes.size())) {
    strides[dim] = step;
    static_cast<void>(__builtin_mul_overflow(step, std::max<int64_t>(sizes[dim], 1), &step));  // see below
  }
  return strides;
}

}  // namespace

const char* to_string(Layout layout) {
  constexpr const char* names[] = {
#define STRUCTURED_LAYOUT(enumerator, ...) #enumerator,
#include "structured/schema/enumerations.def"
  };
  return names[static_cast<int>(layout)];
}

std::ostream& operator<<(std::ostream& out, Layout layout) { return out << to_string(layout); }

const char* to_string(MemoryFormat format) {
  constexpr const char* names[] = {
#define STRUCTURED_MEMORY_FORMAT(enumerator, ...) #enumerator,
#include "structured/schema/enumerations.def"
  };
  return names[static_cast<int>(format)];
}

std::ostream& operator<<(std::ostream& out, MemoryFormat format) { return out << to_string(format); }

DimVector contiguous_strides(IntArrayRef sizes) {
  DimVector strides;
  strides.resize(sizes.size());
  int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    // An overflow needs no error here: counting the bytes of these sizes fails, because the inner dimensions overflow.
    static_cast<void>(__builtin_mul_overflow(step, std::max<int64_t>(sizes[i], 1), &step));
  }
  return strides;
}

DimVector strides_for(IntArrayRef sizes, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::Contiguous:
      return contiguous_strides(sizes);
    case MemoryFormat::ChannelsLast:
      STRUCTURED_CHECK(sizes.size() == 4, "expected 4 dimensions for memory format ChannelsLast, got sizes ", sizes);
      return channels_last_strides(sizes);
    case MemoryFormat::ChannelsLast3d:
      STRUCTURED_CHECK(sizes.size() == 5, "expected 5 dimensions for memory format ChannelsLast3d, got sizes ", sizes);
      return channels_last_strides(sizes);
    case MemoryFormat::Preserve:
      break;
  }
  fail("expected a memory format with an order of its own, got ", format);
}

bool is_contiguous(IntArrayRef sizes, IntArrayRef strides) {
  int64_t step = 1;
  bool is_dense = true;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 0) return true;
    if (sizes[i] == 1) continue;
    is_dense = is_dense && strides[i] == step;
    step *= sizes[i];
  }
  return is_dense;
}

bool is_channels_last_contiguous(IntArrayRef sizes, IntArrayRef strides) {
  const ArrayRef<int> order = channels_last_order(sizes.size());
  if (order.empty()) return false;
  int64_t step = 1;
  for (const int dim : order) {
    if (sizes[dim] == 1) continue;
    if (strides[dim] != step) return false;
    step *= sizes[dim];
  }
  return true;
}

bool has_channels_last_strides(IntArrayRef sizes, IntArrayRef strides) {
  const ArrayRef<int> order = channels_last_order(sizes.size());
  if (order.empty() || strides[1] == 0) return false;  // stride 0 is an expanded channel, no order
  int64_t least = 0;
  for (const int dim : order) {
    if (sizes[dim] == 0 || strides[dim] < least) return false;
    // [N, 1, 1, 1] and [N, C, 1, 1] with contiguous strides fit both formats: contiguous wins.
    if (dim == 0 && least == strides[1]) return false;
    least = strides[dim];
    // Strides of dimensions of size 1 count as well: they may record the intended format.
    if (sizes[dim] > 1) least *= sizes[dim];
  }
  return true;
}

bool is_non_overlapping_and_dense(IntArrayRef sizes, IntArrayRef strides) {
  const std::size_t rank = sizes.size();
  std::size_t left = 0;  // dimensions that move
  for (std::size_t i = 0; i < rank; ++i) {
    if (sizes[i] == 0) return true;
    left += sizes[i] != 1;
  }
  // Each dimension begins where the faster ones end.
  for (int64_t step = 1; left > 0; --left) {
    std::size_t dim = 0;
    while (dim < rank && (sizes[dim] == 1 || strides[dim] != step)) ++dim;
    if (dim == rank) return false;
    step *= sizes[dim];
  }
  return true;
}

}  // namespace structured
