// Operators of the namespace quantized_decomposed, and _int_mm.
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/operators.h>
#include <structured/quantized_decomposed/operators.h>
#include <structured/structured.h>

#include <cstdint>
#include <vector>

#include "expect_error.h"

namespace structured::test::quantized_decomposed_test {
namespace {

std::vector<uint8_t> bytes(const Tensor& tensor) { return to_vector<uint8_t>(tensor); }

TEST(QuantizedDecomposed, QuantizesOrdinaryTensors) {
  const Tensor x = tensor({-1e9f, -1.0f, -0.25f, 0.0f, 0.25f, 0.75f, 1e9f});
  const Tensor q = quantized_decomposed::quantize_per_tensor(x, 0.5, 10, 0, 255, kByte);
  EXPECT_EQ(bytes(q), (std::vector<uint8_t>{0, 8, 10, 10, 10, 12, 255}));
  EXPECT_TRUE(equal(q, quantized_decomposed::quantize_per_tensor(x, tensor(0.5), tensor<int64_t>(10), 0, 255, kByte)));
  EXPECT_TRUE(equal(q, int_repr(quantize_per_tensor(x, 0.5, 10, kQUInt8))));
  const Tensor real = quantized_decomposed::dequantize_per_tensor(q, 0.5, 10, 0, 255, kByte);
  EXPECT_EQ(to_vector<float>(real), (std::vector<float>{-5, -1, 0, 0, 0, 1, 122.5}));
  EXPECT_TRUE(
      equal(real, quantized_decomposed::dequantize_per_tensor(q, tensor(0.5), tensor<int64_t>(10), 0, 255, kByte)));
  EXPECT_EQ(quantized_decomposed::dequantize_per_tensor(q, 0.5, 10, 0, 255, kByte, kHalf).dtype(), kHalf);
  EXPECT_EQ(quantized_decomposed::quantize_per_tensor(to(x, kHalf), 0.5, 10, 0, 100, kByte).dtype(), kByte);
  expect_error([&] { quantized_decomposed::dequantize_per_tensor(q, 0.5, 10, 0, 255, kChar); }, "dtype Char");
  expect_error([&] { quantized_decomposed::quantize_per_tensor(q, 0.5, 10, 0, 255, kByte); }, "floating-point dtype");
  expect_error([&] { quantized_decomposed::quantize_per_tensor(x, 0.5, 10, 5, 4, kByte); }, "`quant_min` of at most");
}

TEST(QuantizedDecomposed, QuantizesChannels) {
  const Tensor x = tensor({{1.0f, 2.0f, 3.0f}, {-1.0f, -2.0f, 3.5f}});
  const Tensor scales = tensor({0.5f, 1.0f, 0.25f}), zero_points = tensor<int64_t>({0, 1, -2});
  const Tensor q = quantized_decomposed::quantize_per_channel(x, scales, zero_points, 1, -128, 127, kChar);
  EXPECT_EQ(to_vector<int8_t>(q), (std::vector<int8_t>{2, 3, 10, -2, -1, 12}));
  EXPECT_TRUE(equal(quantized_decomposed::dequantize_per_channel(q, scales, zero_points, -1, -128, 127, kChar), x));
  const Tensor without = quantized_decomposed::dequantize_per_channel(q, scales, std::nullopt, 1, -128, 127, kChar);
  EXPECT_EQ(to_vector<float>(without), (std::vector<float>{1, 3, 2.5, -1, -1, 3}));
  expect_error([&] { quantized_decomposed::dequantize_per_channel(q, scales, zero_points, 0, -128, 127, kChar); },
               "as many elements as dimension 0");
}

TEST(QuantizedDecomposed, ChoosesParameters) {
  const auto choose = [](const Tensor& x) { return quantized_decomposed::choose_qparams(x, 0, 255, 1e-5, kByte); };
  const auto [scale, zero_point] = choose(tensor({-51.0f, 204.0f, 7.0f}));
  EXPECT_EQ(to_vector<double>(scale), (std::vector<double>{1}));
  EXPECT_EQ(to_vector<int64_t>(zero_point), (std::vector<int64_t>{51}));
  // 0 is representable, and the scale has a lower bound.
  EXPECT_EQ(to_vector<int64_t>(std::get<1>(choose(tensor({51.0f, 255.0f})))), (std::vector<int64_t>{0}));
  EXPECT_EQ(to_vector<double>(std::get<0>(choose(zeros({3})))), (std::vector<double>{static_cast<double>(1e-5f)}));
}

TEST(IntMm, MultipliesMatrices) {
  const Tensor a = tensor<int8_t>({{-128, 127, 3}, {1, -1, 127}}), b = tensor<int8_t>({{-128, 1}, {127, 2}, {4, 5}});
  EXPECT_EQ(to_vector<int32_t>(_int_mm(a, b)),
            (std::vector<int32_t>{128 * 128 + 127 * 127 + 12, -128 + 254 + 15, -128 - 127 + 508, 1 - 2 + 635}));
  expect_error([&] { _int_mm(a, to(b, kInt)); }, "dtype Char, got Char and Int");
}

}  // namespace
}  // namespace structured::test::quantized_decomposed_test
