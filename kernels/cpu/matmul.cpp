// Products of matrices and vectors on CPU.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/pointwise.h>
#include <structured/memory/scratch.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <type_traits>

#include "leveled.h"
#include "matrix_product.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Returns the matrix of the last two dimensions.
template <class T, class Element = std::remove_const_t<T>>
STRUCTURED_ALWAYS_INLINE Matrix<T> matrix_of(const Tensor& tensor) {
  const TensorImpl& impl = *tensor.impl();
  const size_t d = impl.rank() - 2;
  return {impl.elements<Element>(), impl.sizes()[d], impl.sizes()[d + 1], impl.strides()[d], impl.strides()[d + 1]};
}

// Returns a vector as a matrix of one column.
template <class T, class Element = std::remove_const_t<T>>
Matrix<T> column_of(const Tensor& tensor) {
  const TensorImpl& impl = *tensor.impl();
  return {impl.elements<Element>(), impl.sizes()[0], 1, impl.strides()[0], 1};
}

// Converts `alpha` or `beta`. Fractions are truncated for integer dtypes, as in ATen.
template <class T>
AccumulateType<T> factor(const Scalar& scalar) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<uint64_t>(scalar.converted<int64_t>());
  } else {
    return scalar.converted<AccumulateType<T>>();
  }
}

// Copies `self`, which `beta` multiplies, to `out`, broadcast.
void broadcast_into(const Tensor& out, const Tensor& self) {
  if (out.is_same(self)) return;
  DimVector strides(out.sizes().size(), 0);
  const size_t missing = out.sizes().size() - self.sizes().size();
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    strides[missing + d] = self.sizes()[d] == 1 ? 0 : self.strides()[d];
  }
  structured::copy_into(out, structured::as_strided(self, out.sizes(), strides, self.storage_offset()));
}

bool is_zero(const Scalar& scalar) { return scalar.converted<Complex<double>>() == Complex<double>(0); }

constexpr ScalarTypeSet kProductTypes = kRealTypes | kComplexTypes;

// Calls `body(i)` for each matrix of a batch: several matrices in parallel if there are enough, otherwise several
// threads for each matrix.
template <class Body>
void for_each_matrix(int64_t count, int64_t work, const Body& body) {
  if (count < max_threads()) {
    for (int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  parallel_for(0, count, std::max<int64_t>(1, kGrainSize / std::max<int64_t>(work, 1)),
               [&body](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) body(i);
               });
}

// Handles products with inner size 0, whose operands may have any dtype. Returns whether `out` is complete.
bool multiply_nothing(const Tensor& a, const Tensor& b, const Tensor& out, const Scalar& beta) {
  if (a.numel() != 0 && b.numel() != 0) [[likely]]
    return false;
  if (is_zero(beta)) broadcast_into(out, structured::scalar_tensor(0, out.options()));
  return is_zero(beta) || out.scalar_type() == kBool;
}

void multiply_batches(const char* name, const Tensor& a, const Tensor& b, const Tensor& out, const Scalar& beta,
                      const Scalar& alpha) {
  if (out.numel() == 0 || multiply_nothing(a, b, out, beta)) return;
  visit<kProductTypes>(name, out.scalar_type(), [&]<class T>() {
    const Matrix<const T> left = matrix_of<const T>(a);
    const Matrix<const T> right = matrix_of<const T>(b);
    const Matrix<T> result = matrix_of<T>(out);
    const int64_t left_step = a.strides()[0];
    const int64_t right_step = b.strides()[0];
    const int64_t step = out.strides()[0];
    const AccumulateType<T> old_factor = factor<T>(beta);
    const AccumulateType<T> new_factor = factor<T>(alpha);
    for_each_matrix(out.size(0), result.rows * result.columns * left.columns, [=](int64_t i) {
      multiply<T>(left.moved(i * left_step), right.moved(i * right_step), result.moved(i * step), old_factor,
                  new_factor);
    });
  });
}

constexpr int64_t kPiece = kGrainSize;  // elements of a piece; the sum does not depend on the number of threads

template <class T>
struct DotPiece {
  static void run(const T* a, const T* b, int64_t size, T* sum) {
    *sum = reduce_lanes<T>(size, T(0), [a, b](int64_t i) { return a[i] * b[i]; }, [](T x, T y) { return x + y; });
  }
};

template <class T>
T dense_dot(const T* a, const T* b, int64_t size) {
  if (size <= kPiece) {
    T sum;
    run_leveled<DotPiece<T>>(a, b, size, &sum);
    return sum;
  }
  const int64_t pieces = (size + kPiece - 1) / kPiece;
  ScratchVector<T> sums(static_cast<size_t>(pieces));
  T* const partial = sums.data();
  parallel_for(0, pieces, 2, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      run_leveled<DotPiece<T>>(a + i * kPiece, b + i * kPiece, std::min(kPiece, size - i * kPiece), partial + i);
    }
  });
  T sum = 0;
  for (const T piece : sums) sum += piece;
  return sum;
}

template <class T>
T conjugated(T x) {
  if constexpr (is_complex_v<T>) {
    return T(x.real(), -x.imag());
  } else {
    return x;
  }
}

