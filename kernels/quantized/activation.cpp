// Activations of quantized tensors by tables with a result for each integer: sigmoid and hardswish.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "shared/dense.h"
#include "shared/quantization.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Applies `function`, which returns the result for a real number as a multiple of the scale, to each element of `self`.
template <class Function>
Tensor apply_table(const char* name, const Tensor& self, double scale, int64_t zero_point, Function&& function) {
  STRUCTURED_CHECK(self.dtype() == kQUInt8 || self.dtype() == kQInt8, name,
                   ": expected a tensor of dtype QUInt8 or QInt8, got ", self.dtype());
  const Quantizer& quantizer = quantizer_of(self);
  STRUCTURED_CHECK(!quantizer.is_per_channel(), name, ": expected a tensor that is quantized per tensor");
  const MemoryFormat format = self.suggest_memory_format();
  Tensor result = empty(self.sizes(), self.options(), format);
  set_quantizer(result, scale, zero_point);
  if (self.is_meta()) return result;
  const Tensor from = dense(integers_of(self), integer_type(self.dtype()), format);
  const float inverse = 1.0f / static_cast<float>(scale);
  visit_integers(name, self.dtype(), [&]<class T>(T) {
    std::array<T, 256> table;
    for (int i = 0; i < 256; ++i) {
      const auto integer = static_cast<T>(static_cast<uint8_t>(i));
      const float x =
          static_cast<float>(quantizer.scale()) * static_cast<float>(int64_t{integer} - quantizer.zero_point());
      table[static_cast<std::size_t>(i)] =
          saturate<T>(std::nearbyint(function(x, inverse) + static_cast<float>(zero_point)));
    }
    const auto* const in = static_cast<const uint8_t*>(from.data());
    auto* const out = static_cast<T*>(result.data());
    parallel_for(0, result.numel(), kGrainSize, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) out[i] = table[in[i]];
    });
  });
  return result;
}

Tensor quantized_sigmoid(const char* name, const Tensor& self, double scale, int64_t zero_point) {
  return apply_table(name, self, scale, zero_point,
                     [](float x, float inverse) { return inverse / (1.0f + std::exp(-x)); });
}

}  // namespace

// As in PyTorch, the result has scale 1/256, and zero point 0 for QUInt8, -128 for QInt8.
[[structured::kernel("aten::sigmoid", "QuantizedCPU")]]
Tensor sigmoid_of_quantized(const Tensor& self) {
  return quantized_sigmoid("sigmoid", self, 1.0 / 256, self.dtype() == kQInt8 ? -128 : 0);
}

/// Logistic function of a tensor that is quantized per tensor, quantized with `output_scale` and `output_zero_point`.
[[structured::kernel("quantized::sigmoid", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor sigmoid_with_scale(const Tensor& qx, double output_scale, int64_t output_zero_point) {
  return quantized_sigmoid("quantized::sigmoid", qx, output_scale, output_zero_point);
}

/// x * min(max(x + 3, 0), 6) / 6 of a tensor that is quantized per tensor, quantized with `output_scale` and
/// `output_zero_point`.
[[structured::kernel("quantized::hardswish", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor hardswish_with_scale(const Tensor& input, double output_scale, int64_t output_zero_point) {
  return apply_table("quantized::hardswish", input, output_scale, output_zero_point, [](float x, float inverse) {
    const float shifted = x + 3.0f;
    const float positive = shifted > 0.0f ? shifted : 0.0f;
    return inverse * (x * (positive < 6.0f ? positive : 6.0f) / 6.0f);
  });
}

}  // namespace structured::kernels
