// The product of integers for one instruction set. product.cpp includes this file once for each of them, inside a
// namespace of its own and with these macros defined:
//   STRUCTURED_PRODUCT_TARGET  the attribute of functions compiled for the instruction set
//   STRUCTURED_PRODUCT_LANES   the number of sums in a vector
// A template parameter cannot stand for the attribute, hence the repeated inclusion.

inline constexpr int64_t kLanes = STRUCTURED_PRODUCT_LANES;
inline constexpr int64_t kVectors = kPanel / kLanes;

// Register tile of kRows rows and one panel.
template <int64_t kRows>
STRUCTURED_PRODUCT_TARGET void multiply_tile(const int16_t* rows, int64_t pairs, const int16_t* weights, int32_t* sums,
                                             int64_t sums_stride) {
  Vec<int32_t, kLanes> tile[kRows][kVectors] = {};
  for (int64_t k = 0; k < pairs; ++k) {
    Vec<int16_t, 2 * kLanes> weight[kVectors];
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) weight[v].load(weights + 2 * (k * kPanel + v * kLanes));
#pragma GCC unroll 8
    for (int64_t r = 0; r < kRows; ++r) {
      int32_t pair;
      std::memcpy(&pair, rows + 2 * (r * pairs + k), sizeof pair);
      Vec<int32_t, kLanes> all;
      fill(all, pair);
      Vec<int16_t, 2 * kLanes> row;
      std::memcpy(&row.values, &all.values, sizeof row.values);
#pragma GCC unroll 4
      for (int64_t v = 0; v < kVectors; ++v) add_pair_products(tile[r][v], row, weight[v]);
    }
  }
#pragma GCC unroll 8
  for (int64_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) tile[r][v].store(sums + r * sums_stride + v * kLanes);
  }
}

STRUCTURED_PRODUCT_TARGET void multiply(const IntegerProduct& product) {
  constexpr int64_t tile_rows = kLanes / 2;  // 8 vectors of sums
  const int64_t stride = product.panels * kPanel, row_size = 2 * product.pairs;
  for (int64_t p = 0; p < product.panels; ++p) {
    const int16_t* const weights = product.weights + p * kPanel * row_size;
    int32_t* const sums = product.sums + p * kPanel;
    int64_t r = 0;
    for (; r + tile_rows <= product.row_count; r += tile_rows) {
      multiply_tile<tile_rows>(product.rows + r * row_size, product.pairs, weights, sums + r * stride, stride);
    }
    for (; r < product.row_count; ++r) {
      multiply_tile<1>(product.rows + r * row_size, product.pairs, weights, sums + r * stride, stride);
    }
  }
}
