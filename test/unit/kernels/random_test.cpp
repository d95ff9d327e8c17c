// Random tensors: their distributions, and their dependence on the generator only.
#include <structured/base/error.h>
#include <structured/core/generator.h>
#include <structured/dispatch/value.h>
#include <structured/find_operator.h>
#include <structured/ops/_scaled_dot_product_attention_forward.h>
#include <structured/ops/bernoulli.h>
#include <structured/ops/cauchy.h>
#include <structured/ops/dropout.h>
#include <structured/ops/exponential.h>
#include <structured/ops/feature_dropout.h>
#include <structured/ops/geometric.h>
#include <structured/ops/log_normal.h>
#include <structured/ops/multinomial.h>
#include <structured/ops/native_dropout.h>
#include <structured/ops/normal.h>
#include <structured/ops/rand.h>
#include <structured/ops/rand_like.h>
#include <structured/ops/randint.h>
#include <structured/ops/randint_like.h>
#include <structured/ops/randn.h>
#include <structured/ops/randn_like.h>
#include <structured/ops/random.h>
#include <structured/ops/randperm.h>
#include <structured/ops/rrelu_with_noise.h>
#include <structured/ops/uniform.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <thread>
#include <vector>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

constexpr int64_t kCount = 200'000;

Generator seeded(uint64_t seed = 7) { return Generator(kCPU, seed); }

// Returns the Kolmogorov-Smirnov statistic: the largest distance between the empirical distribution of the values and
// `cdf`, times the square root of their number. It exceeds 1.95 with probability 0.001 (Kolmogorov, 1933).
double kolmogorov_distance(std::vector<double> values, const std::function<double(double)>& cdf) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  double distance = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double expected = cdf(values[i]);
    distance = std::max({distance, std::abs(expected - static_cast<double>(i) / count),
                         std::abs(expected - static_cast<double>(i + 1) / count)});
  }
  return distance * std::sqrt(count);
}

// Returns Pearson's chi-square statistic for counts with equal expectation. The bounds in the tests are exceeded with
// probability 0.001, with one degree of freedom less than there are counts.
double chi_square(const std::vector<int64_t>& counts) {
  const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const int64_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  return sum;
}

// Returns the distance of the number of successes from its expectation in standard deviations. It exceeds 3.29 with
// probability 0.001.
double binomial_distance(double successes, double count, double probability) {
  return std::abs(successes - count * probability) / std::sqrt(count * probability * (1 - probability));
}

// Returns the number of occurrences of each integer from `first` on; fails on other elements.
std::vector<int64_t> counts_of(const Tensor& tensor, int64_t first, size_t kinds) {
  std::vector<int64_t> counts(kinds);
  const Tensor numbers = empty(tensor.sizes(), kLong);
  copy_into(numbers, tensor);
  for (const int64_t value : to_vector<int64_t>(numbers)) {
    const auto kind = static_cast<size_t>(value - first);
    EXPECT_LT(kind, kinds) << value;
    if (kind < kinds) ++counts[kind];
  }
  return counts;
}

std::vector<double> doubles(const Tensor& tensor) {
  const Tensor converted = empty(tensor.sizes(), kDouble);
  copy_into(converted, tensor);
  return to_vector<double>(converted);
}

TEST(Rand, IsUniform) {
  const auto cdf = [](double x) { return std::clamp(x, 0.0, 1.0); };
  EXPECT_LT(kolmogorov_distance(doubles(rand({kCount}, seeded())), cdf), 1.95);
  EXPECT_LT(kolmogorov_distance(doubles(rand({kCount}, seeded(), kDouble)), cdf), 1.95);
  manual_seed(7);
  EXPECT_LT(kolmogorov_distance(doubles(rand_like(empty({kCount}, kFloat))), cdf), 1.95);
  Tensor out = strided(empty({400, 500}, kFloat));
  EXPECT_LT(kolmogorov_distance(doubles(rand_out(out, {400, 500}, seeded())), cdf), 1.95);
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    const std::vector<double> values = doubles(rand({kCount}, seeded(), dtype));
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 0) << dtype;
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 1) << dtype << ": rounding must not reach 1";
  }
}

