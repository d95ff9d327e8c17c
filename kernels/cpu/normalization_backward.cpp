// Gradients of normalization on CPU. Let g be the gradient of the output, w the weight, and x' = (x - mean) * factor.
// The gradient of x is factor * (g w - m1 - x' m2), where m1 is the mean of g w and m2 the mean of g w x'. The
// gradients of weight and bias are the sums of g x' and of g.
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "leveled.h"
#include "normalization.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

/// Sums of g and of g x'.
struct Sums {
  double plain = 0;
  double scaled = 0;

  void add(const Sums& other) {
    plain += other.plain;
    scaled += other.scaled;
  }
};

// Adds the sums over a row of `size` elements to `*sums`.
template <class T>
struct RowSums {
  static void run(const T* g, const T* x, int64_t size, T mean, T factor, Sums* sums) {
    constexpr int64_t block = 4096 / static_cast<int64_t>(sizeof(T));
    const auto add = [](T a, T b) { return a + b; };
    for (int64_t done = 0; done < size; done += block) {
      const int64_t count = size - done < block ? size - done : block;
      const T* const a = g + done;
      const T* const b = x + done;
      sums->plain += reduce_lanes<T>(count, T(0), [a](int64_t i) { return a[i]; }, add);
      sums->scaled += reduce_lanes<T>(count, T(0), [=](int64_t i) { return a[i] * ((b[i] - mean) * factor); }, add);
    }
  }
};

// Adds the sums of each column of `rows` rows to `sums`.
template <class T>
struct ColumnSums {
  static constexpr int64_t kStrip = 128;  // columns
  static constexpr int64_t kBlock = 32;   // rows

  static void run(const T* g, const T* x, int64_t rows, int64_t columns, const T* means, const T* factors, Sums* sums) {
    for (int64_t begin = 0; begin < columns; begin += kStrip) {
      const int64_t width = columns - begin < kStrip ? columns - begin : kStrip;
      for (int64_t row = 0; row < rows; row += kBlock) {
        const int64_t end = rows - row < kBlock ? rows : row + kBlock;
        T plain[kStrip] = {};
        T scaled[kStrip] = {};
        for (int64_t i = row; i < end; ++i) {
          const T* const a = g + i * columns + begin;
          const T* const b = x + i * columns + begin;
          for (int64_t c = 0; c < width; ++c) {
            plain[c] += a[c];
            scaled[c] += a[c] * ((b[c] - means[begin + c]) * factors[begin + c]);
          }
        }
        for (int64_t c = 0; c < width; ++c) sums[begin + c].add({plain[c], scaled[c]});
      }
    }
  }
};

// Computes out = g * a + (x - mean) * b + c of one row.
template <class T>
struct CombinedRow {
  static void run(const T* g, const T* x, T* out, int64_t size, T mean, T a, T b, T c) {
    STRUCTURED_INDEPENDENT_LOOP
    for (int64_t i = 0; i < size; ++i) out[i] = g[i] * a + (x[i] - mean) * b + c;
  }
};

// Computes out = g * a + (x - mean) * b + c with coefficients for each column.
template <class T>
struct CombinedColumns {
  static void run(const T* g, const T* x, T* out, int64_t rows, int64_t columns, const T* mean, const T* a, const T* b,
                  const T* c) {
    for (int64_t row = 0; row < rows; ++row, g += columns, x += columns, out += columns) {
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < columns; ++i) out[i] = g[i] * a[i] + (x[i] - mean[i]) * b[i] + c[i];
    }
  }
};

// Computes out = g * a, without a term in x, which would propagate its NaN.
template <class T>
struct ScaledRow {
  static void run(const T* g, T* out, int64_t size, T a) {
    STRUCTURED_INDEPENDENT_LOOP
    for (int64_t i = 0; i < size; ++i) out[i] = g[i] * a;
  }
};

template <class T>
struct ScaledColumns {
  static void run(const T* g, T* out, int64_t rows, int64_t columns, const T* a) {
    for (int64_t row = 0; row < rows; ++row, g += columns, out += columns) {
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < columns; ++i) out[i] = g[i] * a[i];
    }
  }
};

