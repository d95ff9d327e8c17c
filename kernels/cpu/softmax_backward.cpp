// Gradients of softmax and log_softmax on CPU.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/pointwise.h>

#include <algorithm>
#include <cstdint>

#include "leveled.h"
#include "math/exponential.h"
#include "shared/dense.h"
#include "shared/dim_extents.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Summand of a row's sum: the gradient `g` times softmax `y`, or the gradient alone where `y` is the logarithm of
// softmax.
template <bool kIsLog, class T>
STRUCTURED_ALWAYS_INLINE T summand(T g, T y) {
  return kIsLog ? g : g * y;
}

// The gradient of the input: y (g - sum(g y)) for softmax, g - exp(y) sum(g) for its logarithm.
template <bool kIsLog, class T>
STRUCTURED_ALWAYS_INLINE T input_gradient(T g, T y, T sum) {
  if constexpr (kIsLog) {
    return g - math::exp(y) * sum;
  } else {
    return y * (g - sum);
  }
}

// Adjacent rows of `size` elements. A row is read from memory once; the second pass reads it from the cache.
template <class T, bool kIsLog>
struct SoftmaxGradientRows {
  static void run(const T* grad, const T* output, T* out, int64_t rows, int64_t size) {
    for (int64_t row = 0; row < rows; ++row, grad += size, output += size, out += size) {
      const T* const g = grad;
      const T* const y = output;
      const T sum = reduce_lanes<T>(
          size, T(0), [g, y](int64_t i) { return summand<kIsLog>(g[i], y[i]); }, [](T a, T b) -> T { return a + b; });
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < size; ++i) out[i] = input_gradient<kIsLog>(g[i], y[i], sum);
    }
  }
};

constexpr int64_t kColumns = 256;  // columns per block; their sums fit the first-level cache

// `columns` <= kColumns columns of `size` elements that are `step` apart.
template <class T, bool kIsLog>
struct SoftmaxGradientColumns {
  static void run(const T* grad, const T* output, T* out, int64_t columns, int64_t size, int64_t step) {
    T sums[kColumns];
    for (int64_t c = 0; c < columns; ++c) sums[c] = 0;
    for (int64_t i = 0; i < size; ++i) {
      const T* const g = grad + i * step;
      const T* const y = output + i * step;
      for (int64_t c = 0; c < columns; ++c) sums[c] += summand<kIsLog>(g[c], y[c]);
    }
    for (int64_t i = 0; i < size; ++i) {
      const T* const g = grad + i * step;
      const T* const y = output + i * step;
      T* const x = out + i * step;
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t c = 0; c < columns; ++c) x[c] = input_gradient<kIsLog>(g[c], y[c], sums[c]);
    }
  }
};

// Computes the gradient from contiguous tensors of type T.
template <bool kIsLog, class T>
void gradient_dense(const Tensor& grad, const Tensor& output, int64_t dim, const Tensor& out) {
  const auto [outer, size, inner] = dim_extents(grad, dim);
  const T* const g = grad.data_ptr<T>();
  const T* const y = output.data_ptr<T>();
  T* const x = out.data_ptr<T>();
  if (inner == 1) {
    parallel_for(0, outer, std::max<int64_t>(1, kGrainSize / size), [=](int64_t begin, int64_t end) {
      const int64_t offset = begin * size;
      run_leveled<SoftmaxGradientRows<T, kIsLog>>(g + offset, y + offset, x + offset, end - begin, size);
    });
    return;
  }
  const int64_t blocks = (inner + kColumns - 1) / kColumns;
  const int64_t grain = std::max<int64_t>(1, kGrainSize / (size * std::min(inner, kColumns)));
  parallel_for(0, outer * blocks, grain, [=](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t column = block % blocks * kColumns;
      const int64_t offset = block / blocks * size * inner + column;
      run_leveled<SoftmaxGradientColumns<T, kIsLog>>(g + offset, y + offset, x + offset,
                                                     std::min(kColumns, inner - column), size, inner);
    }
  });
}

template <bool kIsLog>
void gradient(const Tensor& grad_output, const Tensor& output, int64_t dim, const Tensor& grad_input) {
  if (grad_output.numel() == 0) return;
  const int64_t wrapped = wrap_dim(dim, grad_output.dim());
  const ScalarType dtype = grad_output.scalar_type() == kDouble ? kDouble : kFloat;
  const Tensor result = writable(grad_input, dtype);
  if (dtype == kDouble) {
    gradient_dense<kIsLog, double>(dense(grad_output, dtype), dense(output, dtype), wrapped, result);
  } else {
    gradient_dense<kIsLog, float>(dense(grad_output, dtype), dense(output, dtype), wrapped, result);
  }
  store(grad_input, result);
}

}  // namespace

[[structured::impl("_softmax_backward_data.out", "CPU")]]
void softmax_backward_cpu(const Tensor& grad_output, const Tensor& output, int64_t dim,
                          [[maybe_unused]] ScalarType input_dtype, const Tensor& grad_input) {
  gradient<false>(grad_output, output, dim, grad_input);
}

[[structured::impl("_log_softmax_backward_data.out", "CPU")]]
void log_softmax_backward_cpu(const Tensor& grad_output, const Tensor& output, int64_t dim,
                              [[maybe_unused]] ScalarType input_dtype, const Tensor& out) {
  gradient<true>(grad_output, output, dim, out);
}

}  // namespace structured::kernels
