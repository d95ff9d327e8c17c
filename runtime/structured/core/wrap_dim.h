#pragma once
// Validation and wrapping of dimension arguments.
#include <cstdint>

#include "structured/core/error.h"

namespace structured {

/// Maps `dim` to [0, rank); negative dimensions count from the end. A tensor without dimensions accepts 0 and -1, as if
/// it had one. Throws Error for any other value.
inline std::int64_t wrap_dim(std::int64_t dim, std::int64_t rank) {
  const std::int64_t count = rank == 0 ? 1 : rank;
  STRUCTURED_CHECK(-count <= dim && dim < count, "expected a dimension from ", -count, " to ", count - 1, ", got ",
                   dim);
  return dim < 0 ? dim + count : dim;
}

}  // namespace structured
