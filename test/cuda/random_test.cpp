// Random numbers on CUDA devices: those that PyTorch prints on GPUs, and those of the Philox sequence at the positions
// that PyTorch's launches give to the elements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/cuda/device.h>
#include <structured/number/philox.h>
#include <structured/operators.h>
#include <structured/structured.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "compare_with_cpu.h"
#include "expect_error.h"

namespace {

using namespace structured;
using namespace structured::test;

TensorOptions options(ScalarType dtype = kFloat) { return TensorOptions(dtype, kDevice); }

template <class T>
std::vector<T> values_of(const Tensor& tensor) {
  return to_vector<T>(on(kCPU, tensor));
}

// Rounded as PyTorch prints them.
std::vector<double> printed(const Tensor& tensor) {
  std::vector<double> values;
  for (const float each : values_of<float>(tensor)) values.push_back(std::round(each * 1e4) / 1e4);
  return values;
}

// Threads that the device runs at once, in blocks of 256.
int64_t resident_threads() {
  const cuda::DeviceProperties& device = cuda::device_properties(0);
  return int64_t{device.multiprocessors} * (device.threads_per_multiprocessor / 256 * 256);
}

// Position of element `i` of `count`, where a block has `per_block` numbers.
struct Position {
  uint64_t round;
  uint64_t thread;
  int number;
};
Position position_of(int64_t i, int64_t count, int per_block) {
  const int64_t threads = std::min(resident_threads(), (count + 255) / 256 * 256);
  const int64_t step = i / threads;
  return {static_cast<uint64_t>(step / per_block), static_cast<uint64_t>(i % threads),
          static_cast<int>(step % per_block)};
}

// Block of the sequence of `seed`, whose first `skipped` rounds are used.
PhiloxBlock block_at(uint64_t seed, uint64_t skipped, const Position& position) {
  return philox(seed, skipped + position.round, position.thread);
}
uint32_t word_at(uint64_t seed, uint64_t skipped, const Position& position) {
  return block_at(seed, skipped, position).words[position.number];
}
uint64_t long_word_at(uint64_t seed, uint64_t skipped, const Position& position) {
  const PhiloxBlock block = block_at(seed, skipped, position);
  return uint64_t{block.words[2 * position.number]} << 32 | block.words[2 * position.number + 1];
}
float unit(uint32_t word) { return static_cast<float>(word) * 0x1p-32f + 0x1p-33f; }

TEST(CudaRandom, GivesTheNumbersThatPyTorchPrints) {
  manual_seed(0);
  EXPECT_THAT(printed(rand({10}, options())),
              testing::ElementsAre(0.3990, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967, 0.4150, 0.8203, 0.2290, 0.9096));
  EXPECT_THAT(printed(rand({10}, options())),
              testing::ElementsAre(0.9722, 0.7910, 0.4690, 0.3300, 0.3345, 0.3783, 0.7640, 0.6405, 0.1103, 0.3594));
  manual_seed(42);
  EXPECT_THAT(printed(rand({3, 4}, options())), testing::ElementsAre(0.6130, 0.0101, 0.3984, 0.0403, 0.1563, 0.4825,
                                                                     0.7362, 0.4060, 0.5189, 0.2867, 0.2416, 0.9228));
  manual_seed(42);
  EXPECT_THAT(printed(randn({12}, options())),
              testing::ElementsAre(0.1940, 2.1614, -0.1721, 0.8491, -1.9244, 0.6530, -0.6494, -0.8175, 0.5280, -1.2753,
                                   -1.6621, -0.3033));
  manual_seed(0);
  const std::vector<double> normal = printed(randn({8, 8}, options()));
  EXPECT_THAT(std::vector<double>(normal.begin() + 56, normal.end()),
              testing::ElementsAre(-0.5499, -0.3231, -0.5469, 0.9049, 0.2837, 0.1210, 0.4730, -1.0823));
}

TEST(CudaRandom, UsesAllWordsWhereADeviceDoesNotRunAllThreadsAtOnce) {
  const int64_t count = 5 * resident_threads() - 100;  // two rounds
  manual_seed(7);
  const std::vector<float> numbers = values_of<float>(rand({count}, options()));
  const std::vector<int64_t> small = values_of<int64_t>(randint(100, {count}, options(kLong)));
  const std::vector<int64_t> large = values_of<int64_t>(randint(int64_t{1} << 28, {count}, options(kLong)));
  const std::vector<double> wide = values_of<double>(rand({count}, options(kDouble)));
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Position four = position_of(i, count, 4), two = position_of(i, count, 2);
    ASSERT_EQ(numbers[at], unit(word_at(7, 0, four))) << i;
    ASSERT_EQ(small[at], word_at(7, 2, four) % 100) << i;
    ASSERT_EQ(large[at], static_cast<int64_t>(long_word_at(7, 4, two) % (1 << 28))) << i;
    const PhiloxBlock block = block_at(7, 7, two);
    const uint64_t bits = uint64_t{block.words[2 * two.number]} ^ uint64_t { block.words[2 * two.number + 1] } << 21;
    ASSERT_EQ(wide[at], std::fma(static_cast<double>(bits), 0x1p-53, 0x1p-54)) << i;
  }
  EXPECT_EQ(default_generator(kDevice).state().first, 10u);
}

