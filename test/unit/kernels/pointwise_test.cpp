// Pointwise operators beyond the recorded calls of test/conformance: memory layouts, dtypes, instruction sets, and
// limits of integers.
#include <structured/base/error.h>
#include <structured/device/simd_level.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/addcdiv.h>
#include <structured/ops/addcmul.h>
#include <structured/ops/angle.h>
#include <structured/ops/clamp.h>
#include <structured/ops/clamp_max.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/div.h>
#include <structured/ops/fmod.h>
#include <structured/ops/gelu.h>
#include <structured/ops/hardtanh.h>
#include <structured/ops/lerp.h>
#include <structured/ops/log.h>
#include <structured/ops/lt.h>
#include <structured/ops/mish.h>
#include <structured/ops/nan_to_num.h>
#include <structured/ops/neg.h>
#include <structured/ops/nextafter.h>
#include <structured/ops/pow.h>
#include <structured/ops/rsub.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/tanh.h>
#include <structured/ops/transpose.h>
#include <structured/ops/where.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/expect.h"

namespace structured::pointwise_test {
namespace {

using namespace test;

const std::vector<DimVector> kShapes{{}, {1}, {5}, {3, 7}, {40, 3}, {3, 40}, {2, 3, 4, 5}, {0, 4}, {33, 65}, {70000}};

TEST(Where, ChoosesInEveryLayout) {
  for (const DimVector& sizes : kShapes) {
    const Tensor mask = filled<bool>(sizes, [](int64_t i) { return i % 3 == 0; });
    const Tensor a = filled<float>(sizes, [](int64_t i) { return static_cast<float>(i); });
    const Tensor b = filled<float>(sizes, [](int64_t i) { return static_cast<float>(-i); });
    for (const Tensor& condition : {mask, strided(mask)}) {
      for (const Tensor& other : {b, strided(b)}) {
        expect_elements<float>(where(condition, a, other), sizes, [&](const Index& index) {
          return at<bool>(mask, index) ? at<float>(a, index) : at<float>(b, index);
        });
      }
    }
  }
}

TEST(Where, WantsAMask) {
  const Tensor a = counting<float>({3});
  expect_error([&] { where(a, a, a); }, "where: expected `condition` of dtype Bool, got Float");
}

template <class T>
void expect_finite_numbers() {
  const auto infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers{infinity, -infinity, std::nan(""), 2};
  const Tensor self = filled<T>({20}, [&](int64_t i) { return static_cast<T>(numbers[static_cast<size_t>(i % 4)]); });
  const double greatest = static_cast<double>(std::numeric_limits<T>::max());
  for (const Tensor& x : {self, strided(self)}) {
    expect_elements<T>(nan_to_num(x), {20}, [&](const Index& i) {
      const double expected[] = {greatest, -greatest, 0, 2};
      return expected[i[0] % 4];
    });
    expect_elements<T>(nan_to_num(x, 3, 4, 5), {20}, [](const Index& i) {
      const double expected[] = {4, 5, 3, 2};
      return expected[i[0] % 4];
    });
  }
}

TEST(NanToNum, GivesTheGreatestNumberOfTheDtype) {
  expect_finite_numbers<float>();
  expect_finite_numbers<double>();
  expect_finite_numbers<Half>();
  expect_finite_numbers<BFloat16>();
  expect_elements<int64_t>(nan_to_num(counting<int64_t>({3})), {3}, [](const Index& i) { return i[0]; });
}

TEST(Nextafter, IsTheNextNumberOfTheDtype) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float least = 0x1p-133f;  // above 0
  const float from[] = {1, 1, -1, 0, 0, -0.0f, least, 2, infinity, 0x1.fep127f};
  const float to[] = {2, 0, 0, 1, -1, 0, -1, 2, 0, infinity};
  const float expected[] = {1.0078125f, 0.99609375f, -0.99609375f, least, -least, 0, 0, 2, 0x1.fep127f, infinity};
  const auto numbers = [](const float* values) {
    return filled<BFloat16>({10}, [=](int64_t i) { return BFloat16(values[i]); });
  };
  const std::vector<BFloat16> found = to_vector<BFloat16>(nextafter(numbers(from), numbers(to)));
  for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(static_cast<float>(found[i]), expected[i]) << i;
  const Tensor none = filled<BFloat16>({1}, [](int64_t) { return BFloat16(std::nanf("")); });
  EXPECT_TRUE(std::isnan(static_cast<float>(*nextafter(none, numbers(to)).data_ptr<BFloat16>())));
  EXPECT_EQ(*nextafter(tensor<float>({1}), tensor<float>({2})).data_ptr<float>(), 0x1.000002p0f);
}

TEST(Comparison, GivesBoolOrWhatOutIs) {
  const Tensor a = counting<float>({4});
  const Tensor b = filled<int64_t>({4}, [](int64_t) { return 2; });
  const auto expected = [](const Index& index) { return index[0] < 2 ? 1.0 : 0.0; };
  expect_elements<bool>(lt(a, b), {4}, expected);
  expect_elements<bool>(lt(a, 2), {4}, expected);
  expect_elements<bool>(lt(a, a), {4}, [](const Index&) { return 0.0; });
  Tensor out = empty({4}, kDouble);
  lt_out(out, a, b);
  expect_elements<double>(out, {4}, expected);
  Tensor self = counting<float>({4});
  lt_(self, 2);
  expect_elements<float>(self, {4}, expected);
}

TEST(Comparison, BroadcastsRowsAndColumns) {
  for (const int64_t width : {3, 40, 2000}) {
    const Tensor a = counting<float>({30, width});
    const Tensor column = filled<float>({30, 1}, [&](int64_t i) { return static_cast<float>(i * width + 1); });
    expect_elements<bool>(lt(a, column), {30, width}, [](const Index& index) { return index[1] < 1 ? 1.0 : 0.0; });
    const Tensor row = filled<float>({width}, [](int64_t i) { return static_cast<float>(i + 1); });
    expect_elements<bool>(lt(a, row), {30, width}, [](const Index& index) { return index[0] < 1 ? 1.0 : 0.0; });
  }
}

// Rounded after each product, as in PyTorch.
TEST(Pow, MultipliesForExponentsTwoAndThree) {
  std::vector<float> values;
  for (int i = -500; i < 500; ++i) values.push_back(static_cast<float>(i) * 0.0137f);
  const Tensor x = tensor<float>(values);
  const std::vector<float> squares = to_vector<float>(pow(x, 2)), cubes = to_vector<float>(pow(x, 3.0));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float square = values[i] * values[i];
    EXPECT_EQ(squares[i], square);
    EXPECT_EQ(cubes[i], square * values[i]);
  }
}

