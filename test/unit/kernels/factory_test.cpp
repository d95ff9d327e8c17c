// empty, zeros and full.
#include <structured/ops/empty.h>
#include <structured/ops/full.h>
#include <structured/ops/zeros.h>

#include "kernels/expect.h"

namespace structured::factory_test {
namespace {

using namespace test;

TEST(Empty, HasTheShapeAndTheOptions) {
  const Tensor plain = empty({2, 3});
  EXPECT_EQ(plain.sizes(), IntArrayRef({2, 3}));
  EXPECT_EQ(plain.strides(), IntArrayRef({3, 1}));
  EXPECT_EQ(plain.dtype(), kFloat);
  EXPECT_TRUE(plain.is_cpu());
  const Tensor chosen = empty({2, 3}, TensorOptions(kLong).device(kMeta));
  EXPECT_EQ(chosen.dtype(), kLong);
  EXPECT_TRUE(chosen.is_meta());
  const Tensor spelled = empty({2}, kBool, std::nullopt, Device(kCPU), false, std::nullopt);
  EXPECT_EQ(spelled.dtype(), kBool);
  EXPECT_EQ(empty({}).numel(), 1);
  EXPECT_EQ(empty({0, 3}).numel(), 0);
}

TEST(Empty, HasTheMemoryFormat) {
  EXPECT_EQ(empty({2, 3, 4, 5}, {}, MemoryFormat::ChannelsLast).strides(), IntArrayRef({60, 1, 15, 3}));
}

TEST(Empty, ResizesOut) {
  Tensor out = empty({0});
  EXPECT_TRUE(empty_out(out, {2, 3}).is_same(out));
  EXPECT_EQ(out.sizes(), IntArrayRef({2, 3}));
}

TEST(Empty, RefusesNegativeSizes) {
  expect_error([] { empty({2, -3}); }, "expected sizes of 0 or more, got [2, -3]");
  expect_error([] { empty({int64_t{1} << 62, int64_t{1} << 62}); }, "elements that fits int64_t");
}

template <class T>
class Full : public testing::Test {};
using Types = testing::Types<float, double, int64_t, int32_t, uint8_t, Half>;
TYPED_TEST_SUITE(Full, Types);

TYPED_TEST(Full, HasOneValueEverywhere) {
  using T = TypeParam;
  expect_elements<T>(full({2, 3}, 7, TensorOptions(scalar_type_of<T>)), {2, 3}, [](const Index&) { return 7; });
  expect_elements<T>(zeros({2, 3}, TensorOptions(scalar_type_of<T>)), {2, 3}, [](const Index&) { return 0; });
  Tensor gaps = strided(empty({2, 3}, scalar_type_of<T>));
  full_out(gaps, {2, 3}, 5);
  expect_elements<T>(gaps, {2, 3}, [](const Index&) { return 5; });
  zeros_out(gaps, {2, 3});
  expect_elements<T>(gaps, {2, 3}, [](const Index&) { return 0; });
}

TEST(Full, TakesItsDtypeFromTheValue) {
  EXPECT_EQ(full({1}, true).dtype(), kBool);
  EXPECT_EQ(full({1}, 3).dtype(), kLong);
  EXPECT_EQ(full({1}, 3.5).dtype(), kFloat);
  EXPECT_EQ(full({1}, Complex<double>(1, 2)).dtype(), kComplexFloat);
}

TEST(Full, HasAShapeOnMeta) {
  const Tensor result = full({1000000, 1000000}, 1.5, kMeta);
  EXPECT_TRUE(result.is_meta());
  EXPECT_EQ(result.sizes(), IntArrayRef({1000000, 1000000}));
}

TEST(Full, RefusesAValueThatTheDtypeCannotHold) {
  expect_error([] { full({1}, 300, kByte); }, "300");
}

}  // namespace
}  // namespace structured::factory_test
