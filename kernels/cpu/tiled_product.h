#pragma once
// Matrix products of Float whose factors are in the cache, by the register tiles of micro_kernel.h. They read the first
// factor in place and a packed copy of the second one, which several products may share, and write each sum once. BLAS
// copies both factors and visits the result twice, which takes a fifth of the time where a dimension has about a
// hundred elements.
#include <cstdint>

namespace structured::kernels {

/// Whether the functions below may be called, and take less time than BLAS: on processors with AVX2. With AVX-512,
/// BLAS' wider tiles are as fast.
bool has_tiled_products();

/// Matrix of Float with dense rows, which are `row_step` elements apart.
struct FloatRows {
  const float* data;
  int64_t row_step;
};

/// The number of elements that pack_rows and pack_transposed write for `rows` and `columns` of the matrix they pack.
int64_t packed_size(int64_t rows, int64_t columns);

/// Copies `from` [rows, columns] to `packed`, in the order in which the products below read it. Thread-safe, as are the
/// functions below.
void pack_rows(FloatRows from, int64_t rows, int64_t columns, float* packed);

/// Copies the transpose of `from` [columns, rows].
void pack_transposed(FloatRows from, int64_t rows, int64_t columns, float* packed);

/// Sets `c = a b` for `a` [m, k], the packed matrix `b` [k, n] and `c` [m, n].
void multiply_packed(int64_t m, int64_t n, int64_t k, FloatRows a, const float* b, float* c, int64_t c_step);

/// Adds `a b` to `c`.
void add_packed_product(int64_t m, int64_t n, int64_t k, FloatRows a, const float* b, float* c, int64_t c_step);

}  // namespace structured::kernels
