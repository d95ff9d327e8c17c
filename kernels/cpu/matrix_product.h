#pragma once
// Products of strided matrices, on which all matrix multiplication operators are built: OpenBLAS for the dtypes that it
// supports, plain loops for other dtypes and for small sizes.
#include <structured/base/export.h>

#include <algorithm>
#include <cstdint>

#include "math/accumulate_type.h"

namespace structured::kernels {

/// View of a matrix in memory; strides are in elements.
template <class T>
struct Matrix {
  T* data;
  int64_t rows;
  int64_t columns;
  int64_t row_step;
  int64_t column_step;

  Matrix transposed() const { return {data, columns, rows, column_step, row_step}; }
  Matrix moved(int64_t offset) const { return {data + offset, rows, columns, row_step, column_step}; }
};

/// Returns whether the product is so small that multiply_few is faster than BLAS's argument checks.
template <class T>
bool has_few_products(const Matrix<const T>& a, const Matrix<T>& out) {
  constexpr int64_t kFew = 512;
  // Compares each size first, since their product could overflow.
  return out.rows <= kFew && out.columns <= kFew && a.columns <= kFew &&
         out.rows * out.columns * std::max<int64_t>(a.columns, 1) <= kFew;
}

/// Calls `store(element, sum)` for each element of `out` with the corresponding element of the product `a b`.
template <class T, class Store>
STRUCTURED_ALWAYS_INLINE void multiply_few(const Matrix<const T>& a, const Matrix<const T>& b, const Matrix<T>& out,
                                           Store store) {
  using Wide = AccumulateType<T>;
  const T* row = a.data;
  T* out_row = out.data;
  for (int64_t i = out.rows; i > 0; --i, row += a.row_step, out_row += out.row_step) {
    const T* column = b.data;
    T* element = out_row;
    for (int64_t j = out.columns; j > 0; --j, column += b.column_step, element += out.column_step) {
      Wide sum(0);
      const T* x = row;
      const T* y = column;
      for (int64_t k = a.columns; k > 0; --k, x += a.column_step, y += b.row_step) {
        sum = static_cast<Wide>(sum + static_cast<Wide>(*x) * static_cast<Wide>(*y));
      }
      store(*element, sum);
    }
  }
}

/// Computes `out = a b`. Sums are not multiplied by 1, which would turn infinite complex numbers into NaN.
template <class T>
STRUCTURED_ALWAYS_INLINE void multiply_few(const Matrix<const T>& a, const Matrix<const T>& b, const Matrix<T>& out) {
  multiply_few(a, b, out, [](T& element, AccumulateType<T> sum) { element = static_cast<T>(sum); });
}

/// Computes `out = alpha a b + beta out`; `out` is not read if `beta` is 0 and must not overlap `a` or `b`. Uses
/// several threads. Supports integers, floating-point types, Complex<float> and Complex<double>. Throws Error if
/// OpenBLAS is needed and cannot be loaded.
template <class T>
void multiply(const Matrix<const T>& a, const Matrix<const T>& b, const Matrix<T>& out,
              AccumulateType<T> beta = AccumulateType<T>(0), AccumulateType<T> alpha = AccumulateType<T>(1));

}  // namespace structured::kernels
