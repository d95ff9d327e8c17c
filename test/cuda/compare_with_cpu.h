#pragma once
// Compares calls on the device with calls on the CPU.
#include <gtest/gtest.h>
#include <structured/cuda/library.h>
#include <structured/operators.h>
#include <structured/structured.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "emulator.h"

namespace structured::test {

inline const Device kDevice(kCUDA, 0);

inline Tensor on(Device device, const Tensor& source) {
  if (!source.defined()) return source;
  const Tensor result = empty(source.sizes(), source.options().device(device));
  copy_into(result, source);
  return result;
}

/// Numbers in a fixed order without a pattern, from -8 to 8, in steps of a quarter.
inline Tensor sample(IntArrayRef sizes, ScalarType dtype = kFloat, int seed = 1) {
  const Tensor numbers = empty(sizes, TensorOptions(kComplexDouble, kCPU));
  auto state = static_cast<uint32_t>(seed) * 2654435761u;
  const auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<double>(state >> 26) / 4 - 8;
  };
  for (Complex<double>& each : span<Complex<double>>(numbers)) each = {next(), next()};
  const Tensor result = empty(sizes, TensorOptions(dtype, kCPU));
  copy_into(result, numbers);
  return result;
}

inline Tensor places(IntArrayRef sizes, int64_t bound, int seed = 1) {
  return remainder(structured::to(mul(sample(sizes, kFloat, seed), 4), kLong), bound);
}

using Tensors = std::vector<Tensor>;

/// Calls a function with tensors on the CPU and on the device, and compares the results.
inline void compare(const Tensors& inputs, const std::function<Tensors(const Tensors&)>& function,
                    double tolerance = 1e-5) {
  Tensors moved;
  for (const Tensor& input : inputs) moved.push_back(on(kDevice, input));
  const uint64_t fallbacks = cuda::fallback_count();
  const Tensors expected = function(inputs);
  const Tensors actual = function(moved);
  EXPECT_EQ(cuda::fallback_count(), fallbacks) << "an operator ran on the CPU";
  ASSERT_EQ(emulator::fault(), "");
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k) {
    EXPECT_EQ(actual[k].device(), kDevice);
    EXPECT_EQ(actual[k].scalar_type(), expected[k].scalar_type());
    ASSERT_EQ(actual[k].sizes(), expected[k].sizes());
    const Tensor a = empty(actual[k].sizes(), TensorOptions(kComplexDouble, kCPU));
    const Tensor b = empty(actual[k].sizes(), TensorOptions(kComplexDouble, kCPU));
    copy_into(a, on(kCPU, actual[k]));
    copy_into(b, expected[k]);
    const auto x = to_vector<Complex<double>>(a), y = to_vector<Complex<double>>(b);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double distance = std::hypot(x[i].real() - y[i].real(), x[i].imag() - y[i].imag());
      const double size = std::hypot(y[i].real(), y[i].imag());
      const bool are_nan = std::isnan(x[i].real()) && std::isnan(y[i].real());
      ASSERT_TRUE(are_nan || distance <= tolerance * std::max(1.0, size))
          << "result " << k << ", element " << i << ": " << x[i].real() << " for " << y[i].real();
    }
  }
}

/// Relative tolerance for results of a dtype.
inline double tolerance_of(ScalarType dtype) { return dtype == kHalf ? 2e-3 : dtype == kBFloat16 ? 1.6e-2 : 1e-5; }

}  // namespace structured::test
