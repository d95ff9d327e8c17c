// Precomputed values that this library's meta functions pass to kernels.
#pragma once
#include <cstdint>

namespace my::shapes {

struct Plan {
  std::int64_t dim = 0;
  std::int64_t count = 0;
};

}  // namespace my::shapes