TEST(Addcmul, TakesThreeTensorsOfAnyDtype) {
  for (const DimVector& sizes : kShapes) {
    const Tensor a = filled<Half>(sizes, [](int64_t i) { return Half(static_cast<float>(i % 7)); });
    const Tensor b = filled<int32_t>(sizes, [](int64_t i) { return static_cast<int32_t>(i % 5); });
    const Tensor c = strided(filled<float>(sizes, [](int64_t i) { return static_cast<float>(i % 3); }));
    const Tensor result = addcmul(a, b, c, 2);
    expect_elements<float>(result, sizes, [&](const Index& index) {
      return static_cast<double>(static_cast<float>(at<Half>(a, index))) +
             2.0 * at<int32_t>(b, index) * static_cast<double>(at<float>(c, index));
    });
  }
}

TEST(Half, IsComputedInFloat) {
  const Tensor a = filled<Half>({100}, [](int64_t i) { return Half(static_cast<float>(i) * 0.1f - 5); });
  expect_elements<Half>(
      tanh(a), {100},
      [&](const Index& index) { return std::tanh(static_cast<double>(static_cast<float>(at<Half>(a, index)))); }, 1e-3);
  // 60000 * 2 exceeds the greatest Half; the sum does not.
  const Tensor large = filled<Half>({3}, [](int64_t) { return Half(60000.0f); });
  expect_elements<Half>(add(large, large, -2), {3}, [](const Index&) { return -60000.0; }, 1e-3);
}

TEST(Transposed, OperandsAreWalkedInTiles) {
  for (const int64_t size : {16, 100, 257}) {
    const Tensor a = counting<float>({size, size});
    const Tensor b = transpose(a, 0, 1);
    expect_elements<float>(
        add(a, b), {size, size},
        [&](const Index& index) { return static_cast<double>((index[0] + index[1]) * size + index[0] + index[1]); },
        1e-6);
    const Tensor d = filled<double>({size, size}, [](int64_t i) { return static_cast<double>(i); });
    expect_elements<double>(add(transpose(d, 0, 1), a), {size, size}, [&](const Index& index) {
      return static_cast<double>((index[0] + index[1]) * size + index[0] + index[1]);
    });
  }
}

TEST(Integers, KeepToTheirEdges) {
  const auto one = [](int64_t value) { return filled<int64_t>({1}, [=](int64_t) { return value; }); };
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  const auto value = [](const Tensor& tensor) { return at<int64_t>(tensor, {0}); };
  EXPECT_EQ(value(neg(one(least))), least);
  EXPECT_EQ(value(abs(one(least))), least);
  EXPECT_EQ(value(div(one(least), one(-1), "trunc")), least);
  EXPECT_EQ(value(div(one(least), one(-1), "floor")), least);
  EXPECT_EQ(value(fmod(one(least), one(-1))), 0);
  EXPECT_EQ(value(div(one(-7), one(2), "floor")), -4);
  EXPECT_EQ(value(div(one(-7), one(2), "trunc")), -3);
  EXPECT_EQ(value(pow(one(3), one(4))), 81);
  EXPECT_EQ(value(pow(one(-1), one(-3))), -1);
  EXPECT_EQ(value(pow(one(2), one(-3))), 0);
  expect_error([&] { div(one(1), one(0), "floor"); }, "division of an integer by zero");
  expect_error([&] { fmod(one(1), 0); }, "division of an integer by zero");
  expect_error([&] { pow(one(1), -1); }, "pow: integers cannot be raised to a negative power, got -1");
}

