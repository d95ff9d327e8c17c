#pragma once
#include <cstdint>

namespace trial {

/// Value that meta computes for impl: a dimension that is not negative.
struct WrappedDim {
  int64_t dim;
};

}  // namespace trial
