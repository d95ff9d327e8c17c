#include "matrix_product.h"

#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>

#include <algorithm>
#include <limits>

#include "blas.h"

namespace structured::kernels {
namespace {

template <class T>
constexpr bool kIsOfBlas = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, Complex<float>> ||
                           std::is_same_v<T, Complex<double>>;

template <class T>
bool has_dense_rows(const Matrix<T>& m) {
  return m.column_step == 1 && m.row_step >= std::max<int64_t>(1, m.columns);
}

bool fits_blas(int64_t size) { return size <= std::numeric_limits<blasint>::max(); }
template <class T>
bool fits_blas(const Matrix<T>& m) {
  return fits_blas(m.rows) && fits_blas(m.columns) && fits_blas(m.row_step) && fits_blas(m.column_step);
}

template <class T>
void copy(Matrix<const T> from, Matrix<T> to) {
  for (int64_t i = 0; i < to.rows; ++i) {
    for (int64_t j = 0; j < to.columns; ++j) {
      to.data[i * to.row_step + j * to.column_step] = from.data[i * from.row_step + j * from.column_step];
    }
  }
}

// Returns `m` if BLAS supports its strides, otherwise a dense copy in `buffer`.
template <class T>
BlasMatrix<T> as_blas_matrix(Matrix<const T> m, ScratchVector<T>& buffer) {
  if (has_dense_rows(m)) return {m.data, false, static_cast<blasint>(m.row_step)};
  if (has_dense_rows(m.transposed())) return {m.data, true, static_cast<blasint>(m.column_step)};
  buffer.resize(static_cast<size_t>(m.rows * m.columns));
  copy(m, Matrix<T>{buffer.data(), m.rows, m.columns, m.columns, 1});
  return {buffer.data(), false, static_cast<blasint>(m.columns)};
}

template <class T>
void multiply_by_blas(Matrix<const T> a, Matrix<const T> b, Matrix<T> out, T beta, T alpha) {
  const bool is_row = out.rows == 1 && out.columns != 1;
  if (is_row || (!has_dense_rows(out) && has_dense_rows(out.transposed()) && out.columns != 1)) {
    return multiply_by_blas<T>(b.transposed(), a.transposed(), out.transposed(), beta, alpha);
  }
  const auto narrow = [](int64_t value) { return static_cast<blasint>(value); };
  ScratchVector<T> buffers[3];
  const BlasMatrix<T> left = as_blas_matrix<T>(a, buffers[0]);
  if (out.columns == 1 && b.row_step > 0 && (out.row_step > 0 || out.rows == 1)) {
    return gemv<T>(narrow(out.rows), narrow(a.columns), alpha, left, b.data, narrow(b.row_step), beta, out.data,
                   narrow(std::max<int64_t>(1, out.row_step)));
  }
  const BlasMatrix<T> right = as_blas_matrix<T>(b, buffers[1]);
  Matrix<T> result = out;
  if (!has_dense_rows(out)) {
    buffers[2].resize(static_cast<size_t>(out.rows * out.columns));
    result = {buffers[2].data(), out.rows, out.columns, out.columns, 1};
    if (beta != T(0)) copy<T>({out.data, out.rows, out.columns, out.row_step, out.column_step}, result);
  }
  gemm<T>(narrow(out.rows), narrow(out.columns), narrow(a.columns), alpha, left, right, beta, result.data,
          narrow(result.row_step));
  if (result.data != out.data) copy<T>({result.data, out.rows, out.columns, result.row_step, 1}, out);
}

template <class T>
void store(T& out, AccumulateType<T> sum, AccumulateType<T> beta, AccumulateType<T> alpha) {
  using Wide = AccumulateType<T>;
  const Wide product = static_cast<Wide>(alpha * sum);
  out = static_cast<T>(beta == Wide(0) ? product : static_cast<Wide>(product + beta * static_cast<Wide>(out)));
}

template <class T>
void multiply_by_loop(Matrix<const T> a, Matrix<const T> b, Matrix<T> out, AccumulateType<T> beta,
                      AccumulateType<T> alpha) {
  using Wide = AccumulateType<T>;
  const int64_t row_work = std::max<int64_t>(1, out.columns * a.columns);
  parallel_for(0, out.rows, std::max<int64_t>(1, kGrainSize / row_work), [=](int64_t begin, int64_t end) {
    ScratchVector<Wide> sums(static_cast<size_t>(out.columns));
    for (int64_t i = begin; i < end; ++i) {
      std::fill(sums.begin(), sums.end(), Wide(0));
      for (int64_t k = 0; k < a.columns; ++k) {
        const auto factor = static_cast<Wide>(a.data[i * a.row_step + k * a.column_step]);
        const T* const row = b.data + k * b.row_step;
        for (int64_t j = 0; j < out.columns; ++j) {
          Wide& sum = sums[static_cast<size_t>(j)];
          sum = static_cast<Wide>(sum + factor * static_cast<Wide>(row[j * b.column_step]));
        }
      }
      for (int64_t j = 0; j < out.columns; ++j) {
        store<T>(out.data[i * out.row_step + j * out.column_step], sums[static_cast<size_t>(j)], beta, alpha);
      }
    }
  });
}

}  // namespace

template <class T>
void multiply(const Matrix<const T>& a, const Matrix<const T>& b, const Matrix<T>& out, AccumulateType<T> beta,
              AccumulateType<T> alpha) {
  if (out.rows == 0 || out.columns == 0) return;
  const int64_t inner = a.columns;
  if (has_few_products(a, out)) {
    if (alpha == AccumulateType<T>(1) && beta == AccumulateType<T>(0)) return multiply_few(a, b, out);
    return multiply_few(a, b, out, [=](T& element, AccumulateType<T> sum) { store<T>(element, sum, beta, alpha); });
  }
  if constexpr (kIsOfBlas<T>) {
    // BLAS reads no operand if the inner size is 0 and may not write the result either.
    if (inner != 0 && fits_blas(a) && fits_blas(b) && fits_blas(out)) {
      return multiply_by_blas<T>(a, b, out, beta, alpha);
    }
  }
  multiply_by_loop<T>(a, b, out, beta, alpha);
}

#define STRUCTURED_INSTANTIATE_MULTIPLY(T)                                                                       \
  template void multiply<T>(const Matrix<const T>&, const Matrix<const T>&, const Matrix<T>&, AccumulateType<T>, \
                            AccumulateType<T>);
STRUCTURED_INSTANTIATE_MULTIPLY(uint8_t)
STRUCTURED_INSTANTIATE_MULTIPLY(int8_t)
STRUCTURED_INSTANTIATE_MULTIPLY(int16_t)
STRUCTURED_INSTANTIATE_MULTIPLY(int32_t)
STRUCTURED_INSTANTIATE_MULTIPLY(int64_t)
STRUCTURED_INSTANTIATE_MULTIPLY(Half)
STRUCTURED_INSTANTIATE_MULTIPLY(BFloat16)
STRUCTURED_INSTANTIATE_MULTIPLY(float)
STRUCTURED_INSTANTIATE_MULTIPLY(double)
STRUCTURED_INSTANTIATE_MULTIPLY(Complex<float>)
STRUCTURED_INSTANTIATE_MULTIPLY(Complex<double>)
#undef STRUCTURED_INSTANTIATE_MULTIPLY

}  // namespace structured::kernels
