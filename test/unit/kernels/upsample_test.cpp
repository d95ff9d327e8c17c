#include <structured/core/factory.h>
#include <structured/ops/_upsample_bicubic2d_aa.h>
#include <structured/ops/_upsample_bilinear2d_aa.h>
#include <structured/ops/_upsample_nearest_exact2d.h>
#include <structured/ops/reshape.h>
#include <structured/ops/upsample_bicubic2d.h>
#include <structured/ops/upsample_bilinear2d.h>
#include <structured/ops/upsample_linear1d.h>
#include <structured/ops/upsample_nearest1d.h>
#include <structured/ops/upsample_nearest2d.h>
#include <structured/ops/upsample_nearest3d.h>
#include <structured/ops/upsample_trilinear3d.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/expect.h"

namespace structured::upsample_test {
namespace {

using namespace test;

// Returns the input position that an output position copies, by definition.
int64_t source_of(int64_t position, int64_t input, int64_t output, std::optional<double> scale) {
  const double ratio = scale ? 1 / *scale : static_cast<double>(input) / static_cast<double>(output);
  return std::min<int64_t>(static_cast<int64_t>(std::floor(static_cast<double>(position) * ratio)), input - 1);
}

template <class T>
void expect_upsampled(const Tensor& actual, const Tensor& self, int64_t output, std::optional<double> scale = {}) {
  expect_elements<T>(actual, {self.size(0), self.size(1), output}, [&](const Index& index) {
    return static_cast<double>(at<T>(self, {index[0], index[1], source_of(index[2], self.size(2), output, scale)}));
  });
}

template <class T>
class UpsampleNearest1d : public testing::Test {};
using Types = testing::Types<float, double, uint8_t, Half, BFloat16>;
TYPED_TEST_SUITE(UpsampleNearest1d, Types);

TYPED_TEST(UpsampleNearest1d, CopiesTheNearest) {
  using T = TypeParam;
  const Tensor dense = filled<T>({2, 3, 5}, [](int64_t i) { return static_cast<T>(static_cast<float>(i)); });
  for (const Tensor& self : {dense, strided(dense)}) {
    for (const int64_t output : {1, 3, 5, 10, 13}) {
      expect_upsampled<T>(upsample_nearest1d(self, output), dense, output);
    }
  }
}

// Exercises gathers from windows of neighbouring elements, up to the end of a row.
TYPED_TEST(UpsampleNearest1d, CopiesManyLongRows) {
  using T = TypeParam;
  for (const int64_t input : {3, 8, 37, 64}) {
    const Tensor dense =
        filled<T>({4, 5, input}, [](int64_t i) { return static_cast<T>(static_cast<float>(i % 251)); });
    for (const Tensor& self : {dense, strided(dense)}) {
      for (const int64_t output : {64, 71, 128, 200}) {
        expect_upsampled<T>(upsample_nearest1d(self, output), dense, output);
      }
    }
  }
}

TEST(UpsampleNearest1d, TakesTheScaleThatItIsGiven) {
  const Tensor self = counting<float>({1, 1, 4});
  expect_upsampled<float>(upsample_nearest1d(self, IntArrayRef({7}), 1.9), self, 7, 1.9);
}

TEST(UpsampleNearest1d, WritesIntoOut) {
  const Tensor self = counting<float>({2, 2, 3});
  Tensor gaps = strided(empty({2, 2, 6}, kFloat));
  upsample_nearest1d_out(gaps, self, 6);
  expect_upsampled<float>(gaps, self, 6);
  Tensor empty = structured::empty({0}, kFloat);
  upsample_nearest1d_out(empty, self, 6);
  expect_upsampled<float>(empty, self, 6);
}

TEST(UpsampleNearest1d, HasNoRowsForAnEmptyBatch) {
  EXPECT_EQ(upsample_nearest1d(empty({0, 2, 3}), 6).sizes(), IntArrayRef({0, 2, 6}));
  EXPECT_EQ(upsample_nearest2d(empty({0, 2, 3, 3}), {2, int64_t{1} << 40}).numel(), 0);
}

TEST(UpsampleNearest1d, HasAShapeOnMeta) {
  EXPECT_EQ(upsample_nearest1d(empty({2, 2, 3}, kMeta), 6).sizes(), IntArrayRef({2, 2, 6}));
}

TEST(UpsampleNearest1d, RefusesWhatDoesNotFit) {
  const Tensor self = counting<float>({1, 2, 3});
  expect_error([&] { upsample_nearest1d(counting<float>({2, 3}), 6); },
               "expected `self` to be [batch, channels, width]");
  expect_error([&] { upsample_nearest1d(empty({1, 2, 0}), 6); }, "got sizes [1, 2, 0]");
  expect_error([&] { upsample_nearest1d(self, 0); }, "expected a positive output size, got [0]");
  expect_error([&] { upsample_nearest1d(self, {2, 2}); }, "expected `output_size` to have 1 element, got 2");
  expect_error([&] { upsample_nearest1d(counting<int64_t>({1, 2, 3}), 6); }, "upsample_nearest1d");
}

TEST(UpsampleNearest, CopiesAlongSeveralDimensions) {
  const Tensor dense = counting<float>({2, 3, 5, 4});
  for (const Tensor& self : {dense, strided(dense), channels_last(dense)}) {
    expect_elements<float>(upsample_nearest2d(self, {11, 40}), {2, 3, 11, 40},
                           [&](const Index& i) { return at<float>(dense, {i[0], i[1], i[2] * 5 / 11, i[3] / 10}); });
    expect_elements<float>(_upsample_nearest_exact2d(self, {3, 4}), {2, 3, 3, 4}, [&](const Index& i) {
      return at<float>(dense, {i[0], i[1], (2 * i[2] + 1) * 5 / 6, i[3]});
    });
  }
  EXPECT_TRUE(upsample_nearest2d(channels_last(dense), {7, 7}).is_contiguous(MemoryFormat::ChannelsLast));
  const Tensor deep = counting<uint8_t>({1, 2, 2, 3, 3});
  expect_elements<uint8_t>(upsample_nearest3d(deep, {4, 6, 3}), {1, 2, 4, 6, 3}, [&](const Index& i) {
    return static_cast<double>(at<uint8_t>(deep, {0, i[1], i[2] / 2, i[3] / 2, i[4]}));
  });
}

// Returns the weight of an input position at `distance`: linear, or cubic with a = -0.75.
double weight(double distance, bool is_cubic) {
  const double x = std::fabs(distance);
  if (!is_cubic) return std::max(0.0, 1 - x);
  if (x <= 1) return (1.25 * x - 2.25) * x * x + 1;
  return x < 2 ? ((-0.75 * x + 3.75) * x - 6) * x + 3 : 0;
}

double interpolated(const Tensor& row, double position, bool is_cubic) {
  const int64_t size = row.size(0);
  if (!is_cubic) position = std::clamp(position, 0.0, static_cast<double>(size - 1));
  double sum = 0;
  for (int64_t i = -3; i < size + 3; ++i) {
    sum += weight(position - static_cast<double>(i), is_cubic) * at<double>(row, {std::clamp<int64_t>(i, 0, size - 1)});
  }
  return sum;
}

// Interpolation of f(h) + g(w) is the sum of one-dimensional interpolations.
TEST(UpsampleByInterpolation, IsTheSumOfWhatEachDimensionGives) {
  std::mt19937 random(3);
  const auto number = [&](int64_t) { return std::uniform_real_distribution<double>(-1, 1)(random); };
  const Tensor f = filled<double>({5}, number);
  const Tensor g = filled<double>({4}, number);
  const Tensor dense = filled<double>({2, 3, 5, 4}, [&](int64_t i) {
    return at<double>(f, {i / 4 % 5}) + at<double>(g, {i % 4}) + static_cast<double>(i / 20);
  });
  for (const Tensor& self : {dense, strided(dense), channels_last(dense)}) {
    for (const bool align_corners : {false, true}) {
      for (const DimVector& size : {DimVector{11, 9}, DimVector{2, 3}, DimVector{1, 4}}) {
        for (const bool is_cubic : {false, true}) {
          const auto place = [&](int64_t i, int64_t in, int64_t out) {
            const auto position = static_cast<double>(i);
            const auto input = static_cast<double>(in);
            const auto output = static_cast<double>(out);
            if (align_corners) return out > 1 ? position * (input - 1) / (output - 1) : 0;
            return (position + 0.5) * input / output - 0.5;
          };
          const Tensor found =
              is_cubic ? upsample_bicubic2d(self, size, align_corners) : upsample_bilinear2d(self, size, align_corners);
          expect_elements<double>(
              found, {2, 3, size[0], size[1]},
              [&](const Index& i) {
                return interpolated(f, place(i[2], 5, size[0]), is_cubic) +
                       interpolated(g, place(i[3], 4, size[1]), is_cubic) + static_cast<double>(i[0] * 3 + i[1]);
              },
              1e-12);
        }
      }
    }
  }
}

TEST(UpsampleByInterpolation, KeepsTheMemoryFormat) {
  const Tensor self = channels_last(counting<float>({1, 3, 4, 4}));
  EXPECT_TRUE(upsample_bilinear2d(self, {8, 8}, false).is_contiguous(MemoryFormat::ChannelsLast));
  EXPECT_TRUE(upsample_bicubic2d(self, {8, 8}, false).is_contiguous());
  Tensor out = strided(empty({1, 3, 8, 8}));
  upsample_bilinear2d_out(out, self, {8, 8}, false);
  const Tensor expected = upsample_bilinear2d(self, {8, 8}, false);
  expect_elements<float>(out, {1, 3, 8, 8}, [&](const Index& i) { return at<float>(expected, i); });
}

TEST(UpsampleByInterpolation, HasOtherRanksAndDtypes) {
  const Tensor half = filled<Half>({1, 1, 2}, [](int64_t i) { return Half(static_cast<float>(i)); });
  EXPECT_EQ(static_cast<float>(at<Half>(upsample_linear1d(half, 4, false), {0, 0, 1})), 0.25f);
  const Tensor deep = counting<float>({1, 2, 2, 3, 3});
  expect_elements<float>(
      upsample_trilinear3d(deep, {3, 5, 5}, true), {1, 2, 3, 5, 5},
      [](const Index& i) {
        return static_cast<double>(i[1]) * 18 + static_cast<double>(i[2]) * 4.5 + static_cast<double>(i[3]) * 1.5 +
               static_cast<double>(i[4]) * 0.5;
      },
      1e-6);
}

TEST(UpsampleByInterpolation, RoundsBytesAfterEachDimension) {
  const Tensor row = reshape(tensor<uint8_t>({0, 100}), {1, 1, 1, 2});
  EXPECT_EQ(to_vector<uint8_t>(upsample_bilinear2d(row, {1, 4}, false)), (std::vector<uint8_t>{0, 25, 75, 100}));
  EXPECT_EQ(to_vector<uint8_t>(upsample_bilinear2d(row, {1, 3}, true)), (std::vector<uint8_t>{0, 50, 100}));
  // Overshoots are clamped.
  EXPECT_EQ(to_vector<uint8_t>(upsample_bicubic2d(reshape(tensor<uint8_t>({0, 255}), {1, 1, 1, 2}), {1, 2}, false)),
            (std::vector<uint8_t>{0, 255}));
}

TEST(UpsampleAntialiased, AveragesWindowsThatGrowWithTheRatio) {
  const Tensor row = counting<double>({1, 1, 1, 4});
  // Windows of 2 elements on each side of the centres 1 and 3, cut off at the border.
  expect_elements<double>(
      _upsample_bilinear2d_aa(row, {1, 2}, false), {1, 1, 1, 2},
      [](const Index& i) { return i[3] == 0 ? 5.0 / 7 : 16.0 / 7; }, 1e-14);
  // Without a reduction of size, weights are those of bilinear interpolation.
  const Tensor wide = counting<float>({1, 2, 3, 5});
  const Tensor expected = upsample_bilinear2d(wide, {6, 10}, false);
  expect_elements<float>(
      _upsample_bilinear2d_aa(wide, {6, 10}, false), {1, 2, 6, 10},
      [&](const Index& i) { return static_cast<double>(at<float>(expected, i)); }, 1e-5);
  expect_elements<float>(
      _upsample_bicubic2d_aa(wide, {3, 5}, false), {1, 2, 3, 5},
      [&](const Index& i) { return static_cast<double>(at<float>(wide, i)); }, 1e-6);
  EXPECT_EQ(to_vector<uint8_t>(
                _upsample_bilinear2d_aa(reshape(tensor<uint8_t>({0, 100, 200, 250}), {1, 1, 1, 4}), {1, 2}, false)),
            (std::vector<uint8_t>{71, 207}));
  expect_error([&] { _upsample_bilinear2d_aa(empty({1, 1, 2, 2}, kHalf), {1, 1}, false); },
               "_upsample_bilinear2d_aa: expected `self` of dtype");
}

TEST(UpsampleByFactors, TakesASizeOrFactors) {
  const Tensor self = counting<float>({1, 1, 4});
  const std::vector<double> factors{1.9};
  expect_upsampled<float>(upsample_nearest1d(self, std::nullopt, factors), self, 7, 1.9);
  EXPECT_EQ(upsample_linear1d(self, OptionalIntArrayRef({9}), true, std::nullopt).sizes(), IntArrayRef({1, 1, 9}));
  expect_error([&] { upsample_nearest1d(self, {9}, factors); }, "expected one of `output_size` and `scale_factors`");
  expect_error([&] { upsample_nearest1d(self, std::nullopt, std::vector<double>{1e300}); }, "expected a factor");
  expect_error([&] { upsample_nearest1d(self, std::nullopt, std::vector<double>{NAN}); }, "expected a factor");
  expect_error([&] { upsample_nearest1d(self, OptionalIntArrayRef({9, 9}), std::nullopt); }, "1 sizes or factors");
  // A scale that maps positions far outside the input selects the border.
  EXPECT_EQ(at<float>(upsample_nearest1d(self, IntArrayRef({4}), 1e-30), {0, 0, 3}), 3);
  EXPECT_EQ(at<float>(upsample_linear1d(self, IntArrayRef({4}), false, 1e-30), {0, 0, 3}), 3);
  EXPECT_EQ(at<float>(upsample_bicubic2d(counting<float>({1, 1, 1, 4}), {1, 4}, false, 1e-30, 1e-30), {0, 0, 0, 3}), 3);
}

}  // namespace
}  // namespace structured::upsample_test
