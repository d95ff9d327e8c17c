// Pooling.
#include <structured/ops/_adaptive_avg_pool2d.h>
#include <structured/ops/_adaptive_avg_pool2d_backward.h>
#include <structured/ops/adaptive_avg_pool1d.h>
#include <structured/ops/adaptive_avg_pool2d.h>
#include <structured/ops/adaptive_avg_pool3d.h>
#include <structured/ops/adaptive_max_pool2d.h>
#include <structured/ops/adaptive_max_pool3d.h>
#include <structured/ops/avg_pool1d.h>
#include <structured/ops/avg_pool2d.h>
#include <structured/ops/avg_pool3d.h>
#include <structured/ops/fractional_max_pool2d.h>
#include <structured/ops/max_pool1d.h>
#include <structured/ops/max_pool2d.h>
#include <structured/ops/max_pool2d_with_indices.h>
#include <structured/ops/max_pool2d_with_indices_backward.h>
#include <structured/ops/max_pool3d_with_indices.h>
#include <structured/ops/max_unpool2d.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "kernels/expect.h"

namespace structured::pooling_test {
namespace {

using namespace test;

Tensor waves(IntArrayRef sizes) {
  return filled<float>(sizes, [](int64_t i) { return std::sin(static_cast<float>(i * i)); });
}

struct Window {
  int64_t kernel;
  int64_t stride;
  int64_t padding;
  int64_t dilation;
};

// Calls `visit(h, w)` for the elements of window [i, j] inside the input.
template <class Visit>
void for_window(const Tensor& input, const Window& window, int64_t i, int64_t j, Visit visit) {
  for (int64_t a = 0; a < window.kernel; ++a) {
    for (int64_t b = 0; b < window.kernel; ++b) {
      const int64_t h = i * window.stride - window.padding + a * window.dilation;
      const int64_t w = j * window.stride - window.padding + b * window.dilation;
      if (h >= 0 && h < input.size(2) && w >= 0 && w < input.size(3)) visit(h, w);
    }
  }
}

TEST(MaxPool, IsTheLargestOfEachWindowInAnyLayout) {
  // Rows of many windows, and windows that are taken in blocks across short rows and planes; the last block is not
  // full.
  const Tensor input = waves({2, 20, 11, 13});
  for (const Window& window : {Window{3, 2, 1, 1}, Window{2, 2, 0, 1}, Window{3, 1, 1, 2}, Window{3, 3, 1, 2},
                               Window{3, 1, 0, 2}, Window{2, 1, 1, 1}}) {
    const Tensor wide = waves({1, 2, 5, 37});
    for (const Tensor& self : {input, channels_last(input), strided(input), wide}) {
      const auto [values, indices] =
          max_pool2d_with_indices(self, window.kernel, window.stride, window.padding, window.dilation);
      EXPECT_EQ(values.strides(), indices.strides());
      EXPECT_EQ(values.suggest_memory_format(), self.suggest_memory_format());
      for_each_index(values.sizes(), [&](const Index& i) {
        float best = -std::numeric_limits<float>::infinity();
        int64_t place = 0;
        for_window(self, window, i[2], i[3], [&](int64_t h, int64_t w) {
          if (at<float>(self, {i[0], i[1], h, w}) <= best) return;
          best = at<float>(self, {i[0], i[1], h, w});
          place = h * self.size(3) + w;
        });
        EXPECT_EQ(at<float>(values, i), best) << IntArrayRef(i);
        EXPECT_EQ(at<int64_t>(indices, i), place) << IntArrayRef(i);
      });
    }
  }
}

TEST(MaxPool, TakesInWindowsThatReachBeyond) {
  const Tensor self = counting<float>({1, 6, 6});
  EXPECT_EQ(max_pool2d(self, {3, 3}, {2, 2}).sizes(), IntArrayRef({1, 2, 2}));
  EXPECT_EQ(max_pool2d(self, {3, 3}, {2, 2}, 0, 1, true).sizes(), IntArrayRef({1, 3, 3}));
  EXPECT_EQ(to_vector<float>(max_pool2d(self, 3, 2, 0, 1, true)),
            (std::vector<float>{14, 16, 17, 26, 28, 29, 32, 34, 35}));
  EXPECT_EQ(max_pool1d(counting<float>({2, 5}), 2).sizes(), IntArrayRef({2, 2}));
}

TEST(MaxPool, TakesTheLastNanAndTheFirstOfEquals) {
  const auto [values, indices] =
      max_pool2d_with_indices(tensor<float>({1, kNan, 3, kNan, 2, 2, 2, 2}, {1, 2, 4}), {1, 4});
  EXPECT_TRUE(std::isnan(at<float>(values, {0, 0, 0})));
  EXPECT_EQ(to_vector<int64_t>(indices), (std::vector<int64_t>{3, 4}));
}

TEST(MaxPool, OfIntegersPadsByTheLowest) {
  const Tensor self = tensor<int64_t>({-5, -2, -3, -4, -9, -1}, {1, 2, 3});
  const auto [values, indices] = max_pool2d_with_indices(self, 2, 1, 1);
  const std::vector<int64_t> expected{-5, -2, -2, -3, -4, -2, -1, -1, -4, -4, -1, -1};
  EXPECT_EQ(to_vector<int64_t>(values), expected);
  EXPECT_EQ(to_vector<int64_t>(indices), (std::vector<int64_t>{0, 1, 1, 2, 3, 1, 5, 5, 3, 3, 5, 5}));
  const Tensor small = empty(self.sizes(), kShort);
  copy_into(small, self);
  expect_elements<int16_t>(max_pool2d(small, 2, 1, 1), {1, 3, 4}, [&](const Index& i) {
    return static_cast<double>(expected[static_cast<size_t>(i[1] * 4 + i[2])]);
  });
  constexpr int64_t large = (int64_t{1} << 62) + 1;  // not a double
  EXPECT_EQ(max_pool2d(tensor<int64_t>({large, large - 1}, {1, 1, 2}), {1, 2}).item<int64_t>(), large);
}

TEST(MaxPool, OfVolumes) {
  const Tensor self = counting<double>({1, 2, 4, 4, 4});
  const auto [values, indices] = max_pool3d_with_indices(self, 2);
  EXPECT_EQ(values.sizes(), IntArrayRef({1, 2, 2, 2, 2}));
  EXPECT_EQ(at<int64_t>(indices, {0, 1, 1, 0, 1}), 3 * 16 + 1 * 4 + 3);
  EXPECT_EQ(at<double>(values, {0, 1, 1, 0, 1}), 64 + 3 * 16 + 1 * 4 + 3);
}

TEST(MaxPool, WritesIntoOutAndHasAShapeOnMeta) {
  const Tensor self = waves({1, 2, 6, 6});
  Tensor values = strided(empty({1, 2, 3, 3}));
  Tensor indices = empty({0}, kLong);
  max_pool2d_with_indices_out(values, indices, self, 2);
  expect_elements<float>(values, {1, 2, 3, 3}, [&](const Index& i) { return at<float>(max_pool2d(self, 2), i); });
  EXPECT_EQ(indices.sizes(), IntArrayRef({1, 2, 3, 3}));
  EXPECT_EQ(max_pool2d(empty({0, 3, 8, 8}, kMeta), 2).sizes(), IntArrayRef({0, 3, 4, 4}));
}

TEST(MaxPool, RefusesWhatDoesNotFit) {
  const Tensor self = waves({1, 2, 6, 6});
  expect_error([&] { max_pool2d(self, 0); }, "expected a positive `kernel_size`, got [0]");
  expect_error([&] { max_pool2d(self, {2, 2, 2}); }, "expected `kernel_size` to have 1 or 2 elements, got 3");
  expect_error([&] { max_pool2d(self, 2, 0); }, "expected a positive `stride`");
  expect_error([&] { max_pool2d(self, 2, 1, -1); }, "expected `padding` from 0 to half of `kernel_size`, got [-1]");
  expect_error([&] { max_pool2d(self, 3, 1, 2); }, "expected `padding` from 0 to half");
  expect_error([&] { max_pool2d(self, 2, 1, 0, 0); }, "expected a positive `dilation`");
  expect_error([&] { max_pool2d(self, 7); }, "expected `input` to be no smaller than a window");
  expect_error([&] { max_pool2d(self, 2, 1, 0, int64_t{1} << 62); }, "max_pool2d_with_indices: ");
  expect_error([&] { max_pool2d(waves({6, 6}), 2); }, "expected `input` to have 3 or 4 dimensions");
  expect_error([&] { max_pool2d(empty({1, 0, 6, 6}), 2); }, "to have elements, got sizes [1, 0, 6, 6]");
  expect_error([&] { max_pool2d(filled<bool>({1, 2, 6, 6}, [](int64_t) { return true; }), 2); }, "expected dtype");
  expect_error([&] { max_pool1d(self, 2); }, "max_pool1d: expected `self` to have 2 or 3 dimensions, got 4");
}

TEST(AvgPool, IsTheMeanOfEachWindowInAnyLayout) {
  const Tensor input = waves({2, 20, 11, 13});
  for (const bool counts_padding : {false, true}) {
    for (const Window& window : {Window{3, 2, 1, 1}, Window{2, 2, 0, 1}, Window{4, 3, 2, 1}}) {
      for (const Tensor& self : {input, channels_last(input)}) {
        const Tensor means = avg_pool2d(self, window.kernel, window.stride, window.padding, false, counts_padding);
        EXPECT_EQ(means.is_contiguous(), self.is_contiguous());
        expect_elements<float>(
            means, means.sizes(),
            [&](const Index& i) {
              double sum = 0;
              double count = 0;
              for_window(self, window, i[2], i[3], [&](int64_t h, int64_t w) {
                sum += at<float>(self, {i[0], i[1], h, w});
                ++count;
              });
              return sum / (counts_padding ? static_cast<double>(window.kernel * window.kernel) : count);
            },
            1e-6);
      }
    }
  }
}

TEST(AvgPool, DividesByWhatItIsToldTo) {
  const Tensor self = counting<int64_t>({1, 1, 4});
  EXPECT_EQ(to_vector<int64_t>(avg_pool2d(self, {1, 2}, {}, 0, false, true, 3)), (std::vector<int64_t>{0, 1}));
  expect_error([&] { avg_pool2d(self, {1, 2}, {}, 0, false, true, 0); }, "expected a `divisor_override` other than 0");
  EXPECT_EQ(to_vector<float>(avg_pool1d(counting<float>({1, 5}), 2, 2, 1, true)), (std::vector<float>{0, 1.5, 3.5}));
  EXPECT_EQ(at<double>(avg_pool3d(counting<double>({1, 2, 2, 2}), 2), {0, 0, 0, 0}), 3.5);
  expect_error([&] { avg_pool3d(waves({1, 3, 5, 7}), {4, 3, 4}, {2, 3, 2}, {2, 1, 0}); },
               "avg_pool3d: expected `input` to be no smaller than a window without padding, got sizes [1, 3, 5, 7]");
  EXPECT_EQ(avg_pool2d(waves({1, 3, 5}), {4, 3}, {}, {2, 1}).sizes(), (IntArrayRef{1, 1, 2}));
}

TEST(AdaptivePool, CoversEverythingEvenly) {
  const Tensor input = waves({2, 20, 7, 10});
  for (const Tensor& self : {input, channels_last(input)}) {
    for (const Index& size : {Index{1, 1}, Index{3, 4}, Index{9, 10}}) {
      const auto bounds = [&](const Index& i, int64_t d) {
        const int64_t extent = self.size(d + 2);
        const int64_t count = size[static_cast<size_t>(d)];
        const int64_t place = i[static_cast<size_t>(d) + 2];
        return std::pair(place * extent / count, ((place + 1) * extent + count - 1) / count);
      };
      const auto for_bounds = [&](const Index& i, auto visit) {
        for (int64_t h = bounds(i, 0).first; h < bounds(i, 0).second; ++h) {
          for (int64_t w = bounds(i, 1).first; w < bounds(i, 1).second; ++w) visit(at<float>(self, {i[0], i[1], h, w}));
        }
      };
      const Tensor means = adaptive_avg_pool2d(self, size);
      expect_elements<float>(
          means, {2, 20, size[0], size[1]},
          [&](const Index& i) {
            double sum = 0;
            double count = 0;
            for_bounds(i, [&](float x) { sum += x, ++count; });
            return sum / count;
          },
          1e-6);
      expect_elements<float>(std::get<0>(adaptive_max_pool2d(self, size)), means.sizes(), [&](const Index& i) {
        double best = -2;
        for_bounds(i, [&](float x) { best = std::max<double>(best, x); });
        return best;
      });
    }
  }
  EXPECT_EQ(adaptive_avg_pool3d(waves({2, 4, 4, 4}), {2, 3, 5}).sizes(), IntArrayRef({2, 2, 3, 5}));
  EXPECT_EQ(to_vector<float>(adaptive_avg_pool1d(counting<float>({1, 4}), 2)), (std::vector<float>{0.5, 2.5}));
  Tensor out = empty({0});
  adaptive_avg_pool2d_out(out, input, {2, 2});
  EXPECT_EQ(out.sizes(), IntArrayRef({2, 20, 2, 2}));
  expect_error([&] { adaptive_avg_pool2d(input, {-1, 2}); }, "expected an `output_size` of 0 or more");
  expect_error([&] { adaptive_avg_pool2d(counting<int64_t>({1, 2, 2}), {1, 1}); }, "expected dtype");
  EXPECT_EQ(adaptive_avg_pool2d(counting<int64_t>({0, 3, 2, 2}), {1, 5}).sizes(), IntArrayRef({0, 3, 1, 5}));
}

TEST(AdaptivePool, MayBeOfNoChannels) {
  const Tensor planes = empty({0, 4, 4}, kFloat);
  const Tensor samples = empty({2, 0, 4, 4}, kFloat);
  EXPECT_EQ(_adaptive_avg_pool2d(planes, {1, 3}).sizes(), (IntArrayRef{0, 1, 3}));
  EXPECT_EQ(_adaptive_avg_pool2d(samples, {1, 3}).sizes(), (IntArrayRef{2, 0, 1, 3}));
  EXPECT_EQ(adaptive_avg_pool1d(empty({2, 0, 7}, kFloat), 3).sizes(), (IntArrayRef{2, 0, 3}));
  EXPECT_EQ(std::get<1>(adaptive_max_pool2d(planes, {1, 3})).sizes(), (IntArrayRef{0, 1, 3}));
  const Tensor volumes = empty({0, 4, 4, 4}, kFloat);
  EXPECT_EQ(std::get<0>(adaptive_max_pool3d(volumes, {2, 2, 2})).sizes(), (IntArrayRef{0, 2, 2, 2}));
  EXPECT_EQ(_adaptive_avg_pool2d_backward(empty({0, 1, 3}, kFloat), planes).sizes(), planes.sizes());
  expect_error([&] { adaptive_max_pool2d(samples, {1, 3}); }, "expected dimensions after the batch to have elements");
  expect_error([&] { _adaptive_avg_pool2d(empty({2, 3, 0, 4}, kFloat), {1, 3}); },
               "expected dimensions after the channels to have elements");
}

TEST(FractionalMaxPool, StartsWindowsWhereSamplesSay) {
  const Tensor self = counting<float>({1, 1, 5, 8});
  const auto [values, indices] = fractional_max_pool2d(self, {2, 2}, {2, 3}, tensor<float>({0.5, 0.25}, {1, 1, 2}));
  // Columns 0, 3, 6 (stride 3) and rows 0, 3: the last element of each window.
  EXPECT_EQ(to_vector<int64_t>(indices), (std::vector<int64_t>{9, 12, 15, 33, 36, 39}));
  EXPECT_EQ(to_vector<float>(values), (std::vector<float>{9, 12, 15, 33, 36, 39}));
  // Columns for a sample greater than 1: trunc((4.9624 + i) * 15 / 7) - 10. Rows for a negative sample.
  const Tensor beyond = std::get<1>(
      fractional_max_pool2d(waves({1, 1, 16, 16}), {1, 1}, {8, 8}, tensor<float>({4.9624f, -0.713f}, {1, 1, 2})));
  const int64_t columns[] = {0, 2, 4, 7, 9, 11, 13, 15};
  const int64_t rows[] = {0, 1, 3, 5, 8, 10, 12, 15};
  expect_elements<int64_t>(beyond, {1, 1, 8, 8},
                           [&](const Index& i) { return static_cast<double>(16 * rows[i[2]] + columns[i[3]]); });
  const Tensor wild = tensor<float>({1e30f, kNan}, {1, 1, 2});
  EXPECT_EQ(std::get<0>(fractional_max_pool2d(self, {2, 2}, {2, 3}, wild)).numel(), 6);
  expect_error([&] { fractional_max_pool2d(self, {5, 2}, {2, 3}, wild); }, "expected windows to fit into the input");
  expect_error([&] { fractional_max_pool2d(self, {2, 2}, {2, 3}, waves({1, 2, 2})); },
               "expected `random_samples` to have sizes [1, 1, 2], got [1, 2, 2]");
}

TEST(MaxUnpool, PutsElementsBack) {
  const Tensor self = waves({2, 3, 6, 6});
  const auto [values, indices] = max_pool2d_with_indices(self, 2);
  const Tensor result = max_unpool2d(values, indices, {6, 6});
  expect_elements<float>(result, {2, 3, 6, 6}, [&](const Index& i) {
    const float x = at<float>(self, i);
    return x == at<float>(values, {i[0], i[1], i[2] / 2, i[3] / 2}) ? x : 0;
  });
  const Tensor wrong = tensor<int64_t>({0, 4, -1, 0}, {1, 2, 2});
  expect_error([&] { max_unpool2d(waves({1, 2, 2}), wrong, {2, 2}); }, "expected indices from 0 to 3, got ");
  const Tensor least = tensor<int64_t>({0, std::numeric_limits<int64_t>::min(), 1, 0}, {1, 2, 2});
  expect_error([&] { max_unpool2d(waves({1, 2, 2}), least, {2, 2}); }, "expected indices from 0 to 3, got -9223");
  expect_error([&] { max_pool2d_with_indices_backward(waves({1, 2, 2}), waves({1, 4, 4}), 2, 2, 0, 1, false, least); },
               "expected indices from 0 to 15, got -9223");
  EXPECT_EQ(max_unpool2d(values, indices, {0, 6}).sizes(), IntArrayRef({2, 3, 0, 6}));
}

}  // namespace
}  // namespace structured::pooling_test
