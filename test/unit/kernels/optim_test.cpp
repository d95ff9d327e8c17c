// Optimisers, compared with their formulas in double.
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/format/npy.h>
#include <structured/ops/clone.h>
#include <structured/optim.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "expect_error.h"

namespace structured::optim_test {
namespace {

using test::expect_error;

Tensor parameter(double value) { return full({2}, value, kDouble).requires_grad_(); }

void set_gradient(const Tensor& tensor, double value) { tensor.set_grad(full({2}, value, kDouble)); }

double value_of(const Tensor& tensor) { return tensor.data_ptr<double>()[1]; }

TEST(SGD, FollowsTheGradient) {
  const Tensor p = parameter(1);
  optim::SGD optimizer({p}, {.learning_rate = 0.1, .weight_decay = 0.5});
  set_gradient(p, 2);
  optimizer.step();
  EXPECT_DOUBLE_EQ(value_of(p), 1 - 0.1 * (2 + 0.5 * 1));
  EXPECT_TRUE(p.is_leaf());
}

TEST(SGD, HasMomentum) {
  const Tensor p = parameter(1);
  const Tensor q = parameter(1);
  optim::SGD plain({p}, {.learning_rate = 0.1, .momentum = 0.9, .dampening = 0.25});
  optim::SGD nesterov({q}, {.learning_rate = 0.1, .momentum = 0.9, .nesterov = true});
  double x = 1;
  double y = 1;
  double v = 0;
  double w = 0;
  for (int step = 0; step < 3; ++step) {
    const double g = 2.0 - step;
    set_gradient(p, g);
    set_gradient(q, g);
    plain.step();
    nesterov.step();
    v = step == 0 ? g : 0.9 * v + 0.75 * g;
    w = step == 0 ? g : 0.9 * w + g;
    x -= 0.1 * v;
    y -= 0.1 * (g + 0.9 * w);
    EXPECT_NEAR(value_of(p), x, 1e-15);
    EXPECT_NEAR(value_of(q), y, 1e-15);
  }
}

TEST(Adam, CorrectsTheBiasOfItsMoments) {
  const Tensor p = parameter(1);
  const Tensor q = parameter(1);
  optim::Adam adam({p}, {.learning_rate = 0.1, .weight_decay = 0.1});
  optim::AdamW adam_w({q}, {.learning_rate = 0.1, .weight_decay = 0.1});
  struct Expected {
    double x = 1, first = 0, second = 0;
    void step(double g, int count) {
      first = 0.9 * first + 0.1 * g;
      second = 0.999 * second + 0.001 * g * g;
      x -= 0.1 * (first / (1 - std::pow(0.9, count))) / (std::sqrt(second / (1 - std::pow(0.999, count))) + 1e-8);
    }
  } of_p, of_q;
  for (int step = 1; step <= 3; ++step) {
    set_gradient(p, 2.0 - step);
    set_gradient(q, 2.0 - step);
    adam.step();
    adam_w.step();
    of_p.step(2.0 - step + 0.1 * of_p.x, step);
    of_q.x *= 1 - 0.1 * 0.1;
    of_q.step(2.0 - step, step);
    EXPECT_NEAR(value_of(p), of_p.x, 1e-12);
    EXPECT_NEAR(value_of(q), of_q.x, 1e-12);
  }
}

TEST(Optimizer, LeavesParametersWithoutGradients) {
  const Tensor p = parameter(1);
  const Tensor q = parameter(1);
  optim::Adam optimizer({p, q}, {.learning_rate = 0.1});
  set_gradient(p, 1);
  optimizer.step();
  EXPECT_NE(value_of(p), 1);
  EXPECT_EQ(value_of(q), 1);
  optimizer.zero_grad(/*set_to_none=*/false);
  EXPECT_EQ(value_of(p.grad()), 0);
  optimizer.zero_grad();
  EXPECT_FALSE(p.grad().defined());
}

TEST(Optimizer, ContinuesFromAState) {
  const auto run = [](optim::Optimizer& optimizer, const Tensor& p, int steps) {
    for (int i = 0; i < steps; ++i) {
      set_gradient(p, value_of(p) - 3);
      optimizer.step();
    }
  };
  const Tensor p = parameter(1);
  optim::Adam whole({p}, {.learning_rate = 0.1});
  whole.set_learning_rate(0.2);
  run(whole, p, 3);
  NamedTensors state;
  for (const auto& [name, tensor] : whole.state()) state.emplace_back(name, structured::clone(tensor));
  const Tensor q = parameter(value_of(p));
  optim::Adam resumed({q}, {.learning_rate = 0.1});
  resumed.load_state(state);
  EXPECT_EQ(resumed.learning_rate(), 0.2);
  run(whole, p, 2);
  run(resumed, q, 2);
  EXPECT_EQ(value_of(p), value_of(q));
}

TEST(Optimizer, RejectsOtherStatesAndChangesNothing) {
  const Tensor p = parameter(1);
  optim::SGD optimizer({p}, {.learning_rate = 0.1, .momentum = 0.9});
  set_gradient(p, 1);
  optimizer.step();
  NamedTensors state = optimizer.state();
  state.emplace_back("first_moment.0", full({2}, 1, kDouble));
  expect_error([&] { optimizer.load_state(state); }, "`first_moment.0`, which this optimiser does not have");
  state.back() = {"momentum.0", full({3}, 1, kDouble)};
  state.erase(state.end() - 2);
  expect_error([&] { optimizer.load_state(state); }, "expected `momentum.0` of sizes [2]");
  expect_error([&] { optimizer.load_state({}); }, "expected `learning_rate` in the optimiser's state");
  expect_error([] { optim::SGD({full({2}, 1, kDouble)}); }, "parameter 0 of the optimiser to be a leaf");
  expect_error([] { optim::SGD({}); }, "got no parameters");
  expect_error([&] { optim::SGD({p}, {.nesterov = true}); }, "Nesterov momentum requires a momentum");
}

TEST(Clipping, LimitsTheNormOfAllGradients) {
  const Tensor p = parameter(1);
  const Tensor q = parameter(1);
  set_gradient(p, 3);
  EXPECT_DOUBLE_EQ(optim::clip_grad_norm({p, q}, 100), std::sqrt(18));
  EXPECT_EQ(value_of(p.grad()), 3);
  set_gradient(q, 4);
  EXPECT_DOUBLE_EQ(optim::clip_grad_norm({p, q}, 1), std::sqrt(50));
  EXPECT_NEAR(value_of(p.grad()), 3 / std::sqrt(50), 1e-6);
  EXPECT_NEAR(value_of(q.grad()), 4 / std::sqrt(50), 1e-6);
  optim::clip_grad_value({p, q}, 0.5);
  EXPECT_NEAR(value_of(p.grad()), 3 / std::sqrt(50), 1e-6);
  EXPECT_EQ(value_of(q.grad()), 0.5);
}

}  // namespace
}  // namespace structured::optim_test