TEST(CudaRandom, MapsUniformNumbers) {
  constexpr int64_t count = 700;
  const auto reset = [] { manual_seed(3); };
  Tensor result = empty({count}, options());
  std::vector<float> units;
  for (int64_t i = 0; i < count; ++i) units.push_back(unit(word_at(3, 0, position_of(i, count, 4))));
  const auto expect = [&](const Tensor& actual, const std::function<double(double)>& of_unit) {
    const std::vector<float> values = values_of<float>(actual);
    for (std::size_t i = 0; i < units.size(); ++i) {
      const double expected = of_unit(units[i]);
      ASSERT_NEAR(values[i], expected, 1e-4 * std::max(1.0, std::abs(expected))) << i;
    }
  };
  reset();
  expect(uniform_(result, -1, 3), [](double u) { return 4 * u - 1; });
  reset();
  expect(bernoulli_(result, 0.3), [](double u) { return u < 0.3f ? 1 : 0; });
  reset();
  expect(exponential_(result, 2), [](double u) { return -std::log(u) / 2; });
  reset();
  expect(cauchy_(result, 1, 0.5), [](double u) { return 1 + 0.5 * std::tan(3.14159265358979 * (u - 0.5)); });
  reset();
  expect(geometric_(result, 0.25), [](double u) { return std::ceil(std::log(u) / std::log(0.75)); });
  reset();
  const std::vector<float> normal = values_of<float>(randn({count}, options()));
  reset();
  const std::vector<float> log_normal = values_of<float>(log_normal_(result, 0.5, 0.25));
  for (std::size_t i = 0; i < normal.size(); ++i) {
    ASSERT_NEAR(log_normal[i], std::exp(0.5 + 0.25 * normal[i]), 1e-4 * log_normal[i]) << i;
  }
  reset();
  Tensor half = empty({count}, options(kHalf));
  uniform_(half, 0, 1);
  for (const float each : values_of<float>(structured::to(half, kFloat))) {
    ASSERT_GE(each, 0);
    ASSERT_LT(each, 1);
  }
}

TEST(CudaRandom, ComparesEachProbabilityWithItsNumber) {
  const Tensor probabilities = on(kDevice, div(add(sample({6, 5}), 8), 16));
  manual_seed(11);
  const Tensor drawn = bernoulli(probabilities);
  const std::vector<float> p = values_of<float>(probabilities), actual = values_of<float>(drawn);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_EQ(actual[i], unit(philox(11, 0, i / 4).words[i % 4]) <= p[i] ? 1 : 0) << i;
  }
  EXPECT_EQ(default_generator(kDevice).state().first, 3u);
  bernoulli(add(probabilities, 1));
  expect_error([] { cuda::synchronize(); }, "bernoulli_: expected probabilities from 0 to 1");
}

TEST(CudaRandom, CountsElementsInTheOrderOfMemory) {
  manual_seed(5);
  const std::vector<float> dense = values_of<float>(rand({35}, options()));
  for (const bool is_gapped : {false, true}) {
    manual_seed(5);
    const Tensor storage = zeros({5, 14}, options());
    Tensor transposed = is_gapped ? as_strided(storage, {7, 5}, {2, 14}) : as_strided(storage, {7, 5}, {1, 7});
    uniform_(transposed);
    EXPECT_EQ(values_of<float>(t(transposed)), dense) << is_gapped;
  }
}

