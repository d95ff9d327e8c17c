// Quantization: conversion between tensors of real numbers and quantized tensors, and access to scales and zero points.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/leveled.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/meta_base.h>

#include <cstdint>
#include <vector>

#include "shared/dense.h"
#include "shared/quantization.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

template <class T>
struct QuantizeRow {
  static void run(const float* from, T* to, int64_t count, float inverse_scale, float zero_point) {
    for (int64_t i = 0; i < count; ++i) to[i] = quantize<T>(from[i], inverse_scale, zero_point);
  }
};
template <class T>
struct DequantizeRow {
  static void run(const T* from, float* to, int64_t count, float scale, int32_t zero_point) {
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (sizeof(T) == 4) {
        to[i] = scale * static_cast<float>(int64_t{from[i]} - zero_point);
      } else {
        to[i] = scale * static_cast<float>(from[i] - zero_point);
      }
    }
  }
};

// Calls `body(first, count, channel)` for runs of elements with one scale and zero point, in the order of memory.
// `tensor` is dense; `axis` is the dimension of the channels.
template <class Body>
void for_each_run(const Tensor& tensor, const Quantizer& quantizer, Body&& body) {
  const int64_t total = tensor.numel();
  if (total == 0) return;
  if (!quantizer.is_per_channel()) {
    parallel_for(0, total, kGrainSize, [&](int64_t begin, int64_t end) { body(begin, end - begin, 0); });
    return;
  }
  const int64_t run = tensor.stride(quantizer.axis()), channels = tensor.size(quantizer.axis());
  for (int64_t first = 0; first < total; first += run) body(first, run, first / run % channels);
}

float scale_of(const Quantizer& quantizer, int64_t channel) {
  return static_cast<float>(quantizer.is_per_channel() ? quantizer.scales().data_ptr<double>()[channel]
                                                       : quantizer.scale());
}
int64_t zero_point_of(const Quantizer& quantizer, int64_t channel) {
  return quantizer.is_per_channel() ? quantizer.zero_points().data_ptr<int64_t>()[channel] : quantizer.zero_point();
}

// An uninitialised quantized tensor with the sizes of `self`, in its memory format.
Tensor empty_quantized(const char* name, const Tensor& self, ScalarType dtype) {
  STRUCTURED_CHECK((kQUInt8 | kQInt8 | kQInt32).contains(dtype), name,
                   ": expected `dtype` to be QUInt8, QInt8 or QInt32, got ", dtype);
  STRUCTURED_CHECK(self.dtype() == kFloat, name, ": expected `self` of dtype Float, got ", self.dtype());
  return empty(self.sizes(), self.options().dtype(dtype), self.suggest_memory_format());
}

void write_quantized(const char* name, const Tensor& self, const Tensor& result) {
  if (self.is_meta()) return;
  const Tensor from = dense(self, kFloat, self.suggest_memory_format());
  const Quantizer& quantizer = quantizer_of(result);
  visit_integers(name, result.dtype(), [&]<class T>(T) {
    for_each_run(result, quantizer, [&](int64_t first, int64_t count, int64_t channel) {
      run_leveled<QuantizeRow<T>>(static_cast<const float*>(from.data()) + first,
                                  static_cast<T*>(result.data()) + first, count, 1.0f / scale_of(quantizer, channel),
                                  static_cast<float>(zero_point_of(quantizer, channel)));
    });
  });
}

const Quantizer& per_channel_quantizer(const char* name, const Tensor& self) {
  const Quantizer& quantizer = quantizer_of(self);
  STRUCTURED_CHECK(quantizer.is_per_channel(), name, ": expected a tensor that is quantized per channel, got one that ",
                   "is quantized per tensor");
  return quantizer;
}
const Quantizer& per_tensor_quantizer(const char* name, const Tensor& self) {
  const Quantizer& quantizer = quantizer_of(self);
  STRUCTURED_CHECK(!quantizer.is_per_channel(), name, ": expected a tensor that is quantized per tensor, got one that ",
                   "is quantized per channel");
  return quantizer;
}

// The quantized tensor whose integers are those of `self`.
Tensor with_integers(const char* name, const Tensor& self) {
  const ScalarType dtype = self.dtype();
  STRUCTURED_CHECK((kByte | kChar | kInt).contains(dtype), name, ": expected `self` of dtype Byte, Char or Int, got ",
                   dtype);
  Tensor result = empty(self.sizes(), self.options().dtype(dtype == kByte   ? kQUInt8
                                                           : dtype == kChar ? kQInt8
                                                                            : kQInt32));
  if (!self.is_meta()) copy_into(integers_of(result), self);
  return result;
}

}  // namespace

/// Quantizes `self` (Float) with one scale and zero point: round(`self` / `scale`) + `zero_point`, saturated to `dtype`
/// (QUInt8, QInt8 or QInt32).
///
/// As in PyTorch, elements are multiplied by the inverse of the scale as a Float, and ties are rounded to even. NaN
/// gives the lowest integer. The result is dense in the memory format of `self`. `scale` must be positive, and
/// `zero_point` an integer of `dtype`.
[[structured::kernel("quantize_per_tensor", "CPU", "Meta"), structured::not_differentiable]]
Tensor quantize_per_tensor(const Tensor& self, double scale, int64_t zero_point, ScalarType dtype) {
  Tensor result = empty_quantized("quantize_per_tensor", self, dtype);
  set_quantizer(result, scale, zero_point);
  write_quantized("quantize_per_tensor", self, result);
  return result;
}

