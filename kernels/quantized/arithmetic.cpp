// Sums and products of quantized tensors: quantized::add, add_relu, mul and mul_relu.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/core/tensor.h>
#include <structured/iterator/leveled.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/shape.h>
#include <structured/ops/expand.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "shared/dense.h"
#include "shared/quantization.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Two operands of equal shape and memory format, and the result.
struct Operands {
  Operands(const char* name, const Tensor& qa, const Tensor& qb, double scale, int64_t zero_point)
      : a_quantizer(per_tensor(name, "qa", qa)), b_quantizer(per_tensor(name, "qb", qb)) {
    STRUCTURED_CHECK(qa.dtype() == qb.dtype(), name, ": expected operands of one dtype, got ", qa.dtype(), " and ",
                     qb.dtype());
    const DimVector shape = broadcast_shape(qa.sizes(), qb.sizes());
    const MemoryFormat format = qa.suggest_memory_format();
    result = empty(shape, qa.options(), format);
    set_quantizer(result, scale, zero_point);
    if (qa.is_meta() || result.numel() == 0) return;
    const ScalarType dtype = integer_type(qa.dtype());
    a = dense(structured::expand(integers_of(qa), shape), dtype, format);
    b = dense(structured::expand(integers_of(qb), shape), dtype, format);
  }

  static const Quantizer& per_tensor(const char* name, const char* argument, const Tensor& self) {
    const Quantizer& quantizer = quantizer_of(self);
    STRUCTURED_CHECK(!quantizer.is_per_channel(), name, ": expected `", argument, "` to be quantized per tensor");
    return quantizer;
  }

  bool is_empty() const { return !a.defined(); }

  const Quantizer& a_quantizer;
  const Quantizer& b_quantizer;
  Tensor a;
  Tensor b;
  Tensor result;
};

// Sums of two integers as QNNPACK computes them: in fixed-point arithmetic, with ties rounded away from zero.
struct FixedPointSum {
  uint32_t a_multiplier;
  uint32_t b_multiplier;
  int32_t offset;
  int32_t shift;
  int32_t zero_point;
  int32_t low;
};

struct AddFixedPoint {
  static void run(const uint8_t* a, const uint8_t* b, uint8_t* out, int64_t count, FixedPointSum sum) {
    const auto mask = static_cast<int32_t>((uint32_t{1} << sum.shift) - 1);
    const int32_t threshold = static_cast<int32_t>(static_cast<uint32_t>(mask) >> 1);
    for (int64_t i = 0; i < count; ++i) {
      const auto scaled =
          static_cast<int32_t>(static_cast<uint32_t>(sum.offset) + a[i] * sum.a_multiplier + b[i] * sum.b_multiplier);
      const int32_t remainder = (scaled & mask) - static_cast<int32_t>(scaled < 0);
      const int32_t value = (scaled >> sum.shift) + static_cast<int32_t>(remainder > threshold) + sum.zero_point;
      out[i] = static_cast<uint8_t>(std::min(std::max(value, sum.low), 255));
    }
  }
};

// Sums of dequantized elements.
template <class T>
struct AddDequantized {
  static void run(const T* a, const T* b, T* out, int64_t count, float a_scale, int32_t a_zero_point, float b_scale,
                  int32_t b_zero_point, float inverse_scale, float zero_point, T low, T high) {
    for (int64_t i = 0; i < count; ++i) {
      const float sum = a_scale * static_cast<float>(int64_t{a[i]} - a_zero_point) +
                        b_scale * static_cast<float>(int64_t{b[i]} - b_zero_point);
      const T value = quantize<T>(sum, inverse_scale, zero_point);
      out[i] = value < low ? low : value > high ? high : value;
    }
  }
};

template <class T>
struct Multiply {
  static void run(const T* a, const T* b, T* out, int64_t count, int32_t a_zero_point, int32_t b_zero_point,
                  float multiplier, float zero_point, T low) {
    for (int64_t i = 0; i < count; ++i) {
      const auto product = static_cast<int32_t>((int64_t{a[i]} - a_zero_point) * (int64_t{b[i]} - b_zero_point));
      const T value = quantize<T>(static_cast<float>(product), multiplier, zero_point);
      out[i] = value > low ? value : low;
    }
  }
};

