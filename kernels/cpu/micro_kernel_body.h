// The micro-kernel and its tables for one instruction set. micro_kernel.cpp includes this file once for each of them,
// inside a namespace of its own and with these macros defined:
//   STRUCTURED_MICRO_KERNEL_TARGET  the attribute of functions compiled for the instruction set
//   STRUCTURED_MICRO_KERNEL_LANES   the number of elements of a vector
// A template parameter cannot stand for the attribute, hence the second inclusion.

using Float = Vec<float, STRUCTURED_MICRO_KERNEL_LANES>;

// All sums stay in registers. Each sum adds its products in order, so that results do not depend on the instruction
// set.
template <class Tile, int kVectors, int kRows>
STRUCTURED_MICRO_KERNEL_TARGET void multiply(const Tile& tile) {
  const Layout<Tile> layout{tile};
  const int64_t last_lanes = layout.last_lanes(Float::size);
  const FirstLanes<Float::size> last(last_lanes);
  const float* row[kRows];
  Float sums[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    row[r] = tile.rows[r];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) fill(sums[r][v], 0);
  }
  for (int64_t run = 0; run < layout.runs(); ++run) {
    for (auto step = layout.run(run); !step.is_done(); step.advance()) {
      const float* const vectors = step.vectors();
      const int64_t at = step.row();
      Float values[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        if (Layout<Tile>::kHasPartialVector && v + 1 == kVectors) {
          load(values[v], vectors + Float::size * v, last);
        } else {
          load(values[v], vectors + Float::size * v);
        }
      }
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        Float factor;
        fill(factor, row[r][at]);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) add_product_fused(sums[r][v], factor, values[v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    float* const out = layout.out(r, kVectors * Float::size);
    const float* const from = layout.from(r);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      // Masked stores of AVX2 are slow on many processors.
      const bool is_partial = Layout<Tile>::kHasPartialVector && v + 1 == kVectors && last_lanes != Float::size;
      if (from != nullptr) {
        Float before;
        if (is_partial) {
          load(before, from + Float::size * v, last);
        } else {
          load(before, from + Float::size * v);
        }
        sums[r][v].values += before.values;
      }
      if (is_partial) {
        store(sums[r][v], out + Float::size * v, last);
      } else {
        sums[r][v].store(out + Float::size * v);
      }
    }
  }
}

template <int kVectors, int... kRows, class Tile>
constexpr void add_kernels(MicroKernels<Tile>& table) {
  table.lanes = Float::size;
  table.max_vectors = std::max<int64_t>(table.max_vectors, kVectors);
  table.max_rows[kVectors - 1] = std::max({kRows...});
  ((table.kernels[kVectors - 1][kRows - 1] = multiply<Tile, kVectors, kRows>), ...);
}