/// Quantizes `self` (Float) with the scale and zero point in tensors of one element; see `quantize_per_tensor`.
[[structured::kernel("quantize_per_tensor.tensor_qparams", "CPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
Tensor quantize_per_tensor_tensor_qparams(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                          ScalarType dtype) {
  return quantize_per_tensor(self, scale.item<double>(), zero_point.item<int64_t>(), dtype);
}

/// Quantizes `self` (Float) with a scale and a zero point for each index of dimension `axis`; see
/// `quantize_per_tensor`. `scales` and `zero_points` are vectors.
[[structured::kernel("quantize_per_channel", "CPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
Tensor quantize_per_channel(const Tensor& self, const Tensor& scales, const Tensor& zero_points, int64_t axis,
                            ScalarType dtype) {
  Tensor result = empty_quantized("quantize_per_channel", self, dtype);
  set_quantizer(result, scales, zero_points, axis);
  write_quantized("quantize_per_channel", self, result);
  return result;
}

/// Real numbers that a quantized tensor represents: (q - zero_point) * scale as Float, dense in the memory format of
/// `self`. Tensors of other dtypes are converted to Float.
[[structured::kernel("dequantize.self", "CPU", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor dequantize(const Tensor& self) {
  const MemoryFormat format = self.suggest_memory_format();
  Tensor result = empty(self.sizes(), self.options().dtype(kFloat), format);
  if (self.is_meta()) return result;
  if (!self.is_quantized()) {
    copy_into(result, self);
    return result;
  }
  const Quantizer& quantizer = quantizer_of(self);
  const Tensor from = dense(integers_of(self), integer_type(self.dtype()), format);
  visit_integers("dequantize", self.dtype(), [&]<class T>(T) {
    for_each_run(result, quantizer, [&](int64_t first, int64_t count, int64_t channel) {
      run_leveled<DequantizeRow<T>>(static_cast<const T*>(from.data()) + first,
                                    static_cast<float*>(result.data()) + first, count, scale_of(quantizer, channel),
                                    static_cast<int32_t>(zero_point_of(quantizer, channel)));
    });
  });
  return result;
}

/// Copy of the integers of a quantized tensor: Byte for QUInt8, Char for QInt8, Int for QInt32.
[[structured::kernel("int_repr", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor int_repr(const Tensor& self) {
  STRUCTURED_CHECK(self.is_quantized(), "int_repr: expected a quantized tensor, got dtype ", self.dtype());
  Tensor result = empty(self.sizes(), self.options().dtype(integer_type(self.dtype())), self.suggest_memory_format());
  if (!self.is_meta()) copy_into(result, integers_of(self));
  return result;
}

/// Quantized tensor with the integers of `self` (Byte, Char or Int), one scale and one zero point.
[[structured::kernel("_make_per_tensor_quantized_tensor", "CPU", "Meta"), structured::not_differentiable]]
Tensor make_per_tensor_quantized_tensor(const Tensor& self, double scale, int64_t zero_point) {
  Tensor result = with_integers("_make_per_tensor_quantized_tensor", self);
  set_quantizer(result, scale, zero_point);
  return result;
}

/// Quantized tensor with the integers of `self` (Byte, Char or Int), and a scale and a zero point for each index of
/// dimension `axis`.
[[structured::kernel("_make_per_channel_quantized_tensor", "CPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
Tensor make_per_channel_quantized_tensor(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                         int64_t axis) {
  Tensor result = with_integers("_make_per_channel_quantized_tensor", self);
  set_quantizer(result, scale, zero_point, axis);
  return result;
}

/// Scale of a tensor that is quantized per tensor.
[[structured::kernel("q_scale", "QuantizedCPU", "Meta")]]
double q_scale(const Tensor& self) {
  return per_tensor_quantizer("q_scale", self).scale();
}

/// Zero point of a tensor that is quantized per tensor.
[[structured::kernel("q_zero_point", "QuantizedCPU", "Meta")]]
int64_t q_zero_point(const Tensor& self) {
  return per_tensor_quantizer("q_zero_point", self).zero_point();
}

/// Scales (Double) of a tensor that is quantized per channel. The vector belongs to the tensor and must not be written.
[[structured::kernel("q_per_channel_scales", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor q_per_channel_scales(const Tensor& self) {
  return per_channel_quantizer("q_per_channel_scales", self).scales();
}

/// Zero points (Long) of a tensor that is quantized per channel. The vector belongs to the tensor and must not be
/// written.
[[structured::kernel("q_per_channel_zero_points", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor q_per_channel_zero_points(const Tensor& self) {
  return per_channel_quantizer("q_per_channel_zero_points", self).zero_points();
}

/// Dimension of the channels of a tensor that is quantized per channel.
[[structured::kernel("q_per_channel_axis", "QuantizedCPU", "Meta")]]
int64_t q_per_channel_axis(const Tensor& self) {
  return per_channel_quantizer("q_per_channel_axis", self).axis();
}

}  // namespace structured::kernels
