// Where in memory the elements are that dense indices tell.
#pragma once

#include <cstdint>

namespace structured::kernels {

/// Sets `offsets[i]` to `index[i] * stride + i * table_step`, where `below` is added to negative indices first. Returns
/// whether all indices are from `-below` to `size - 1`; offsets of others have no meaning.
bool find_dense_offsets(const int64_t* index, int64_t size, int64_t below, int64_t stride, int64_t table_step,
                        int64_t count, int64_t* offsets);

/// Whether all of `index` are from 0 to `size - 1`.
bool are_below(const int64_t* index, int64_t count, int64_t size);

}  // namespace structured::kernels
