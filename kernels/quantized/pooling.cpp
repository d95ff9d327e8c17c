// Means of quantized tensors: adaptive average pooling and mean.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>
#include <structured/ops/clone.h>
#include <structured/ops/dequantize.h>
#include <structured/ops/mean.h>
#include <structured/ops/quantize_per_tensor.h>
#include <structured/ops/view.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "meta/pooling_geometry.h"
#include "shared/batch.h"
#include "shared/dense.h"
#include "shared/quantization.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Windows [begin, end) along one dimension of adaptive pooling.
struct Range {
  int64_t begin;
  int64_t end;
};
Range adaptive_window(const WindowAxis& axis, int64_t index) {
  return {index * axis.input / axis.output, ceil_divide((index + 1) * axis.input, axis.output)};
}

// Mean of `count` integers with the sum `sum`. QNNPACK pools QUInt8 with windows of one size, and subtracts the zero
// point before it rounds; otherwise, the mean of the integers is rounded, as PyTorch's own kernel does.
template <class T>
T rounded_mean(int32_t sum, int64_t height, int64_t width, const Quantizer& quantizer, bool is_qnnpack) {
  if (!is_qnnpack) {
    const float factor = 1.0f / static_cast<float>(height) / static_cast<float>(width);
    return saturate<T>(std::nearbyint(static_cast<float>(sum) * factor));
  }
  const auto scale = static_cast<float>(quantizer.scale());
  const auto zero_point = static_cast<int32_t>(quantizer.zero_point());
  const auto count = static_cast<int32_t>(height * width);
  const float factor = scale / (scale * static_cast<float>(count));
  return saturate<T>(std::nearbyint(static_cast<float>(sum - count * zero_point) * factor) +
                     static_cast<float>(zero_point));
}

// Means of windows of channels-last integers [N, C, H, W].
template <class T>
void pool_windows(const Tensor& in, const Tensor& out, const PoolGeometry& geometry, const Quantizer& quantizer,
                  bool is_qnnpack) {
  const WindowAxis &y = geometry.axes[1], &x = geometry.axes[2];
  const int64_t channels = in.size(1);
  const auto* const from = static_cast<const T*>(in.data());
  auto* const to = static_cast<T*>(out.data());
  const int64_t grain = std::max<int64_t>(1, kGrainSize * y.output * x.output / std::max<int64_t>(1, in.numel()));
  parallel_for(0, in.size(0) * y.output * x.output, grain, [&](int64_t begin, int64_t end) {
    ScratchVector<int32_t> sums(static_cast<std::size_t>(channels));
    for (int64_t window = begin; window < end; ++window) {
      const Range rows = adaptive_window(y, window / x.output % y.output);
      const Range columns = adaptive_window(x, window % x.output);
      const int64_t sample = window / (y.output * x.output);
      std::fill(sums.begin(), sums.end(), 0);
      for (int64_t h = rows.begin; h < rows.end; ++h) {
        for (int64_t w = columns.begin; w < columns.end; ++w) {
          const T* const pixel = from + ((sample * y.input + h) * x.input + w) * channels;
          for (int64_t c = 0; c < channels; ++c) sums[static_cast<std::size_t>(c)] += pixel[c];
        }
      }
      for (int64_t c = 0; c < channels; ++c) {
        to[window * channels + c] = rounded_mean<T>(sums[static_cast<std::size_t>(c)], rows.end - rows.begin,
                                                    columns.end - columns.begin, quantizer, is_qnnpack);
      }
    }
  });
}

Tensor pool(const char* name, const Tensor& self, IntArrayRef output_size) {
  STRUCTURED_CHECK(self.dtype() == kQUInt8 || self.dtype() == kQInt8, name,
                   ": expected a tensor of dtype QUInt8 or QInt8, got ", self.dtype());
  const Quantizer& quantizer = quantizer_of(self);
  STRUCTURED_CHECK(!quantizer.is_per_channel(), name, ": expected a tensor that is quantized per tensor");
  const PoolGeometry geometry = adaptive_pool_geometry(name, self, 2, output_size);
  const WindowAxis &y = geometry.axes[1], &x = geometry.axes[2];
  DimVector sizes(self.sizes());
  sizes[sizes.size() - 2] = y.output;
  sizes[sizes.size() - 1] = x.output;
  const ScalarType dtype = integer_type(self.dtype());
  const MemoryFormat format = self.suggest_memory_format();
  const Tensor in = dense(as_batch(integers_of(self), 2), dtype, MemoryFormat::ChannelsLast);
  const Tensor out = empty({in.size(0), in.size(1), y.output, x.output}, in.options(), MemoryFormat::ChannelsLast);
  if (out.numel() != 0) {
    const bool is_qnnpack = self.dtype() == kQUInt8 && y.input % y.output == 0 && x.input % x.output == 0 &&
                            (y.input != y.output || x.input != x.output);
    visit_integers(name, self.dtype(), [&]<class T>(T) { pool_windows<T>(in, out, geometry, quantizer, is_qnnpack); });
  }
  return quantized_like(structured::view(dense(out, dtype, format), sizes), self);
}

}  // namespace

[[structured::kernel("aten::_adaptive_avg_pool2d", "QuantizedCPU")]]
Tensor quantized_adaptive_avg_pool2d(const Tensor& self,
                                     [[structured::symint, structured::size(2)]] IntArrayRef output_size) {
  return pool("_adaptive_avg_pool2d", self, output_size);
}

[[structured::kernel("aten::adaptive_avg_pool2d", "QuantizedCPU")]]
Tensor quantized_adaptive_avg_pool2d_any_size(const Tensor& self,
                                              [[structured::symint, structured::size(2)]] IntArrayRef output_size) {
  return pool("adaptive_avg_pool2d", self, output_size);
}

// The mean over height and width is global average pooling, as in QNNPACK; others are means of dequantized elements.
[[structured::kernel("aten::mean.dim", "QuantizedCPU")]]
Tensor quantized_mean(const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool keepdim,
                      std::optional<ScalarType> dtype) {
  STRUCTURED_CHECK(!dtype || *dtype == self.dtype(), "mean: expected `dtype` to be that of `self`, ", self.dtype(),
                   ", got ", *dtype);
  const Quantizer& quantizer = quantizer_of(self);
  STRUCTURED_CHECK(!quantizer.is_per_channel(), "mean: expected a tensor that is quantized per tensor");
  const bool is_global_pool = self.dtype() == kQUInt8 && self.dim() == 4 && dim && dim->size() == 2 &&
                              wrap_dim((*dim)[0], 4) == 2 && wrap_dim((*dim)[1], 4) == 3 &&
                              self.size(2) * self.size(3) > 1;
  if (!is_global_pool) {
    const Tensor means = structured::mean(structured::dequantize(self), dim, keepdim);
    return structured::quantize_per_tensor(means, quantizer.scale(), quantizer.zero_point(), self.dtype());
  }
  const Tensor pooled = pool("mean", self, {1, 1});
  if (keepdim) return pooled;
  return quantized_like(structured::view(dense(integers_of(pooled), kByte), {self.size(0), self.size(1)}), self);
}

}  // namespace structured::kernels
