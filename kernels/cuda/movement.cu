#include "cuda/movement.h"

#include <structured/core/dim_vector.h>

#include <algorithm>

#include "cuda/element_loop.cuh"
#include "cuda/visit_size.cuh"
#include "cuda/walk.h"

namespace structured::kernels::device {
namespace {

template <class W>
struct Move {
  cuda::StridedWalk<2> walk;
  char* to;
  const char* from;
  __device__ void operator()(int64_t i) const {
    int64_t offsets[2] = {};
    walk.add_offsets(static_cast<uint32_t>(i), offsets);
    *reinterpret_cast<W*>(to + offsets[0]) = *reinterpret_cast<const W*>(from + offsets[1]);
  }
};

template <class W, bool kIsExpansion>
struct MoveMasked {
  const W* from;
  W* to;
  const bool* mask;
  const int64_t* positions;
  __device__ void operator()(int64_t i) const {
    if (!mask[i]) return;
    const int64_t position = positions[i] - 1;
    if constexpr (kIsExpansion) {
      to[i] = from[position];
    } else {
      to[position] = from[i];
    }
  }
};

struct WriteIndices {
  const bool* mask;
  const int64_t* positions;
  int64_t* to;
  int64_t row_step;
  int64_t column_step;
  int32_t rank;
  int64_t sizes[kMaxDims];
  __device__ void operator()(int64_t i) const {
    if (!mask[i]) return;
    int64_t* const row = to + (positions[i] - 1) * row_step;
    int64_t rest = i;
    for (int d = rank - 1; d >= 0; --d) {
      row[d * column_step] = rest % sizes[d];
      rest /= sizes[d];
    }
  }
};

/// Copies one triangle of each matrix. Dimensions of the walk are columns, rows and matrices.
template <class W>
struct CopyTriangle {
  cuda::StridedWalk<2> matrices;
  int64_t rows;
  int64_t columns;
  int64_t to_steps[2];
  int64_t from_steps[2];
  int64_t diagonal;
  bool is_upper;
  char* to;
  const char* from;
  __device__ void operator()(int64_t i) const {
    const int64_t column = i % columns;
    const int64_t row = i / columns % rows;
    int64_t offsets[2] = {row * to_steps[0] + column * to_steps[1], row * from_steps[0] + column * from_steps[1]};
    matrices.add_offsets(static_cast<uint32_t>(i / columns / rows), offsets);
    const bool is_kept = is_upper ? column - row >= diagonal : column - row <= diagonal;
    W value{};
    if (is_kept) value = *reinterpret_cast<const W*>(from + offsets[1]);
    *reinterpret_cast<W*>(to + offsets[0]) = value;
  }
};

/// Sizes and steps are those of depth, height and width.
template <class W>
struct MoveMapped {
  PositionMap maps[3];
  int64_t in_sizes[3];
  int64_t out_sizes[3];
  int64_t channels;
  int64_t to_steps[5];
  int64_t from_steps[5];
  char* to;
  const char* from;
  __device__ static int64_t source(const PositionMap& map, int64_t position, int64_t size) {
    if (map.kind == PositionMap::Kind::scaled) {
      const float at = (static_cast<float>(position) + map.shift) * map.ratio;
      return at < static_cast<float>(size - 1) ? static_cast<int64_t>(at) : size - 1;
    }
    int64_t at = position - map.before;
    if (map.kind == PositionMap::Kind::reflected) {
      if (at < 0) return -at;
      return at < size ? at : 2 * (size - 1) - at;
    }
    if (at < 0) at = 0;
    return at < size ? at : size - 1;
  }
  __device__ void operator()(int64_t i) const {
    int64_t to_offset = 0;
    int64_t from_offset = 0;
#pragma unroll
    for (int d = 2; d >= 0; --d) {
      const int64_t position = i % out_sizes[d];
      i /= out_sizes[d];
      to_offset += position * to_steps[d + 2];
      from_offset += source(maps[d], position, in_sizes[d]) * from_steps[d + 2];
    }
    to_offset += i % channels * to_steps[1] + i / channels * to_steps[0];
    from_offset += i % channels * from_steps[1] + i / channels * from_steps[0];
    *reinterpret_cast<W*>(to + to_offset) = *reinterpret_cast<const W*>(from + from_offset);
  }
};

}  // namespace

void move_elements(char* to, IntArrayRef to_strides, const char* from, IntArrayRef from_strides, IntArrayRef sizes,
                   int item_size_log2) {
  cuda::StridedWalk<2> walk;
  for (std::size_t d = sizes.size(); d-- > 0;) walk.add_dim(sizes[d], {to_strides[d], from_strides[d]});
  visit_size(item_size_log2, [&]<class W>() { for_each_element(walk.size, Move<W>{walk, to, from}); });
}

void compress(const Tensor& self, const Tensor& mask, const Tensor& positions, const Tensor& out) {
  visit_size(item_size_log2(self.scalar_type()), [&]<class W>() {
    for_each_element(self.numel(), MoveMasked<W, false>{static_cast<const W*>(self.data()), static_cast<W*>(out.data()),
                                                        mask.data_ptr<bool>(), positions.data_ptr<int64_t>()});
  });
}

void expand_masked(const Tensor& source, const Tensor& mask, const Tensor& positions, const Tensor& out) {
  visit_size(item_size_log2(out.scalar_type()), [&]<class W>() {
    for_each_element(out.numel(), MoveMasked<W, true>{static_cast<const W*>(source.data()), static_cast<W*>(out.data()),
                                                      mask.data_ptr<bool>(), positions.data_ptr<int64_t>()});
  });
}

void write_indices(const Tensor& mask, const Tensor& positions, const Tensor& out) {
  WriteIndices write{};
  write.mask = mask.data_ptr<bool>();
  write.positions = positions.data_ptr<int64_t>();
  write.to = out.data_ptr<int64_t>();
  write.row_step = out.stride(0);
  write.column_step = out.stride(1);
  write.rank = static_cast<int32_t>(mask.dim());
  std::copy(mask.sizes().begin(), mask.sizes().end(), write.sizes);
  for_each_element(mask.numel(), write);
}

void copy_triangles(const Tensor& self, int64_t diagonal, bool is_upper, const Tensor& out) {
  const auto item = static_cast<int64_t>(self.element_size());
  cuda::StridedWalk<2> matrices;
  for (int64_t d = self.dim() - 3; d >= 0; --d) {
    matrices.add_dim(self.size(d), {byte_stride(out, d), byte_stride(self, d)});
  }
  visit_size(item_size_log2(self.scalar_type()), [&]<class W>() {
    for_each_element(self.numel(), CopyTriangle<W>{matrices,
                                                   self.size(-2),
                                                   self.size(-1),
                                                   {out.stride(-2) * item, out.stride(-1) * item},
                                                   {self.stride(-2) * item, self.stride(-1) * item},
                                                   diagonal,
                                                   is_upper,
                                                   static_cast<char*>(out.data()),
                                                   static_cast<const char*>(self.data())});
  });
}

void copy_mapped(const Tensor& self, const Tensor& out, ArrayRef<PositionMap> maps) {
  const auto rank = static_cast<int>(maps.size());
  const auto run = [&]<class W>() {
    MoveMapped<W> move{};
    for (int d = 0; d < 3; ++d) move.in_sizes[d] = move.out_sizes[d] = 1;
    for (int d = 0; d < rank; ++d) {
      const int axis = 3 - rank + d;
      move.maps[axis] = maps[static_cast<std::size_t>(d)];
      move.in_sizes[axis] = self.size(d + 2);
      move.out_sizes[axis] = out.size(d + 2);
      move.to_steps[axis + 2] = byte_stride(out, d + 2);
      move.from_steps[axis + 2] = byte_stride(self, d + 2);
    }
    for (int d = 0; d < 2; ++d) {
      move.to_steps[d] = byte_stride(out, d);
      move.from_steps[d] = byte_stride(self, d);
    }
    move.channels = out.size(1);
    move.to = static_cast<char*>(out.data());
    move.from = static_cast<const char*>(self.data());
    for_each_element(out.numel(), move);
  };
  visit_size(item_size_log2(self.scalar_type()), run);
}

}  // namespace structured::kernels::device
