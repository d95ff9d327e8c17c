#include "cpu/lapack.h"

#include <structured/base/error.h>
#include <structured/memory/scratch.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

// Routines that exist for all four types, for real and for complex numbers.
#define STRUCTURED_LAPACK_ALL(X) \
  X(potrf)                       \
  X(potri)                       \
  X(potrs) X(getrf) X(getrs) X(trsm) X(geqrf) X(gesdd) X(geev) X(sytrf) X(sytrs) X(gels) X(gelsy) X(gelsd) X(gelss)
#define STRUCTURED_LAPACK_REAL(X) X(orgqr) X(ormqr) X(syevd)
#define STRUCTURED_LAPACK_COMPLEX(X) X(ungqr) X(unmqr) X(heevd) X(hetrf) X(hetrs)

#if !defined(STRUCTURED_OPENBLAS_SONAME)
#define STRUCTURED_DECLARE_REAL(name) \
  void s##name##_(void);              \
  void d##name##_(void);
#define STRUCTURED_DECLARE_COMPLEX(name) \
  void c##name##_(void);                 \
  void z##name##_(void);
extern "C" {
STRUCTURED_LAPACK_ALL(STRUCTURED_DECLARE_REAL)
STRUCTURED_LAPACK_ALL(STRUCTURED_DECLARE_COMPLEX)
STRUCTURED_LAPACK_REAL(STRUCTURED_DECLARE_REAL)
STRUCTURED_LAPACK_COMPLEX(STRUCTURED_DECLARE_COMPLEX)
}
#endif

