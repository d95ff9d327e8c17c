// Matrix products on the CPU: OpenBLAS for float and double, plain loops for what BLAS does not know.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/copy.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "blas.h"

namespace structured::kernels {
namespace {

// A matrix as BLAS takes it: row-major, possibly transposed.
struct BlasMatrix {
  Tensor tensor;
  bool transposed;
  int64_t leading;
};

bool has_unit_rows(const Tensor& m) { return m.stride(1) == 1 && m.stride(0) >= std::max<int64_t>(1, m.size(1)); }
bool has_unit_columns(const Tensor& m) { return m.stride(0) == 1 && m.stride(1) >= std::max<int64_t>(1, m.size(0)); }

// `m` itself where its strides suit, a dense copy otherwise.
BlasMatrix as_blas_matrix(const Tensor& m) {
  if (has_unit_rows(m)) {
    return {m, false, m.stride(0)};
  }
  if (has_unit_columns(m)) {
    return {m, true, m.stride(1)};
  }
  const Tensor dense = detail::empty(m.sizes(), m.options());
  detail::copy_into(dense, m);
  return {dense, false, dense.stride(0)};
}

template <typename T>
void mm_blas(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  if (has_unit_columns(out) && !has_unit_rows(out)) {  // out^T = mat2^T self^T, and out^T is row-major
    const auto transposed = [](const Tensor& m) {
      return detail::as_strided_view(m, {m.size(1), m.size(0)}, {m.stride(1), m.stride(0)}, m.storage_offset());
    };
    return mm_blas<T>(transposed(mat2), transposed(self), transposed(out));
  }
  const bool writes_out = has_unit_rows(out);
  const Tensor result = writes_out ? out : detail::empty(out.sizes(), out.options());
  const BlasMatrix a = as_blas_matrix(self);
  const BlasMatrix b = as_blas_matrix(mat2);
  const auto order = [](bool transposed) { return transposed ? CblasTrans : CblasNoTrans; };
  const auto narrow = [](int64_t value) { return static_cast<blasint>(value); };
  gemm(order(a.transposed), order(b.transposed), narrow(self.size(0)), narrow(mat2.size(1)), narrow(self.size(1)),
       a.tensor.data_ptr<T>(), narrow(a.leading), b.tensor.data_ptr<T>(), narrow(b.leading), result.data_ptr<T>(),
       narrow(result.stride(0)));
  if (!writes_out) {
    detail::copy_into(out, result);
  }
}

// Up to this many products are computed sooner than BLAS has looked at its arguments.
constexpr int64_t kFewProducts = 512;

// The product by its definition, if it is a small one. Whether it was.
template <typename T>
bool mm_tiny(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  const TensorImpl& left = *self.impl();
  const TensorImpl& right = *mat2.impl();
  const TensorImpl& result = *out.impl();
  const int64_t inner = left.sizes()[1];
  if (result.numel() > kFewProducts || inner > kFewProducts || result.numel() * inner > kFewProducts) {
    return false;
  }
  const int64_t rows = result.sizes()[0];
  const int64_t columns = result.sizes()[1];
  const int64_t left_step = left.strides()[1];
  const int64_t right_step = right.strides()[0];
  const T* row = left.elements<T>();
  T* out_row = result.elements<T>();
  for (int64_t i = 0; i < rows; ++i, row += left.strides()[0], out_row += result.strides()[0]) {
    const T* column = right.elements<T>();
    for (int64_t j = 0; j < columns; ++j, column += right.strides()[1]) {
      T sum = 0;
      for (int64_t k = 0; k < inner; ++k) {
        sum += row[k * left_step] * column[k * right_step];
      }
      out_row[j * result.strides()[1]] = sum;
    }
  }
  return true;
}

// Integers are summed modulo 2^64, of which their own wrapping result is a part; 16-bit floating types in float.
template <typename T>
void mm_loop(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  using Accumulator = std::conditional_t<std::is_integral_v<T>, uint64_t, std::conditional_t<sizeof(T) >= 4, T, float>>;
  const T* a = self.data_ptr<T>();
  const T* b = mat2.data_ptr<T>();
  T* c = out.data_ptr<T>();
  const int64_t columns = mat2.size(1);
  const int64_t inner = self.size(1);
  const int64_t row_work = std::max<int64_t>(1, columns * inner);
  parallel_for(0, self.size(0), std::max<int64_t>(1, kGrainSize / row_work), [&](int64_t begin, int64_t end) {
    std::vector<Accumulator> sums(static_cast<size_t>(columns));
    for (int64_t i = begin; i < end; ++i) {
      std::fill(sums.begin(), sums.end(), Accumulator{});
      for (int64_t k = 0; k < inner; ++k) {
        const auto factor = static_cast<Accumulator>(a[i * self.stride(0) + k * self.stride(1)]);
        const T* row = b + k * mat2.stride(0);
        for (int64_t j = 0; j < columns; ++j) {
          auto& sum = sums[static_cast<size_t>(j)];
          sum = static_cast<Accumulator>(sum + factor * static_cast<Accumulator>(row[j * mat2.stride(1)]));
        }
      }
      for (int64_t j = 0; j < columns; ++j) {
        c[i * out.stride(0) + j * out.stride(1)] = static_cast<T>(sums[static_cast<size_t>(j)]);
      }
    }
  });
}

bool fits_blas(const Tensor& m) {
  constexpr int64_t limit = std::numeric_limits<blasint>::max();
  return m.size(0) <= limit && m.size(1) <= limit && m.stride(0) <= limit && m.stride(1) <= limit;
}

}  // namespace

[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  if (out.numel() == 0) {
    return;
  }
  visit<kRealTypes>("mm", self.scalar_type(), [&]<class T>() {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      if (mm_tiny<T>(self, mat2, out)) {
        return;
      }
      // BLAS reads no operand when the inner size is 0, and then need not write the result either.
      if (self.size(1) != 0 && fits_blas(self) && fits_blas(mat2) && fits_blas(out)) {
        return mm_blas<T>(self, mat2, out);
      }
    }
    mm_loop<T>(self, mat2, out);
  });
}

}  // namespace structured::kernels
