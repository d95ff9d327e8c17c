#pragma once
// Conversion between real numbers and the integers of quantized tensors, with the rounding and saturation of PyTorch.
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/core/tensor.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace structured::kernels {

/// Dtype of the integers of a quantized dtype: Byte, Char or Int.
inline ScalarType integer_type(ScalarType dtype) { return dtype == kQUInt8 ? kByte : dtype == kQInt8 ? kChar : kInt; }

/// The integers of a quantized tensor as an ordinary tensor that shares its memory.
inline Tensor integers_of(const Tensor& self) {
  const Tensor result = Tensor::adopt(TensorImpl::create(self.storage(), self.device(), integer_type(self.dtype())));
  result.impl()->set_sizes_and_strides(self.sizes(), self.strides());
  result.impl()->set_storage_offset(self.storage_offset());
  return result;
}

/// The quantized tensor with the memory of `integers`, and the dtype and quantizer of `like`.
inline Tensor quantized_like(const Tensor& integers, const Tensor& like) {
  Tensor result = Tensor::adopt(TensorImpl::create(integers.storage(), integers.device(), like.dtype()));
  result.impl()->set_sizes_and_strides(integers.sizes(), integers.strides());
  result.impl()->set_storage_offset(integers.storage_offset());
  share_quantizer(result, like);
  return result;
}

/// Calls `function` with a value of the type of the integers of a quantized dtype: `function(uint8_t())`. Throws
/// Error for dtypes other than QUInt8, QInt8 and QInt32.
template <class Function>
void visit_integers(const char* name, ScalarType dtype, Function&& function) {
  if (dtype == kQUInt8) return function(uint8_t());
  if (dtype == kQInt8) return function(int8_t());
  STRUCTURED_CHECK(dtype == kQInt32, name, ": expected dtype QUInt8, QInt8 or QInt32, got ", dtype);
  function(int32_t());
}

/// Nearest integer of `value`, ties to even, saturated to T. NaN gives the lowest integer.
template <class T>
T saturate(float value) {
  constexpr auto low = static_cast<float>(std::numeric_limits<T>::min());
  constexpr auto high = static_cast<float>(std::numeric_limits<T>::max());
  if constexpr (sizeof(T) == 4) {  // `high` is 2^31
    return value >= high ? std::numeric_limits<T>::max() : static_cast<T>(value > low ? value : low);
  } else {
    const float bounded = value > low ? value : low;
    return static_cast<T>(static_cast<int32_t>(bounded < high ? bounded : high));
  }
}

/// Integer that represents `value`: round(value * inverse_scale) + zero_point, saturated. Products are rounded to Float
/// before they are rounded to integers, as in PyTorch.
template <class T>
T quantize(float value, float inverse_scale, float zero_point) {
  return saturate<T>(zero_point + std::nearbyint(value * inverse_scale));
}

}  // namespace structured::kernels
