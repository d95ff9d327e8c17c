#pragma once
// Tiles of a matrix product whose second factor is not stored as a matrix: its rows lie at offsets from one address,
// and may overlap. The windows of a convolution are such rows, so that they need not be copied out.
#include <cstdint>

namespace structured::kernels {

/// Where factor k is, in each row and behind the address that the N numbers of the second factor are found by.
struct TileOffsets {
  int64_t row;
  int64_t x;
};

/// Sets `out` [R, N] to the sum of the products of R numbers, at `rows[r] + offsets[k].row`, and N numbers, at
/// `x + offsets[k].x`, for each k below `count`.
using TileLoop = void (*)(const float* const* rows, const float* x, const TileOffsets* offsets, int64_t count,
                          float* out);

inline constexpr int64_t kTileVectors = 3;

/// Loops for R in `rows`, descending, and N = 1, 2, 3 times `width`.
struct TileLoops {
  int64_t width;
  int64_t rows[3];
  TileLoop loops[3][kTileVectors];
};

/// Those for the vector instructions in use (core/simd_level.h); null if there are none with fused multiply-adds.
const TileLoops* tile_loops();

}  // namespace structured::kernels
