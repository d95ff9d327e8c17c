#pragma once
// Calls into the LAPACK of OpenBLAS, for float, double, Complex<float> and Complex<double>. Matrices are stored by
// columns; `ld*` is the distance of columns in elements. Functions that return an int return LAPACK's `info`, which is
// 0, or positive if the matrix lacks a property that the computation needs. Errors are those of gemm.
#include <structured/number/complex.h>

#include <type_traits>

#include "cpu/blas.h"

namespace structured::kernels::lapack {

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<Complex<T>> {
  using type = T;
};
/// float for Complex<float>, double for Complex<double>; real types unchanged.
template <class T>
using Real = typename RealOf<T>::type;

/// Cholesky factorization of the upper or lower triangle.
template <class T>
int potrf(bool upper, int n, T* a, int lda);
/// Inverse of a matrix from its Cholesky factor: the same triangle.
template <class T>
int potri(bool upper, int n, T* a, int lda);
/// Solution of `a x = b` in place of `b`, from a Cholesky factor.
template <class T>
void potrs(bool upper, int n, int columns, const T* a, int lda, T* b, int ldb);

/// LU factorization with partial pivoting. Pivots count from 1.
template <class T>
int getrf(int m, int n, T* a, int lda, int* pivots);
/// Solution of `op(a) x = b` in place of `b`, from an LU factorization. `op` is 'N', 'T' or 'C'.
template <class T>
void getrs(char op, int n, int columns, const T* a, int lda, const int* pivots, T* b, int ldb);

/// Solution of `op(a) x = b`, or `x op(a) = b` unless `left`, in place of `b` [m, n] for a triangular `a`.
template <class T>
void trsm(bool left, bool upper, char op, bool unit, int m, int n, const T* a, int lda, T* b, int ldb);

/// QR factorization by Householder reflections.
template <class T>
void geqrf(int m, int n, T* a, int lda, T* tau);
/// First `n` columns of the product of `k` reflections, in place.
template <class T>
void orgqr(int m, int n, int k, T* a, int lda, const T* tau);
/// Product of `c` [m, n] with the product of `k` reflections or its adjoint, in place.
template <class T>
void ormqr(bool left, bool adjoint, int m, int n, int k, const T* a, int lda, const T* tau, T* c, int ldc);

/// Singular value decomposition, which overwrites `a`. `job` is 'A' (all columns), 'S' (the first ones) or 'N' (none).
template <class T>
int gesdd(char job, int m, int n, T* a, int lda, Real<T>* s, T* u, int ldu, T* vt, int ldvt);

/// Eigenvalues of a Hermitian matrix in ascending order and, if `vectors`, eigenvectors in place of `a`.
template <class T>
int heevd(bool vectors, bool upper, int n, T* a, int lda, Real<T>* w);

/// Eigenvalues and, if `v` is not null, right eigenvectors of a general matrix, which is overwritten.
template <class T>
int geev(int n, T* a, int lda, Complex<Real<T>>* w, Complex<Real<T>>* v, int ldv);

/// Factorization `l d l^T`, or `l d l^H` if `hermitian`, of the lower triangle.
template <class T>
int ldl_factor(bool hermitian, int n, T* a, int lda, int* pivots);
/// Solution of `a x = b` in place of `b`, from such a factorization.
template <class T>
void ldl_solve(bool hermitian, int n, int columns, const T* a, int lda, const int* pivots, T* b, int ldb);

/// Least-squares solutions in place of `b` [max(m, n), columns]; `a` [m, n] is overwritten.
struct LeastSquares {
  int info;
  int rank;
};
/// For `a` of full rank.
template <class T>
LeastSquares gels(int m, int n, int columns, T* a, int lda, T* b, int ldb);
/// By an orthogonal factorization with pivoting; singular values below `rcond` times the largest count as 0.
template <class T>
LeastSquares gelsy(int m, int n, int columns, T* a, int lda, T* b, int ldb, Real<T> rcond);
/// By singular values, which are written to `s`: by divide and conquer, or by QR iteration unless `divides`.
template <class T>
LeastSquares gelsd(bool divides, int m, int n, int columns, T* a, int lda, T* b, int ldb, Real<T>* s, Real<T> rcond);

}  // namespace structured::kernels::lapack
