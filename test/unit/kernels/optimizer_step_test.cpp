// Fused steps of optimisers, compared with their formulas in double.
#include <structured/core/factory.h>
#include <structured/device/simd_level.h>
#include <structured/number/bfloat16.h>
#include <structured/number/half.h>
#include <structured/ops/_fused_adagrad.h>
#include <structured/ops/_fused_adam.h>
#include <structured/ops/_fused_adamw.h>
#include <structured/ops/_fused_sgd.h>
#include <structured/ops/t.h>
#include <structured/ops/to.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/expect.h"

namespace structured::optimizer_step_test {
namespace {

using namespace test;

// One parameter, its gradient and state as numbers.
struct Element {
  double parameter, gradient, first, second, largest;
};

Element element(int64_t i) {
  const auto x = static_cast<double>(i % 97);
  return {0.5 - x / 64, x / 32 - 1, x / 128 - 0.25, x / 256, 0.25};
}

struct AdamOptions {
  double decay = 0;
  bool amsgrad = false, maximize = false, is_decoupled = false;
  double beta1 = 0.9, beta2 = 0.99;
};

Element after_adam(Element e, const AdamOptions& options, double step) {
  double g = options.maximize ? -e.gradient : e.gradient;
  if (options.is_decoupled) {
    e.parameter *= 1 - 0.1 * options.decay;
  } else {
    g += options.decay * e.parameter;
  }
  e.first = options.beta1 * e.first + (1 - options.beta1) * g;
  e.second = options.beta2 * e.second + (1 - options.beta2) * g * g;
  e.largest = std::max(e.largest, e.second);
  const double second = options.amsgrad ? e.largest : e.second;
  e.parameter -= 0.1 * e.first / (1 - std::pow(options.beta1, step)) /
                 (std::sqrt(second / (1 - std::pow(options.beta2, step))) + 1e-3);
  return e;
}

template <class T>
class FusedStep : public ::testing::Test {
 public:
  static constexpr double kTolerance = sizeof(T) == 8 ? 1e-14 : sizeof(T) == 4 ? 1e-5 : 1e-2;

  // Numbers that T holds, so that inputs are exact.
  static Element rounded(const Element& e) {
    const auto round = [](double value) { return static_cast<double>(static_cast<T>(value)); };
    return {round(e.parameter), round(e.gradient), round(e.first), round(e.second), round(e.largest)};
  }

  static Tensor tensor(int64_t size, double Element::* member) {
    return filled<T>({size}, [&](int64_t i) { return static_cast<T>(element(i).*member); });
  }