namespace structured::kernels::lapack {
namespace {

template <class T>
constexpr bool kIsComplex = is_complex_v<T>;

template <class T>
constexpr char prefix() {
  if constexpr (std::is_same_v<T, float>) {
    return 's';
  } else if constexpr (std::is_same_v<T, double>) {
    return 'd';
  } else if constexpr (std::is_same_v<T, Complex<float>>) {
    return 'c';
  } else {
    return 'z';
  }
}

#if !defined(STRUCTURED_OPENBLAS_SONAME)
void* openblas_function(std::string_view wanted) {
  struct Entry {
    std::string_view name;
    void (*function)(void);
  };
#define STRUCTURED_LIST_REAL(name) {"s" #name "_", s##name##_}, {"d" #name "_", d##name##_},
#define STRUCTURED_LIST_COMPLEX(name) {"c" #name "_", c##name##_}, {"z" #name "_", z##name##_},
  static constexpr Entry entries[] = {
      STRUCTURED_LAPACK_ALL(STRUCTURED_LIST_REAL) STRUCTURED_LAPACK_ALL(STRUCTURED_LIST_COMPLEX)
          STRUCTURED_LAPACK_REAL(STRUCTURED_LIST_REAL) STRUCTURED_LAPACK_COMPLEX(STRUCTURED_LIST_COMPLEX)};
  for (const Entry& entry : entries) {
    if (entry.name == wanted) return reinterpret_cast<void*>(entry.function);
  }
  STRUCTURED_INTERNAL_ASSERT(false);
}
#endif

// Fortran takes numbers by address.
template <class A>
const A* address(const A& number) {
  return &number;
}
template <class A>
A* address(A* const& pointer) {
  return pointer;
}

// Name of a routine without the letter of the type.
struct RoutineName {
  template <std::size_t size>
  consteval RoutineName(const char (&name)[size]) {
    std::copy_n(name, size, text);
  }
  char text[8] = {};
};

// Calls a routine for elements of type T. It is looked up once.
template <class T, RoutineName name, class... Args>
void call(const Args&... args) {
  using Function = void (*)(decltype(address(args))...);
  static const auto function =
      reinterpret_cast<Function>(openblas_function((prefix<T>() + std::string(name.text) + "_").c_str()));
  prepare_openblas();
  function(address(args)...);
}

char triangle(bool upper) { return upper ? 'U' : 'L'; }

// Calls `run(work, size)` twice: for the best size of the workspace, which it writes to the first element, and then
// with such a workspace.
template <class T, class Run>
void with_workspace(Run run) {
  T best{};
  run(&best, -1);
  int size;
  if constexpr (kIsComplex<T>) {
    size = static_cast<int>(best.real());
  } else {
    size = static_cast<int>(best);
  }
  size = std::max(1, size);
  ScratchVector<T> work(static_cast<size_t>(size));
  run(work.data(), size);
}

template <class T>
ScratchVector<T> room(int64_t size) {
  return ScratchVector<T>(static_cast<size_t>(std::max<int64_t>(1, size)));
}

}  // namespace

template <class T>
int potrf(bool upper, int n, T* a, int lda) {
  int info = 0;
  call<T, "potrf">(triangle(upper), n, a, lda, &info);
  return info;
}

template <class T>
int potri(bool upper, int n, T* a, int lda) {
  int info = 0;
  call<T, "potri">(triangle(upper), n, a, lda, &info);
  return info;
}

template <class T>
void potrs(bool upper, int n, int columns, const T* a, int lda, T* b, int ldb) {
  int info = 0;
  call<T, "potrs">(triangle(upper), n, columns, a, lda, b, ldb, &info);
}

template <class T>
int getrf(int m, int n, T* a, int lda, int* pivots) {
  int info = 0;
  call<T, "getrf">(m, n, a, lda, pivots, &info);
  return info;
}

template <class T>
void getrs(char op, int n, int columns, const T* a, int lda, const int* pivots, T* b, int ldb) {
  int info = 0;
  call<T, "getrs">(op, n, columns, a, lda, pivots, b, ldb, &info);
}

template <class T>
void trsm(bool left, bool upper, char op, bool unit, int m, int n, const T* a, int lda, T* b, int ldb) {
  const char side = left ? 'L' : 'R';
  const char diagonal = unit ? 'U' : 'N';
  const T one(1);
  call<T, "trsm">(side, triangle(upper), op, diagonal, m, n, one, a, lda, b, ldb);
}

template <class T>
void geqrf(int m, int n, T* a, int lda, T* tau) {
  int info = 0;
  with_workspace<T>([&](T* work, int size) { call<T, "geqrf">(m, n, a, lda, tau, work, size, &info); });
}

template <class T>
void orgqr(int m, int n, int k, T* a, int lda, const T* tau) {
  int info = 0;
  constexpr RoutineName name = kIsComplex<T> ? RoutineName("ungqr") : RoutineName("orgqr");
  with_workspace<T>([&](T* work, int size) { call<T, name>(m, n, k, a, lda, tau, work, size, &info); });
}

template <class T>
void ormqr(bool left, bool adjoint, int m, int n, int k, const T* a, int lda, const T* tau, T* c, int ldc) {
  int info = 0;
  const char side = left ? 'L' : 'R';
  const char op = !adjoint ? 'N' : kIsComplex<T> ? 'C' : 'T';
  constexpr RoutineName name = kIsComplex<T> ? RoutineName("unmqr") : RoutineName("ormqr");
  with_workspace<T>(
      [&](T* work, int size) { call<T, name>(side, op, m, n, k, a, lda, tau, c, ldc, work, size, &info); });
}

template <class T>
int gesdd(char job, int m, int n, T* a, int lda, Real<T>* s, T* u, int ldu, T* vt, int ldvt) {
  int info = 0;
  const int64_t least = std::min(m, n);
  const int64_t most = std::max(m, n);
  ScratchVector<int> integers = room<int>(8 * least);
  ScratchVector<Real<T>> reals =
      room<Real<T>>(job == 'N' ? 7 * least : least * std::max(5 * least + 7, 2 * most + 2 * least + 1));
  with_workspace<T>([&](T* work, int size) {
    if constexpr (kIsComplex<T>) {
      call<T, "gesdd">(job, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, reals.data(), integers.data(), &info);
    } else {
      call<T, "gesdd">(job, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, integers.data(), &info);
    }
  });
  return info;
}

template <class T>
int heevd(bool vectors, bool upper, int n, T* a, int lda, Real<T>* w) {
  int info = 0;
  const char job = vectors ? 'V' : 'N';
  const char uplo = triangle(upper);
  const int integer_size = vectors ? 3 + 5 * n : 1;
  ScratchVector<int> integers = room<int>(integer_size);
  with_workspace<T>([&](T* work, int size) {
    if constexpr (kIsComplex<T>) {
      const int real_size = vectors ? 1 + 5 * n + 2 * n * n : std::max(1, n);
      ScratchVector<Real<T>> reals = room<Real<T>>(real_size);
      call<T, "heevd">(job, uplo, n, a, lda, w, work, size, reals.data(), real_size, integers.data(), integer_size,
                       &info);
    } else {
      call<T, "syevd">(job, uplo, n, a, lda, w, work, size, integers.data(), integer_size, &info);
    }
  });
  return info;
}

template <class T>
int geev(int n, T* a, int lda, Complex<Real<T>>* w, Complex<Real<T>>* v, int ldv) {
  int info = 0;
  const char left = 'N';
  const char right = v != nullptr ? 'V' : 'N';
  const int one = 1;
  if constexpr (kIsComplex<T>) {
    ScratchVector<Real<T>> reals = room<Real<T>>(2 * int64_t{n});
    with_workspace<T>([&](T* work, int size) {
      call<T, "geev">(left, right, n, a, lda, w, static_cast<T*>(nullptr), one, v, ldv, work, size, reals.data(),
                      &info);
    });
  } else {
    ScratchVector<T> real = room<T>(n);
    ScratchVector<T> imaginary = room<T>(n);
    ScratchVector<T> vectors = room<T>(v != nullptr ? int64_t{n} * n : 0);
    const int leading = std::max(1, n);
    with_workspace<T>([&](T* work, int size) {
      call<T, "geev">(left, right, n, a, lda, real.data(), imaginary.data(), static_cast<T*>(nullptr), one,
                      vectors.data(), leading, work, size, &info);
    });
    for (int i = 0; i < n; ++i) {
      const auto at = static_cast<size_t>(i);
      w[i] = {real[at], imaginary[at]};
      if (v == nullptr) continue;
      // A pair of conjugate eigenvalues has the columns i and i + 1 as real and imaginary parts of its vectors.
      const T sign = imaginary[at] == 0 ? T(0) : imaginary[at] > 0 ? T(1) : T(-1);
      const int first = sign < 0 ? i - 1 : i;
      for (int row = 0; row < n; ++row) {
        const T re = vectors[static_cast<size_t>(first * n + row)];
        const T im = sign == 0 ? T(0) : sign * vectors[static_cast<size_t>((first + 1) * n + row)];
        v[i * ldv + row] = {re, im};
      }
    }
  }
  return info;
}

template <class T>
int ldl_factor(bool hermitian, int n, T* a, int lda, int* pivots) {
  int info = 0;
  const char lower = 'L';
  with_workspace<T>([&](T* work, int size) {
    if (kIsComplex<T> && hermitian) {
      call<T, "hetrf">(lower, n, a, lda, pivots, work, size, &info);
    } else {
      call<T, "sytrf">(lower, n, a, lda, pivots, work, size, &info);
    }
  });
  return info;
}

template <class T>
void ldl_solve(bool hermitian, int n, int columns, const T* a, int lda, const int* pivots, T* b, int ldb) {
  int info = 0;
  const char lower = 'L';
  if (kIsComplex<T> && hermitian) {
    call<T, "hetrs">(lower, n, columns, a, lda, pivots, b, ldb, &info);
  } else {
    call<T, "sytrs">(lower, n, columns, a, lda, pivots, b, ldb, &info);
  }
}

template <class T>
LeastSquares gels(int m, int n, int columns, T* a, int lda, T* b, int ldb) {
  LeastSquares result{0, 0};
  const char op = 'N';
  with_workspace<T>(
      [&](T* work, int size) { call<T, "gels">(op, m, n, columns, a, lda, b, ldb, work, size, &result.info); });
  return result;
}

template <class T>
LeastSquares gelsy(int m, int n, int columns, T* a, int lda, T* b, int ldb, Real<T> rcond) {
  LeastSquares result{0, 0};
  ScratchVector<int> pivots = room<int>(n);
  ScratchVector<Real<T>> reals = room<Real<T>>(2 * int64_t{n});
  with_workspace<T>([&](T* work, int size) {
    if constexpr (kIsComplex<T>) {
      call<T, "gelsy">(m, n, columns, a, lda, b, ldb, pivots.data(), rcond, &result.rank, work, size, reals.data(),
                       &result.info);
    } else {
      call<T, "gelsy">(m, n, columns, a, lda, b, ldb, pivots.data(), rcond, &result.rank, work, size, &result.info);
    }
  });
  return result;
}

template <class T>
LeastSquares gelsd(bool divides, int m, int n, int columns, T* a, int lda, T* b, int ldb, Real<T>* s, Real<T> rcond) {
  LeastSquares result{0, 0};
  // Sizes for divide and conquer: the smallest subproblem has 25 elements, and there are at most 32 levels.
  const int64_t least = std::min(m, n);
  ScratchVector<int> integers = room<int>(3 * least * 32 + 11 * least);
  ScratchVector<Real<T>> reals = room<Real<T>>(10 * least + 50 * least + 8 * least * 32 + 75 * columns +
                                               std::max<int64_t>(26 * 26, least * (1 + columns) + 2 * columns));
  with_workspace<T>([&](T* work, int size) {
    if constexpr (kIsComplex<T>) {
      if (divides) {
        call<T, "gelsd">(m, n, columns, a, lda, b, ldb, s, rcond, &result.rank, work, size, reals.data(),
                         integers.data(), &result.info);
      } else {
        call<T, "gelss">(m, n, columns, a, lda, b, ldb, s, rcond, &result.rank, work, size, reals.data(), &result.info);
      }
    } else if (divides) {
      call<T, "gelsd">(m, n, columns, a, lda, b, ldb, s, rcond, &result.rank, work, size, integers.data(),
                       &result.info);
    } else {
      call<T, "gelss">(m, n, columns, a, lda, b, ldb, s, rcond, &result.rank, work, size, &result.info);
    }
  });
  return result;
}

#define STRUCTURED_INSTANTIATE_LAPACK(T)                                            \
  template int potrf(bool, int, T*, int);                                           \
  template int potri(bool, int, T*, int);                                           \
  template void potrs(bool, int, int, const T*, int, T*, int);                      \
  template int getrf(int, int, T*, int, int*);                                      \
  template void getrs(char, int, int, const T*, int, const int*, T*, int);          \
  template void trsm(bool, bool, char, bool, int, int, const T*, int, T*, int);     \
  template void geqrf(int, int, T*, int, T*);                                       \
  template void orgqr(int, int, int, T*, int, const T*);                            \
  template void ormqr(bool, bool, int, int, int, const T*, int, const T*, T*, int); \
  template int gesdd(char, int, int, T*, int, Real<T>*, T*, int, T*, int);          \
  template int heevd(bool, bool, int, T*, int, Real<T>*);                           \
  template int geev(int, T*, int, Complex<Real<T>>*, Complex<Real<T>>*, int);       \
  template int ldl_factor(bool, int, T*, int, int*);                                \
  template void ldl_solve(bool, int, int, const T*, int, const int*, T*, int);      \
  template LeastSquares gels(int, int, int, T*, int, T*, int);                      \
  template LeastSquares gelsy(int, int, int, T*, int, T*, int, Real<T>);            \
  template LeastSquares gelsd(bool, int, int, int, T*, int, T*, int, Real<T>*, Real<T>);
STRUCTURED_INSTANTIATE_LAPACK(float)
STRUCTURED_INSTANTIATE_LAPACK(double)
STRUCTURED_INSTANTIATE_LAPACK(Complex<float>)
STRUCTURED_INSTANTIATE_LAPACK(Complex<double>)
#undef STRUCTURED_INSTANTIATE_LAPACK

}  // namespace structured::kernels::lapack
