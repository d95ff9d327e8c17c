#include <structured/core/reduction.h>
#include <structured/ops/_ctc_loss.h>
#include <structured/ops/_ctc_loss_backward.h>
#include <structured/ops/binary_cross_entropy.h>
#include <structured/ops/binary_cross_entropy_with_logits.h>
#include <structured/ops/ctc_loss.h>
#include <structured/ops/huber_loss.h>
#include <structured/ops/l1_loss.h>
#include <structured/ops/log_softmax.h>
#include <structured/ops/mse_loss.h>
#include <structured/ops/multi_margin_loss.h>
#include <structured/ops/multilabel_margin_loss_forward.h>
#include <structured/ops/nll_loss2d_forward.h>
#include <structured/ops/nll_loss_forward.h>
#include <structured/ops/smooth_l1_loss.h>
#include <structured/ops/soft_margin_loss.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;
using Loss = std::function<Tensor(const Tensor& self, const Tensor& target, int64_t reduction)>;

Tensor uniform(IntArrayRef sizes, double lowest, double highest) {
  std::mt19937 random(5);
  return filled<double>(sizes,
                        [&](int64_t) { return std::uniform_real_distribution<double>(lowest, highest)(random); });
}

// Expects all reductions of a loss, defined for two numbers by `expected`, for dense, strided and broadcast inputs.
void expect_loss(const Loss& loss, const std::function<double(double, double)>& expected) {
  const Tensor dense = uniform({40, 50, 20}, 0, 1);
  const Tensor dense_target = uniform({40, 50, 20}, 0.001, 1);
  for (const bool is_dense : {true, false}) {
    const Tensor self = is_dense ? dense : strided(dense);
    const Tensor target = is_dense ? dense_target : strided(dense_target);
    double sum = 0;
    const Tensor all = loss(self, target, 0);
    for_each_index({40, 50, 20}, [&](const Index& i) {
      const double value = expected(at<double>(self, i), at<double>(target, i));
      EXPECT_NEAR(at<double>(all, i), value, 1e-9);
      sum += value;
    });
    EXPECT_NEAR(loss(self, target, 2).item<double>(), sum, 1e-7 * std::fabs(sum));
    EXPECT_NEAR(loss(self, target, 1).item<double>(), sum / 40000, 1e-9);
  }
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Loss, Elementwise) {
  expect_loss([](auto& a, auto& b, int64_t r) { return mse_loss(a, b, r); },
              [](double x, double y) { return (x - y) * (x - y); });
  expect_loss([](auto& a, auto& b, int64_t r) { return l1_loss(a, b, r); },
              [](double x, double y) { return std::fabs(x - y); });
  const auto rounded = [](double delta) {
    return [delta](double x, double y) {
      const double d = std::fabs(x - y);
      return d < delta ? d * d / 2 : delta * (d - delta / 2);
    };
  };
  expect_loss([](auto& a, auto& b, int64_t r) { return smooth_l1_loss(a, b, r, 0.3); },
              [&](double x, double y) { return rounded(0.3)(x, y) / 0.3; });
  expect_loss([](auto& a, auto& b, int64_t r) { return huber_loss(a, b, r, 0.3); }, rounded(0.3));
  expect_loss([](auto& a, auto& b, int64_t r) { return soft_margin_loss(a, b, r); },
              [](double x, double y) { return std::log1p(std::exp(-x * y)); });
}