TEST(Randn, IsNormal) {
  const auto cdf = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  EXPECT_LT(kolmogorov_distance(doubles(randn({kCount}, seeded())), cdf), 1.95);
  EXPECT_LT(kolmogorov_distance(doubles(randn({kCount}, seeded(), kDouble)), cdf), 1.95);
  Tensor out = strided(empty({400, 500}, kFloat));
  EXPECT_LT(kolmogorov_distance(doubles(randn_out(out, {400, 500}, seeded())), cdf), 1.95);
  const Tensor parts = randn({kCount}, seeded(), kComplexFloat);
  double square = 0;
  for (const Complex<float> z : to_vector<Complex<float>>(parts)) square += std::pow(std::hypot(z.real(), z.imag()), 2);
  EXPECT_NEAR(square / kCount, 1, 0.02) << "the variance of a complex number is that of both parts together";
}

TEST(Uniform, KeepsItsBounds) {
  Tensor self = empty({kCount}, kFloat);
  uniform_(self, -3, 5, seeded());
  EXPECT_LT(kolmogorov_distance(doubles(self), [](double x) { return (x + 3) / 8; }), 1.95);
  uniform_(self, 2, 2);
  EXPECT_EQ(to_vector<float>(self).front(), 2);
  Tensor narrow = empty({kCount}, kBFloat16);
  uniform_(narrow, 1, 1.0625, seeded());
  for (const double value : doubles(narrow)) ASSERT_LT(value, 1.0625);
}

TEST(Normal, HasItsMeanAndDeviation) {
  Tensor self = empty({kCount}, kDouble);
  normal_(self, 10, 2, seeded());
  EXPECT_LT(kolmogorov_distance(doubles(self), [](double x) { return std::erfc(-(x - 10) / 2 / std::sqrt(2.0)) / 2; }),
            1.95);
  normal_(self, 3, 0);
  EXPECT_EQ(to_vector<double>(self).front(), 3);
}

TEST(Randint, IsUniformOverItsRange) {
  EXPECT_LT(chi_square(counts_of(randint(-5, 5, {kCount}, seeded()), -5, 10)), 27.9);
  for (const ScalarType dtype : {kByte, kChar, kShort, kInt, kHalf, kBFloat16, kFloat, kDouble}) {
    const Tensor numbers = randint(100, {kCount}, seeded(), dtype);
    EXPECT_EQ(numbers.scalar_type(), dtype);
    EXPECT_LT(chi_square(counts_of(numbers, 0, 100)), 148.2) << dtype;
  }
  EXPECT_EQ(to_vector<int64_t>(randint(1, {3})), (std::vector<int64_t>{0, 0, 0}));
}

TEST(RandomInPlace, IsUniformOverAllThatItsDtypeCountsTo) {
  Tensor bytes = empty({kCount}, kByte);
  random_(bytes, 0, std::nullopt, seeded());
  EXPECT_LT(chi_square(counts_of(bytes, 0, 256)), 330.5);
  Tensor some = strided(empty({400, 500}, kShort));
  random_(some, -3, 4, seeded());
  EXPECT_LT(chi_square(counts_of(some, -3, 7)), 22.5);
  Tensor wide = empty({kCount}, kLong);
  random_(wide, INT64_MIN, std::nullopt, seeded());
  EXPECT_LT(kolmogorov_distance(doubles(wide), [](double x) { return std::ldexp(x, -64) + 0.5; }), 1.95);
  Tensor truth = empty({kCount}, kBool);
  random_(truth, 0, std::nullopt, seeded());
  EXPECT_LT(chi_square(counts_of(truth, 0, 2)), 10.8);
}

TEST(Bernoulli, HasItsProbability) {
  Tensor self = empty({kCount}, kBool);
  bernoulli_(self, 0.3, seeded());
  const auto successes = [](const Tensor& drawn) { return static_cast<double>(counts_of(drawn, 0, 2)[1]); };
  EXPECT_LT(binomial_distance(successes(self), kCount, 0.3), 3.29);
  EXPECT_LT(binomial_distance(successes(bernoulli(self, 0.99, seeded())), kCount, 0.99), 3.29);
  // Each column has its own probability.
  const Tensor odds = filled<float>({kCount / 4, 4}, [](int64_t i) { return 0.2f * static_cast<float>(i % 4 + 1); });
  Tensor drawn = empty({kCount / 4, 4}, kInt);
  bernoulli_(drawn, odds, seeded());
  const Tensor also = bernoulli(odds, seeded(3));
  for (int64_t column = 0; column < 4; ++column) {
    for (const Tensor& tensor : {drawn, also}) {
      const Tensor part = as_strided(tensor, {kCount / 4}, {4}, column);
      EXPECT_LT(binomial_distance(successes(part), kCount / 4, 0.2 * double(column + 1)), 3.29) << column;
    }
  }
  const Tensor p = tensor<float>({0, 1, 0, 1});
  EXPECT_EQ(to_vector<float>(bernoulli(p)), to_vector<float>(p));
  Tensor out = empty({0}, kLong);
  bernoulli_out(out, p);
  EXPECT_EQ(to_vector<int64_t>(out), (std::vector<int64_t>{0, 1, 0, 1}));
}

