// Gradients of pooling, normalization and convolution, compared with finite differences of a weighted sum of the
// outputs.
#include <structured/ops/_adaptive_avg_pool2d.h>
#include <structured/ops/_adaptive_avg_pool2d_backward.h>
#include <structured/ops/_adaptive_avg_pool3d.h>
#include <structured/ops/_adaptive_avg_pool3d_backward.h>
#include <structured/ops/adaptive_max_pool2d.h>
#include <structured/ops/adaptive_max_pool2d_backward.h>
#include <structured/ops/avg_pool2d.h>
#include <structured/ops/avg_pool2d_backward.h>
#include <structured/ops/avg_pool3d.h>
#include <structured/ops/avg_pool3d_backward.h>
#include <structured/ops/convolution.h>
#include <structured/ops/convolution_backward.h>
#include <structured/ops/max_pool2d_with_indices.h>
#include <structured/ops/max_pool2d_with_indices_backward.h>
#include <structured/ops/max_pool3d_with_indices.h>
#include <structured/ops/max_pool3d_with_indices_backward.h>
#include <structured/ops/native_batch_norm.h>
#include <structured/ops/native_batch_norm_backward.h>
#include <structured/ops/native_group_norm.h>
#include <structured/ops/native_group_norm_backward.h>
#include <structured/ops/native_layer_norm.h>
#include <structured/ops/native_layer_norm_backward.h>

#include <array>
#include <cmath>
#include <functional>
#include <tuple>
#include <vector>

#include "kernels/expect.h"

