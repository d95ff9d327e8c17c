// Pairwise distances on CPU, vectorized over the second operand.
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "leveled.h"
#include "math/extrema.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Norms: add() accumulates the difference of two elements, finish() computes the norm from the accumulated value.
template <class T>
struct Count {
  static T add(T sum, T x, T) { return sum + (x != T(0) ? T(1) : T(0)); }
  static T finish(T sum, T) { return sum; }
};
template <class T>
struct Total {
  static T add(T sum, T x, T) { return sum + std::fabs(x); }
  static T finish(T sum, T) { return sum; }
};
template <class T>
struct Euclidean {
  static T add(T sum, T x, T) { return sum + x * x; }
  static T finish(T sum, T) { return std::sqrt(sum); }
};
template <class T>
struct Largest {
  static T add(T sum, T x, T) {
    const T size = std::fabs(x);
    return replaces_max(size, sum) ? size : sum;
  }
  static T finish(T sum, T) { return sum; }
};
template <class T>
struct Power {
  static T add(T sum, T x, T p) { return sum + std::pow(std::fabs(x), p); }
  static T finish(T sum, T p) { return std::pow(sum, T(1) / p); }
};

// Two sets of vectors: `rows` are contiguous; the `others` are interleaved, element i of all of them starting at
// `others + i * step`. Row r of `out` receives the distances of vector r from all others.
template <class T>
struct Operands {
  const T* rows;
  int64_t row_count;
  const T* others;
  int64_t step;
  int64_t count;
  int64_t size;  // elements of a vector
  T p;
  T* out;
};

// Processes several rows together, so that each element of `others` is loaded once for all of them. Sums stay in
// registers.
template <class T, template <class> class Norm>
struct Distances {
  template <int64_t kVectorBytes>
  struct Body {
    static constexpr int64_t kWidth = 2 * kVectorBytes / static_cast<int64_t>(sizeof(T));

    static void run(Operands<T> of) {
      int64_t row = 0;
      for (; row + 4 <= of.row_count; row += 4) rows<4>(of, row);
      for (; row < of.row_count; ++row) rows<1>(of, row);
    }

    template <int64_t kRows>
    STRUCTURED_ALWAYS_INLINE static void rows(const Operands<T>& of, int64_t row) {
      int64_t begin = 0;
      for (; begin + kWidth <= of.count; begin += kWidth) block<kRows>(of, row, begin, kWidth);
      if (begin < of.count) block<kRows>(of, row, begin, of.count - begin);
    }

    template <int64_t kRows>
    STRUCTURED_ALWAYS_INLINE static void block(const Operands<T>& of, int64_t row, int64_t begin, int64_t width) {
      T sums[kRows][kWidth] = {};
      const T* const x = of.rows + row * of.size;
      for (int64_t i = 0; i < of.size; ++i) {
        const T* const other = of.others + begin + i * of.step;
        for (int64_t r = 0; r < kRows; ++r) {
          const T element = x[r * of.size + i];
          // GCC unrolls a loop of 16 steps before it could vectorise it.
#pragma GCC unroll 1
          for (int64_t k = 0; k < width; ++k) sums[r][k] = Norm<T>::add(sums[r][k], element - other[k], of.p);
        }
      }
      for (int64_t r = 0; r < kRows; ++r) {
        T* const out = of.out + (row + r) * of.count + begin;
        for (int64_t k = 0; k < width; ++k) out[k] = Norm<T>::finish(sums[r][k], of.p);
      }
    }
  };
};

template <class T>
void distances(double p, const Operands<T>& of) {
  if (p == 0) return run_vectors<Distances<T, Count>::template Body>(of);
  if (p == 1) return run_vectors<Distances<T, Total>::template Body>(of);
  if (p == 2) return run_vectors<Distances<T, Euclidean>::template Body>(of);
  if (std::isinf(p)) return run_vectors<Distances<T, Largest>::template Body>(of);
  Distances<T, Power>::template Body<16>::run(of);
}

