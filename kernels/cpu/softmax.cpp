// Softmax on CPU. Rows are read from memory once; later passes over a row read it from the cache.
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/pointwise.h>
#include <structured/number/visit.h>
#include <structured/ops/add.h>
#include <structured/ops/amax.h>
#include <structured/ops/exp.h>
#include <structured/ops/log.h>
#include <structured/ops/select.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/view_as_real.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cpu/exponentials.h"
#include "leveled.h"
#include "math/exponential.h"
#include "shared/dense.h"
#include "shared/dim_extents.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

constexpr auto larger = []<class T>(T a, T b) -> T { return a > b ? a : b; };

// Softmax of adjacent rows of `size` elements.
template <class T, bool kIsLog>
struct SoftmaxRows {
  static void run(const T* in, T* out, int64_t rows, int64_t size) {
    for (int64_t row = 0; row < rows; ++row, in += size, out += size) {
      const T* const x = in;
      const T largest = largest_of(x, size);
      if constexpr (kIsLog) {
        const T sum = sum_of_exponentials(x, size, largest, [](int64_t, int64_t, const T*) {});
        const T shift = math::log(sum);
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < size; ++i) out[i] = x[i] - largest - shift;
      } else {
        T* const y = out;
        const T sum = sum_of_exponentials(x, size, largest, [y](int64_t begin, int64_t count, const T* values) {
          for (int64_t i = 0; i < count; ++i) y[begin + i] = values[i];
        });
        const T factor = T(1) / sum;
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < size; ++i) y[i] *= factor;
      }
    }
  }
};

constexpr int64_t kColumns = 256;  // columns per block; their intermediate values fit the first-level cache

// Softmax of `columns` <= kColumns columns of `size` elements that are `step` apart.
template <class T, bool kIsLog>
struct SoftmaxColumns {
  static void run(const T* in, T* out, int64_t columns, int64_t size, int64_t step) {
    T largest[kColumns];
    T sums[kColumns];
    for (int64_t c = 0; c < columns; ++c) largest[c] = in[c];
    for (int64_t i = 1; i < size; ++i) {
      const T* const x = in + i * step;
      for (int64_t c = 0; c < columns; ++c) largest[c] = larger(largest[c], x[c]);
    }
    for (int64_t c = 0; c < columns; ++c) sums[c] = 0;
    for (int64_t i = 0; i < size; ++i) {
      const T* const x = in + i * step;
      T* const y = out + i * step;
      if constexpr (kIsLog) {
        for (int64_t c = 0; c < columns; ++c) sums[c] += math::exp_of_nonpositive(x[c] - largest[c]);
      } else {
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t c = 0; c < columns; ++c) {
          const T value = math::exp_of_nonpositive(x[c] - largest[c]);
          sums[c] += value;
          y[c] = value;
        }
      }
    }
    if constexpr (kIsLog) {
      for (int64_t c = 0; c < columns; ++c) sums[c] = math::log(sums[c]);
    } else {
      for (int64_t c = 0; c < columns; ++c) sums[c] = T(1) / sums[c];
    }
    for (int64_t i = 0; i < size; ++i) {
      const T* const x = in + i * step;
      T* const y = out + i * step;
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t c = 0; c < columns; ++c) y[c] = kIsLog ? x[c] - largest[c] - sums[c] : y[c] * sums[c];
    }
  }
};

constexpr int64_t kShort = 32;  // greatest size of rows for which per-row overhead dominates
constexpr int64_t kRowsAtOnce = 64;

// Softmax of rows of at most kShort elements, many of them side by side.
template <class T, bool kIsLog>
struct SoftmaxShortRows {
  static void run(const T* in, T* out, int64_t rows, int64_t size) {
    T columns[kShort * kRowsAtOnce];
    for (int64_t done = 0; done < rows; done += kRowsAtOnce) {
      const int64_t count = rows - done < kRowsAtOnce ? rows - done : kRowsAtOnce;
      const int64_t padded = (count + 15) / 16 * 16;
      for (int64_t row = 0; row < padded; ++row) {
        const T* const x = in + (done + (row < count ? row : 0)) * size;
        for (int64_t i = 0; i < size; ++i) columns[i * kRowsAtOnce + row] = x[i];
      }
      SoftmaxColumns<T, kIsLog>::run(columns, columns, padded, size, kRowsAtOnce);
      for (int64_t row = 0; row < count; ++row) {
        T* const y = out + (done + row) * size;
        for (int64_t i = 0; i < size; ++i) y[i] = columns[i * kRowsAtOnce + row];
      }
    }
  }
};

// One exponential costs about as much as four elements of simpler loops.
constexpr int64_t kSoftmaxGrain = kGrainSize / 4;