template <class T>
ScratchVector<Sums> channel_sums(const T* g, const T* x, const Planes& planes, const ScratchVector<T>& means,
                                 const ScratchVector<T>& factors) {
  ScratchVector<Sums> result(static_cast<size_t>(planes.channels));
  if (!planes.channels_last) {
    const int64_t grain = std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, planes.samples * planes.size));
    parallel_for(0, planes.channels, grain, [&](int64_t begin, int64_t end) {
      for (int64_t channel = begin; channel < end; ++channel) {
        const auto c = static_cast<size_t>(channel);
        for (int64_t n = 0; n < planes.samples; ++n) {
          const int64_t offset = (n * planes.channels + channel) * planes.size;
          run_leveled<RowSums<T>>(g + offset, x + offset, planes.size, means[c], factors[c], &result[c]);
        }
      }
    });
    return result;
  }
  // Pieces depend on sizes only, so that results do not depend on the number of threads.
  const int64_t rows = planes.samples * planes.size;
  const int64_t piece = std::max<int64_t>(64, 2 * kGrainSize / std::max<int64_t>(1, planes.channels));
  const int64_t pieces = (rows + piece - 1) / piece;
  ScratchVector<Sums> partial(static_cast<size_t>(pieces * planes.channels));
  parallel_for(0, pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t offset = i * piece * planes.channels;
      run_leveled<ColumnSums<T>>(g + offset, x + offset, std::min(piece, rows - i * piece), planes.channels,
                                 means.data(), factors.data(), partial.data() + i * planes.channels);
    }
  });
  for (size_t i = 0; i < partial.size(); ++i) result[i % result.size()].add(partial[i]);
  return result;
}

// Computes g * a if `b` and `c` are null.
template <class T>
void combine_channels(const T* g, const T* x, T* out, const Planes& planes, const T* mean, const T* a, const T* b,
                      const T* c) {
  const int64_t channels = planes.channels;
  const int64_t size = planes.size;
  if (planes.channels_last) {
    parallel_for(0, planes.samples * size, std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, channels)),
                 [=](int64_t begin, int64_t end) {
                   const int64_t offset = begin * channels;
                   if (b == nullptr) {
                     run_leveled<ScaledColumns<T>>(g + offset, out + offset, end - begin, channels, a);
                   } else {
                     run_leveled<CombinedColumns<T>>(g + offset, x + offset, out + offset, end - begin, channels, mean,
                                                     a, b, c);
                   }
                 });
    return;
  }
  parallel_for(0, planes.samples * channels, std::max<int64_t>(1, kGrainSize / size), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t k = i % channels;
      if (b == nullptr) {
        run_leveled<ScaledRow<T>>(g + i * size, out + i * size, size, a[k]);
      } else {
        run_leveled<CombinedRow<T>>(g + i * size, x + i * size, out + i * size, size, mean[k], a[k], b[k], c[k]);
      }
    }
  });
}

// Stores the sums of each channel as the gradients of weight and bias, where they are requested.
template <class T>
void store_sums(const ScratchVector<Sums>& sums, const Tensor& weight, const Tensor& bias) {
  ScratchVector<T> values(sums.size());
  if (weight.defined()) {
    std::transform(sums.begin(), sums.end(), values.begin(),
                   [](const Sums& sum) { return static_cast<T>(sum.scaled); });
    store_elements(weight, values);
  }
  if (bias.defined()) {
    std::transform(sums.begin(), sums.end(), values.begin(), [](const Sums& sum) { return static_cast<T>(sum.plain); });
    store_elements(bias, values);
  }
}

// Rows of layer normalization. `out`, `weight_sums`, `bias_sums` and `weight` may be null.
template <class T>
struct LayerRows {
  static void run(const T* g, const T* x, int64_t rows, int64_t size, const T* weight, const T* means, const T* factors,
                  T* out, T* weight_sums, T* bias_sums) {
    const auto add = [](T a, T b) { return a + b; };
    for (int64_t row = 0; row < rows; ++row, g += size, x += size) {
      const T mean = means[row];
      const T factor = factors[row];
      if (weight_sums != nullptr) {
        for (int64_t i = 0; i < size; ++i) weight_sums[i] += g[i] * ((x[i] - mean) * factor);
      }
      if (bias_sums != nullptr) {
        for (int64_t i = 0; i < size; ++i) bias_sums[i] += g[i];
      }
      if (out == nullptr) continue;
      T* const y = out + row * size;
      const auto count = static_cast<T>(size);
      if (weight == nullptr) {
        const T m1 = reduce_lanes<T>(size, T(0), [=](int64_t i) { return g[i]; }, add) / count;
        const T m2 =
            reduce_lanes<T>(size, T(0), [=](int64_t i) { return g[i] * ((x[i] - mean) * factor); }, add) / count;
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < size; ++i) y[i] = factor * (g[i] - m1 - (x[i] - mean) * factor * m2);
        continue;
      }
      const T m1 = reduce_lanes<T>(size, T(0), [=](int64_t i) { return g[i] * weight[i]; }, add) / count;
      const T m2 = reduce_lanes<T>(
                       size, T(0), [=](int64_t i) { return g[i] * weight[i] * ((x[i] - mean) * factor); }, add) /
                   count;
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < size; ++i) y[i] = factor * (g[i] * weight[i] - m1 - (x[i] - mean) * factor * m2);
    }
  }
};