TEST(Loss, CrossEntropies) {
  const auto entropy = [](double x, double y) { return -(y * std::log(x) + (1 - y) * std::log1p(-x)); };
  expect_loss([](auto& a, auto& b, int64_t r) { return binary_cross_entropy(a, b, std::nullopt, r); }, entropy);
  const Tensor weight = tensor<double>({0.5, 2}, {2});
  const Tensor x = tensor<double>({0.1, 0.9, 1, 0}, {2, 2});
  const Tensor y = tensor<double>({0.2, 0.3, 0, 0.5}, {2, 2});
  expect_elements<double>(
      binary_cross_entropy(x, y, weight, 0), {2, 2},
      [&](const Index& i) {
        if (i[0] == 1) return i[1] == 0 ? 0.5 * 100 : 2 * 0.5 * 100;
        return entropy(at<double>(x, i), at<double>(y, i)) * at<double>(weight, {i[1]});
      },
      1e-12);
  expect_loss(
      [](auto& a, auto& b, int64_t r) { return binary_cross_entropy_with_logits(a, b, std::nullopt, std::nullopt, r); },
      [&](double a, double b) { return entropy(logistic(a), b); });
  const Tensor positive = tensor<double>({3, 4}, {2, 1});
  const auto with_weights = [&](const Index& i) {
    const double p = logistic(at<double>(x, i));
    const double target = at<double>(y, i);
    return -at<double>(weight, {i[1]}) *
           (at<double>(positive, {i[0], 0}) * target * std::log(p) + (1 - target) * std::log(1 - p));
  };
  expect_elements<double>(binary_cross_entropy_with_logits(x, y, weight, positive, 0), {2, 2}, with_weights, 1e-12);
  double sum = 0;
  for_each_index({2, 2}, [&](const Index& i) { sum += with_weights(i); });
  EXPECT_NEAR(binary_cross_entropy_with_logits(x, y, weight, positive, 2).item<double>(), sum, 1e-12);
  // Inputs of large magnitude do not overflow.
  const Tensor far = tensor<float>({-500, 500});
  EXPECT_EQ(to_vector<float>(binary_cross_entropy_with_logits(far, tensor<float>({1, 0}), {}, {}, 0)),
            (std::vector<float>{500, 500}));
  expect_error([&] { binary_cross_entropy(far, far); }, "expected all elements of `self` to be from 0 to 1");
  expect_error([&] { binary_cross_entropy(tensor<float>({NAN}), tensor<float>({1})); }, "from 0 to 1");
}

TEST(Loss, ReducesIntoOutAndBroadcasts) {
  Tensor out = empty({}, kFloat);
  const Tensor self = tensor<float>({1, 2, 3, 4}, {2, 2});
  mse_loss_out(out, self, tensor<float>({1, 1}));
  EXPECT_EQ(out.item<float>(), 3.5f);
  EXPECT_EQ(mse_loss(self, tensor<float>({0}), 0).sizes(), IntArrayRef({2, 2}));
  EXPECT_EQ(mse_loss(empty({3, 3}, kMeta), empty({3, 3}, kMeta)).sizes(), IntArrayRef({}));
  EXPECT_TRUE(std::isnan(mse_loss(empty({0}), empty({0})).item<float>()));
  const Tensor half = filled<Half>({3000}, [](int64_t) { return Half(8.0f); });
  EXPECT_EQ(mse_loss(half, filled<Half>({3000}, [](int64_t) { return Half(0.0f); })).item<float>(), 64);
  expect_error([&] { mse_loss(self, self, 3); }, "expected `reduction` to be 0 (none), 1 (mean) or 2 (sum), got 3");
  expect_error([&] { mse_loss(counting<int64_t>({2}), counting<int64_t>({2})); }, "mse_loss");
  expect_error([&] { mse_loss(self, counting<float>({3})); }, "[2, 2] and [3] do not broadcast");
  expect_error([&] { huber_loss(self, self, 1, 0); }, "expected `delta` to be positive");
  expect_error([&] { smooth_l1_loss(self, self, 1, -1); }, "expected `beta` not to be negative");
}