TEST(Randperm, IsAPermutationEachAsLikely) {
  std::vector<int64_t> values = to_vector<int64_t>(randperm(1000, seeded()));
  std::sort(values.begin(), values.end());
  for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(values[static_cast<size_t>(i)], i);
  const Generator generator = seeded();
  std::vector<int64_t> counts(6);
  for (int i = 0; i < 6000; ++i) {
    const std::vector<int64_t> order = to_vector<int64_t>(randperm(3, generator));
    ++counts[static_cast<size_t>(2 * order[0] + (order[1] > order[2] ? 1 : 0))];
  }
  EXPECT_LT(chi_square(counts), 20.5);
  EXPECT_EQ(randperm(0).numel(), 0);
}

TEST(Dropout, OfAttentionDropsWithItsProbabilityAndKeepsTheMean) {
  manual_seed(7);
  const Tensor query = filled<float>({1, 400, 2}, [](int64_t) { return 0.0f; });  // all weights are 1 / 400
  const auto [output, weights] = _scaled_dot_product_attention_forward(
      query, query, filled<float>({1, 400, 2}, [](int64_t) { return 1.0f; }), std::nullopt, 0.25);
  EXPECT_EQ(output.sizes(), IntArrayRef({1, 400, 2}));
  double kept = 0;
  for (const double weight : doubles(weights)) {
    if (weight == 0) continue;
    ASSERT_NEAR(weight, 1 / 400.0 / 0.75, 1e-8);
    ++kept;
  }
  EXPECT_LT(binomial_distance(kept, 160000, 0.75), 3.29);
}

TEST(Dropout, DropsWithItsProbability) {
  const auto kept = [](const Tensor& tensor) {
    const std::vector<double> values = doubles(tensor);
    return static_cast<double>(values.size()) - static_cast<double>(std::count(values.begin(), values.end(), 0.0));
  };
  manual_seed(7);
  Tensor ones = filled<float>({400, 500}, [](int64_t) { return 1.0f; });
  EXPECT_LT(binomial_distance(kept(dropout(ones, 0.1, true)), kCount, 0.9), 3.29);
  EXPECT_LT(binomial_distance(kept(std::get<1>(native_dropout(ones, 0.6, true))), kCount, 0.4), 3.29);
  EXPECT_LT(binomial_distance(kept(dropout_(ones, 0.5, true)), kCount, 0.5), 3.29);
  // Whole channels are dropped, independently.
  const Tensor channels = filled<float>({400, 500, 2}, [](int64_t) { return 1.0f; });
  EXPECT_LT(binomial_distance(kept(feature_dropout(channels, 0.3, true)) / 2, kCount, 0.7), 3.29);
}

