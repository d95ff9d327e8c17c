#pragma once
// Tiles of sums of products of single numbers, each from a row of its own, and vectors: what convolutions are whose
// channels lie next to each other. Neither factor need be copied into a matrix: both are read in runs.
#include <cstdint>

namespace structured::kernels {

/// So many numbers of each row, from `row` on, and vectors, from `vector` on.
struct PixelRun {
  int64_t row;
  int64_t vector;
  int64_t count;
};

/// Of a tile [R, N]: out[r][n] = from[r][n] + the sum of rows[r][run.row + k * row_step] *
/// vectors[run.vector + k * vector_step + n] over all runs and all k below their counts, in order. What is added last
/// keeps sums of many tiles short, and so precise.
struct PixelTile {
  const float* const* rows;
  int64_t row_step;
  const float* vectors;
  int64_t vector_step;
  const PixelRun* runs;
  int64_t run_count;
  int64_t last_lanes;        ///< how many elements of the last vector there are
  const float* const* from;  ///< or null, for zeros
  float* const* out;
};

using PixelLoop = void (*)(const PixelTile& tile);

inline constexpr int64_t kMaxPixelRows = 8;
inline constexpr int64_t kMaxPixelVectors = 4;

struct PixelLoops {
  int64_t width;                                     ///< of a vector
  int64_t vectors;                                   ///< at most so many are a tile wide
  int64_t rows[kMaxPixelVectors];                    ///< how many rows a tile of 1, 2, ... vectors has at most
  PixelLoop loops[kMaxPixelVectors][kMaxPixelRows];  ///< of 1, 2, ... vectors, of 1, 2, ... rows
};

/// Those for the vector instructions in use (core/simd_level.h); null if there are none with fused multiply-adds.
const PixelLoops* pixel_loops();

}  // namespace structured::kernels
