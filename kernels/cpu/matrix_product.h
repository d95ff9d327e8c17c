#pragma once
// Products of matrices of any strides, on which all operators that multiply matrices are built: OpenBLAS for the
// floating types that it knows, plain loops for the others and for a few elements.
#include <structured/core/bfloat16.h>
#include <structured/core/complex.h>
#include <structured/core/half.h>

#include <cstdint>
#include <type_traits>

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

/// What factors and sums of T are computed in: integers modulo 2^64, of which their own wrapping result is a part;
/// 16-bit floating types in float.
template <class T>
using ProductType =
    std::conditional_t<std::is_integral_v<T>, uint64_t,
                       std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>>;

/// `out = alpha a b + beta out`, where `out` is not read if `beta` is 0. It must not overlap `a` or `b`. Runs on
/// several threads. For integers, floating types, Complex<float> and Complex<double>. Throws Error if OpenBLAS is
/// needed and missing.
template <class T>
void multiply(const Matrix<const T>& a, const Matrix<const T>& b, const Matrix<T>& out,
              ProductType<T> beta = ProductType<T>(0), ProductType<T> alpha = ProductType<T>(1));

}  // namespace structured::kernels