TEST(Loss, NllTakesClasses) {
  const Tensor self = tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor target = tensor<int64_t>({2, 0});
  const Tensor weight = tensor<float>({0.5, 1, 2});
  EXPECT_EQ(to_vector<float>(std::get<0>(nll_loss_forward(strided(self), target, weight, 0, -100))),
            (std::vector<float>{-6, -2}));
  const auto [mean, total] = nll_loss_forward(self, target, weight, 1, -100);
  EXPECT_FLOAT_EQ(mean.item<float>(), -8 / 2.5f);
  EXPECT_EQ(total.item<float>(), 2.5f);
  EXPECT_EQ(std::get<0>(nll_loss_forward(self, target, {}, 2, 2)).item<float>(), -4);
  EXPECT_TRUE(std::isnan(std::get<0>(nll_loss_forward(self, tensor<int64_t>({9, 9}), {}, 1, 9)).item<float>()));
  expect_error([&] { nll_loss_forward(self, tensor<int64_t>({0, 3}), {}, 1, -100); },
               "nll_loss_forward: expected targets from 0 to 2, got 3");
  expect_error([&] { nll_loss_forward(self, tensor<int64_t>({0, -1}), {}, 0, -100); }, "got -1");
  expect_error([&] { nll_loss_forward(self, tensor<int64_t>({0}), {}, 1, -100); }, "expected one element of");
  expect_error([&] { nll_loss_forward(self, target, tensor<float>({1}), 1, -100); }, "expected `weight`");
}

TEST(Loss, NllTakesImages) {
  const Tensor self = uniform({2, 3, 70, 41}, 0, 1);
  std::mt19937 random(3);
  const Tensor target = filled<int64_t>({2, 70, 41}, [&](int64_t) { return static_cast<int64_t>(random() % 4); });
  const auto expected = [&](const Index& i) {
    const int64_t found = at<int64_t>(target, i);
    return found == 3 ? 0 : -at<double>(self, {i[0], found, i[1], i[2]});
  };
  for (const Tensor& in : {self, strided(self)}) {
    expect_elements<double>(std::get<0>(nll_loss2d_forward(in, target, {}, 0, 3)), {2, 70, 41}, expected);
    double sum = 0;
    for_each_index({2, 70, 41}, [&](const Index& i) { sum += expected(i); });
    EXPECT_NEAR(std::get<0>(nll_loss2d_forward(in, target, {}, 2, 3)).item<double>(), sum, 1e-9);
  }
  expect_error([&] { nll_loss2d_forward(self, target, {}, 2, -100); }, "expected targets from 0 to 2, got 3");
}

TEST(Loss, Margins) {
  const Tensor self = tensor<float>({0.1f, 0.2f, 0.4f, 0.8f}, {1, 4});
  EXPECT_NEAR(multi_margin_loss(self, tensor<int64_t>({3})).item<float>(), (0.3 + 0.4 + 0.6) / 4, 1e-6);
  EXPECT_NEAR(multi_margin_loss(self, tensor<int64_t>({3}), 2).item<float>(), (0.09 + 0.16 + 0.36) / 4, 1e-6);
  const auto [loss, marks] = multilabel_margin_loss_forward(self, tensor<int64_t>({3, 0, -1, 1}, {1, 4}), 1);
  EXPECT_NEAR(loss.item<float>(),
              0.25 * ((1 - (0.1 - 0.2)) + (1 - (0.1 - 0.4)) + (1 - (0.8 - 0.2)) + (1 - (0.8 - 0.4))), 1e-6);
  EXPECT_EQ(to_vector<float>(marks), (std::vector<float>{1, 0, 0, 1}));
  expect_error([&] { multi_margin_loss(self, tensor<int64_t>({4})); }, "expected targets from 0 to 3, got 4");
  expect_error([&] { multilabel_margin_loss_forward(self, tensor<int64_t>({4, 0, 0, 0}, {1, 4}), 1); },
               "expected targets from 0 to 3, got 4");
  expect_error([&] { multilabel_margin_loss_forward(self, tensor<int64_t>({0, -1, -1, 7}, {1, 4}), 1); },
               "expected targets from 0 to 3, got 7");
}

// The labels of a path: repetitions count once, and blanks (0) not at all.
std::vector<int64_t> labels_of(const std::vector<int64_t>& path) {
  std::vector<int64_t> labels;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] != 0 && (i == 0 || path[i] != path[i - 1])) labels.push_back(path[i]);
  }
  return labels;
}