TEST(Clamp, BoundsOutOfRangeAreMetOrErrors) {
  const Tensor bytes = tensor<uint8_t>({1, 200});
  EXPECT_EQ(to_vector<uint8_t>(clamp(bytes, -1, 256)), (std::vector<uint8_t>{1, 200}));
  EXPECT_EQ(to_vector<uint8_t>(clamp_max(bytes, 256)), (std::vector<uint8_t>{1, 200}));
  EXPECT_EQ(to_vector<uint8_t>(clamp_min(bytes, -1)), (std::vector<uint8_t>{1, 200}));
  EXPECT_EQ(to_vector<uint8_t>(clamp(bytes, 2, 100)), (std::vector<uint8_t>{2, 100}));
  expect_error([&] { clamp(bytes, 256); }, "clamp: min value 256 is outside the representable range of Byte");
  expect_error([&] { clamp_max(bytes, -1); }, "clamp_max: max value -1 is outside the representable range of Byte");
  expect_error([&] { clamp_min(tensor<int32_t>({1}), int64_t{1} << 40); }, "clamp_min: min value 1099511627776 is");
  expect_error([] { clamp(tensor<float>({1}), 3.41e38); }, "min value 3.41e+38 is outside the representable range");
  expect_error([] { clamp_max(tensor<Half>({Half(1.0f)}), 1e10); }, "outside the representable range of Half");
}

TEST(Clamp, InfinityPromotesIntegers) {
  const Tensor result = clamp(tensor<int32_t>({1, 7}), -std::numeric_limits<double>::infinity(), 5);
  EXPECT_EQ(to_vector<float>(result), (std::vector<float>{1, 5}));
}

TEST(Hardtanh, PropagatesNanBounds) {
  for (const Tensor& result : {hardtanh(tensor<float>({1, -3}), kNan, 1), hardtanh(tensor<float>({1, -3}), -1, kNan)}) {
    for (const float element : to_vector<float>(result)) EXPECT_TRUE(std::isnan(element));
  }
}

TEST(Hardtanh, KeepsIntegers) {
  EXPECT_EQ(to_vector<int32_t>(hardtanh(tensor<int32_t>({1, 2, -3}))), (std::vector<int32_t>{1, 1, -1}));
  EXPECT_EQ(to_vector<int32_t>(hardtanh(tensor<int32_t>({1, 2, -3}), 0.5, 1.5)), (std::vector<int32_t>{1, 1, 0}));
  EXPECT_EQ(to_vector<uint8_t>(hardtanh(tensor<uint8_t>({0, 2}))), (std::vector<uint8_t>{0, 1}));
  expect_error([] { hardtanh(tensor<bool>({true})); }, "hardtanh: expected dtype");
}

TEST(Pow, TakesBooleanExponentsOfBool) {
  const Tensor bools = filled<bool>({2}, [](int64_t i) { return i == 1; });
  expect_elements<bool>(pow(bools, true), {2}, [](const Index& index) { return index[0] == 1; });
  expect_elements<bool>(pow(bools, false), {2}, [](const Index&) { return 1; });
  expect_error([&] { pow(bools, bools); }, "pow: expected dtype");
}

TEST(Addcdiv, TakesBooleanNumbers) {
  const Tensor two = full({1}, 2.0);
  EXPECT_EQ(addcdiv(two, two, two, true).item<float>(), 3);
  EXPECT_EQ(lerp(two, full({1}, 4.0), true).item<float>(), 4);
}

TEST(Pow, ExponentFitsTheDtype) {
  expect_error([] { pow(tensor<uint8_t>({1, 2}), 300); },
               "pow: `exponent`: value 300 cannot be converted to type Byte without overflow");
  expect_error([] { pow(tensor<Half>({Half(1.0f)}), 1e6); }, "value 1e+06 cannot be converted to type Half");
  EXPECT_EQ(to_vector<float>(pow(tensor<float>({1, 2}), 1e300)), (std::vector<float>{1, kInfinity}));
}

