// What the meta functions of this library give their kernels.
#pragma once
#include <cstdint>

namespace my::shapes {

struct Plan {
  std::int64_t dim = 0;
  std::int64_t count = 0;
};

}  // namespace my::shapes
