// Ragged batches: rows of a tensor, and the offsets of consecutive parts.
#pragma once

#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>

#include <cstdint>

namespace geometry {

/// Returns the number of elements in a row of a tensor.
inline int64_t row_size(const at::Tensor& tensor) { return c10::multiply_integers(tensor.sizes().slice(1)); }

/// Throws unless `offsets` begins with 0, does not decrease, and ends with the number of rows.
inline void check_offsets(const char* name, const char* argument, at::ArrayRef<int64_t> offsets, int64_t rows) {
  TORCH_CHECK(offsets.front() == 0 && offsets.back() == rows, name, ": expected `", argument, "` from 0 to ", rows,
              ", the number of rows, got ", offsets.front(), " and ", offsets.back());
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    TORCH_CHECK(offsets[i - 1] <= offsets[i], name, ": expected `", argument, "` that do not decrease, got ",
                offsets[i - 1], " before ", offsets[i]);
  }
}

/// Returns the elements of a contiguous tensor of dtype Long.
inline at::ArrayRef<int64_t> integers(const at::Tensor& tensor) {
  return {tensor.const_data_ptr<int64_t>(), static_cast<std::size_t>(tensor.numel())};
}

/// Whether a maximum becomes `value`. NaN counts as the largest value.
template <typename T>
bool is_larger(T value, T maximum) {
  return value > maximum || (value != value && maximum == maximum);
}

}  // namespace geometry