template <bool kConjugates>
void dot(const char* name, const Tensor& a, const Tensor& b, const Tensor& out) {
  visit<kProductTypes>(name, a.scalar_type(), [&]<class T>() {
    using Wide = AccumulateType<T>;
    const T* x = a.data_ptr<T>();
    const T* y = b.data_ptr<T>();
    const int64_t size = a.size(0);
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      if (size < 2 || (a.stride(0) == 1 && b.stride(0) == 1)) {
        *out.data_ptr<T>() = dense_dot(x, y, size);
        return;
      }
    }
    Wide sum(0);
    for (int64_t i = 0; i < size; ++i, x += a.stride(0), y += b.stride(0)) {
      sum = static_cast<Wide>(sum + static_cast<Wide>(kConjugates ? conjugated(*x) : *x) * static_cast<Wide>(*y));
    }
    *out.data_ptr<T>() = static_cast<T>(sum);
  });
}

// Not inlined into the dtype switch, where its arguments would be passed on the stack.
template <class T>
__attribute__((noinline)) void multiply_matrices(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  const Matrix<const T> a = matrix_of<const T>(self);
  const Matrix<const T> b = matrix_of<const T>(mat2);
  const Matrix<T> product = matrix_of<T>(out);
  has_few_products(a, product) ? multiply_few(a, b, product) : multiply<T>(a, b, product);
}

}  // namespace

[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  if (multiply_nothing(self, mat2, out, 0)) return;
  visit<kProductTypes>("mm", self.scalar_type(), [&]<class T>() { multiply_matrices<T>(self, mat2, out); });
}

[[structured::impl("addmm.out", "CPU")]]
void addmm_cpu(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha,
               const Tensor& out) {
  if (out.numel() == 0) return;
  if (!is_zero(beta)) broadcast_into(out, self);
  if (multiply_nothing(mat1, mat2, out, beta)) return;
  visit<kProductTypes>("addmm", mat1.scalar_type(), [&]<class T>() {
    multiply<T>(matrix_of<const T>(mat1), matrix_of<const T>(mat2), matrix_of<T>(out), factor<T>(beta),
                factor<T>(alpha));
  });
}

[[structured::impl("bmm.out", "CPU")]]
void bmm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  multiply_batches("bmm", self, mat2, out, 0, 1);
}

[[structured::impl("baddbmm.out", "CPU")]]
void baddbmm_cpu(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                 const Scalar& alpha, const Tensor& out) {
  if (!is_zero(beta)) broadcast_into(out, self);
  multiply_batches("baddbmm", batch1, batch2, out, beta, alpha);
}

[[structured::impl("addbmm.out", "CPU")]]
void addbmm_cpu(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha,
                const Tensor& out) {
  if (out.numel() == 0) return;
  if (!is_zero(beta)) broadcast_into(out, self);
  visit<kProductTypes>("addbmm", out.scalar_type(), [&]<class T>() {
    const Matrix<const T> left = matrix_of<const T>(batch1);
    const Matrix<const T> right = matrix_of<const T>(batch2);
    const Matrix<T> result = matrix_of<T>(out);
    const AccumulateType<T> new_factor = factor<T>(alpha);
    AccumulateType<T> old_factor = factor<T>(beta);
    if (batch1.size(0) == 0) {  // empty sum
      const Matrix<const T> empty{left.data, left.rows, 0, 0, 0};
      return multiply<T>(empty, {right.data, 0, right.columns, 0, 0}, result, old_factor, new_factor);
    }
    for (int64_t i = 0; i < batch1.size(0); ++i) {
      multiply<T>(left.moved(i * batch1.stride(0)), right.moved(i * batch2.stride(0)), result, old_factor, new_factor);
      old_factor = AccumulateType<T>(1);
    }
  });
}

[[structured::impl("mv.out", "CPU")]]
void mv_cpu(const Tensor& self, const Tensor& vec, const Tensor& out) {
  if (multiply_nothing(self, vec, out, 0)) return;
  visit<kProductTypes>("mv", self.scalar_type(), [&]<class T>() {
    multiply<T>(matrix_of<const T>(self), column_of<const T>(vec), column_of<T>(out));
  });
}

[[structured::impl("addmv.out", "CPU")]]
void addmv_cpu(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha,
               const Tensor& out) {
  if (out.numel() == 0) return;
  if (!is_zero(beta)) broadcast_into(out, self);
  visit<kProductTypes>("addmv", mat.scalar_type(), [&]<class T>() {
    multiply<T>(matrix_of<const T>(mat), column_of<const T>(vec), column_of<T>(out), factor<T>(beta), factor<T>(alpha));
  });
}

[[structured::impl("addr.out", "CPU")]]
void addr_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
              const Scalar& alpha, const Tensor& out) {
  pointwise_kernel<kAllTypes>("addr", op, [&]<class T>() {
    const bool ignores_self = is_zero(beta);
    return [ignores_self, old_factor = beta.converted<T>(), new_factor = alpha.converted<T>()](T x, T a, T b) -> T {
      // Unlike AccumulateType, 16-bit floats are rounded after each operation, as in pointwise arithmetic.
      using Wide = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;
      const Wide product = static_cast<Wide>(new_factor) * static_cast<Wide>(a) * static_cast<Wide>(b);
      return static_cast<T>(ignores_self ? product : static_cast<Wide>(old_factor) * static_cast<Wide>(x) + product);
    };
  });
}

[[structured::impl("dot.out", "CPU")]]
void dot_cpu(const Tensor& self, const Tensor& tensor, const Tensor& out) {
  dot<false>("dot", self, tensor, out);
}

[[structured::impl("vdot.out", "CPU")]]
void vdot_cpu(const Tensor& self, const Tensor& other, const Tensor& out) {
  dot<true>("vdot", self, other, out);
}

}  // namespace structured::kernels