  static void expect(const Tensor& tensor, const std::function<double(int64_t)>& expected) {
    expect_elements<T>(tensor, tensor.sizes(), [&](const Index& index) { return expected(index[0]); }, kTolerance);
  }
};

using Dtypes = ::testing::Types<float, double, Half, BFloat16>;
TYPED_TEST_SUITE(FusedStep, Dtypes);

// Sizes below and above a vector, a block of converted elements and a range of a thread.
const std::vector<int64_t> kSizes{1, 7, 600, 20000};

TYPED_TEST(FusedStep, FollowsAdam) {
  using Step = FusedStep<TypeParam>;
  for (const AdamOptions& options :
       {AdamOptions{}, AdamOptions{.decay = 0.5, .maximize = true}, AdamOptions{.amsgrad = true, .is_decoupled = true},
        AdamOptions{.decay = 0.5, .is_decoupled = true}, AdamOptions{.beta1 = 0.25}}) {
    std::vector<Tensor> p, g, first, second, largest, steps;
    for (const int64_t size : kSizes) {
      p.push_back(Step::tensor(size, &Element::parameter));
      g.push_back(Step::tensor(size, &Element::gradient));
      first.push_back(Step::tensor(size, &Element::first));
      second.push_back(Step::tensor(size, &Element::second));
      if (options.amsgrad) largest.push_back(Step::tensor(size, &Element::largest));
      steps.push_back(full({}, 3));
    }
    if (options.is_decoupled) {
      _fused_adamw_(p, g, first, second, largest, steps, 0.1, options.beta1, options.beta2, options.decay, 1e-3,
                    options.amsgrad, options.maximize);
    } else {
      _fused_adam_(p, g, first, second, largest, steps, 0.1, options.beta1, options.beta2, options.decay, 1e-3,
                   options.amsgrad, options.maximize);
    }
    const auto expected = [&](int64_t i) { return after_adam(Step::rounded(element(i)), options, 3); };
    for (std::size_t k = 0; k < kSizes.size(); ++k) {
      Step::expect(p[k], [&](int64_t i) { return expected(i).parameter; });
      Step::expect(first[k], [&](int64_t i) { return expected(i).first; });
      Step::expect(second[k], [&](int64_t i) { return expected(i).second; });
      if (options.amsgrad) Step::expect(largest[k], [&](int64_t i) { return expected(i).largest; });
      Step::expect(g[k], [&](int64_t i) { return element(i).gradient; });
    }
  }
}

TYPED_TEST(FusedStep, FollowsTheGradientWithMomentum) {
  using Step = FusedStep<TypeParam>;
  for (const bool is_first : {false, true}) {
    for (const bool nesterov : {false, true}) {
      for (const int64_t size : kSizes) {
        const Tensor p = Step::tensor(size, &Element::parameter);
        const Tensor buffer = Step::tensor(size, &Element::first);
        _fused_sgd_({p}, {Step::tensor(size, &Element::gradient)}, {buffer}, 0.5, 0.9, 0.1, 0.25, nesterov, true,
                    is_first);
        const auto velocity = [&](int64_t i) {
          const Element e = Step::rounded(element(i));
          const double g = -e.gradient + 0.5 * e.parameter;
          return is_first ? g : 0.9 * e.first + 0.75 * g;
        };
        Step::expect(buffer, velocity);
        Step::expect(p, [&](int64_t i) {
          const Element e = Step::rounded(element(i));
          const double v = velocity(i);
          return e.parameter - 0.1 * (nesterov ? -e.gradient + 0.5 * e.parameter + 0.9 * v : v);
        });
      }
    }
  }
}

// Loops over BFloat16 convert two elements at once.
TEST(FusedStepOfBFloat16, RoundsAsTheDtypeDoes) {
  constexpr int64_t size = 65535;
  const auto number = [](int64_t i) { return BFloat16::from_bits(static_cast<uint16_t>(i)); };
  const auto gradient = [&](int64_t i) { return number(i * 40503 + 12345); };
  const Tensor g = filled<BFloat16>({size}, gradient);
  const SimdLevel before = simd_level();
  for (int level = 0; level <= static_cast<int>(best_simd_level()); ++level) {
    set_simd_level(static_cast<SimdLevel>(level));
    const Tensor p = filled<BFloat16>({size}, number);
    _fused_sgd_({p}, {g}, {}, 0.0, 0.0, 1.0, 0.0, false, false, false);
    for (int64_t i = 0; i < size; ++i) {
      const BFloat16 expected(static_cast<float>(number(i)) - static_cast<float>(gradient(i)));
      ASSERT_EQ(p.data_ptr<BFloat16>()[i].bits(), expected.bits()) << i << " " << level;
    }
  }
  set_simd_level(before);
}

TYPED_TEST(FusedStep, FollowsAdagrad) {
  using Step = FusedStep<TypeParam>;
  const Tensor p = Step::tensor(600, &Element::parameter);
  const Tensor sum = Step::tensor(600, &Element::second);
  _fused_adagrad_({p}, {Step::tensor(600, &Element::gradient)}, {sum}, {full({}, 3)}, 0.1, 0.5, 0.25, 1e-3, false);
  const auto gradient = [](const Element& e) { return e.gradient + 0.25 * e.parameter; };
  const auto squares = [&](const Element& e) { return e.second + gradient(e) * gradient(e); };
  Step::expect(sum, [&](int64_t i) { return squares(Step::rounded(element(i))); });
  Step::expect(p, [&](int64_t i) {
    const Element e = Step::rounded(element(i));
    return e.parameter - 0.1 / 2 * gradient(e) / (std::sqrt(squares(e)) + 1e-3);
  });
}

TEST(FusedSteps, DividesGradientsByTheScale) {
  const Tensor p = full({3}, 1.0);
  const Tensor g = full({3}, 8.0);
  const std::optional<Tensor> scale = full({}, 4.0);
  _fused_sgd_({p}, {g}, {}, 0, 0, 0.5, 0, false, false, true, scale, full({}, 0.0));
  expect_elements<float>(g, {3}, [](const Index&) { return 2; });
  expect_elements<float>(p, {3}, [](const Index&) { return 0; });
  _fused_sgd_({p}, {g}, {}, 0, 0, 0.5, 0, false, false, true, scale, full({}, 1.0));
  expect_elements<float>(g, {3}, [](const Index&) { return 2; });
  expect_elements<float>(p, {3}, [](const Index&) { return 0; });
}

TEST(FusedSteps, TakesTensorsOfDifferentStrides) {
  const Tensor p = t(counting<float>({3, 2}));
  const Tensor g = counting<float>({2, 3});
  const Tensor gaps = strided(counting<float>({2, 3}));
  _fused_sgd_({p, gaps}, {g, g}, {}, 0, 0, full({}, 0.5), 0, false, false, true);
  expect_elements<float>(p, {2, 3}, [](const Index& at) {
    return static_cast<double>(at[1] * 2 + at[0]) - 0.5 * static_cast<double>(at[0] * 3 + at[1]);
  });
  expect_elements<float>(gaps, {2, 3}, [](const Index& at) { return 0.5 * static_cast<double>(at[0] * 3 + at[1]); });
}

TEST(FusedSteps, ChangesNothingIfALaterTensorIsWrong) {
  const Tensor p = full({2}, 1.0);
  const std::vector<Tensor> both{p, full({2}, 1.0)};
  const std::vector<Tensor> grads{full({2}, 1.0), full({3}, 1.0)};
  expect_error([&] { _fused_sgd_(both, grads, {}, 0, 0, 0.1, 0, false, false, true); },
               "expected a tensor of sizes [2] in `grads`, got [3]");
  const std::vector<Tensor> steps{full({}, 1.0), full({2}, 1.0)};
  expect_error([&] { _fused_adagrad_(both, both, both, steps, 0.1, 0, 0, 1e-8, false); },
               "_fused_adagrad_: expected tensors of 1 element in `state_steps`, got sizes [2]");
  expect_elements<float>(p, {2}, [](const Index&) { return 1; });
}

TEST(FusedSteps, RejectsOtherTensors) {
  const std::vector<Tensor> one{full({2}, 1.0)};
  const std::vector<Tensor> doubles{full({2}, 1.0, kDouble)};
  const std::vector<Tensor> none;
  const auto adam = [&](const std::vector<Tensor>& grads, const std::vector<Tensor>& largest, bool amsgrad) {
    _fused_adam_(one, grads, one, one, largest, {full({}, 1)}, 0.1, 0.9, 0.99, 0, 1e-8, amsgrad, false);
  };
  expect_error([&] { adam(none, none, false); }, "_fused_adam_: Expected grads.size() == n_tensors, got 0 and 1");
  expect_error([&] { adam(one, one, false); }, "Expected max_exp_avg_sqs.empty() without `amsgrad`, got 1 tensors");
  expect_error([&] { adam(one, none, true); }, "Expected max_exp_avg_sqs.size() == n_tensors, got 0 and 1");
  expect_error([&] { adam(doubles, none, false); },
               "_fused_adam_: expected scalar type Float but found Double in `grads`");
  expect_error([&] { adam({full({3}, 1.0)}, none, false); }, "expected a tensor of sizes [2] in `grads`, got [3]");
  const std::vector<Tensor> integers{full({2}, 1, kLong)};
  expect_error([&] { _fused_sgd_(integers, integers, {}, 0, 0, 0.1, 0, false, false, true); },
               "_fused_sgd_: expected floating-point tensors in `self`, got Long");
  expect_error([&] { _fused_sgd_(one, one, {}, 0, 0.9, 0.1, 0, false, false, true); },
               "Expected momentum_buffer_list.size() == n_tensors, got 0 and 1");
  expect_error([&] { _fused_sgd_(one, one, {}, 0, 0, 0.1, 0, false, false, true, full({}, 2, kDouble)); },
               "expected scalar type Float and 1 element in `grad_scale`, got Double and 1 elements");
  const Tensor meta = empty({2}, TensorOptions().device(DeviceType::Meta));
  _fused_sgd_({meta}, {meta}, {}, 0, 0, 0.1, 0, false, false, true);
}

}  // namespace
}  // namespace structured::optimizer_step_test
