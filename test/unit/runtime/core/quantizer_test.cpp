#include "structured/core/quantizer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "expect_error.h"
#include "structured/core/factory.h"

namespace structured {
namespace {

using test::expect_error;

Tensor quantized(IntArrayRef sizes, double scale = 0.5, int64_t zero_point = 3, ScalarType dtype = kQUInt8) {
  const Tensor result = empty(sizes, dtype);
  set_quantizer(result, scale, zero_point);
  return result;
}

Tensor quantized_per_channel(IntArrayRef sizes, int64_t axis) {
  const Tensor result = empty(sizes, kQInt8);
  const int64_t count = result.size(axis);
  set_quantizer(result, full({count}, 0.25, kFloat), zeros({count}, kInt), axis);
  return result;
}

TEST(Quantizer, BelongsToOneTensor) {
  const Tensor a = quantized({2, 3});
  EXPECT_EQ(a.backend(), Backend::QuantizedCPU);
  EXPECT_EQ(quantizer_of(a).scale(), 0.5);
  EXPECT_EQ(quantizer_of(a).zero_point(), 3);
  EXPECT_EQ(quantizer_of(a).scheme(), QScheme::per_tensor_affine);
  const Tensor same_handle = a;
  EXPECT_EQ(find_quantizer(same_handle), find_quantizer(a));
  EXPECT_EQ(find_quantizer(empty({2}, kQUInt8)), nullptr);
  EXPECT_EQ(find_quantizer(empty({2}, kByte)), nullptr);
  EXPECT_FALSE(a.requires_grad());
}

TEST(Quantizer, IsReplacedAndShared) {
  const Tensor a = quantized({2}), b = quantized({5}, 2, 0);
  share_quantizer(a, b);
  EXPECT_EQ(find_quantizer(a), find_quantizer(b));
  set_quantizer(b, 4, 1);  // the quantizer of `a` is unchanged
  EXPECT_EQ(quantizer_of(a).scale(), 2);
  EXPECT_EQ(quantizer_of(b).scale(), 4);
  share_quantizer(a, empty({1}, kQUInt8));
  EXPECT_EQ(find_quantizer(a), nullptr);
}

TEST(Quantizer, OutlivesItsTensor) {
  const Tensor a = empty({2}, kQUInt8);
  {
    const Tensor b = quantized({40000}, 8, 7);  // in a block of its own
    share_quantizer(a, b);
  }
  EXPECT_EQ(quantizer_of(a).zero_point(), 7);
}

TEST(Quantizer, IsThatOfTheBaseForViews) {
  const Tensor a = quantized({4, 6});
  Tensor view = as_strided(a, {6, 2}, {1, 6}, 3);
  EXPECT_TRUE(view.is_quantized());
  EXPECT_EQ(find_quantizer(view), find_quantizer(a));
  EXPECT_EQ(find_quantizer(as_strided(view, {2}, {1}, 0)), find_quantizer(a));
  set_quantizer(view, 9, 9);
  EXPECT_EQ(quantizer_of(view).scale(), 9);
  EXPECT_EQ(quantizer_of(a).scale(), 0.5);
}

TEST(Quantizer, OfChannelsIsThatOfViewsOfEqualSizesOnly) {
  const Tensor a = quantized_per_channel({4, 6}, 1);
  EXPECT_EQ(find_quantizer(as_strided(a, {4, 6}, {6, 1}, 0)), find_quantizer(a));
  const Tensor transposed = as_strided(a, {6, 4}, {1, 6}, 0);
  EXPECT_EQ(find_quantizer(transposed), nullptr);
  expect_error([&] { quantizer_of(transposed); }, "a view of other sizes");
}

TEST(Quantizer, OfChannelsCopiesItsVectors) {
  const Tensor a = empty({2, 3}, kQInt32);
  const Tensor scales = tensor({1.5f, 2.5f, 3.5f}), zero_points = tensor({1, -2, 3});
  set_quantizer(a, scales, zero_points, -1);
  scales.data_ptr<float>()[0] = 7;
  const Quantizer& quantizer = quantizer_of(a);
  EXPECT_TRUE(quantizer.is_per_channel());
  EXPECT_EQ(quantizer.axis(), 1);
  EXPECT_EQ(quantizer.scales().dtype(), kDouble);
  EXPECT_EQ(quantizer.scales().data_ptr<double>()[0], 1.5);
  EXPECT_EQ(quantizer.zero_points().dtype(), kLong);
  EXPECT_EQ(quantizer.zero_points().data_ptr<int64_t>()[1], -2);
}

TEST(Quantizer, IsComparedByValue) {
  EXPECT_TRUE(quantizer_of(quantized({2})) == quantizer_of(quantized({3})));
  EXPECT_FALSE(quantizer_of(quantized({2})) == quantizer_of(quantized({2}, 0.5, 4)));
  EXPECT_FALSE(quantizer_of(quantized({2})) == quantizer_of(quantized({2}, 0.25)));
  EXPECT_TRUE(quantizer_of(quantized_per_channel({2, 2}, 0)) == quantizer_of(quantized_per_channel({2, 2}, 0)));
  EXPECT_FALSE(quantizer_of(quantized_per_channel({2, 2}, 0)) == quantizer_of(quantized_per_channel({2, 2}, 1)));
  EXPECT_FALSE(quantizer_of(quantized_per_channel({2, 2}, 0)) == quantizer_of(quantized_per_channel({3, 2}, 0)));
}

TEST(Quantizer, IsThatOfDetachedTensors) {
  const Tensor a = quantized({2, 2});
  EXPECT_EQ(find_quantizer(Tensor::adopt(TensorImpl::create_detached(*a.impl()))), find_quantizer(a));
  const Tensor view = as_strided(a, {2}, {2}, 1);
  EXPECT_EQ(find_quantizer(Tensor::adopt(TensorImpl::create_detached(*view.impl()))), find_quantizer(a));
}

TEST(Quantizer, RefusesWrongArguments) {
  const Tensor a = empty({2, 3}, kQUInt8);
  expect_error([&] { set_quantizer(empty({2}, kByte), 1, 0); }, "QUInt8, QInt8 or QInt32, got Byte");
  expect_error([&] { set_quantizer(empty({2}, kQUInt4x2), 1, 0); }, "got QUInt4x2");
  expect_error([&] { set_quantizer(a, 0, 0); }, "positive and finite as a Float, got 0");
  expect_error([&] { set_quantizer(a, -1, 0); }, "positive and finite");
  expect_error([&] { set_quantizer(a, 1e300, 0); }, "positive and finite");
  expect_error([&] { set_quantizer(a, std::numeric_limits<double>::quiet_NaN(), 0); }, "positive and finite");
  expect_error([&] { set_quantizer(a, 1, 256); }, "between 0 and 255 for dtype QUInt8, got 256");
  expect_error([&] { set_quantizer(empty({2}, kQInt8), 1, -129); }, "between -128 and 127");
  expect_error([&] { set_quantizer(a, full({2}, 1.0), zeros({2}, kLong), 1); }, "the size of dimension 1");
  expect_error([&] { set_quantizer(a, full({2}, 1.0), zeros({2}, kLong), 2); }, "dim");
  expect_error([&] { set_quantizer(a, full({2}, 1.0), zeros({2}), 0); }, "integral dtype");
  expect_error([&] { set_quantizer(a, zeros({2}, kLong), zeros({2}, kLong), 0); }, "floating-point dtype");
  expect_error([&] { share_quantizer(a, empty({2}, kQInt8)); }, "dtype QInt8, got QUInt8");
  expect_error([&] { quantizer_of(empty({2})); }, "expected a quantized tensor, got dtype Float");
  expect_error([&] { quantizer_of(a); }, "expected a tensor with a scale and a zero point");
  EXPECT_EQ(find_quantizer(a), nullptr);
}

}  // namespace
}  // namespace structured
