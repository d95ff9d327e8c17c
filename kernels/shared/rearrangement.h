#pragma once
// Operators that permute, repeat or drop elements: flip, roll, pixel and channel shuffles, repeat, diagonals. All of
// them copy bytes between strided layouts. `Backend` has the functions move_elements (iterator/move_elements.h) and
// set_zero, for a contiguous tensor.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>

#include <cstddef>
#include <cstdint>

namespace structured::kernels::rearrangement {

inline char* bytes_of(const Tensor& tensor) { return static_cast<char*>(tensor.data()); }

/// Returns strides in bytes.
inline DimVector byte_strides(const Tensor& tensor) {
  DimVector strides(tensor.strides());
  for (int64_t& stride : strides) stride <<= item_size_log2(tensor.scalar_type());
  return strides;
}

/// Dimensions of a strided copy, collected one by one: sizes and the strides of both sides.
template <class Backend>
struct Move {
  DimVector sizes;
  DimVector to;
  DimVector from;

  void add(int64_t size, int64_t to_stride, int64_t from_stride) {
    if (size == 1) return;
    sizes.push_back(size);
    to.push_back(to_stride);
    from.push_back(from_stride);
  }
  void run(const Tensor& out, const Tensor& self) const {
    Backend::move_elements(bytes_of(out), to, bytes_of(self), from, sizes, item_size_log2(out.scalar_type()));
  }
};

/// Copies the two pieces of each dimension from `d` on, in all combinations.
template <class Backend>
void roll_dims(char* to, const DimVector& to_strides, const char* from, const DimVector& from_strides,
               const DimVector& shifts, DimVector& sizes, size_t d, int item_shift) {
  while (d < shifts.size() && shifts[d] == 0) ++d;
  if (d == shifts.size()) {
    Backend::move_elements(to, to_strides, from, from_strides, sizes, item_shift);
    return;
  }
  const int64_t extent = sizes[d];
  const int64_t shift = shifts[d];
  sizes[d] = shift;
  roll_dims<Backend>(to, to_strides, from + (extent - shift) * from_strides[d], from_strides, shifts, sizes, d + 1,
                     item_shift);
  sizes[d] = extent - shift;
  roll_dims<Backend>(to + shift * to_strides[d], to_strides, from, from_strides, shifts, sizes, d + 1, item_shift);
  sizes[d] = extent;
}

/// Returns `shift` modulo `extent`, in [0, extent).
inline int64_t wrapped_shift(int64_t shift, int64_t extent) {
  const int64_t rest = shift % extent;
  return rest < 0 ? rest + extent : rest;
}

template <class Backend>
void flip(const Tensor& self, IntArrayRef dims, const Tensor& out) {
  if (self.numel() == 0) return;
  const char* from = bytes_of(self);
  DimVector strides = byte_strides(self);
  for (const int64_t dim : dims) {
    if (self.dim() == 0) break;
    int64_t& stride = strides[static_cast<size_t>(wrap_dim(dim, self.dim()))];
    from += (self.size(dim) - 1) * stride;
    stride = -stride;
  }
  Backend::move_elements(bytes_of(out), byte_strides(out), from, strides, self.sizes(),
                         item_size_log2(self.scalar_type()));
}

template <class Backend>
void roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims, const Tensor& out) {
  if (self.numel() == 0) return;
  const int item_shift = item_size_log2(self.scalar_type());
  if (dims.empty()) {  // flattened
    const int64_t shift = wrapped_shift(shifts[0], self.numel());
    Tensor rows = self;
    if (!self.is_contiguous()) {
      rows = empty(self.sizes(), self.options());
      copy_into(rows, self);
    }
    const int64_t item = int64_t{1} << item_shift;
    DimVector sizes(1, self.numel());
    roll_dims<Backend>(bytes_of(out), {item}, bytes_of(rows), {item}, {shift}, sizes, 0, item_shift);
    return;
  }
  DimVector by(self.sizes().size(), 0);
  for (size_t i = 0; i < dims.size(); ++i) {  // a dimension may occur more than once
    const int64_t dim = wrap_dim(dims[i], self.dim());
    const int64_t extent = self.size(dim);
    int64_t& total = by[static_cast<size_t>(dim)];
    total = (total + wrapped_shift(shifts[i], extent)) % extent;
  }
  DimVector sizes(self.sizes());
  roll_dims<Backend>(bytes_of(out), byte_strides(out), bytes_of(self), byte_strides(self), by, sizes, 0, item_shift);
}

template <class Backend>
void repeat(const Tensor& self, IntArrayRef repeats, const Tensor& out) {
  if (out.numel() == 0) return;
  const DimVector to = byte_strides(out);
  const DimVector from = byte_strides(self);
  const size_t added = repeats.size() - self.sizes().size();
  Move<Backend> move;
  for (size_t d = 0; d < repeats.size(); ++d) {
    const int64_t extent = d < added ? 1 : self.sizes()[d - added];
    move.add(repeats[d], extent * to[d], 0);
    if (extent != 1) move.add(extent, to[d], from[d - added]);
  }
  move.run(out, self);
}