template <class T>
void expect_dropout(int64_t count, int64_t start, int width) {
  const ScalarType dtype = scalar_type_of<T>;
  const double p = 0.3;
  const auto kept = static_cast<float>(1 - p);
  const Tensor whole = on(kDevice, sample({start + count}, dtype));
  const Tensor input = slice(whole, 0, start);
  manual_seed(9);
  const auto [result, mask] = native_dropout(input, p, true);
  const std::vector<uint8_t> actual = values_of<uint8_t>(structured::to(mask, kByte));
  const int64_t threads = std::min(resident_threads(), (count + 255) / 256 * 256);
  for (int64_t i = 0; i < count; ++i) {
    Position position = position_of(i, count, 4);
    if (width > 1) {
      const int64_t step = i / width / threads, neighbour = i % width, blocks = (width + 3) / 4;
      position = {static_cast<uint64_t>(step * blocks + neighbour / 4), static_cast<uint64_t>(i / width % threads),
                  static_cast<int>(neighbour % 4)};
    }
    ASSERT_EQ(actual[static_cast<std::size_t>(i)], unit(word_at(9, 0, position)) < kept ? 1 : 0)
        << dtype << ", element " << i << " of " << count;
  }
  const Tensor expected = div(mul(on(kCPU, input), on(kCPU, mask)), 1 - p);
  EXPECT_TRUE(allclose(on(kCPU, result), expected, tolerance_of(dtype), tolerance_of(dtype))) << dtype;
  EXPECT_EQ(default_generator(kDevice).state().first, static_cast<uint64_t>((count - 1) / (4 * threads) + 1));
  manual_seed(9);
  EXPECT_TRUE(equal(on(kCPU, dropout(input, p, true)), on(kCPU, result))) << "another operator, one kernel";
}

TEST(CudaRandom, DropsTheElementsThatPyTorchDrops) {
  expect_dropout<float>(1000, 0, 4);
  expect_dropout<float>(1000, 2, 2);
  expect_dropout<float>(1000, 1, 1);
  expect_dropout<float>(1002, 0, 2);
  expect_dropout<float>(5 * resident_threads(), 0, 4);
  expect_dropout<float>(5 * resident_threads() + 1, 0, 1);
  expect_dropout<Half>(1000, 0, 8);
  expect_dropout<BFloat16>(1004, 0, 4);
  expect_dropout<double>(1000, 0, 2);
  const auto [all, none] = native_dropout(on(kDevice, sample({4})), 1, true);
  EXPECT_EQ(values_of<float>(all), std::vector<float>(4, 0));
  expect_error([&] { native_dropout(all, 2, true); }, "native_dropout: expected a probability from 0 to 1, got 2");
}

// Order of keys with 23 random bits, in which the numbers with equal keys are shuffled.
std::vector<int64_t> permutation_of_1000(uint64_t seed, bool& has_equal_keys) {
  constexpr int64_t n = 1000;
  std::vector<uint64_t> keys;
  for (int64_t i = 0; i < n; ++i) {
    keys.push_back((long_word_at(seed, 0, position_of(i, n, 2)) % 0xffffffffu + 0x80000000u) & ((1 << 23) - 1));
  }
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  const auto key = [&](std::size_t i) { return keys[static_cast<std::size_t>(order[i])]; };
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (key(i) != key(i + 1)) continue;
    EXPECT_NE(i + 2 < order.size() ? key(i + 2) : 0, key(i)) << "a case of three that the test does not compute";
    has_equal_keys = true;
    if (philox(seed, 1, i).words[0] % 2 == 0) std::swap(order[i], order[i + 1]);
    ++i;
  }
  return order;
}

TEST(CudaRandom, PermutesByKeys) {
  bool has_equal_keys = false;
  for (const uint64_t seed : {1, 14}) {
    manual_seed(seed);
    EXPECT_EQ(values_of<int64_t>(randperm(1000, options(kLong))), permutation_of_1000(seed, has_equal_keys));
    EXPECT_EQ(default_generator(kDevice).state().first, 251u);
  }
  EXPECT_TRUE(has_equal_keys) << "the test is to cover them";
  const Tensor order = on(kCPU, randperm(50000, options(kInt)));  // keys of more than 32 bits
  EXPECT_TRUE(equal(std::get<0>(sort(order)), arange(50000, TensorOptions(kInt, kCPU))));
}

TEST(CudaRandom, HasTheMomentsOfTheNormalDistribution) {
  for (const ScalarType dtype : {kDouble, kFloat}) {
    const Tensor normal = on(kCPU, randn({20000}, options(dtype)));
    EXPECT_NEAR(mean(normal).item<double>(), 0, 0.03);
    EXPECT_NEAR(std::sqrt(var(normal).item<double>()), 1, 0.03);
  }
}

TEST(CudaRandom, ChoosesCategoriesWithoutReplacement) {
  const Tensor weights = on(kDevice, tensor<float>({0, 1, 2, 0, 3}));
  const std::vector<int64_t> chosen = values_of<int64_t>(multinomial(weights, 3));
  EXPECT_THAT(chosen, testing::UnorderedElementsAre(1, 2, 4));
}

}  // namespace