TEST(Random, TensorsHaveTheShapeDtypeAndStridesThatAreAskedFor) {
  const auto expect_kind = [](const Tensor& tensor, IntArrayRef sizes, ScalarType dtype, IntArrayRef strides) {
    EXPECT_EQ(tensor.sizes(), sizes);
    EXPECT_EQ(tensor.scalar_type(), dtype);
    EXPECT_EQ(tensor.strides(), strides);
  };
  expect_kind(rand({2, 3}), {2, 3}, kFloat, {3, 1});
  expect_kind(rand({2, 0}, kHalf), {2, 0}, kHalf, {1, 1});
  expect_kind(randn({}, kDouble), {}, kDouble, {});
  expect_kind(randint(5, {2, 3}), {2, 3}, kLong, {3, 1});
  expect_kind(randint(-5, 5, {2, 3}, kFloat), {2, 3}, kFloat, {3, 1});
  expect_kind(randperm(4), {4}, kLong, {1});
  expect_kind(randperm(4, kFloat), {4}, kFloat, {1});
  // Results created like another tensor keep its dimension order.
  const Tensor columns = as_strided(filled<double>({6}, [](int64_t) { return 0.5; }), {2, 3}, {1, 2}, 0);
  expect_kind(rand_like(columns), {2, 3}, kDouble, {1, 2});
  expect_kind(rand_like(columns, kFloat), {2, 3}, kFloat, {1, 2});
  expect_kind(bernoulli(columns), {2, 3}, kDouble, {1, 2});
  expect_kind(bernoulli(columns, 0.5), {2, 3}, kDouble, {1, 2});
  // An existing output keeps its strides.
  Tensor out = as_strided(empty({12}, kDouble), {2, 3}, {2, 4}, 0);
  for (const Tensor& written : {rand_out(out, {2, 3}), randn_out(out, {2, 3}), bernoulli_out(out, columns)}) {
    EXPECT_TRUE(written.is_same(out));
    expect_kind(written, {2, 3}, kDouble, {2, 4});
  }
  for (const Tensor& written : {uniform_(out), normal_(out), bernoulli_(out), random_(out, 0, 9)}) {
    EXPECT_TRUE(written.is_same(out));
    expect_kind(written, {2, 3}, kDouble, {2, 4});
  }
  Tensor order = empty_strided({3}, {2}, TensorOptions(kInt));
  expect_kind(randperm_out(order, 3), {3}, kInt, {2});
}

TEST(Random, DependsOnTheSeedAlone) {
  EXPECT_EQ(to_vector<float>(rand({100}, seeded(1))), to_vector<float>(rand({100}, seeded(1))));
  EXPECT_NE(to_vector<float>(rand({100}, seeded(1))), to_vector<float>(rand({100}, seeded(2))));
  // Large enough to be split among threads, unless called within a parallel region.
  const std::vector<float> whole = to_vector<float>(randn({kCount}, seeded()));
  std::vector<float> alone;
  std::thread([&] { alone = to_vector<float>(randn({kCount}, seeded())); }).join();
  EXPECT_EQ(whole, alone);
  // Strides do not change the values.
  Tensor self = strided(empty({30, 20}, kFloat));
  uniform_(self, 0, 1, seeded());
  EXPECT_EQ(to_vector<float>(self), to_vector<float>(rand({30, 20}, seeded())));
}

TEST(Random, ConsecutiveCallsDifferAndAStateBringsThemBack) {
  const Generator generator = seeded();
  rand({5}, generator);
  const Generator::Range state = generator.state();
  const std::vector<float> first = to_vector<float>(rand({5}, generator));
  EXPECT_NE(to_vector<float>(rand({5}, generator)), first);
  generator.set_state(state);
  EXPECT_EQ(to_vector<float>(rand({5}, generator)), first);
}

TEST(Random, TheDefaultGeneratorIsSeededForAll) {
  manual_seed(11);
  const std::vector<float> first = to_vector<float>(randn({5}));
  manual_seed(11);
  EXPECT_EQ(to_vector<float>(randn({5})), first);
  EXPECT_EQ(to_vector<float>(randn({5}, Generator(kCPU, 11))), first);
}

TEST(Random, KnowsShapesWithoutNumbers) {
  const Tensor shape = randn({2, 3}, TensorOptions(kMeta));
  EXPECT_TRUE(shape.is_meta());
  EXPECT_EQ(rand_like(shape).sizes(), IntArrayRef({2, 3}));
  EXPECT_TRUE(randperm(4, TensorOptions(kMeta).dtype(kInt)).is_meta());
}

TEST(Random, IsCallableBoxed) {
  Stack stack{Value(IntArrayRef({3})), Value(seeded()), Value(), Value(), Value(), Value()};
  find_operator("aten::rand.generator")->call(stack);
  EXPECT_EQ(to_vector<float>(stack.at(0).to_tensor()), to_vector<float>(rand({3}, seeded())));
}

