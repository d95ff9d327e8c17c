#include <structured/ops/grid_sampler.h>

#include <cmath>
#include <limits>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

// Samples the 1 x 4 image 0, 1, 4, 9 at coordinate `x`.
double at_x(double x, int64_t interpolation, int64_t padding, bool align_corners = true) {
  const Tensor image = tensor<double>({0, 1, 4, 9}, {1, 1, 1, 4});
  const Tensor grid = tensor<double>({x, 0}, {1, 1, 1, 2});
  return grid_sampler(image, grid, interpolation, padding, align_corners).item<double>();
}

TEST(GridSampler, InterpolatesAndPads) {
  EXPECT_NEAR(at_x(1.0 / 6, 0, 0), 0.25 * 1 + 0.75 * 4, 1e-12);
  EXPECT_NEAR(at_x(0.5, 1, 0), 4, 0);
  EXPECT_NEAR(at_x(1 + 1.0 / 3, 0, 0), 4.5, 1e-12);
  EXPECT_NEAR(at_x(3, 0, 1), 9, 0);
  EXPECT_NEAR(at_x(1 + 2.0 / 3, 0, 2), 4, 1e-12);
  EXPECT_NEAR(at_x(-1.75, 1, 2, false), 1, 0);
  EXPECT_NEAR(at_x(0, 2, 1), (-0.09375 * 0 + 0.59375 * 1 + 0.59375 * 4 - 0.09375 * 9), 1e-12);
  for (const double x : {std::nan(""), 1e300, -1e300, std::numeric_limits<double>::infinity()}) {
    for (const int64_t interpolation : {0, 1, 2}) {
      EXPECT_EQ(at_x(x, interpolation, 0), 0);
      for (const int64_t padding : {1, 2}) at_x(x, interpolation, padding);  // no access outside the image
    }
  }
}

TEST(GridSampler, TakesTheFirstPositionForNoNumber) {
  const Tensor image = tensor<float>({5, 6, 7, 8}, {1, 1, 1, 4});
  const Tensor volume = tensor<float>({5, 6, 7, 8}, {1, 1, 1, 1, 4});
  const double infinity = std::numeric_limits<double>::infinity();
  const auto expect_at = [&](double x, int64_t interpolation, int64_t padding, double expected) {
    const auto place = static_cast<float>(x);
    for (const bool align_corners : {false, true}) {
      const Tensor in_plane = tensor<float>({place, 0}, {1, 1, 1, 2});
      const Tensor in_volume = tensor<float>({place, 0, 0}, {1, 1, 1, 1, 3});
      EXPECT_EQ(grid_sampler(image, in_plane, interpolation, padding, align_corners).item<float>(), expected);
      EXPECT_EQ(grid_sampler(volume, in_volume, interpolation, padding, align_corners).item<float>(), expected);
    }
  };
  for (const int64_t interpolation : {0, 1}) {
    for (const int64_t padding : {1, 2}) expect_at(std::nan(""), interpolation, padding, 5);
    expect_at(infinity, interpolation, 1, 8);
    expect_at(-infinity, interpolation, 1, 5);
    expect_at(infinity, interpolation, 2, 5);  // reflection gives NaN
    expect_at(-infinity, interpolation, 2, 5);
  }
}

TEST(GridSampler, CopiesOnTheGridOfTheImage) {
  const Tensor dense = counting<float>({2, 3, 4, 5});
  Tensor grid = empty({2, 4, 5, 2});
  for_each_index({2, 4, 5}, [&](const Index& i) {
    float* const place = grid.data_ptr<float>() + ((i[0] * 4 + i[1]) * 5 + i[2]) * 2;
    place[0] = static_cast<float>(i[2]) / 2 - 1;
    place[1] = static_cast<float>(i[1]) / 1.5f - 1;
  });
  for (const Tensor& image : {dense, strided(dense)}) {
    for (const Tensor& places : {grid, strided(grid)}) {
      expect_elements<float>(
          grid_sampler(image, places, 0, 0, true), {2, 3, 4, 5}, [&](const Index& i) { return at<float>(dense, i); },
          1e-5);
    }
  }
  const Tensor deep = counting<float>({1, 2, 2, 2, 2});
  const Tensor middle = tensor<float>({0, 0, 0}, {1, 1, 1, 1, 3});
  EXPECT_EQ(to_vector<float>(grid_sampler(deep, middle, 0, 0, false)), (std::vector<float>{3.5, 11.5}));
}

TEST(GridSampler, InterpolatesVolumesCubically) {
  const Tensor deep = counting<float>({1, 1, 2, 2, 2});
  const Tensor place = tensor<float>({0.2F, -0.3F, 0.7F}, {1, 1, 1, 1, 3});
  EXPECT_NEAR(grid_sampler(deep, place, 2, 1, true).item<float>(), 4.7671, 1e-4);
}

TEST(GridSampler, ComputesSmallFloatsInFloat) {
  const auto halves = [](std::initializer_list<float> list, IntArrayRef sizes) {
    const Tensor result = empty(sizes, kHalf);
    copy_into(result, tensor<float>(list, sizes));
    return result;
  };
  const Tensor sampled =
      grid_sampler(halves({1, 2, 3, 4}, {1, 1, 2, 2}), halves({0, 0, 0.5, -0.5}, {1, 1, 2, 2}), 0, 0, true);
  expect_elements<Half>(sampled, {1, 1, 1, 2}, [](const Index& i) { return i[3] == 0 ? 2.5 : 2.25; });
}

TEST(GridSampler, RefusesWhatDoesNotFit) {
  const Tensor image = counting<float>({1, 1, 2, 2});
  expect_error([&] { grid_sampler(image, counting<float>({2, 1, 1, 2}), 0, 0, true); }, "for a batch of 1, got 2");
  expect_error([&] { grid_sampler(image, counting<float>({1, 1, 1, 3}), 0, 0, true); }, "to have 2 coordinates, got 3");
  expect_error([&] { grid_sampler(image, counting<float>({1, 1, 1, 2}), 3, 0, true); },
               "expected `interpolation_mode`");
  expect_error([&] { grid_sampler(image, counting<double>({1, 1, 1, 2}), 0, 0, true); }, "expected `grid` of dtype");
}

}  // namespace
}  // namespace structured