// Whether QNNPACK can add operands of these scales, as quotients of the scale of the result.
bool is_fixed_point(float a_scale, float b_scale) {
  const auto is_in_range = [](float scale) { return scale >= 0x1p-14f && scale < 0x1p8f; };
  return is_in_range(a_scale) && is_in_range(b_scale) && std::max(a_scale, b_scale) >= 0x1p-10f;
}

FixedPointSum fixed_point_sum(const Operands& operands, float a_scale, float b_scale, bool is_relu) {
  FixedPointSum sum{};
  sum.shift = 21 - std::ilogb(std::max(a_scale, b_scale));
  sum.a_multiplier = static_cast<uint32_t>(std::lrint(std::ldexp(a_scale, sum.shift)));
  sum.b_multiplier = static_cast<uint32_t>(std::lrint(std::ldexp(b_scale, sum.shift)));
  sum.offset = static_cast<int32_t>(0 - (sum.a_multiplier * static_cast<uint32_t>(operands.a_quantizer.zero_point()) +
                                         sum.b_multiplier * static_cast<uint32_t>(operands.b_quantizer.zero_point())));
  sum.zero_point = static_cast<int32_t>(quantizer_of(operands.result).zero_point());
  sum.low = is_relu ? sum.zero_point : 0;
  return sum;
}

template <class T>
T* elements(const Tensor& integers) {
  return static_cast<T*>(integers.data());
}

Tensor add_quantized(const char* name, const Tensor& qa, const Tensor& qb, double scale, int64_t zero_point,
                     bool is_relu) {
  const Operands operands(name, qa, qb, scale, zero_point);
  if (operands.is_empty()) return operands.result;
  const auto a_scale = static_cast<float>(operands.a_quantizer.scale());
  const auto b_scale = static_cast<float>(operands.b_quantizer.scale());
  const auto out_scale = static_cast<float>(scale);
  const int64_t count = operands.result.numel();
  if (qa.dtype() == kQUInt8 && qa.sizes() == qb.sizes() && is_fixed_point(a_scale / out_scale, b_scale / out_scale)) {
    const FixedPointSum sum = fixed_point_sum(operands, a_scale / out_scale, b_scale / out_scale, is_relu);
    parallel_for(0, count, kGrainSize, [&](int64_t begin, int64_t end) {
      run_leveled<AddFixedPoint>(elements<const uint8_t>(operands.a) + begin,
                                 elements<const uint8_t>(operands.b) + begin,
                                 elements<uint8_t>(operands.result) + begin, end - begin, sum);
    });
    return operands.result;
  }
  visit_integers(name, qa.dtype(), [&]<class T>(T) {
    parallel_for(0, count, kGrainSize, [&](int64_t begin, int64_t end) {
      run_leveled<AddDequantized<T>>(
          elements<const T>(operands.a) + begin, elements<const T>(operands.b) + begin,
          elements<T>(operands.result) + begin, end - begin, a_scale,
          static_cast<int32_t>(operands.a_quantizer.zero_point()), b_scale,
          static_cast<int32_t>(operands.b_quantizer.zero_point()), 1 / out_scale, static_cast<float>(zero_point),
          is_relu ? static_cast<T>(zero_point) : std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    });
  });
  return operands.result;
}

Tensor multiply_quantized(const char* name, const Tensor& qa, const Tensor& qb, double scale, int64_t zero_point,
                          bool is_relu) {
  const Operands operands(name, qa, qb, scale, zero_point);
  if (operands.is_empty()) return operands.result;
  const float multiplier = static_cast<float>(operands.a_quantizer.scale()) *
                           static_cast<float>(operands.b_quantizer.scale()) * (1 / static_cast<float>(scale));
  visit_integers(name, qa.dtype(), [&]<class T>(T) {
    const T low = is_relu ? static_cast<T>(zero_point) : std::numeric_limits<T>::min();
    parallel_for(0, operands.result.numel(), kGrainSize, [&](int64_t begin, int64_t end) {
      run_leveled<Multiply<T>>(
          elements<const T>(operands.a) + begin, elements<const T>(operands.b) + begin,
          elements<T>(operands.result) + begin, end - begin, static_cast<int32_t>(operands.a_quantizer.zero_point()),
          static_cast<int32_t>(operands.b_quantizer.zero_point()), multiplier, static_cast<float>(zero_point), low);
    });
  });
  return operands.result;
}

// Sum of ordinary integers that stand for (q - zero point) * scale.
template <class T>
void add_integers(const Tensor& a, const Tensor& b, const Tensor& result, double a_scale, int64_t a_zero_point,
                  double b_scale, int64_t b_zero_point, double scale, int64_t zero_point, int64_t low, int64_t high) {
  parallel_for(0, result.numel(), kGrainSize, [&](int64_t begin, int64_t end) {
    run_leveled<AddDequantized<T>>(elements<const T>(a) + begin, elements<const T>(b) + begin,
                                   elements<T>(result) + begin, end - begin, static_cast<float>(a_scale),
                                   static_cast<int32_t>(a_zero_point), static_cast<float>(b_scale),
                                   static_cast<int32_t>(b_zero_point), static_cast<float>(1 / scale),
                                   static_cast<float>(zero_point), static_cast<T>(low), static_cast<T>(high));
  });
}

}  // namespace