TEST(Random, RefusesWhatMakesNoSense) {
  Tensor self = empty({2}, kFloat);
  expect_error([&] { uniform_(self, 1, 0); }, "uniform_: expected `from` <= `to`, got 1 and 0");
  expect_error([&] { normal_(self, 0, -1); }, "normal_: expected a standard deviation of 0 or more, got -1");
  expect_error([&] { bernoulli_(self, 1.5); }, "bernoulli_: expected a probability from 0 to 1, got 1.5");
  expect_error([&] { bernoulli_(self, tensor<float>({0.5, 2})); }, "expected a probability from 0 to 1, got 2");
  expect_error([&] { bernoulli_(self, tensor<int64_t>({0, 1})); }, "floating dtype, got `Long`");
  expect_error([&] { randperm(-1); }, "randperm: expected a number of 0 or more, got -1");
  expect_error([&] { randperm(300, TensorOptions(kByte)); },
               "expected a number that dtype `Byte` can count to, got 300");
  expect_error([&] { randint(3, 3, {2}); }, "randint: expected `low` < `high`, got 3 and 3");
  expect_error([&] { randint(300, {2}, TensorOptions(kByte)); }, "which dtype `Byte` can hold");
  Tensor integers = empty({2}, kLong);
  expect_error([&] { uniform_(integers); }, "uniform_");
  Tensor overlapping = as_strided(self, {2, 2}, {0, 1}, 0);
  expect_error([&] { uniform_(overlapping); }, "one memory location");
}

TEST(Exponential, HasItsDistribution) {
  Tensor self = empty({kCount}, kDouble);
  exponential_(self, 2, seeded());
  const std::vector<double> samples = to_vector<double>(self);
  EXPECT_LT(kolmogorov_distance(samples, [](double x) { return x < 0 ? 0 : 1 - std::exp(-2 * x); }), 1.95);
  expect_error([&] { exponential_(self, 0); }, "exponential_: expected a positive `lambd`, got 0");
}

TEST(Cauchy, HasItsDistribution) {
  Tensor self = empty({kCount}, kDouble);
  cauchy_(self, 3, 2, seeded());
  EXPECT_LT(kolmogorov_distance(to_vector<double>(self),
                                [](double x) { return 0.5 + std::atan((x - 3) / 2) / std::numbers::pi; }),
            1.95);
}

TEST(LogNormal, HasANormalLogarithm) {
  Tensor self = empty({kCount}, kDouble);
  log_normal_(self, 1, 0.5, seeded());
  EXPECT_LT(kolmogorov_distance(to_vector<double>(self),
                                [](double x) { return 0.5 * std::erfc((1 - std::log(x)) / 0.5 / std::sqrt(2.0)); }),
            1.95);
}

TEST(Geometric, CountsTrials) {
  Tensor self = empty({kCount}, kInt);
  geometric_(self, 0.25, seeded());
  std::vector<double> counts(4, 0);
  for (const int32_t trials : to_vector<int32_t>(self)) {
    ASSERT_GE(trials, 1);
    if (trials <= 4) ++counts[static_cast<size_t>(trials - 1)];
  }
  double expected = 0.25;
  for (const double count : counts) {
    EXPECT_NEAR(count / kCount, expected, 0.005);
    expected *= 0.75;
  }
}

TEST(Normal, TakesParametersFromTensors) {
  const Tensor mean = tensor<float>({100, -100});
  const Tensor near = normal(mean, tensor<float>({0.5}), seeded());
  EXPECT_NEAR(at<float>(near, {0}), 100, 5);
  EXPECT_NEAR(at<float>(near, {1}), -100, 5);
  EXPECT_EQ(to_vector<float>(normal(mean, 0.0)), to_vector<float>(mean));
  EXPECT_EQ(to_vector<float>(normal(7.0, tensor<float>({0, 0}))), (std::vector<float>{7, 7}));
  EXPECT_EQ(normal(0.0, 1.0, {2, 3}).sizes(), IntArrayRef({2, 3}));
}

TEST(RandintLike, StaysInItsRange) {
  const Tensor like = empty({1000}, kByte);
  for (const uint8_t value : to_vector<uint8_t>(randint_like(like, 5, 8))) EXPECT_TRUE(value >= 5 && value < 8);
  EXPECT_EQ(randint_like(like, 3, TensorOptions(kLong)).scalar_type(), kLong);
  EXPECT_EQ(randn_like(empty({2}, kDouble)).scalar_type(), kDouble);
}

