// Dropout.
#include <structured/core/generator.h>
#include <structured/ops/dropout.h>
#include <structured/ops/feature_dropout.h>
#include <structured/ops/native_dropout.h>
#include <structured/ops/native_dropout_backward.h>

#include <cmath>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

TEST(Dropout, DropsThatShareAndMakesUpForIt) {
  const Tensor x = filled<float>({100, 100}, [](int64_t) { return 3.0F; });
  const auto [result, mask] = native_dropout(x, 0.25, true);
  int64_t kept = 0;
  expect_elements<float>(
      result, x.sizes(),
      [&](const Index& index) {
        kept += at<bool>(mask, index);
        return at<bool>(mask, index) ? 4 : 0;
      },
      1e-6);
  EXPECT_NEAR(static_cast<double>(kept), 7500, 300);
  const Tensor back = native_dropout_backward(x, mask, 4.0 / 3);
  expect_elements<float>(back, x.sizes(), [&](const Index& index) { return at<bool>(mask, index) ? 4 : 0; }, 1e-6);

  const auto [same, all] = native_dropout(x, 0.25, false);
  EXPECT_NE(same.data(), x.data());
  expect_elements<float>(same, x.sizes(), [](const Index&) { return 3; });
  expect_elements<bool>(all, x.sizes(), [](const Index&) { return 1; });
  expect_elements<float>(std::get<0>(native_dropout(x, 1, std::nullopt)), x.sizes(), [](const Index&) { return 0; });
  expect_error([&] { native_dropout(x, 1.5, true); }, "expected a probability from 0 to 1, got 1.5");
  Tensor out = empty({0});
  Tensor bytes = empty({0}, kByte);
  expect_error([&] { native_dropout_out(out, bytes, x, 0.25, true); },
               "native_dropout: expected `out0` of dtype Float");
}

TEST(Dropout, IsNothingOutsideOfTraining) {
  Tensor x = filled<double>({50, 4, 3}, [](int64_t) { return 1.0; });
  EXPECT_TRUE(dropout(x, 0.5, false).is_same(x));
  EXPECT_TRUE(dropout(x, 0, true).is_same(x));
  expect_elements<double>(dropout(x, 1, true), x.sizes(), [](const Index&) { return 0; });
  const Tensor features = feature_dropout(x, 0.5, true);
  expect_elements<double>(features, x.sizes(), [&](const Index& index) {  // whole channels
    const double first = at<double>(features, {index[0], index[1], 0});
    EXPECT_TRUE(first == 0 || first == 2);
    return first;
  });
  dropout_(x, 0.5, true);
  expect_elements<double>(x, x.sizes(), [&](const Index& index) { return at<double>(x, index) == 0 ? 0 : 2; });
  expect_error([] { feature_dropout(empty({3}), 0.5, true); }, "expected `input` to have 2 dimensions or more");
}

}  // namespace
}  // namespace structured
