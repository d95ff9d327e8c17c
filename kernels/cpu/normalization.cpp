// Batch, layer and group normalization on CPU.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/pointwise.h>
#include <structured/memory/scratch.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/mul.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "leveled.h"
#include "moments.h"
#include "normalization.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Computes out = x * scale + shift of one row.
template <class T>
struct ScaledRow {
  static void run(const T* x, T* out, int64_t size, T scale, T shift) {
    STRUCTURED_INDEPENDENT_LOOP
    for (int64_t i = 0; i < size; ++i) out[i] = x[i] * scale + shift;
  }
};

// Computes out = x * scale + shift with a scale and shift for each column.
template <class T>
struct ScaledColumns {
  static void run(const T* x, T* out, int64_t rows, int64_t columns, const T* scale, const T* shift) {
    for (int64_t row = 0; row < rows; ++row, x += columns, out += columns) {
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < columns; ++i) out[i] = x[i] * scale[i] + shift[i];
    }
  }
};

template <class T>
T inverse_deviation(const Moments& moments, double eps) {
  return T(1) / std::sqrt(static_cast<T>(moments.variance()) + static_cast<T>(eps));
}

template <class T>
struct LayerNormRows {
  // Prefetching a longer row would evict the current row from the first-level cache.
  static constexpr int64_t kMostAhead = 16384 / static_cast<int64_t>(sizeof(T));

  // `weight` and `bias` may be null.
  static void run(const T* x, T* out, int64_t rows, int64_t size, const T* weight, const T* bias, T* means,
                  T* deviations, double eps) {
    for (int64_t row = 0; row < rows; ++row, x += size, out += size) {
      Moments moments;
      RowMoments<T>::run(x, size, &moments);
      // Prefetches the next row while this one is read from the cache.
      if (row + 1 < rows && size <= kMostAhead) {
        for (int64_t i = size; i < 2 * size; i += 64 / static_cast<int64_t>(sizeof(T))) __builtin_prefetch(x + i);
      }
      const T mean = static_cast<T>(moments.mean);
      const T factor = inverse_deviation<T>(moments, eps);
      means[row] = mean;
      deviations[row] = factor;
      if (weight != nullptr && bias != nullptr) {
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < size; ++i) out[i] = (x[i] - mean) * factor * weight[i] + bias[i];
        continue;
      }
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < size; ++i) out[i] = (x[i] - mean) * factor;
      if (weight != nullptr) {
        for (int64_t i = 0; i < size; ++i) out[i] *= weight[i];
      }
      if (bias != nullptr) {
        for (int64_t i = 0; i < size; ++i) out[i] += bias[i];
      }
    }
  }
};

template <class T>
ScratchVector<Moments> channel_moments(const T* x, const Planes& planes) {
  ScratchVector<Moments> result(static_cast<size_t>(planes.channels));
  if (!planes.channels_last) {
    const int64_t grain = std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, planes.samples * planes.size));
    parallel_for(0, planes.channels, grain, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) {
        for (int64_t n = 0; n < planes.samples; ++n) {
          run_leveled<RowMoments<T>>(x + (n * planes.channels + c) * planes.size, planes.size,
                                     &result[static_cast<size_t>(c)]);
        }
      }
    });
    return result;
  }
  // Pieces depend on sizes only, so that results do not depend on the number of threads.
  const int64_t rows = planes.samples * planes.size;
  const int64_t piece = std::max<int64_t>(64, 2 * kGrainSize / std::max<int64_t>(1, planes.channels));
  const int64_t pieces = (rows + piece - 1) / piece;
  ScratchVector<Moments> partial(static_cast<size_t>(pieces * planes.channels));
  parallel_for(0, pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      run_leveled<ColumnMoments<T>>(x + i * piece * planes.channels, std::min(piece, rows - i * piece), planes.channels,
                                    partial.data() + i * planes.channels);
    }
  });
  for (int64_t i = 0; i < pieces; ++i) {
    for (int64_t c = 0; c < planes.channels; ++c) {
      result[static_cast<size_t>(c)].join(partial[static_cast<size_t>(i * planes.channels + c)]);
    }
  }
  return result;
}

// Computes out = x * scale + shift with a scale and shift for each channel.
template <class T>
void scale_channels(const T* x, T* out, const Planes& planes, const T* scale, const T* shift) {
  const int64_t channels = planes.channels;
  const int64_t size = planes.size;
  if (planes.channels_last) {
    parallel_for(0, planes.samples * size, std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, channels)),
                 [=](int64_t begin, int64_t end) {
                   run_leveled<ScaledColumns<T>>(x + begin * channels, out + begin * channels, end - begin, channels,
                                                 scale, shift);
                 });
    return;
  }
  parallel_for(0, planes.samples * channels, std::max<int64_t>(1, kGrainSize / size), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t c = i % channels;
      run_leveled<ScaledRow<T>>(x + i * size, out + i * size, size, scale[c], shift[c]);
    }
  });
}

