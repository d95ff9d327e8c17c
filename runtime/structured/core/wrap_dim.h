#pragma once
// Validation and wrapping of dimension arguments.
#include <cstdint>

#include "structured/base/error.h"
#include "structured/base/export.h"

namespace structured {

namespace detail {
[[noreturn]] STRUCTURED_API void fail_wrap_dim(int64_t dim, int64_t count);
}

/// Maps `dim` to [0, rank); negative dimensions count from the end. A tensor without dimensions accepts 0 and -1, as if
/// it had one. Throws Error for any other value.
inline int64_t wrap_dim(int64_t dim, int64_t rank) {
  const int64_t count = rank == 0 ? 1 : rank;
  if (dim < -count || dim >= count) [[unlikely]]
    detail::fail_wrap_dim(dim, count);
  return dim < 0 ? dim + count : dim;
}

}  // namespace structured
