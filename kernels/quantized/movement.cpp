// Operators of the namespace `aten` whose results consist of integers of their quantized arguments: copies, maxima,
// bounds, concatenation and nearest-neighbour upsampling. They call the operators of ordinary tensors on the integers.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/core/tensor.h>
#include <structured/ops/cat.h>
#include <structured/ops/clamp.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/dequantize.h>
#include <structured/ops/equal.h>
#include <structured/ops/max_pool2d.h>
#include <structured/ops/quantize_per_tensor.h>
#include <structured/ops/upsample_nearest2d.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "shared/quantization.h"

namespace structured::kernels {
namespace {

const Quantizer& per_tensor(const char* name, const Tensor& self) {
  const Quantizer& quantizer = quantizer_of(self);
  STRUCTURED_CHECK(!quantizer.is_per_channel(), name, ": expected a tensor that is quantized per tensor, got one that ",
                   "is quantized per channel");
  return quantizer;
}

// The integer of `self` that represents `value`.
int64_t integer_of(const char* name, const Tensor& self, const Scalar& value) {
  const Quantizer& quantizer = per_tensor(name, self);
  int64_t result = 0;
  visit_integers(name, self.dtype(), [&]<class T>(T) {
    result = quantize<T>(value.to<float>(), 1.0f / static_cast<float>(quantizer.scale()),
                         static_cast<float>(quantizer.zero_point()));
  });
  return result;
}

Tensor clamp_integers(const char* name, const Tensor& self, const std::optional<Scalar>& min,
                      const std::optional<Scalar>& max) {
  const auto bound = [&](const std::optional<Scalar>& value) {
    return value ? std::optional<Scalar>(integer_of(name, self, *value)) : std::nullopt;
  };
  return quantized_like(structured::clamp(integers_of(self), bound(min), bound(max)), self);
}

Tensor concatenate(const char* name, TensorList tensors, int64_t dim, std::optional<double> scale,
                   std::optional<int64_t> zero_point, bool is_relu) {
  STRUCTURED_CHECK(!tensors.empty(), name, ": expected one tensor or more");
  const Tensor& first = tensors[0];
  const Quantizer& quantizer = per_tensor(name, first);
  const double result_scale = scale.value_or(quantizer.scale());
  const int64_t result_zero_point = zero_point.value_or(quantizer.zero_point());
  bool is_copy = result_scale == quantizer.scale() && result_zero_point == quantizer.zero_point();
  for (const Tensor& tensor : tensors) {
    is_copy = per_tensor(name, tensor) == quantizer && is_copy;
    STRUCTURED_CHECK(tensor.dtype() == first.dtype(), name, ": expected tensors of one dtype, got ", first.dtype(),
                     " and ", tensor.dtype());
  }
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors) {
    parts.push_back(is_copy ? integers_of(tensor) : structured::dequantize(tensor));
  }
  const Tensor joined = structured::cat(parts, dim);
  Tensor result = is_copy ? quantized_like(joined, first)
                          : structured::quantize_per_tensor(joined, result_scale, result_zero_point, first.dtype());
  if (!is_relu) return result;
  return quantized_like(structured::clamp(integers_of(result), Scalar(result_zero_point)), result);
}

}  // namespace

[[structured::kernel("aten::relu", "QuantizedCPU")]]
Tensor quantized_relu(const Tensor& self) {
  return quantized_like(structured::clamp(integers_of(self), Scalar(per_tensor("relu", self).zero_point())), self);
}

[[structured::kernel("aten::relu_", "QuantizedCPU")]]
Tensor& quantized_relu_(Tensor& self) {
  Tensor integers = integers_of(self);
  structured::clamp_(integers, Scalar(per_tensor("relu_", self).zero_point()));
  return self;
}

[[structured::kernel("aten::clamp", "QuantizedCPU")]]
Tensor quantized_clamp(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return clamp_integers("clamp", self, min, max);
}

[[structured::kernel("aten::hardtanh", "QuantizedCPU")]]
Tensor quantized_hardtanh(const Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  return clamp_integers("hardtanh", self, min_val, max_val);
}