template <class Backend>
void diag(const Tensor& self, int64_t diagonal, const Tensor& out) {
  const bool is_vector = self.dim() == 1;
  const Tensor& matrix = is_vector ? out : self;
  if (is_vector) Backend::set_zero(out);
  const int64_t count = is_vector ? self.size(0) : out.size(0);
  if (count == 0) return;
  const int64_t item = int64_t{1} << item_size_log2(self.scalar_type());
  const int64_t step = (matrix.stride(0) + matrix.stride(1)) * item;
  const int64_t start = (diagonal >= 0 ? diagonal * matrix.stride(1) : -diagonal * matrix.stride(0)) * item;
  const int64_t vector_step = (is_vector ? self : out).stride(0) * item;
  Backend::move_elements(bytes_of(out) + (is_vector ? start : 0), is_vector ? step : vector_step,
                         bytes_of(self) + (is_vector ? 0 : start), is_vector ? vector_step : step, count,
                         item_size_log2(self.scalar_type()));
}

template <class Backend>
void diag_embed(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2, const Tensor& out) {
  Backend::set_zero(out);
  if (self.numel() == 0) return;
  const int64_t first = wrap_dim(dim1, out.dim());
  const int64_t second = wrap_dim(dim2, out.dim());
  const DimVector strides = byte_strides(out);
  DimVector to;
  for (int64_t d = 0; d < out.dim(); ++d) {
    if (d != first && d != second) to.push_back(strides[static_cast<size_t>(d)]);
  }
  const int64_t down = strides[static_cast<size_t>(first)];
  const int64_t across = strides[static_cast<size_t>(second)];
  to.push_back(down + across);
  Backend::move_elements(bytes_of(out) + (offset >= 0 ? offset * across : -offset * down), to, bytes_of(self),
                         byte_strides(self), self.sizes(), item_size_log2(self.scalar_type()));
}

template <class Backend>
void narrow_copy(const Tensor& self, int64_t dim, int64_t start, int64_t, const Tensor& out) {
  if (start < 0) start += self.size(dim);
  copy_into(out, as_strided(self, out.sizes(), self.strides(), self.storage_offset() + start * self.stride(dim)));
}

template <class Backend>
void pixel_shuffle(const Tensor& self, int64_t upscale_factor, const Tensor& out) {
  if (out.numel() == 0) return;
  const int64_t r = upscale_factor;
  const DimVector to = byte_strides(out);
  const DimVector from = byte_strides(self);
  const size_t rank = to.size();
  Move<Backend> move;
  for (size_t d = 0; d + 3 < rank; ++d) move.add(self.sizes()[d], to[d], from[d]);
  move.add(out.sizes()[rank - 3], to[rank - 3], r * r * from[rank - 3]);
  move.add(r, to[rank - 2], r * from[rank - 3]);
  move.add(r, to[rank - 1], from[rank - 3]);
  move.add(self.sizes()[rank - 2], r * to[rank - 2], from[rank - 2]);
  move.add(self.sizes()[rank - 1], r * to[rank - 1], from[rank - 1]);
  move.run(out, self);
}

template <class Backend>
void pixel_unshuffle(const Tensor& self, int64_t downscale_factor, const Tensor& out) {
  if (out.numel() == 0) return;
  const int64_t r = downscale_factor;
  const DimVector to = byte_strides(out);
  const DimVector from = byte_strides(self);
  const size_t rank = to.size();
  Move<Backend> move;
  for (size_t d = 0; d + 3 < rank; ++d) move.add(self.sizes()[d], to[d], from[d]);
  move.add(self.sizes()[rank - 3], r * r * to[rank - 3], from[rank - 3]);
  move.add(r, r * to[rank - 3], from[rank - 2]);
  move.add(r, to[rank - 3], from[rank - 1]);
  move.add(out.sizes()[rank - 2], to[rank - 2], r * from[rank - 2]);
  move.add(out.sizes()[rank - 1], to[rank - 1], r * from[rank - 1]);
  move.run(out, self);
}

template <class Backend>
void channel_shuffle(const Tensor& self, int64_t groups, const Tensor& out) {
  if (out.numel() == 0) return;
  const DimVector to = byte_strides(out);
  const DimVector from = byte_strides(self);
  const int64_t length = self.size(1) / groups;
  Move<Backend> move;
  move.add(groups, to[1], length * from[1]);
  move.add(length, groups * to[1], from[1]);
  for (size_t d = 0; d < to.size(); ++d) {
    if (d != 1) move.add(self.sizes()[d], to[d], from[d]);
  }
  move.run(out, self);
}

}  // namespace structured::kernels::rearrangement