/// Sum of integers `a` and `b` of dtype Byte or Char, which stand for (q - zero point) * scale, quantized with
/// `output_scale` and `output_zero_point`, between `output_min` and `output_max`. Operands are broadcast; the sum is
/// computed in Float and rounded once, ties to even. The result has the dtype of the operands, and the memory format of
/// `a`.
[[structured::kernel("quantized::integer_add", "CPU"), structured::not_differentiable,
  structured::allow("no-meta-kernel")]]
Tensor integer_add(const Tensor& a, const Tensor& b, double a_scale, int64_t a_zero_point, double b_scale,
                   int64_t b_zero_point, double output_scale, int64_t output_zero_point, int64_t output_min,
                   int64_t output_max, ScalarType dtype) {
  constexpr const char* name = "quantized::integer_add";
  STRUCTURED_CHECK((dtype == kByte || dtype == kChar) && a.dtype() == dtype && b.dtype() == dtype, name,
                   ": expected operands and result of dtype Byte or of dtype Char, got ", a.dtype(), ", ", b.dtype(),
                   " and ", dtype);
  const DimVector shape = broadcast_shape(a.sizes(), b.sizes());
  const MemoryFormat format = a.suggest_memory_format();
  const Tensor result = empty(shape, a.options(), format);
  const Tensor x = dense(structured::expand(a, shape), dtype, format);
  const Tensor y = dense(structured::expand(b, shape), dtype, format);
  const auto add = dtype == kByte ? add_integers<uint8_t> : add_integers<int8_t>;
  add(x, y, result, a_scale, a_zero_point, b_scale, b_zero_point, output_scale, output_zero_point, output_min,
      output_max);
  return result;
}

/// Sum of two tensors that are quantized per tensor with one dtype, quantized with `scale` and `zero_point`.
///
/// Operands are broadcast. QUInt8 operands of equal sizes are added in the fixed-point arithmetic of PyTorch's engine
/// QNNPACK, which rounds ties away from zero; others are dequantized, added as Float and quantized.
[[structured::kernel("quantized::add", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor quantized_add(const Tensor& qa, const Tensor& qb, double scale, int64_t zero_point) {
  return add_quantized("quantized::add", qa, qb, scale, zero_point, false);
}

/// `quantized::add` followed by relu.
[[structured::kernel("quantized::add_relu", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor quantized_add_relu(const Tensor& qa, const Tensor& qb, double scale, int64_t zero_point) {
  return add_quantized("quantized::add_relu", qa, qb, scale, zero_point, true);
}

/// Product of two tensors that are quantized per tensor with one dtype, quantized with `scale` and `zero_point`.
/// Operands are broadcast. Products of integers are exact, and rounded once.
[[structured::kernel("quantized::mul", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor quantized_mul(const Tensor& qa, const Tensor& qb, double scale, int64_t zero_point) {
  return multiply_quantized("quantized::mul", qa, qb, scale, zero_point, false);
}

/// `quantized::mul` followed by relu.
[[structured::kernel("quantized::mul_relu", "QuantizedCPU", "Meta"), structured::not_differentiable]]
Tensor quantized_mul_relu(const Tensor& qa, const Tensor& qb, double scale, int64_t zero_point) {
  return multiply_quantized("quantized::mul_relu", qa, qb, scale, zero_point, true);
}

}  // namespace structured::kernels