TEST(Multinomial, DrawsByWeight) {
  const Tensor weights = tensor<float>({1, 0, 3, 0, 5, 0}, {2, 3});
  const Tensor drawn = multinomial(weights, 10000, true, seeded());
  EXPECT_EQ(drawn.sizes(), IntArrayRef({2, 10000}));
  double seconds = 0;
  for (int64_t i = 0; i < 10000; ++i) {
    ASSERT_NE(at<int64_t>(drawn, {0, i}), 1);
    ASSERT_EQ(at<int64_t>(drawn, {1, i}), 1);
    seconds += at<int64_t>(drawn, {0, i}) == 2;
  }
  EXPECT_NEAR(seconds / 10000, 0.75, 0.02);
  std::vector<int64_t> all = to_vector<int64_t>(multinomial(tensor<float>({1, 2, 3}), 3));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<int64_t>{0, 1, 2}));
  expect_error([&] { multinomial(weights, 4); }, "multinomial: expected at most 3 samples without replacement, got 4");
  expect_error([] { multinomial(tensor<float>({-1, 2}), 1); }, "expected finite weights of 0 or more");
  expect_error([] { multinomial(tensor<float>({0, 0}), 1); }, "expected a positive weight in each row");
}

TEST(Rrelu, DrawsSlopesOfNegativeElements) {
  const Tensor x = filled<float>({1000}, [](int64_t i) { return i % 2 == 0 ? -2.0F : 3.0F; });
  Tensor noise = empty({1000});
  const Tensor result = rrelu_with_noise(x, noise, 0.25, 0.5, true, seeded());
  double sum = 0;
  for (int64_t i = 0; i < 1000; ++i) {
    const float slope = at<float>(noise, {i});
    EXPECT_FLOAT_EQ(at<float>(result, {i}), slope * at<float>(x, {i}));
    if (i % 2 == 0) {
      EXPECT_TRUE(slope >= 0.25F && slope <= 0.5F) << slope;
      sum += slope;
    } else {
      EXPECT_EQ(slope, 1);
    }
  }
  EXPECT_NEAR(sum / 500, 0.375, 0.02);
  expect_elements<float>(rrelu_with_noise(x, noise, 0.25, 0.5), {1000},
                         [](const Index& index) { return index[0] % 2 == 0 ? -0.75 : 3; });
  Tensor slope = empty({1});
  expect_error([&] { rrelu_with_noise(x, slope, 0.25, 0.5, true); }, "expected `noise` of sizes [1000], got [1]");
}

TEST(Rrelu, IsComputedInPlace) {
  Tensor x = tensor<float>({-2, 4});
  Tensor noise = empty({2});
  rrelu_with_noise_(x, noise, 0.25, 0.5);
  EXPECT_EQ(to_vector<float>(x), (std::vector<float>{-0.75F, 4}));
}

TEST(Random, HasShorterForms) {
  Tensor self = zeros({50});
  Tensor expected = zeros({50});
  random_(expected, 0, 7, seeded());
  random_(self, 7, seeded());
  EXPECT_EQ(to_vector<float>(self), to_vector<float>(expected));
  random_(expected, 0, std::nullopt, seeded());
  random_(self, seeded());
  EXPECT_EQ(to_vector<float>(self), to_vector<float>(expected));
  Tensor out = empty({0});
  normal_(expected, 1, 2, seeded());
  EXPECT_EQ(to_vector<float>(normal_out(out, self, 1, 2, seeded())), to_vector<float>(expected));
  bernoulli_(expected, 0.25, seeded());
  EXPECT_EQ(to_vector<float>(bernoulli_out(out, self, 0.25, seeded())), to_vector<float>(expected));
  uniform_(expected, 0, 1, seeded());
  EXPECT_EQ(to_vector<float>(rand_like(self, seeded())), to_vector<float>(expected));
}

TEST(RandintLike, TakesItsBoundFromATensor) {
  const Tensor self = zeros({100}, kLong);
  const Tensor high = full({}, int64_t{3});
  EXPECT_EQ(to_vector<int64_t>(randint_like(self, high, seeded())),
            to_vector<int64_t>(randint_like(self, 3, seeded())));
  expect_error([&] { randint_like(self, zeros({2}, kLong), seeded()); }, "expected `high` to have 1 element");
}

TEST(Multinomial, WritesToAnOutput) {
  Tensor out = empty({0}, kLong);
  const Tensor weights = filled<float>({3}, [](int64_t i) { return i == 1 ? 1.0F : 0.0F; });
  expect_elements<int64_t>(multinomial_out(out, weights, 4, true), {4}, [](const Index&) { return 1; });
  Tensor in_float = empty({0});
  expect_error([&] { multinomial_out(in_float, weights, 4, true); }, "multinomial: expected `out` of dtype Long");
}

}  // namespace
}  // namespace structured
