#include "structured/iterator/shape.h"

#include <algorithm>

#include "structured/base/error.h"

namespace structured {

DimVector broadcast_shape(IntArrayRef a, IntArrayRef b) { return detail::broadcast_shape(a, b, {}); }

DimVector detail::broadcast_shape(IntArrayRef a, IntArrayRef b, ArgumentPart operand) {
  const std::size_t ndim = std::max(a.size(), b.size());
  DimVector shape(ndim, 1);
  for (std::size_t from_end = 1; from_end <= ndim; ++from_end) {
    const int64_t size_a = from_end <= a.size() ? a[a.size() - from_end] : 1;
    const int64_t size_b = from_end <= b.size() ? b[b.size() - from_end] : 1;
    STRUCTURED_CHECK(size_a == size_b || size_a == 1 || size_b == 1, operand, "shapes ", a, " and ", b,
                     " do not broadcast: expected sizes in dimension ", ndim - from_end, " to be equal or 1, got ",
                     size_a, " and ", size_b);
    shape[ndim - from_end] = size_a == 1 ? size_b : size_a;
  }
  return shape;
}

}  // namespace structured