TEST(Abs, OfComplexNumbersIsReal) {
  const Tensor self = tensor<Complex<float>>({{3, 4}, {0, -1}});
  EXPECT_EQ(to_vector<float>(abs(self)), (std::vector<float>{5, 1}));
  EXPECT_EQ(to_vector<float>(abs(strided(self))), (std::vector<float>{5, 1}));
  Tensor copy = tensor<Complex<float>>({{3, 4}});
  expect_error([&] { abs_(copy); }, "abs: expected `out` of dtype Float for complex numbers, got ComplexFloat");
}

TEST(Angle, OfComplexNumbersIsReal) {
  const std::vector<float> turns = to_vector<float>(angle(tensor<Complex<float>>({{-1, 0}, {0, -1}, {kNan, 1}})));
  EXPECT_FLOAT_EQ(turns[0], 3.14159265F);
  EXPECT_FLOAT_EQ(turns[1], -1.57079633F);
  EXPECT_TRUE(std::isnan(turns[2]));
}

TEST(Nextafter, StepsThroughHalf) {
  const Tensor next = nextafter(tensor<Half>({Half(1.0f)}), tensor<Half>({Half(2.0f)}));
  EXPECT_EQ(static_cast<float>(at<Half>(next, {0})), 1.0009765625F);
}

TEST(Rsub, WritesItsDtypeOnly) {
  Tensor out = empty({0}, kDouble);
  expect_error([&] { rsub_out(out, tensor<float>({1, 2}), Scalar(3)); }, "rsub: expected `out` of dtype Float");
  expect_error([&] { rsub_out(out, tensor<float>({1}), tensor<float>({1})); }, "rsub: expected `out` of dtype Float");
}

TEST(Modes, AreChecked) {
  const Tensor a = counting<float>({2});
  expect_error([&] { div(a, a, "up"); },
               "div: expected `rounding_mode` to be None, \"trunc\" or \"floor\", got \"up\"");
  expect_error([&] { gelu(a, "erf"); }, "gelu: expected `approximate` to be \"none\" or \"tanh\", got \"erf\"");
  expect_error([&] { clamp(a); }, "clamp: expected `min` or `max`, got neither");
}

// Restores the SIMD level.
class LevelScope {
 public:
  explicit LevelScope(SimdLevel level) : before_(simd_level()) { set_simd_level(level); }
  ~LevelScope() { set_simd_level(before_); }

 private:
  SimdLevel before_;
};

TEST(SimdLevel, ChangesNoBitOfAnyFunction) {
  Tensor (*const functions[])(const Tensor&) = {
      [](const Tensor& x) { return tanh(x); }, [](const Tensor& x) { return sigmoid(x); },
      [](const Tensor& x) { return log(x); },  [](const Tensor& x) { return gelu(x); },
      [](const Tensor& x) { return mish(x); }, [](const Tensor& x) { return add(x, x, 0.3); }};
  for (const ScalarType dtype : {kFloat, kDouble}) {
    for (const auto function : functions) {
      const Tensor numbers = filled<double>({1003}, [](int64_t i) { return static_cast<double>(i - 500) * 0.0173; });
      const Tensor input = empty({1003}, dtype);
      copy_into(input, numbers);
      std::vector<Tensor> results;
      for (int level = 0; level <= static_cast<int>(best_simd_level()); ++level) {
        const LevelScope scope(static_cast<SimdLevel>(level));
        results.push_back(function(input));
        results.push_back(function(strided(input)));
      }
      for (const Tensor& result : results) {
        for (int64_t i = 0; i < 1003; ++i) {
          const auto bytes = [&](const Tensor& t) {
            return static_cast<const char*>(t.data()) + i * t.strides()[0] * static_cast<int64_t>(item_size(dtype));
          };
          ASSERT_EQ(std::memcmp(bytes(result), bytes(results[0]), item_size(dtype)), 0) << i;
        }
      }
    }
  }
}

TEST(SimdLevel, ChangesNoBitOfConversions) {
  const Tensor numbers = filled<double>({1003}, [](int64_t i) { return static_cast<double>((i - 500) * i) * 61.7; });
  for (const ScalarType from : {kBool, kByte, kInt, kLong, kFloat, kDouble, kHalf, kBFloat16}) {
    const Tensor input = empty({1003}, from);
    copy_into(input, numbers);
    for (const ScalarType to : {kFloat, kDouble, kLong, kHalf, kBFloat16}) {
      std::vector<Tensor> results;
      for (int level = 0; level <= static_cast<int>(best_simd_level()); ++level) {
        const LevelScope scope(static_cast<SimdLevel>(level));
        for (const Tensor& read : {input, strided(input)}) {
          results.push_back(empty({1003}, to));
          copy_into(results.back(), read);
        }
      }
      for (const Tensor& result : results) {
        EXPECT_EQ(std::memcmp(result.data(), results[0].data(), result.nbytes()), 0) << from << ' ' << to;
      }
    }
  }
}

}  // namespace
}  // namespace structured::pointwise_test
