#pragma once
// Kernels that copy elements as bytes: between strides, by mask, by position. Host side: launches in the current
// stream.
#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>

#include <cstdint>

namespace structured::kernels::device {

/// For each index within `sizes`, copies an element of `1 << item_size_log2` (0 to 4) bytes from `from` to `to`.
/// Strides are in bytes and may be negative; those of `from` may be zero.
void move_elements(char* to, IntArrayRef to_strides, const char* from, IntArrayRef from_strides, IntArrayRef sizes,
                   int item_size_log2);

/// Copies the elements of `self` where `mask` is true to `out`, one after the other, or the other way round. All are
/// contiguous. `positions` (Long) has the number of true elements up to and including each one.
void compress(const Tensor& self, const Tensor& mask, const Tensor& positions, const Tensor& out);
void expand_masked(const Tensor& source, const Tensor& mask, const Tensor& positions, const Tensor& out);

/// Writes the indices of the true elements of a contiguous `mask` to `out` [K, dimensions] (Long).
void write_indices(const Tensor& mask, const Tensor& positions, const Tensor& out);

/// Copies the lower or upper triangles of the matrices of `self`, and sets the other elements of `out` to 0.
void copy_triangles(const Tensor& self, int64_t diagonal, bool is_upper, const Tensor& out);

/// Which element of a dimension is copied to a position of the output.
struct PositionMap {
  enum class Kind : uint8_t { reflected, clamped, scaled };
  Kind kind = Kind::clamped;
  int64_t before = 0;  ///< padding, of reflected and clamped
  float ratio = 1;     ///< of scaled: (position + shift) * ratio, rounded down
  float shift = 0;
};

/// Sets out[n, c, i, ...] to self[n, c, map(i), ...] for 1 to 3 spatial dimensions.
void copy_mapped(const Tensor& self, const Tensor& out, ArrayRef<PositionMap> maps);

}  // namespace structured::kernels::device