// Group normalization of one channels-last sample [size, channels].
template <class T>
void normalize_groups_of_columns(const T* x, T* out, int64_t size, int64_t channels, const ScratchVector<T>& factors,
                                 const ScratchVector<T>& summands, double eps, int64_t groups, T* means,
                                 T* deviations) {
  const Planes planes{1, channels, size, true};
  const ScratchVector<Moments> moments = channel_moments(x, planes);
  ScratchVector<T> scale(factors);
  ScratchVector<T> shift(summands);
  const int64_t members = channels / groups;
  for (int64_t g = 0; g < groups; ++g) {
    const auto begin = static_cast<size_t>(g * members);
    Moments joined;
    for (size_t c = begin; c < begin + static_cast<size_t>(members); ++c) joined.join(moments[c]);
    means[g] = static_cast<T>(joined.mean);
    deviations[g] = inverse_deviation<T>(joined, eps);
    for (size_t c = begin; c < begin + static_cast<size_t>(members); ++c) {
      scale[c] *= deviations[g];
      shift[c] -= means[g] * scale[c];
    }
  }
  scale_channels(x, out, planes, scale.data(), shift.data());
}

// Updates running statistics towards those of a batch by the factor `momentum`.
template <class T>
void move_towards(const std::optional<Tensor>& running, const ScratchVector<T>& batch, double momentum) {
  if (!running || !running->defined()) return;
  const auto count = static_cast<int64_t>(batch.size());
  ScratchVector<T> values = elements_of<T>(running, count, T(0));
  for (size_t c = 0; c < values.size(); ++c) {
    values[c] = static_cast<T>(momentum) * batch[c] + static_cast<T>(1 - momentum) * values[c];
  }
  structured::copy_into(*running, structured::tensor<T>(ArrayRef<T>(values.data(), values.size())));
  running->bump_version();
}

}  // namespace

[[structured::impl("native_batch_norm.out", "CPU")]]
void native_batch_norm_cpu(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                           const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                           bool training, double momentum, double eps, const Tensor& out, const Tensor& save_mean,
                           const Tensor& save_invstd) {
  visit_computed(input.scalar_type(), [&]<class T>() {
    const MemoryFormat format = format_of(input);
    const Planes planes = planes_of(input, format);
    const auto channels = static_cast<size_t>(planes.channels);
    const Tensor x = dense(input, scalar_type_of<T>, format);
    ScratchVector<T> means;
    ScratchVector<T> factors;
    if (training) {
      const ScratchVector<Moments> moments = channel_moments(x.data_ptr<T>(), planes);
      ScratchVector<T> variances;
      for (const Moments& channel : moments) {
        means.push_back(static_cast<T>(channel.mean));
        factors.push_back(inverse_deviation<T>(channel, eps));
        variances.push_back(static_cast<T>(channel.squares / (channel.count - 1)));
      }
      if (input.numel() != 0) {
        move_towards(running_mean, means, momentum);
        move_towards(running_var, variances, momentum);
      }
      store_elements(save_mean, means);
      store_elements(save_invstd, factors);
    } else {
      means = elements_of<T>(running_mean, planes.channels, T(0));
      factors = elements_of<T>(running_var, planes.channels, T(0));
      for (T& factor : factors) factor = T(1) / std::sqrt(factor + static_cast<T>(eps));
    }
    if (input.numel() == 0) return;
    ScratchVector<T> scale = elements_of<T>(weight, planes.channels, T(1));
    ScratchVector<T> shift = elements_of<T>(bias, planes.channels, T(0));
    for (size_t c = 0; c < channels; ++c) {
      scale[c] *= factors[c];
      shift[c] -= means[c] * scale[c];
    }
    const Tensor result = writable(out, scalar_type_of<T>, format);
    scale_channels(x.data_ptr<T>(), result.data_ptr<T>(), planes, scale.data(), shift.data());
    store(out, result);
  });
}