template <bool kIsLog, class T>
void softmax_rows(const T* in, T* out, int64_t rows, int64_t size) {
  parallel_for(0, rows, std::max<int64_t>(1, kSoftmaxGrain / size), [=](int64_t begin, int64_t end) {
    if (size <= kShort) {
      run_leveled<SoftmaxShortRows<T, kIsLog>>(in + begin * size, out + begin * size, end - begin, size);
    } else {
      run_leveled<SoftmaxRows<T, kIsLog>>(in + begin * size, out + begin * size, end - begin, size);
    }
  });
}

template <bool kIsLog, class T>
void softmax_columns(const T* in, T* out, int64_t outer, int64_t size, int64_t inner) {
  const int64_t blocks = (inner + kColumns - 1) / kColumns;
  const int64_t grain = std::max<int64_t>(1, kSoftmaxGrain / (size * std::min(inner, kColumns)));
  parallel_for(0, outer * blocks, grain, [=](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t column = block % blocks * kColumns;
      const int64_t offset = block / blocks * size * inner + column;
      run_leveled<SoftmaxColumns<T, kIsLog>>(in + offset, out + offset, std::min(kColumns, inner - column), size,
                                             inner);
    }
  });
}

// Returns a tensor [outer, size, inner] with `size` and `inner` exchanged.
Tensor exchanged(const Tensor& tensor, int64_t outer, int64_t size, int64_t inner) {
  return structured::as_strided(tensor, {outer, inner, size}, {size * inner, 1, inner}, tensor.storage_offset());
}

// Computes softmax of contiguous tensors of type T.
template <bool kIsLog, class T>
void softmax_dense(const Tensor& self, int64_t dim, const Tensor& out) {
  const auto [outer, size, inner] = dim_extents(self, dim);
  const T* const in = self.data_ptr<T>();
  if (inner == 1) return softmax_rows<kIsLog>(in, out.data_ptr<T>(), outer, size);
  constexpr int64_t few = 64 / static_cast<int64_t>(sizeof(T));
  if (inner >= few) return softmax_columns<kIsLog>(in, out.data_ptr<T>(), outer, size, inner);
  const Tensor rows = structured::empty({outer, inner, size}, self.options());
  structured::copy_into(rows, exchanged(self, outer, size, inner));
  softmax_rows<kIsLog>(rows.data_ptr<T>(), rows.data_ptr<T>(), outer * inner, size);
  structured::copy_into(exchanged(out, outer, size, inner), rows);
}

template <bool kIsLog>
void softmax(const Tensor& self, int64_t dim, const Tensor& out) {
  if (self.numel() == 0) return;
  const int64_t wrapped = wrap_dim(dim, self.dim());
  if (self.scalar_type() == kDouble) return softmax_dense<kIsLog, double>(dense(self, kDouble), wrapped, out);
  if (out.scalar_type() == kFloat) return softmax_dense<kIsLog, float>(dense(self, kFloat), wrapped, out);
  const Tensor wide = dense(self, kFloat);
  softmax_dense<kIsLog, float>(wide, wrapped, wide);
  structured::copy_into(out, wide);
}

}  // namespace

[[structured::impl("_softmax.out", "CPU")]]
void softmax_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool half_to_float, const Tensor& out) {
  softmax<false>(self, dim, out);
}

[[structured::impl("_log_softmax.out", "CPU")]]
void log_softmax_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool half_to_float, const Tensor& out) {
  softmax<true>(self, dim, out);
}

[[structured::impl("logsumexp.out", "CPU")]]
void logsumexp_cpu(const Tensor& self, IntArrayRef dim, bool keepdim, const Tensor& out) {
  const bool is_whole = structured::is_integral(self.scalar_type(), true);
  const Tensor numbers = is_whole ? dense(self, kFloat) : self;
  Tensor result = out;
  if (self.numel() == 0) {
    structured::sum_out(result, numbers, dim, keepdim);
    structured::log_(result);
    return;
  }
  const Tensor real = self.is_complex() ? structured::select(structured::view_as_real(self), -1, 0) : numbers;
  const Tensor largest = structured::amax(real, dim, true);
  pointwise_kernel<kAllFloatingTypes>("logsumexp", TensorIterator::unary_op(largest, largest), []<class T>() {
    return [](T x) -> T { return std::fabs(x) == std::numeric_limits<T>::infinity() ? T(0) : x; };
  });
  Tensor powers = structured::sub(numbers, largest);
  structured::exp_(powers);
  structured::sum_out(result, powers, dim, keepdim);
  structured::log_(result);
  const DimVector strides = contiguous_strides(out.sizes());
  structured::add_(result, structured::as_strided(largest, out.sizes(), strides, 0));
}

}  // namespace structured::kernels