// The loss by definition: sums the probabilities of all paths of three classes.
double loss_over_paths(const Tensor& log_probs, int64_t sample, int64_t steps, const std::vector<int64_t>& labels) {
  double sum = 0;
  for (int64_t number = 0; number < static_cast<int64_t>(std::pow(3, steps)); ++number) {
    std::vector<int64_t> path;
    double logarithm = 0;
    for (int64_t step = 0, rest = number; step < steps; ++step, rest /= 3) {
      path.push_back(rest % 3);
      logarithm += at<double>(log_probs, {step, sample, rest % 3});
    }
    if (labels_of(path) == labels) sum += std::exp(logarithm);
  }
  return -std::log(sum);
}

Tensor log_probabilities() {
  return filled<double>({5, 3, 3}, [](int64_t i) { return -0.5 - static_cast<double>(i * 7 % 11) / 4; });
}

TEST(CtcLoss, SumsTheProbabilitiesOfAllAlignments) {
  const Tensor log_probs = log_probabilities();
  const std::vector<std::vector<int64_t>> labels = {{1, 1}, {2}, {}};
  const Tensor losses = ctc_loss(log_probs, tensor<int64_t>({1, 1, 2}), {5, 4, 2}, {2, 1, 0}, 0, Reduction::None);
  const int64_t steps[] = {5, 4, 2};
  for (int64_t i = 0; i < 3; ++i) {
    const double expected = loss_over_paths(log_probs, i, steps[i], labels[static_cast<size_t>(i)]);
    EXPECT_NEAR(at<double>(losses, {i}), expected, 1e-12) << i;
  }
  const Tensor mean = ctc_loss(log_probs, tensor<int64_t>({{1, 1}, {2, 2}, {2, 2}}), tensor<int64_t>({5, 4, 2}),
                               tensor<int64_t>({2, 1, 0}));
  EXPECT_NEAR(at<double>(mean, {}),
              (at<double>(losses, {0}) / 2 + at<double>(losses, {1}) + at<double>(losses, {2})) / 3, 1e-12);
  // Two equal labels need a blank between them: no path of two steps has them.
  const Tensor impossible = ctc_loss(log_probs, tensor<int64_t>({1, 1}), {2, 0, 0}, {2, 0, 0}, 0, Reduction::Sum);
  EXPECT_EQ(at<double>(impossible, {}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(at<double>(ctc_loss(log_probs, tensor<int64_t>({1, 1}), {2, 0, 0}, {2, 0, 0}, 0, Reduction::Sum, true), {}),
            0);
  expect_error([&] { ctc_loss(log_probs, tensor<int64_t>({3}), {1, 0, 0}, {1, 0, 0}); },
               "ctc_loss: expected `targets` from 0 to 2, got 3");
}

TEST(CtcLoss, HasTheGradientOfItsProbabilities) {
  // PyTorch defines the gradient as the one with respect to the logits, before log_softmax.
  const Tensor log_probs = log_softmax(log_probabilities(), 2);
  const Tensor targets = tensor<int64_t>({1, 1, 2});
  const auto [losses, sums] = _ctc_loss(log_probs, targets, {5, 4, 2}, {2, 1, 0});
  const Tensor ones = full({3}, 1.0, kDouble);
  const Tensor gradient = _ctc_loss_backward(ones, log_probs, targets, {5, 4, 2}, {2, 1, 0}, losses, sums, 0);
  constexpr double step = 1e-6;
  for (const Index& index : {Index{0, 0, 1}, Index{3, 0, 0}, Index{4, 0, 2}, Index{2, 1, 2}, Index{1, 2, 0}}) {
    double difference = 0;
    for (const double sign : {1.0, -1.0}) {
      Tensor moved = log_probabilities();
      moved.data_ptr<double>()[(index[0] * 3 + index[1]) * 3 + index[2]] += sign * step;
      difference +=
          sign * at<double>(ctc_loss(log_softmax(moved, 2), targets, {5, 4, 2}, {2, 1, 0}, 0, Reduction::Sum), {});
    }
    EXPECT_NEAR(at<double>(gradient, index), difference / (2 * step), 1e-8);
  }
  EXPECT_EQ(at<double>(gradient, {4, 1, 0}), 0);  // beyond the steps of the sample
}

}  // namespace
}  // namespace structured
