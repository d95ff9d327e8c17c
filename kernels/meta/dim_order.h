#pragma once
// Orders of dimensions.
#include <algorithm>
#include <cstdint>

namespace structured::kernels {

/// Sorts dimensions and keeps the order of equal ones, by insertion. std::stable_sort allocates memory.
template <class Less>
void sort_dims(int64_t* begin, int64_t* end, const Less& is_less) {
  for (int64_t* dim = begin; dim != end; ++dim) std::rotate(std::upper_bound(begin, dim, *dim, is_less), dim, dim + 1);
}

}  // namespace structured::kernels