namespace structured::backward_test {
namespace {

using namespace test;

constexpr std::array<bool, 3> kAll{true, true, true};

Tensor waves(IntArrayRef sizes, double step = 1) {
  return filled<double>(sizes, [step](int64_t i) { return std::sin(step * static_cast<double>(i * i + 1)); });
}

double weighted_sum(const Tensor& result, const Tensor& weights) {
  double sum = 0;
  for_each_index(result.sizes(),
                 [&](const Index& index) { sum += at<double>(result, index) * at<double>(weights, index); });
  return sum;
}

// Expects `gradient` to be the derivative of the sum of the elements of `forward(x)` times `weights`.
void expect_gradient(const Tensor& gradient, const Tensor& x, const Tensor& weights,
                     const std::function<Tensor(const Tensor&)>& forward) {
  const Tensor moved = empty(x.sizes(), kDouble);
  expect_elements<double>(
      gradient, x.sizes(),
      [&](const Index& index) {
        constexpr double step = 1e-5;
        double sums[2];
        for (const int side : {0, 1}) {
          copy_into(moved, x);
          double* element = moved.data_ptr<double>();
          for (size_t d = 0; d < index.size(); ++d) element += index[d] * moved.strides()[d];
          *element += side == 0 ? -step : step;
          sums[side] = weighted_sum(forward(moved), weights);
        }
        return (sums[1] - sums[0]) / (2 * step);
      },
      1e-6);
}

TEST(PoolingBackward, OfMeans) {
  const auto forward = [](const Tensor& x) { return avg_pool2d(x, {3, 2}, {2, 1}, {1, 0}, true, false); };
  const Tensor x = waves({2, 3, 6, 5});
  const Tensor g = waves({2, 3, 4, 4}, 0.7);
  const auto backward = [&](const Tensor& grad, const Tensor& self) {
    return avg_pool2d_backward(grad, self, {3, 2}, {2, 1}, {1, 0}, true, false, std::nullopt);
  };
  expect_gradient(backward(g, x), x, g, forward);
  expect_gradient(backward(strided(g), strided(x)), x, g, forward);
  const Tensor last = backward(g, channels_last(x));
  EXPECT_TRUE(last.is_contiguous(MemoryFormat::ChannelsLast));
  expect_gradient(last, x, g, forward);

  const Tensor volume = waves({2, 4, 4, 5});
  const Tensor volume_g = waves({2, 2, 2, 2}, 0.7);
  expect_gradient(avg_pool3d_backward(volume_g, volume, 2, 2, 0, false, true, 5), volume, volume_g,
                  [](const Tensor& input) { return avg_pool3d(input, 2, 2, 0, false, true, 5); });

  const Tensor integers = avg_pool2d_backward(counting<int64_t>({1, 1, 2}), counting<int64_t>({1, 1, 4}), {1, 2},
                                              {1, 2}, 0, false, true, 1);
  expect_elements<int64_t>(integers, {1, 1, 4}, [](const Index& index) { return index[2] / 2; });
  expect_error([&] { backward(waves({2, 3, 4, 3}), x); }, "expected `grad_output` to have the sizes of the result");
}

TEST(PoolingBackward, OfWindowsThatCoverEvenly) {
  const Tensor x = waves({2, 5, 7});
  const Tensor g = waves({2, 3, 4}, 0.7);
  expect_gradient(_adaptive_avg_pool2d_backward(g, x), x, g,
                  [](const Tensor& input) { return _adaptive_avg_pool2d(input, {3, 4}); });
  const Tensor batch = waves({1, 2, 5, 4});
  const Tensor batch_g = waves({1, 2, 3, 3}, 0.7);
  expect_gradient(_adaptive_avg_pool2d_backward(batch_g, channels_last(batch)), batch, batch_g,
                  [](const Tensor& input) { return _adaptive_avg_pool2d(input, {3, 3}); });
  const Tensor volume = waves({1, 3, 4, 5});
  const Tensor volume_g = waves({1, 2, 3, 2}, 0.7);
  expect_gradient(_adaptive_avg_pool3d_backward(volume_g, volume), volume, volume_g,
                  [](const Tensor& input) { return _adaptive_avg_pool3d(input, {2, 3, 2}); });
  const auto [maxima, places] = adaptive_max_pool2d(x, {3, 4});
  expect_gradient(adaptive_max_pool2d_backward(g, x, places), x, g,
                  [](const Tensor& input) { return std::get<0>(adaptive_max_pool2d(input, {3, 4})); });
}

TEST(PoolingBackward, OfMaxima) {
  const auto forward = [](const Tensor& x) { return std::get<0>(max_pool2d_with_indices(x, 3, 2, 1)); };
  const Tensor x = waves({2, 3, 6, 5});
  const Tensor g = waves({2, 3, 3, 3}, 0.7);
  const Tensor places = std::get<1>(max_pool2d_with_indices(x, 3, 2, 1));
  const auto backward = [&](const Tensor& self, const Tensor& indices) {
    return max_pool2d_with_indices_backward(g, self, 3, 2, 1, 1, false, indices);
  };
  expect_gradient(backward(x, places), x, g, forward);
  expect_gradient(backward(channels_last(x), strided(places)), x, g, forward);
  Tensor out = strided(x);
  max_pool2d_with_indices_backward_out(out, g, x, 3, 2, 1, 1, false, places);
  expect_gradient(out, x, g, forward);

  const Tensor volume = waves({1, 4, 4, 4});
  const Tensor volume_g = waves({1, 2, 2, 2}, 0.7);
  const Tensor volume_places = std::get<1>(max_pool3d_with_indices(volume, 2, 2));
  expect_gradient(max_pool3d_with_indices_backward(volume_g, volume, 2, 2, 0, 1, false, volume_places), volume,
                  volume_g, [](const Tensor& input) { return std::get<0>(max_pool3d_with_indices(input, 2, 2)); });

  places.data_ptr<int64_t>()[4] = 30;
  expect_error([&] { backward(x, places); }, "expected indices from 0 to 29, got 30");
  expect_error([&] { backward(x, empty(places.sizes(), kInt)); }, "expected `indices` of dtype Long, got Int");
}

TEST(NormalizationBackward, OfBatches) {
  const Tensor x = waves({3, 2, 2, 3});
  const Tensor g = waves({3, 2, 2, 3}, 0.7);
  const Tensor w = waves({2}, 0.3);
  const auto forward = [](const Tensor& input, const Tensor& weight, const Tensor& bias) {
    return native_batch_norm(input, weight, bias, {}, {}, true, 0.1, 1e-3);
  };
  const Tensor b = waves({2}, 0.9);
  const auto [result, mean, invstd] = forward(x, w, b);
  for (const Tensor& input : {x, channels_last(x), strided(x)}) {
    const auto [dx, dw, db] = native_batch_norm_backward(g, input, w, {}, {}, mean, invstd, true, 1e-3, kAll);
    expect_gradient(dx, x, g, [&](const Tensor& moved) { return std::get<0>(forward(moved, w, b)); });
    expect_gradient(dw, w, g, [&](const Tensor& moved) { return std::get<0>(forward(x, moved, b)); });
    expect_gradient(db, b, g, [&](const Tensor& moved) { return std::get<0>(forward(x, w, moved)); });
  }
  const Tensor variance = filled<double>({2}, [](int64_t i) { return 1.0 + static_cast<double>(i); });
  const auto [dx, dw, db] = native_batch_norm_backward(g, x, w, b, variance, {}, {}, false, 1e-3, {true, true, false});
  const auto by_running = [&](const Tensor& input, const Tensor& weight) {
    return std::get<0>(native_batch_norm(input, weight, {}, b, variance, false, 0.1, 1e-3));
  };
  expect_gradient(dx, x, g, [&](const Tensor& moved) { return by_running(moved, w); });
  expect_gradient(dw, w, g, [&](const Tensor& moved) { return by_running(x, moved); });
  EXPECT_FALSE(db.defined());
  Tensor infinite = filled<double>({3, 2, 2, 3}, [](int64_t) { return HUGE_VAL; });
  for (const Tensor& input : {infinite, channels_last(infinite)}) {  // the gradient does not depend on the input
    const Tensor same =
        std::get<0>(native_batch_norm_backward(g, input, w, b, variance, {}, {}, false, 1e-3, {true, false, false}));
    expect_elements<double>(same, x.sizes(), [&](const Index& i) { return at<double>(dx, i); });
  }
  expect_error([&] { native_batch_norm_backward(g, x, w, {}, {}, {}, {}, true, 1e-3, kAll); },
               "expected `save_mean` and `save_invstd` where `train` is true");
}

TEST(NormalizationBackward, OfLayers) {
  const Tensor x = waves({4, 2, 3});
  const Tensor g = waves({4, 2, 3}, 0.7);
  const Tensor w = waves({2, 3}, 0.3);
  const Tensor b = waves({2, 3}, 0.9);
  const auto forward = [](const Tensor& input, const std::optional<Tensor>& weight, const Tensor& bias) {
    return native_layer_norm(input, {2, 3}, weight, bias, 1e-3);
  };
  const auto [result, mean, rstd] = forward(x, w, b);
  const auto [dx, dw, db] = native_layer_norm_backward(strided(g), x, {2, 3}, mean, rstd, w, b, kAll);
  expect_gradient(dx, x, g, [&](const Tensor& moved) { return std::get<0>(forward(moved, w, b)); });
  expect_gradient(dw, w, g, [&](const Tensor& moved) { return std::get<0>(forward(x, moved, b)); });
  expect_gradient(db, b, g, [&](const Tensor& moved) { return std::get<0>(forward(x, w, moved)); });
  const auto [alone, none, neither] =
      native_layer_norm_backward(g, x, {2, 3}, mean, rstd, {}, {}, {true, false, false});
  expect_gradient(alone, x, g, [&](const Tensor& moved) { return std::get<0>(forward(moved, {}, b)); });
  EXPECT_FALSE(none.defined() || neither.defined());

  const Tensor nothing = empty({0, 3}, kDouble);
  const Tensor no_rows = empty({0, 1}, kDouble);
  const Tensor zeros =
      std::get<1>(native_layer_norm_backward(nothing, nothing, 3, no_rows, no_rows, waves({3}), {}, kAll));
  expect_elements<double>(zeros, 3, [](const Index&) { return 0; });
}

TEST(NormalizationBackward, OfGroups) {
  const Tensor x = waves({2, 4, 3});
  const Tensor g = waves({2, 4, 3}, 0.7);
  const Tensor w = waves({4}, 0.3);
  const Tensor b = waves({4}, 0.9);
  const auto forward = [](const Tensor& input, const Tensor& weight, const Tensor& bias) {
    return native_group_norm(input, weight, bias, 2, 4, 3, 2, 1e-3);
  };
  const auto [result, mean, rstd] = forward(x, w, b);
  const auto [dx, dw, db] = native_group_norm_backward(g, strided(x), mean, rstd, w, 2, 4, 3, 2, kAll);
  expect_gradient(dx, x, g, [&](const Tensor& moved) { return std::get<0>(forward(moved, w, b)); });
  expect_gradient(dw, w, g, [&](const Tensor& moved) { return std::get<0>(forward(x, moved, b)); });
  expect_gradient(db, b, g, [&](const Tensor& moved) { return std::get<0>(forward(x, w, moved)); });
}

struct Convolution {
  Tensor input;
  Tensor weight;
  std::vector<int64_t> stride;
  std::vector<int64_t> padding;
  std::vector<int64_t> dilation;
  bool transposed;
  std::vector<int64_t> output_padding;
  int64_t groups;

