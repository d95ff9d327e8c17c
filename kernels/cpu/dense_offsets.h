// Byte offsets of elements selected by dense indices.
#pragma once

#include <cstdint>

namespace structured::kernels {

/// Sets `offsets[i]` to `index[i] * stride + i * table_step`, after adding `below` to negative indices. Returns whether
/// all indices are in [-below, size); offsets of other indices are unspecified.
bool find_dense_offsets(const int64_t* index, int64_t size, int64_t below, int64_t stride, int64_t table_step,
                        int64_t count, int64_t* offsets);

/// Returns whether all elements of `index` are in [0, size).
bool are_below(const int64_t* index, int64_t count, int64_t size);

}  // namespace structured::kernels