/// Bounds between 0 and 6 of a quantized tensor. With `inplace`, writes to `qx` and returns it.
[[structured::kernel("quantized::relu6", "QuantizedCPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
Tensor quantized_relu6(const Tensor& qx, bool inplace = false) {
  const Tensor result = clamp_integers("quantized::relu6", qx, Scalar(0), Scalar(6));
  if (!inplace) return result;
  Tensor integers = integers_of(qx);
  structured::copy_(integers, integers_of(result));
  return qx;
}

[[structured::kernel("aten::max_pool2d", "QuantizedCPU")]]
Tensor quantized_max_pool2d(const Tensor& self, [[structured::size(2)]] IntArrayRef kernel_size,
                            [[structured::size(2)]] IntArrayRef stride = {},
                            [[structured::size(2)]] IntArrayRef padding = 0,
                            [[structured::size(2)]] IntArrayRef dilation = 1, bool ceil_mode = false) {
  per_tensor("max_pool2d", self);
  return quantized_like(structured::max_pool2d(integers_of(self), kernel_size, stride, padding, dilation, ceil_mode),
                        self);
}

[[structured::kernel("aten::upsample_nearest2d", "QuantizedCPU")]]
Tensor quantized_upsample_nearest2d(const Tensor& self,
                                    [[structured::symint, structured::size(2)]] IntArrayRef output_size,
                                    std::optional<double> scales_h, std::optional<double> scales_w) {
  per_tensor("upsample_nearest2d", self);
  return quantized_like(structured::upsample_nearest2d(integers_of(self), output_size, scales_h, scales_w), self);
}

[[structured::kernel("aten::clone", "QuantizedCPU")]]
Tensor quantized_clone(const Tensor& self,
                       [[structured::kwonly]] std::optional<MemoryFormat> memory_format = std::nullopt) {
  return quantized_like(structured::clone(integers_of(self), memory_format), self);
}

// As in PyTorch, `self` gets the quantizer of a quantized source, and quantizes one of dtype Float.
[[structured::kernel("aten::copy_", "QuantizedCPU")]]
Tensor& quantized_copy_(Tensor& self, const Tensor& src, bool non_blocking = false) {
  STRUCTURED_CHECK(self.is_quantized(), "copy_: expected `self` to be quantized, as `src` is, got dtype ", self.dtype(),
                   "; dequantize first");
  Tensor integers = integers_of(self);
  if (src.is_quantized()) {
    STRUCTURED_CHECK(src.dtype() == self.dtype(), "copy_: expected `src` of dtype ", self.dtype(), ", got ",
                     src.dtype());
    structured::copy_(integers, integers_of(src), non_blocking);
    if (!self.is_same(src)) share_quantizer(self, src);
  } else {
    const Quantizer& quantizer = per_tensor("copy_", self);
    const Tensor quantized =
        structured::quantize_per_tensor(src, quantizer.scale(), quantizer.zero_point(), self.dtype());
    structured::copy_(integers, integers_of(quantized), non_blocking);
  }
  return self;
}

[[structured::kernel("aten::equal", "QuantizedCPU")]]
bool quantized_equal(const Tensor& self, const Tensor& other) {
  if (self.dtype() != other.dtype()) return false;
  return quantizer_of(self) == quantizer_of(other) && structured::equal(integers_of(self), integers_of(other));
}

[[structured::kernel("aten::cat", "QuantizedCPU")]]
Tensor quantized_cat(TensorList tensors, int64_t dim) {
  return concatenate("cat", tensors, dim, std::nullopt, std::nullopt, false);
}

/// Concatenation of tensors that are quantized per tensor along dimension `dim`, quantized with `scale` and
/// `zero_point`, which default to those of the first tensor. Integers are copied if all scales and zero points are
/// equal.
[[structured::kernel("quantized::cat", "QuantizedCPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
Tensor quantized_cat_with_scale(TensorList qx, int64_t dim, std::optional<double> scale,
                                std::optional<int64_t> zero_point) {
  return concatenate("quantized::cat", qx, dim, scale, zero_point, false);
}

/// `quantized::cat` followed by relu.
[[structured::kernel("quantized::cat_relu", "QuantizedCPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
Tensor quantized_cat_relu(TensorList qx, int64_t dim, std::optional<double> scale, std::optional<int64_t> zero_point) {
  return concatenate("quantized::cat_relu", qx, dim, scale, zero_point, true);
}

}  // namespace structured::kernels
