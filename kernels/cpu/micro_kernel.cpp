#include "micro_kernel.h"

#include <structured/device/simd_level.h>

#include <algorithm>

#include "vec.h"

namespace structured::kernels {

#if defined(__x86_64__)
namespace {

// Addressing of the factors of a tile: a list of runs, and a loop over the steps of each run.
template <class Tile>
struct Layout;

template <>
struct Layout<ImplicitGemmTile> {
  static constexpr bool kHasPartialVector = false;

  struct Step {
    const ImplicitGemmTile::Offsets* offsets;
    const ImplicitGemmTile::Offsets* end;
    const float* start;

    STRUCTURED_ALWAYS_INLINE bool is_done() const { return offsets == end; }
    STRUCTURED_ALWAYS_INLINE void advance() { ++offsets; }
    STRUCTURED_ALWAYS_INLINE int64_t row() const { return offsets->row; }
    STRUCTURED_ALWAYS_INLINE const float* vectors() const { return start + offsets->vector; }
  };

  const ImplicitGemmTile& tile;

  STRUCTURED_ALWAYS_INLINE int64_t last_lanes(int64_t lanes) const { return lanes; }
  STRUCTURED_ALWAYS_INLINE int64_t runs() const { return 1; }
  STRUCTURED_ALWAYS_INLINE Step run(int64_t) const { return {tile.offsets, tile.offsets + tile.count, tile.vectors}; }
  STRUCTURED_ALWAYS_INLINE float* out(int64_t row, int64_t width) const { return tile.out + row * width; }
  STRUCTURED_ALWAYS_INLINE const float* from(int64_t) const { return nullptr; }
};

template <>
struct Layout<DirectNhwcTile> {
  static constexpr bool kHasPartialVector = true;

  struct Step {
    int64_t at;
    const float* vector;
    int64_t remaining;
    const DirectNhwcTile& tile;

    STRUCTURED_ALWAYS_INLINE bool is_done() const { return remaining <= 0; }
    STRUCTURED_ALWAYS_INLINE void advance() {
      --remaining;
      at += tile.row_step;
      vector += tile.vector_step;
    }
    STRUCTURED_ALWAYS_INLINE int64_t row() const { return at; }
    STRUCTURED_ALWAYS_INLINE const float* vectors() const { return vector; }
  };

  const DirectNhwcTile& tile;

  STRUCTURED_ALWAYS_INLINE int64_t last_lanes(int64_t) const { return tile.last_lanes; }
  STRUCTURED_ALWAYS_INLINE int64_t runs() const { return tile.run_count; }
  STRUCTURED_ALWAYS_INLINE Step run(int64_t i) const {
    const DirectNhwcTile::Run& run = tile.runs[i];
    return {run.row, tile.vectors + run.vector, run.count, tile};
  }
  STRUCTURED_ALWAYS_INLINE float* out(int64_t row, int64_t) const { return tile.out[row]; }
  STRUCTURED_ALWAYS_INLINE const float* from(int64_t row) const {
    return tile.from != nullptr ? tile.from[row] : nullptr;
  }
};

namespace avx512 {
#define STRUCTURED_MICRO_KERNEL_TARGET STRUCTURED_TARGET_AVX512
#define STRUCTURED_MICRO_KERNEL_LANES 16
#include "micro_kernel_body.h"
#undef STRUCTURED_MICRO_KERNEL_TARGET
#undef STRUCTURED_MICRO_KERNEL_LANES
}  // namespace avx512

namespace avx2 {
#define STRUCTURED_MICRO_KERNEL_TARGET STRUCTURED_TARGET_AVX2
#define STRUCTURED_MICRO_KERNEL_LANES 8
#include "micro_kernel_body.h"
#undef STRUCTURED_MICRO_KERNEL_TARGET
#undef STRUCTURED_MICRO_KERNEL_LANES
}  // namespace avx2

// Sums take up to 24 of the 32 registers of AVX-512, or 12 of the 16 of AVX2.
template <class Tile>
struct Tables;

template <>
struct Tables<ImplicitGemmTile> {
  static constexpr auto avx512 = [] {
    MicroKernels<ImplicitGemmTile> table;
    avx512::add_kernels<1, 8, 4, 1>(table);
    avx512::add_kernels<2, 8, 4, 1>(table);
    avx512::add_kernels<3, 8, 4, 1>(table);
    return table;
  }();
  static constexpr auto avx2 = [] {
    MicroKernels<ImplicitGemmTile> table;
    avx2::add_kernels<1, 4, 2, 1>(table);
    avx2::add_kernels<2, 4, 2, 1>(table);
    avx2::add_kernels<3, 4, 2, 1>(table);
    return table;
  }();
};

template <>
struct Tables<DirectNhwcTile> {
  static constexpr auto avx512 = [] {
    MicroKernels<DirectNhwcTile> table;
    avx512::add_kernels<1, 1, 2, 3, 4, 5, 6, 7, 8>(table);
    avx512::add_kernels<2, 1, 2, 3, 4, 5, 6, 7, 8>(table);
    avx512::add_kernels<3, 1, 2, 3, 4, 5, 6, 7, 8>(table);
    avx512::add_kernels<4, 1, 2, 3, 4, 5, 6>(table);
    return table;
  }();
  static constexpr auto avx2 = [] {
    MicroKernels<DirectNhwcTile> table;
    avx2::add_kernels<1, 1, 2, 3, 4, 5, 6, 7, 8>(table);
    avx2::add_kernels<2, 1, 2, 3, 4, 5, 6>(table);
    return table;
  }();
};

}  // namespace
#endif

template <class Tile>
const MicroKernels<Tile>* micro_kernels() {
#if defined(__x86_64__)
  if (simd_level() == SimdLevel::avx512) return &Tables<Tile>::avx512;
  if (simd_level() == SimdLevel::avx2) return &Tables<Tile>::avx2;
#endif
  return nullptr;
}

template const MicroKernels<ImplicitGemmTile>* micro_kernels();
template const MicroKernels<DirectNhwcTile>* micro_kernels();

}  // namespace structured::kernels