  Tensor operator()(const Tensor& x, const Tensor& w, const Tensor& bias) const {
    return convolution(x, w, bias, stride, padding, dilation, transposed, output_padding, groups);
  }
};

TEST(ConvolutionBackward, OfEachKind) {
  const Convolution cases[] = {
      {waves({2, 4, 7, 6}), waves({6, 2, 3, 2}), {2, 1}, {1, 0}, {1, 2}, false, {0}, 2},
      {waves({2, 4, 5, 4}), waves({4, 3, 3, 2}), {2, 1}, {1, 0}, {1, 2}, true, {1, 1}, 2},
      {waves({1, 2, 6}), waves({2, 3, 2}), {2}, {0}, {3}, true, {2}, 1},  // output_padding greater than the stride
      {waves({1, 3, 6}), waves({3, 1, 3}), {1}, {1}, {1}, false, {0}, 3},
  };
  for (const Convolution& forward : cases) {
    const int64_t channels = forward.transposed ? forward.weight.size(1) * forward.groups : forward.weight.size(0);
    const Tensor bias = waves({channels}, 0.9);
    const Tensor g = waves(forward(forward.input, forward.weight, bias).sizes(), 0.7);
    const auto [dx, dw, db] =
        convolution_backward(strided(g), forward.input, forward.weight, channels, forward.stride, forward.padding,
                             forward.dilation, forward.transposed, forward.output_padding, forward.groups, kAll);
    expect_gradient(dx, forward.input, g, [&](const Tensor& x) { return forward(x, forward.weight, bias); });
    expect_gradient(dw, forward.weight, g, [&](const Tensor& w) { return forward(forward.input, w, bias); });
    expect_gradient(db, bias, g, [&](const Tensor& b) { return forward(forward.input, forward.weight, b); });
  }
}

TEST(ConvolutionBackward, OfNoSamples) {
  const Tensor weight = waves({4, 3, 2, 2});
  const auto [dx, dw, db] = convolution_backward(empty({0, 4, 4, 4}, kDouble), empty({0, 3, 5, 5}, kDouble), weight, 4,
                                                 1, 0, 1, false, 0, 1, {true, true, false});
  EXPECT_EQ(dx.sizes(), IntArrayRef({0, 3, 5, 5}));
  expect_elements<double>(dw, weight.sizes(), [](const Index&) { return 0; });
  EXPECT_FALSE(db.defined());
  expect_error(
      [&] { convolution_backward(waves({1, 4, 4, 3}), waves({1, 3, 5, 5}), weight, 4, 1, 0, 1, false, 0, 1, kAll); },
      "expected `grad_output` to have the sizes of the result, [1, 4, 4, 4], got [1, 4, 4, 3]");
  expect_error(
      [&] { convolution_backward(waves({1, 4, 4, 4}), waves({1, 3, 5, 5}), weight, 4, 1, 0, 1, false, 1, 1, kAll); },
      "convolution_backward: expected `output_padding` of 0 unless it is transposed, got [1]");
}

}  // namespace
}  // namespace structured::backward_test
