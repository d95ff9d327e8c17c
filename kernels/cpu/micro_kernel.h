#pragma once
// Register-tiled micro-kernels of convolution: products of a few rows and a few vectors, summed in registers. Both
// factors are read in place; the two kinds of tile differ in how they address them.
#include <cstdint>

namespace structured::kernels {

/// Tile of a matrix product whose second factor is not stored as a matrix: its rows start at offsets from one address
/// and may overlap, as the windows of a convolution do (implicit GEMM). Sets
/// out[r][n] = sum over k of rows[r][offsets[k].row] * vectors[offsets[k].vector + n], where the rows of `out` follow
/// one another.
struct ImplicitGemmTile {
  struct Offsets {
    int64_t row;
    int64_t vector;
  };

  const float* const* rows;
  const float* vectors;
  const Offsets* offsets;
  int64_t count;
  float* out;
};

/// Tile of a convolution whose channels are adjacent (direct NHWC). Sets
/// out[r][n] = from[r][n] + sum over runs and over k of
/// rows[r][run.row + k * row_step] * vectors[run.vector + k * vector_step + n].
/// Adding `from` last keeps the sums short, and therefore accurate.
struct DirectNhwcTile {
  struct Run {
    int64_t row;
    int64_t vector;
    int64_t count;
  };

  const float* const* rows;
  int64_t row_step;
  const float* vectors;
  int64_t vector_step;
  const Run* runs;
  int64_t run_count;
  int64_t last_lanes;        ///< number of elements of the last vector
  const float* const* from;  ///< null for zeros
  float* const* out;
};

inline constexpr int64_t kMaxTileRows = 8;
inline constexpr int64_t kMaxTileVectors = 4;
inline constexpr int64_t kMaxTileLanes = 16;

/// The micro-kernels of one kind of tile for one instruction set.
template <class Tile>
struct MicroKernels {
  int64_t lanes = 0;                                                 ///< elements of a vector
  int64_t max_vectors = 0;                                           ///< vectors of the widest tile
  int64_t max_rows[kMaxTileVectors] = {};                            ///< rows of the highest tile of 1, 2, ... vectors
  void (*kernels[kMaxTileVectors][kMaxTileRows])(const Tile&) = {};  ///< null for unsupported numbers of rows

  /// Returns the greatest number of rows, at most `rows`, of a tile of `vectors` vectors.
  int64_t rows_of_tile(int64_t vectors, int64_t rows) const {
    if (rows > max_rows[vectors - 1]) rows = max_rows[vectors - 1];
    while (kernels[vectors - 1][rows - 1] == nullptr) --rows;
    return rows;
  }

  void run(int64_t vectors, int64_t rows, const Tile& tile) const { kernels[vectors - 1][rows - 1](tile); }
};

/// Returns the micro-kernels for the instruction set in use (device/simd_level.h), or null if it has no fused
/// multiply-add. Defined for ImplicitGemmTile and DirectNhwcTile.
template <class Tile>
const MicroKernels<Tile>* micro_kernels();

}  // namespace structured::kernels
