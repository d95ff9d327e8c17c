#pragma once
// Products of matrices of any strides, on which all operators that multiply matrices are built: OpenBLAS for the
// floating types that it knows, plain loops for the others and for a few elements.
#include <structured/core/export.h>

#include <algorithm>
#include <cstdint>

#include "math/accumulate_type.h"

namespace structured::kernels {

/// Elements somewhere in memory, steps in elements.
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

/// Whether `multiply_few` is done before BLAS would have looked at its arguments.
template <class T>
bool has_few_products(const Matrix<const T>& a, const Matrix<T>& out) {
  constexpr int64_t kFew = 512;
  // Sizes one by one: their product could overflow.
  return out.rows <= kFew && out.columns <= kFew && a.columns <= kFew &&
         out.rows * out.columns * std::max<int64_t>(a.columns, 1) <= kFew;
}

/// `store(element, sum)` for each element of `out` and the one of `a b` at its place.
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

/// `out = a b`. Sums stay as they are: a factor of 1 makes NaN of what is infinite and complex.
template <class T>
STRUCTURED_ALWAYS_INLINE void multiply_few(const Matrix<const T>& a, const Matrix<const T>& b, const Matrix<T>& out) {
  multiply_few(a, b, out, [](T& element, AccumulateType<T> sum) { element = static_cast<T>(sum); });
}

/// `out = alpha a b + beta out`, where `out` is not read if `beta` is 0. It must not overlap `a` or `b`. Runs on
/// several threads. For integers, floating types, Complex<float> and Complex<double>. Throws Error if OpenBLAS is
/// needed and missing.
template <class T>
void multiply(const Matrix<const T>& a, const Matrix<const T>& b, const Matrix<T>& out,
              AccumulateType<T> beta = AccumulateType<T>(0), AccumulateType<T> alpha = AccumulateType<T>(1));

}  // namespace structured::kernels
