#include "tiled_product.h"

#include <structured/device/simd_level.h>
#include <structured/iterator/leveled.h>

#include <algorithm>

#include "micro_kernel.h"
#include "vec.h"

namespace structured::kernels {
namespace {

constexpr int64_t kLanes = 8;
constexpr int64_t kPanel = 2 * kLanes;  // columns of a tile

using Lanes = Vec<float, kLanes>;

// Sets to[i][j] = from[j][i]: exchanges single elements, then pairs, then halves.
STRUCTURED_ALWAYS_INLINE void transpose(const Lanes (&from)[kLanes], Lanes (&to)[kLanes]) {
  Lanes pairs[kLanes];
#pragma GCC unroll 8
  for (int i = 0; i < kLanes; i += 2) {
    pairs[i].values = __builtin_shufflevector(from[i].values, from[i + 1].values, 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1].values = __builtin_shufflevector(from[i].values, from[i + 1].values, 2, 10, 3, 11, 6, 14, 7, 15);
  }
  Lanes fours[kLanes];
#pragma GCC unroll 8
  for (int i = 0; i < kLanes; i += 4) {
#pragma GCC unroll 8
    for (int k = 0; k < 2; ++k) {
      fours[i + 2 * k].values =
          __builtin_shufflevector(pairs[i + k].values, pairs[i + k + 2].values, 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + 2 * k + 1].values =
          __builtin_shufflevector(pairs[i + k].values, pairs[i + k + 2].values, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < 4; ++i) {
    to[i].values = __builtin_shufflevector(fours[i].values, fours[i + 4].values, 0, 1, 2, 3, 8, 9, 10, 11);
    to[i + 4].values = __builtin_shufflevector(fours[i].values, fours[i + 4].values, 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// A packed matrix consists of panels of kPanel columns. A panel holds its rows one after another.
struct PackRows {
  static void run(const float* from, int64_t row_step, int64_t rows, int64_t columns, float* packed) {
    for (int64_t row = 0; row < rows; ++row, from += row_step, packed += kPanel) {
      float* to = packed;
      int64_t first = 0;
      for (; first + kPanel <= columns; first += kPanel, to += rows * kPanel) {
        Vec<float, kPanel> values;
        values.load(from + first);
        values.store(to);
      }
      std::copy(from + first, from + columns, to);
    }
  }
};

struct PackTransposed {
  static void run(const float* from, int64_t row_step, int64_t rows, int64_t columns, float* packed) {
    for (int64_t column = 0; column < columns; column += kLanes) {
      float* const to = packed + column / kPanel * kPanel * rows + column % kPanel;
      const int64_t count = std::min(kLanes, columns - column);
      int64_t row = 0;
      for (; count == kLanes && row + kLanes <= rows; row += kLanes) {
        Lanes given[kLanes];
        Lanes turned[kLanes];
#pragma GCC unroll 8
        for (int i = 0; i < kLanes; ++i) __builtin_prefetch(from + (column + kLanes + i) * row_step + row);
#pragma GCC unroll 8
        for (int i = 0; i < kLanes; ++i) given[i].load(from + (column + i) * row_step + row);
        transpose(given, turned);
#pragma GCC unroll 8
        for (int i = 0; i < kLanes; ++i) turned[i].store(to + (row + i) * kPanel);
      }
      for (; row < rows; ++row) {
        for (int64_t i = 0; i < count; ++i) to[row * kPanel + i] = from[(column + i) * row_step + row];
      }
    }
  }
};

void multiply(int64_t m, int64_t n, int64_t k, FloatRows a, const float* b, bool adds, float* c, int64_t c_step) {
  const MicroKernels<DirectNhwcTile>& kernels = *micro_kernels<DirectNhwcTile>();
  const DirectNhwcTile::Run run{0, 0, k};
  const float* rows[kMaxTileRows];
  float* out[kMaxTileRows];
  DirectNhwcTile tile{rows, 1, nullptr, kPanel, &run, 1, 0, adds ? out : nullptr, out};
  for (int64_t first = 0; first < n; first += kPanel) {
    const int64_t size = std::min(kPanel, n - first);
    const int64_t vectors = size > kLanes ? 2 : 1;
    tile.vectors = b + first * k;
    tile.last_lanes = size - (vectors - 1) * kLanes;
    for (int64_t row = 0; row < m;) {
      const int64_t count = kernels.rows_of_tile(vectors, m - row);
      for (int64_t i = 0; i < count; ++i) {
        rows[i] = a.data + (row + i) * a.row_step;
        out[i] = c + (row + i) * c_step + first;
      }
      kernels.run(vectors, count, tile);
      row += count;
    }
  }
}

}  // namespace

bool has_tiled_products() { return simd_level() == SimdLevel::avx2; }

int64_t packed_size(int64_t rows, int64_t columns) { return rows * ((columns + kPanel - 1) / kPanel * kPanel); }

void pack_rows(FloatRows from, int64_t rows, int64_t columns, float* packed) {
  run_leveled<PackRows, SimdLevel::avx2>(from.data, from.row_step, rows, columns, packed);
}

void pack_transposed(FloatRows from, int64_t rows, int64_t columns, float* packed) {
  run_leveled<PackTransposed, SimdLevel::avx2>(from.data, from.row_step, rows, columns, packed);
}

void multiply_packed(int64_t m, int64_t n, int64_t k, FloatRows a, const float* b, float* c, int64_t c_step) {
  multiply(m, n, k, a, b, false, c, c_step);
}

void add_packed_product(int64_t m, int64_t n, int64_t k, FloatRows a, const float* b, float* c, int64_t c_step) {
  multiply(m, n, k, a, b, true, c, c_step);
}

}  // namespace structured::kernels