// Dtype in which distances of `dtype` are computed.
ScalarType computed_dtype(ScalarType dtype) { return dtype == kDouble ? kDouble : kFloat; }

// Returns `tensor` [..., rows, columns] converted to `dtype`, expanded to `batch` and contiguous, with rows and columns
// exchanged if `is_transposed`.
Tensor matrices(const Tensor& tensor, ScalarType dtype, IntArrayRef batch, bool is_transposed) {
  DimVector sizes(batch);
  DimVector strides(batch.size(), 0);
  const size_t own = tensor.sizes().size() - 2;
  for (size_t d = 0; d < own; ++d) {
    strides[batch.size() - own + d] = tensor.sizes()[d] == 1 ? 0 : tensor.strides()[d];
  }
  for (const int64_t d : {is_transposed ? -1 : -2, is_transposed ? -2 : -1}) {
    sizes.push_back(tensor.size(d));
    strides.push_back(tensor.stride(d));
  }
  return dense(structured::as_strided(tensor, sizes, strides, tensor.storage_offset()), dtype);
}

void cdist(const Tensor& x1, const Tensor& x2, double p, const Tensor& out) {
  if (out.numel() == 0) return;
  const IntArrayRef batch(out.sizes().data(), out.sizes().size() - 2);
  const ScalarType dtype = computed_dtype(out.scalar_type());
  const Tensor left = matrices(x1, dtype, batch, false);
  const Tensor right = matrices(x2, dtype, batch, true);
  const Tensor result = writable(out, dtype);
  const int64_t rows = x1.size(-2);
  const int64_t columns = x2.size(-2);
  const int64_t size = x1.size(-1);
  visit<kFloatingTypes>("_cdist_forward", dtype, [&]<class T>() {
    const T* const x = left.data_ptr<T>();
    const T* const others = right.data_ptr<T>();
    T* const to = result.data_ptr<T>();
    const int64_t grain = std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, columns * size));
    parallel_for(0, out.numel() / columns, grain, [=](int64_t begin, int64_t end) {
      while (begin < end) {
        const int64_t matrix = begin / rows;
        const int64_t count = std::min(end, (matrix + 1) * rows) - begin;
        distances<T>(p, {x + begin * size, count, others + matrix * size * columns, columns, columns, size,
                         static_cast<T>(p), to + begin * columns});
        begin += count;
      }
    });
  });
  store(out, result);
}

}  // namespace

[[structured::impl("_cdist_forward.out", "CPU")]]
void cdist_forward_cpu(const Tensor& x1, const Tensor& x2, double p,
                       [[maybe_unused]] std::optional<int64_t> compute_mode, const Tensor& out) {
  cdist(x1, x2, p, out);
}

[[structured::impl("_euclidean_dist.out", "CPU")]]
void euclidean_dist_cpu(const Tensor& x1, const Tensor& x2, const Tensor& out) {
  cdist(x1, x2, 2, out);
}

[[structured::impl("_pdist_forward.out", "CPU")]]
void pdist_forward_cpu(const Tensor& self, double p, const Tensor& out) {
  if (out.numel() == 0) return;
  const ScalarType dtype = computed_dtype(out.scalar_type());
  const Tensor rows = matrices(self, dtype, {}, false);
  const Tensor others = matrices(self, dtype, {}, true);
  const Tensor result = writable(out, dtype);
  const int64_t count = self.size(0);
  const int64_t size = self.size(1);
  visit<kFloatingTypes>("_pdist_forward", dtype, [&]<class T>() {
    const int64_t grain = std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, count * size));
    parallel_for(0, count - 1, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        distances<T>(p, {rows.data_ptr<T>() + i * size, 1, others.data_ptr<T>() + i + 1, count, count - 1 - i, size,
                         static_cast<T>(p), result.data_ptr<T>() + i * count - i * (i + 1) / 2});
      }
    });
  });
  store(out, result);
}

}  // namespace structured::kernels