// Stores the sum of `pieces` rows.
template <class T>
void store_total(const ScratchVector<T>& parts, int64_t pieces, int64_t size, const Tensor& out) {
  if (!out.defined()) return;
  ScratchVector<T> total(static_cast<size_t>(size), T(0));
  for (int64_t piece = 0; piece < pieces; ++piece) {
    for (int64_t i = 0; i < size; ++i) {
      total[static_cast<size_t>(i)] += parts[static_cast<size_t>(piece * size + i)];
    }
  }
  store_elements(out, total);
}

}  // namespace

[[structured::impl("native_batch_norm_backward.out", "CPU")]]
void native_batch_norm_backward_cpu(const Tensor& grad_out, const Tensor& input, const std::optional<Tensor>& weight,
                                    const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                                    const std::optional<Tensor>& save_mean, const std::optional<Tensor>& save_invstd,
                                    bool train, double eps, [[maybe_unused]] std::array<bool, 3> output_mask,
                                    const Tensor& out0, const Tensor& out1, const Tensor& out2) {
  visit_computed(input.scalar_type(), [&]<class T>() {
    const MemoryFormat format = format_of(input);
    const Planes planes = planes_of(input, format);
    const Tensor x = dense(input, scalar_type_of<T>, format);
    const Tensor g = dense(grad_out, scalar_type_of<T>, format);
    const ScratchVector<T> means = elements_of<T>(train ? save_mean : running_mean, planes.channels, T(0));
    ScratchVector<T> factors = elements_of<T>(train ? save_invstd : running_var, planes.channels, T(0));
    if (!train) {
      for (T& factor : factors) factor = T(1) / std::sqrt(factor + static_cast<T>(eps));
    }
    ScratchVector<Sums> sums(factors.size());
    if (input.numel() != 0 && (train || out1.defined() || out2.defined())) {
      sums = channel_sums(g.data_ptr<T>(), x.data_ptr<T>(), planes, means, factors);
    }
    store_sums<T>(sums, out1, out2);
    if (!out0.defined() || input.numel() == 0) return;
    ScratchVector<T> a = elements_of<T>(weight, planes.channels, T(1));
    ScratchVector<T> b(train ? a.size() : 0);
    ScratchVector<T> c(b.size());
    const double count = static_cast<double>(planes.samples * planes.size);
    for (size_t k = 0; k < a.size(); ++k) {
      a[k] *= factors[k];
      if (!train) continue;
      b[k] = -a[k] * factors[k] * static_cast<T>(sums[k].scaled / count);
      c[k] = -a[k] * static_cast<T>(sums[k].plain / count);
    }
    const Tensor result = writable(out0, scalar_type_of<T>, format);
    combine_channels(g.data_ptr<T>(), x.data_ptr<T>(), result.data_ptr<T>(), planes, means.data(), a.data(),
                     train ? b.data() : nullptr, train ? c.data() : nullptr);
    store(out0, result);
  });
}

