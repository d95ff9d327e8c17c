// Quantized tensors in calls of operators: views, copies, errors, and shapes without data.
// quantized_values_test.cpp compares results with PyTorch's.
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/operators.h>
#include <structured/quantized/operators.h>
#include <structured/structured.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "expect_error.h"

namespace structured::test::quantized_test {
namespace {

Tensor integers(IntArrayRef sizes, int64_t step = 1) {
  const int64_t count = sizes.empty() ? 1 : zeros(sizes).numel();
  return view(to(remainder(mul(arange(count), step), 256), kByte), sizes);
}
Tensor quantized_tensor(IntArrayRef sizes, double scale = 0.5, int64_t zero_point = 100, int64_t step = 37) {
  return _make_per_tensor_quantized_tensor(integers(sizes, step), scale, zero_point);
}
Tensor weight(IntArrayRef sizes) {
  return quantize_per_tensor(sub(to(integers(sizes, 11), kFloat), 128), 1, 0, kQInt8);
}

std::vector<uint8_t> bytes(const Tensor& tensor) {
  return to_vector<uint8_t>(tensor.is_quantized() ? int_repr(tensor) : tensor);
}

TEST(QuantizedTensor, KeepsItsQuantizerInViewsAndCopies) {
  const Tensor a = quantized_tensor({2, 3, 4});
  for (const Tensor& other :
       {view(a, {6, 4}), flatten(a, 1), transpose(a, 0, 2), permute(a, {1, 0, 2}), select(a, 1, 2), unsqueeze(a, 0),
        slice(a, 2, 1, 3), expand(unsqueeze(a, 0), {5, 2, 3, 4}), a.detach(), reshape(transpose(a, 0, 1), {-1}),
        clone(a), clone(transpose(a, 0, 2)), contiguous(transpose(a, 0, 2)), narrow(a, 0, 1, 1)}) {
    EXPECT_EQ(other.dtype(), kQUInt8);
    EXPECT_TRUE(quantizer_of(other) == quantizer_of(a));
  }
  const Tensor transposed = transpose(a, 0, 2);
  EXPECT_EQ(bytes(contiguous(transposed)), bytes(contiguous(transpose(int_repr(a), 0, 2))));
  EXPECT_TRUE(equal(dequantize(transposed), transpose(dequantize(a), 0, 2)));
  EXPECT_EQ(split(a, 1, 1).size(), 3u);
  EXPECT_TRUE(quantizer_of(split(a, 1, 1)[2]) == quantizer_of(a));
}

TEST(QuantizedTensor, IsCopiedWithItsQuantizer) {
  const Tensor a = quantized_tensor({2, 3});
  Tensor b = quantized_tensor({2, 3}, 3, 7);
  copy_(b, a);
  EXPECT_TRUE(equal(a, b));
  EXPECT_TRUE(quantizer_of(b) == quantizer_of(a));
  // Real numbers are quantized by the destination.
  copy_(b, tensor({{-1.0f, 0.0f, 1.0f}, {1e9f, -1e9f, 0.5f}}));
  EXPECT_EQ(bytes(b), (std::vector<uint8_t>{98, 100, 102, 255, 0, 101}));
  Tensor real = zeros({2, 3});
  expect_error([&] { copy_(real, a); }, "dequantize first");
  expect_error([&] { copy_(b, quantize_per_tensor(zeros({2, 3}), 1, 0, kQInt8)); }, "dtype QUInt8, got QInt8");
  EXPECT_FALSE(equal(a, quantized_tensor({2, 3}, 0.25)));
  EXPECT_FALSE(equal(a, quantized_tensor({2, 3}, 0.5, 100, 38)));
  EXPECT_FALSE(equal(a, int_repr(a)));
}

TEST(QuantizedTensor, HasNoGradients) {
  Tensor a = quantized_tensor({2});
  expect_error([&] { a.requires_grad_(true); }, "floating point");
  expect_error([&] { a.set_grad(a.detach()); }, "quantized tensors have no gradients");
  EXPECT_FALSE(a.grad().defined());
  EXPECT_TRUE(a.is_leaf());
  EXPECT_EQ(q_scale(a), 0.5);
  Tensor x = zeros({2});
  x.requires_grad_(true);
  EXPECT_FALSE(quantize_per_tensor(x, 1, 0, kQUInt8).requires_grad());
}

TEST(QuantizedTensor, IsDescribed) {
  const Tensor a = quantized_tensor({2}),
               b = quantize_per_channel(zeros({2, 3}), ones({3}), zeros({3}, kLong), -1, kQInt8);
  EXPECT_EQ(q_scale(a), 0.5);
  EXPECT_EQ(q_zero_point(a), 100);
  EXPECT_EQ(q_per_channel_axis(b), 1);
  EXPECT_EQ(to_vector<double>(q_per_channel_scales(b)), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(to_vector<int64_t>(q_per_channel_zero_points(b)), (std::vector<int64_t>{0, 0, 0}));
  expect_error([&] { q_scale(b); }, "q_scale: expected a tensor that is quantized per tensor");
  expect_error([&] { q_per_channel_axis(a); }, "quantized per channel");
}

TEST(QuantizePerTensor, SaturatesAndRefusesWrongArguments) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = tensor({infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 1e30f});
  EXPECT_EQ(bytes(quantize_per_tensor(x, 1, 9, kQUInt8)), (std::vector<uint8_t>{255, 0, 0, 255}));
  EXPECT_EQ(to_vector<int32_t>(int_repr(quantize_per_tensor(x, 1, 9, kQInt32))),
            (std::vector<int32_t>{INT32_MAX, INT32_MIN, INT32_MIN, INT32_MAX}));
  EXPECT_EQ(quantize_per_tensor(zeros({0, 3}), 1, 0, kQUInt8).sizes(), IntArrayRef({0, 3}));
  expect_error([&] { quantize_per_tensor(x, 1, 0, kByte); }, "QUInt8, QInt8 or QInt32, got Byte");
  expect_error([&] { quantize_per_tensor(to(x, kDouble), 1, 0, kQUInt8); }, "dtype Float, got Double");
  expect_error([&] { quantize_per_tensor(x, 1, 300, kQUInt8); }, "between 0 and 255");
  expect_error([&] { quantize_per_channel(x, ones({3}), zeros({3}, kLong), 0, kQUInt8); }, "the size of dimension 0");
}

TEST(QuantizedOperators, ComputeShapesWithoutData) {
  const Tensor x = quantize_per_tensor(empty({2, 3, 8, 8}, kMeta), 0.1, 5, kQUInt8);
  EXPECT_EQ(x.backend(), Backend::Meta);
  const Tensor w = quantize_per_tensor(empty({4, 3, 3, 3}, kMeta), 0.1, 0, kQInt8);
  const Tensor y = quantized::conv2d(x, quantized::conv2d_prepack(w, std::nullopt, {2, 2}, {1, 1}, {1, 1}, 1), 0.2, 9);
  EXPECT_EQ(y.sizes(), IntArrayRef({2, 4, 4, 4}));
  EXPECT_EQ(quantizer_of(y).zero_point(), 9);
  EXPECT_EQ(dequantize(y).dtype(), kFloat);
  EXPECT_TRUE(dequantize(y).is_meta());
  EXPECT_EQ(quantized::add(x, x, 1, 0).sizes(), x.sizes());
  const std::vector<Tensor> packed = quantized::conv2d_prepack(w, std::nullopt, {1, 1}, {0, 0}, {1, 1}, 1);
  expect_error([&] { quantized::conv2d(quantized_tensor({2, 3, 8, 8}), packed, 0.2, 9); }, "on cpu, got one on meta");
}

TEST(QuantizedLayers, RefuseWrongArguments) {
  const Tensor x = quantized_tensor({1, 3, 5, 5}), w = weight({4, 3, 3, 3});
  const std::vector<Tensor> packed = quantized::conv2d_prepack(w, std::nullopt, {1, 1}, {0, 0}, {1, 1}, 1);
  EXPECT_EQ(quantized::conv2d(x, packed, 100, 0).sizes(), IntArrayRef({1, 4, 3, 3}));
  const std::vector<Tensor> linear_packed = quantized::linear_prepack(weight({2, 5}));
  expect_error([&] { quantized::conv2d(x, linear_packed, 1, 0); }, "packed parameters of 4 tensors, got 3");
  expect_error([&] { quantized::linear(x, packed, 1, 0); }, "packed parameters of 3 tensors, got 4");
  // Lists that no prepack operator has made.
  std::vector<Tensor> wrong = packed;
  wrong[2] = zeros({5}, kShort);
  expect_error([&] { quantized::conv2d(x, wrong, 1, 0); }, "expected a packed weight for sizes [4, 3, 3, 3]");
  wrong = packed;
  wrong[0] = weight({4, 3, 5, 5});
  expect_error([&] { quantized::conv2d(x, wrong, 1, 0); }, "expected a packed weight for sizes [4, 3, 5, 5]");
  wrong = packed;
  wrong[1] = zeros({3});
  expect_error([&] { quantized::conv2d(x, wrong, 1, 0); }, "packed bias of 4 contiguous elements");
  wrong = packed;
  wrong[3] = zeros({7}, kLong);
  expect_error([&] { quantized::conv2d(x, wrong, 1, 0); }, "4 output channels in equal groups, got 0 groups");
  expect_error([&] { quantized::conv2d(quantized_tensor({1, 2, 5, 5}), packed, 1, 0); }, "channels");
  expect_error([&] { quantized::conv2d(quantized_tensor({3, 5, 5}), packed, 1, 0); }, "4 dimensions, got 3");
  expect_error([&] { quantized::conv2d(x, packed, 1, 256); }, "between 0 and 255");
  expect_error([&] { quantized::conv2d(x, packed, 0, 0); }, "positive and finite");
  expect_error([&] { quantized::conv2d(x, packed, 1e38, 0); }, "quotient is a normal positive number");
  expect_error([&] { quantized::conv2d(weight({1, 3, 5, 5}), packed, 1, 0); }, "dtype QUInt8, got QInt8");
  expect_error([&] { quantized::conv2d_prepack(x, std::nullopt, {1, 1}, {0, 0}, {1, 1}, 1); },
               "dtype QInt8, got QUInt8");
  expect_error([&] { quantized::conv2d_prepack(w, zeros({3}), {1, 1}, {0, 0}, {1, 1}, 1); }, "Float with 4 elements");
  expect_error([&] { quantized::conv2d_prepack(w, std::nullopt, {1}, {0, 0}, {1, 1}, 1); }, "`stride`");
  expect_error([&] { quantized::conv2d_prepack(w, std::nullopt, {1, 1}, {0, 0}, {1, 1}, 3); }, "`groups` 3");
  const Tensor empty_weight = quantize_per_tensor(zeros({1, 0, 2, 2}), 1, 0, kQInt8);
  expect_error([&] { quantized::conv2d_prepack(empty_weight, std::nullopt, {1, 1}, {0, 0}, {1, 1}, 1); },
               "expected a weight of 1 to 2^56 elements");
  const Tensor by_column = quantize_per_channel(zeros({2, 3}), ones({3}), zeros({3}, kLong), 1, kQInt8);
  expect_error([&] { quantized::linear_prepack(by_column); }, "along dimension 0, got dimension 1");
  expect_error([&] { quantized::linear(quantized_tensor({2, 4}), linear_packed, 1, 0); }, "5 elements in the last one");
  expect_error([&] { quantized::linear_dynamic(full({2, 5}, std::nan("")), linear_packed); }, "finite elements");
  EXPECT_EQ(quantized::linear(quantized_tensor({0, 5}), linear_packed, 1, 0).sizes(), IntArrayRef({0, 2}));
}

TEST(QuantizedArithmetic, RefusesWrongArguments) {
  const Tensor a = quantized_tensor({2, 3});
  expect_error([&] { quantized::add(a, weight({2, 3}), 1, 0); }, "operands of one dtype, got QUInt8 and QInt8");
  expect_error([&] { quantized::mul(a, quantized_tensor({2, 4}), 1, 0); }, "3");
  const Tensor channels = quantize_per_channel(zeros({2, 3}), ones({3}), zeros({3}, kLong), 1, kQUInt8);
  expect_error([&] { quantized::add(a, channels, 1, 0); }, "`qb` to be quantized per tensor");
  expect_error([&] { relu(channels); }, "quantized per tensor");
  expect_error([&] { quantized::cat({a, weight({2, 3})}, 0, std::nullopt, std::nullopt); }, "tensors of one dtype");
}

// Dtypes other than QUInt8 and broadcast operands are added as real numbers.
TEST(QuantizedArithmetic, AddsOtherDtypesAsRealNumbers) {
  const Tensor a = quantize_per_tensor(tensor({-1.0f, 0.25f, 3.0f}), 0.25, 1, kQInt8);
  const Tensor b = quantize_per_tensor(tensor({0.5f}), 0.5, 0, kQInt8);
  EXPECT_EQ(to_vector<float>(dequantize(quantized::add(a, b, 0.125, -3))), (std::vector<float>{-0.5f, 0.75f, 3.5f}));
  EXPECT_EQ(to_vector<float>(dequantize(quantized::add_relu(a, b, 0.125, -3))), (std::vector<float>{0, 0.75f, 3.5f}));
  EXPECT_EQ(to_vector<float>(dequantize(quantized::mul(a, b, 0.125, -3))), (std::vector<float>{-0.5f, 0.125f, 1.5f}));
}

TEST(QuantizedInPlace, WritesToTheTensor) {
  Tensor a = quantized_tensor({5}, 0.5, 100, 60);  // 0, 60, 120, 180, 240
  relu_(a);
  EXPECT_EQ(bytes(a), (std::vector<uint8_t>{100, 100, 120, 180, 240}));
  const Tensor b = quantized::relu6(a, true);
  EXPECT_TRUE(b.is_same(a));
  EXPECT_EQ(bytes(a), (std::vector<uint8_t>{100, 100, 112, 112, 112}));
}

// The arithmetic of one thread and one row does not depend on the number of threads and rows.
TEST(QuantizedLayers, AreEqualForAnyNumberOfRows) {
  const Tensor x = quantized_tensor({300, 70}, 0.02, 130, 91);
  const std::vector<Tensor> packed = quantized::linear_prepack(weight({50, 70}), arange(50, kFloat));
  const Tensor all = quantized::linear(x, packed, 40, 120);
  for (const int64_t i : {0, 7, 8, 63, 64, 299}) {
    EXPECT_TRUE(equal(quantized::linear(slice(x, 0, i, i + 1), packed, 40, 120), slice(all, 0, i, i + 1)));
  }
  // Sums of integers below 2^24 are exact in Float.
  const Tensor sums =
      matmul(sub(to(int_repr(x), kFloat), 130), transpose(to(int_repr(weight({50, 70})), kFloat), 0, 1));
  const Tensor rounded = add(round(mul(add(sums, round(div(arange(50, kFloat), 0.02f))), 0.02f * (1 / 40.0f))), 120);
  EXPECT_TRUE(equal(to(int_repr(all), kFloat), clamp(rounded, 0, 255)));
}

}  // namespace
}  // namespace structured::test::quantized_test
