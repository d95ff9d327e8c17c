#include <structured/ops/upsample_nearest1d.h>

#include <cmath>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

// The input position that an output position copies, by the definition.
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

TYPED_TEST(UpsampleNearest1d, copies_the_nearest) {
  using T = TypeParam;
  const Tensor dense = filled<T>({2, 3, 5}, [](int64_t i) { return static_cast<T>(static_cast<float>(i)); });
  for (const Tensor& self : {dense, strided(dense)}) {
    for (const int64_t output : {1, 3, 5, 10, 13}) {
      expect_upsampled<T>(upsample_nearest1d(self, output), dense, output);
    }
  }
}

TEST(UpsampleNearest1d, takes_the_scale_that_it_is_given) {
  const Tensor self = counting<float>({1, 1, 4});
  expect_upsampled<float>(upsample_nearest1d(self, {7}, 1.9), self, 7, 1.9);
}

TEST(UpsampleNearest1d, writes_into_out) {
  const Tensor self = counting<float>({2, 2, 3});
  Tensor gaps = strided(detail::empty({2, 2, 6}, kFloat));
  upsample_nearest1d_out(gaps, self, 6);
  expect_upsampled<float>(gaps, self, 6);
  Tensor empty = detail::empty({0}, kFloat);
  upsample_nearest1d_out(empty, self, 6);
  expect_upsampled<float>(empty, self, 6);
}

TEST(UpsampleNearest1d, has_no_rows_for_an_empty_batch) {
  EXPECT_EQ(upsample_nearest1d(detail::empty({0, 2, 3}), 6).sizes(), IntArrayRef({0, 2, 6}));
}

TEST(UpsampleNearest1d, has_a_shape_on_meta) {
  EXPECT_EQ(upsample_nearest1d(detail::empty({2, 2, 3}, kMeta), 6).sizes(), IntArrayRef({2, 2, 6}));
}

TEST(UpsampleNearest1d, refuses_what_does_not_fit) {
  const Tensor self = counting<float>({1, 2, 3});
  expect_error([&] { upsample_nearest1d(counting<float>({2, 3}), 6); },
               "expected `self` to be [batch, channels, width]");
  expect_error([&] { upsample_nearest1d(detail::empty({1, 2, 0}), 6); }, "got sizes [1, 2, 0]");
  expect_error([&] { upsample_nearest1d(self, 0); }, "expected a positive output width, got 0");
  expect_error([&] { upsample_nearest1d(self, {2, 2}); }, "expected `output_size` to have 1 element, got 2");
  expect_error([&] { upsample_nearest1d(counting<int64_t>({1, 2, 3}), 6); }, "upsample_nearest1d");
}

}  // namespace
}  // namespace structured