[[structured::impl("native_layer_norm.out", "CPU")]]
void native_layer_norm_cpu(const Tensor& input, IntArrayRef normalized_shape, const std::optional<Tensor>& weight,
                           const std::optional<Tensor>& bias, double eps, const Tensor& out0, const Tensor& out1,
                           const Tensor& out2) {
  if (out1.numel() == 0) return;
  visit_computed(input.scalar_type(), [&]<class T>() {
    constexpr ScalarType dtype = scalar_type_of<T>;
    const auto given = [](const std::optional<Tensor>& parameter) {
      return parameter && parameter->defined() ? dense(*parameter, dtype) : Tensor();
    };
    const auto elements = [](const Tensor& tensor) { return tensor.defined() ? tensor.data_ptr<T>() : nullptr; };
    const Tensor x = dense(input, dtype);
    const Tensor factors = given(weight);
    const Tensor summands = given(bias);
    const Tensor result = writable(out0, dtype);
    const Tensor means = writable(out1, dtype);
    const Tensor deviations = writable(out2, dtype);
    int64_t size = 1;
    for (const int64_t extent : normalized_shape) size *= extent;
    const T* const in = x.data_ptr<T>();
    const T* const w = elements(factors);
    const T* const b = elements(summands);
    T* const y = elements(result);
    T* const m = elements(means);
    T* const d = elements(deviations);
    parallel_for(0, out1.numel(), std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, size)),
                 [=](int64_t begin, int64_t end) {
                   run_leveled<LayerNormRows<T>>(in + begin * size, y + begin * size, end - begin, size, w, b,
                                                 m + begin, d + begin, eps);
                 });
    store(out0, result);
    store(out1, means);
    store(out2, deviations);
  });
}

[[structured::impl("native_group_norm.out", "CPU")]]
void native_group_norm_cpu(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                           int64_t N, int64_t C, int64_t HxW, int64_t group, double eps, const Tensor& out0,
                           const Tensor& out1, const Tensor& out2) {
  if (input.numel() == 0) return;
  visit_computed(input.scalar_type(), [&]<class T>() {
    const bool by_columns =
        input.dim() > 2 && input.size(0) == N && input.size(1) == C && format_of(input) != MemoryFormat::Contiguous;
    const MemoryFormat format = by_columns ? format_of(input) : MemoryFormat::Contiguous;
    const Tensor x = dense(input, scalar_type_of<T>, format);
    const Tensor result = writable(out0, scalar_type_of<T>, format);
    const ScratchVector<T> factors = elements_of<T>(weight, C, T(1));
    const ScratchVector<T> summands = elements_of<T>(bias, C, T(0));
    ScratchVector<T> means(static_cast<size_t>(N * group));
    ScratchVector<T> deviations(means.size());
    const int64_t members = C / group;
    const int64_t size = members * HxW;
    const T* const in = x.data_ptr<T>();
    T* const y = result.data_ptr<T>();
    if (by_columns) {
      parallel_for(0, N, kGrainSize / (HxW * C) + 1, [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) {
          normalize_groups_of_columns(in + n * HxW * C, y + n * HxW * C, HxW, C, factors, summands, eps, group,
                                      means.data() + n * group, deviations.data() + n * group);
        }
      });
    }
    parallel_for(
        0, by_columns ? 0 : N * group, std::max<int64_t>(1, kGrainSize / size), [&](int64_t begin, int64_t end) {
          ScratchVector<T> scale(static_cast<size_t>(members));
          ScratchVector<T> shift(scale.size());
          for (int64_t i = begin; i < end; ++i) {
            Moments moments;
            run_leveled<RowMoments<T>>(in + i * size, size, &moments);
            const T mean = static_cast<T>(moments.mean);
            const T deviation = inverse_deviation<T>(moments, eps);
            means[static_cast<size_t>(i)] = mean;
            deviations[static_cast<size_t>(i)] = deviation;
            for (int64_t c = 0; c < members; ++c) {
              const auto channel = static_cast<size_t>(i % group * members + c);
              scale[static_cast<size_t>(c)] = deviation * factors[channel];
              shift[static_cast<size_t>(c)] = summands[channel] - mean * scale[static_cast<size_t>(c)];
            }
            scale_channels(in + i * size, y + i * size, {1, members, HxW, HxW == 1}, scale.data(), shift.data());
          }
        });
    store(out0, result);
    store_elements(out1, means);
    store_elements(out2, deviations);
  });
}

[[structured::impl("renorm.out", "CPU")]]
void renorm_cpu(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm, const Tensor& out) {
  DimVector others;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != wrap_dim(dim, self.dim())) others.push_back(d);
  }
  const ScalarType real = to_real(self.scalar_type());
  const bool is_widened = !self.is_complex() && item_size(real) == 2;
  const Tensor factors =
      structured::linalg_vector_norm(self, p, others, true, is_widened ? std::optional(kFloat) : std::nullopt);
  pointwise_kernel<kFloatingTypes>("renorm", TensorIterator::unary_op(factors, factors), [&]<class T>() {
    return [limit = maxnorm.to<T>()](T norm) -> T { return norm > limit ? limit / (norm + T(1e-7)) : T(1); };
  });
  Tensor result = out;
  structured::mul_out(result, self, factors);
}

}  // namespace structured::kernels