[[structured::impl("native_layer_norm_backward.out", "CPU")]]
void native_layer_norm_backward_cpu(const Tensor& grad_out, const Tensor& input, IntArrayRef normalized_shape,
                                    const Tensor& mean, const Tensor& rstd, const std::optional<Tensor>& weight,
                                    [[maybe_unused]] const std::optional<Tensor>& bias,
                                    [[maybe_unused]] std::array<bool, 3> output_mask, const Tensor& out0,
                                    const Tensor& out1, const Tensor& out2) {
  visit_computed(input.scalar_type(), [&]<class T>() {
    const Tensor x = dense(input, scalar_type_of<T>);
    const Tensor g = dense(grad_out, scalar_type_of<T>);
    const Tensor means = dense(mean, scalar_type_of<T>);
    const Tensor factors = dense(rstd, scalar_type_of<T>);
    const Tensor w = weight && weight->defined() ? dense(*weight, scalar_type_of<T>) : Tensor();
    const Tensor result = out0.defined() ? writable(out0, scalar_type_of<T>) : Tensor();
    const int64_t rows = mean.numel();
    int64_t size = 1;
    for (const int64_t extent : normalized_shape) size *= extent;
    // Pieces depend on sizes only, so that sums over rows do not depend on the number of threads.
    const int64_t piece = std::max<int64_t>({1, kGrainSize / std::max<int64_t>(1, size), (rows + 63) / 64});
    const int64_t pieces = (rows + piece - 1) / piece;
    ScratchVector<T> weight_parts(out1.defined() ? static_cast<size_t>(pieces * size) : 0, T(0));
    ScratchVector<T> bias_parts(out2.defined() ? static_cast<size_t>(pieces * size) : 0, T(0));
    parallel_for(0, size == 0 ? 0 : pieces, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t row = i * piece;
        run_leveled<LayerRows<T>>(g.data_ptr<T>() + row * size, x.data_ptr<T>() + row * size,
                                  std::min(piece, rows - row), size, w.defined() ? w.data_ptr<T>() : nullptr,
                                  means.data_ptr<T>() + row, factors.data_ptr<T>() + row,
                                  result.defined() ? result.data_ptr<T>() + row * size : nullptr,
                                  weight_parts.empty() ? nullptr : weight_parts.data() + i * size,
                                  bias_parts.empty() ? nullptr : bias_parts.data() + i * size);
      }
    });
    store_total(weight_parts, pieces, size, out1);
    store_total(bias_parts, pieces, size, out2);
    if (out0.defined()) store(out0, result);
  });
}

[[structured::impl("native_group_norm_backward.out", "CPU")]]
void native_group_norm_backward_cpu(const Tensor& grad_out, const Tensor& input, const Tensor& mean, const Tensor& rstd,
                                    const std::optional<Tensor>& weight, int64_t N, int64_t C, int64_t HxW,
                                    int64_t group, [[maybe_unused]] std::array<bool, 3> output_mask, const Tensor& out0,
                                    const Tensor& out1, const Tensor& out2) {
  visit_computed(input.scalar_type(), [&]<class T>() {
    const Tensor x = dense(input, scalar_type_of<T>);
    const Tensor g = dense(grad_out, scalar_type_of<T>);
    const Tensor result = out0.defined() ? writable(out0, scalar_type_of<T>) : Tensor();
    const ScratchVector<T> means = elements_of<T>(mean, N * group, T(0));
    const ScratchVector<T> factors = elements_of<T>(rstd, N * group, T(0));
    const ScratchVector<T> weights = elements_of<T>(weight, C, T(1));
    ScratchVector<Sums> sums(static_cast<size_t>(N * C));
    const int64_t members = C / group;
    const int64_t size = members * HxW;
    parallel_for(0, input.numel() == 0 ? 0 : N * group, std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, size)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) {
                     const T mean_here = means[static_cast<size_t>(i)];
                     const T factor = factors[static_cast<size_t>(i)];
                     const T* const from = g.data_ptr<T>() + i * size;
                     const T* const at = x.data_ptr<T>() + i * size;
                     const T* const w = weights.data() + i % group * members;
                     Sums weighted;
                     for (int64_t c = 0; c < members; ++c) {
                       Sums& plane = sums[static_cast<size_t>(i * members + c)];
                       run_leveled<RowSums<T>>(from + c * HxW, at + c * HxW, HxW, mean_here, factor, &plane);
                       weighted.add({plane.plain * w[c], plane.scaled * w[c]});
                     }
                     if (!result.defined()) continue;
                     const T m1 = static_cast<T>(weighted.plain / static_cast<double>(size));
                     const T m2 = static_cast<T>(weighted.scaled / static_cast<double>(size));
                     T* const out = result.data_ptr<T>() + i * size;
                     for (int64_t c = 0; c < members; ++c) {
                       run_leveled<CombinedRow<T>>(from + c * HxW, at + c * HxW, out + c * HxW, HxW, mean_here,
                                                   factor * w[c], -factor * factor * m2, -factor * m1);
                     }
                   }
                 });
    ScratchVector<Sums> channels(static_cast<size_t>(C));
    for (size_t i = 0; i < sums.size(); ++i) channels[i % channels.size()].add(sums[i]);
    store_sums<T>(channels, out1, out2);
    if (out0.defined()) store(out0, result);
  });
}

}  // namespace structured::kernels
