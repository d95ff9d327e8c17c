// Batch, layer and group normalization.
#include <structured/ops/_batch_norm_with_update.h>
#include <structured/ops/_native_batch_norm_legit.h>
#include <structured/ops/_native_batch_norm_legit_no_training.h>
#include <structured/ops/batch_norm.h>
#include <structured/ops/group_norm.h>
#include <structured/ops/instance_norm.h>
#include <structured/ops/layer_norm.h>
#include <structured/ops/native_batch_norm.h>
#include <structured/ops/native_group_norm.h>
#include <structured/ops/native_layer_norm.h>
#include <structured/ops/renorm.h>
#include <structured/structured.h>

#include <cmath>
#include <tuple>

#include "kernels/expect.h"

namespace structured::normalization_test {
namespace {

using namespace test;

using Given = std::optional<Tensor>;

template <class T = float>
Tensor waves(IntArrayRef sizes, double offset = 3) {
  return filled<T>(sizes,
                   [offset](int64_t i) { return static_cast<T>(std::sin(static_cast<double>(i * i)) + offset); });
}

Tensor in_format(const Tensor& tensor, MemoryFormat format) {
  const Tensor result = empty(tensor.sizes(), tensor.options(), format);
  copy_into(result, tensor);
  return result;
}

// Returns mean and variance of the elements whose index satisfies `belongs`.
template <class T, class Belongs>
std::pair<double, double> moments(const Tensor& tensor, Belongs belongs) {
  double count = 0;
  double sum = 0;
  double squares = 0;
  for (const bool second : {false, true}) {
    const double mean = second ? sum / count : 0;
    for_each_index(tensor.sizes(), [&](const Index& i) {
      if (!belongs(i)) return;
      const auto x = static_cast<double>(at<T>(tensor, i));
      if (second) squares += (x - mean) * (x - mean);
      if (!second) sum += x;
      count += second ? 0 : 1;
    });
  }
  return {sum / count, squares / count};
}

template <class T>
void expect_batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  Tensor running_mean = waves<T>({input.size(1)}, 0);
  Tensor running_var = waves<T>({input.size(1)}, 2);
  const std::vector<T> old_mean = to_vector<T>(running_mean);
  const std::vector<T> old_var = to_vector<T>(running_var);
  const auto [out, mean, factor] = native_batch_norm(input, weight, bias, running_mean, running_var, true, 0.25, 1e-3);
  EXPECT_EQ(out.strides(), input.is_contiguous() ? contiguous_strides(input.sizes()) : DimVector(out.strides()));
  const double count = static_cast<double>(input.numel() / input.size(1));
  for (int64_t c = 0; c < input.size(1); ++c) {
    const auto of_channel = [c](const Index& i) { return i[1] == c; };
    const auto [m, v] = moments<T>(input, of_channel);
    EXPECT_NEAR(at<T>(mean, {c}), m, 1e-5);
    EXPECT_NEAR(at<T>(factor, {c}), 1 / std::sqrt(v + 1e-3), 1e-5);
    EXPECT_NEAR(at<T>(running_mean, {c}), 0.75 * old_mean[static_cast<size_t>(c)] + 0.25 * m, 1e-5);
    EXPECT_NEAR(at<T>(running_var, {c}), 0.75 * old_var[static_cast<size_t>(c)] + 0.25 * v * count / (count - 1), 1e-5);
  }
  expect_elements<T>(
      out, input.sizes(),
      [&](const Index& i) {
        const double x = (static_cast<double>(at<T>(input, i)) - at<T>(mean, {i[1]})) * at<T>(factor, {i[1]});
        return x * at<T>(weight, {i[1]}) + at<T>(bias, {i[1]});
      },
      1e-5);
}

TEST(BatchNorm, TakesTheStatisticsOfTheBatchInAnyLayout) {
  const Tensor weight = waves({3}, 1);
  const Tensor bias = waves({3}, -2);
  const Tensor input = waves({4, 3, 5, 7});
  for (const Tensor& x : {input, in_format(input, MemoryFormat::ChannelsLast), strided(input)}) {
    expect_batch_norm<float>(x, weight, bias);
  }
  expect_batch_norm<float>(waves({40, 3}), weight, bias);
  expect_batch_norm<double>(waves<double>({2, 3, 3000}), waves<double>({3}), waves<double>({3}));
}

TEST(BatchNorm, KeepsTheMemoryFormat) {
  const Tensor input = in_format(waves({2, 3, 4, 5}), MemoryFormat::ChannelsLast);
  const Tensor out = batch_norm(input, Given(), Given(), Given(), Given(), true, 0.1, 1e-5, false);
  EXPECT_TRUE(out.is_contiguous(MemoryFormat::ChannelsLast));
}

TEST(BatchNorm, TakesRunningStatisticsOutsideOfTraining) {
  const Tensor input = waves({2, 3, 4});
  const Tensor mean = waves({3}, 0);
  const Tensor var = waves({3}, 2);
  const auto [out, save_mean, save_invstd] = native_batch_norm(input, Given(), Given(), mean, var, false, 0.1, 1e-5);
  EXPECT_EQ(save_mean.numel(), 0);
  EXPECT_EQ(save_invstd.numel(), 0);
  expect_elements<float>(
      out, {2, 3, 4},
      [&](const Index& i) {
        return (at<float>(input, i) - at<float>(mean, {i[1]})) / std::sqrt(at<float>(var, {i[1]}) + 1e-5);
      },
      1e-5);
}

TEST(BatchNorm, IsAccurateFarFrom0) {
  const Tensor input = waves({8, 2, 1000}, 1e4);
  const auto [out, mean, factor] = native_batch_norm(input, Given(), Given(), Given(), Given(), true, 0.1, 0);
  for (int64_t c = 0; c < 2; ++c) {
    const auto [m, v] = moments<float>(input, [c](const Index& i) { return i[1] == c; });
    EXPECT_NEAR(at<float>(factor, {c}), 1 / std::sqrt(v), 1e-4);
  }
}

TEST(BatchNorm, ComputesHalvesInFloatWithParametersInFloat) {
  const Tensor input = filled<Half>({2, 2, 2}, [](int64_t i) { return Half(static_cast<float>(i)); });
  const auto [out, mean, factor] = native_batch_norm(input, waves({2}), waves({2}), Given(), Given(), true, 0.1, 1e-5);
  EXPECT_EQ(out.dtype(), kHalf);
  EXPECT_EQ(mean.dtype(), kFloat);
  EXPECT_EQ(at<float>(mean, {1}), 4.5f);
}

TEST(BatchNorm, HasAShapeOnMetaAndEmptyResults) {
  const Tensor shape = empty({2, 3, 4, 5}, kMeta);
  EXPECT_EQ(std::get<1>(native_batch_norm(shape, Given(), Given(), Given(), Given(), true, 0.1, 1e-5)).sizes(),
            IntArrayRef({3}));
  EXPECT_EQ(batch_norm(empty({0, 3}), Given(), Given(), Given(), Given(), true, 0.1, 1e-5, false).sizes(),
            IntArrayRef({0, 3}));
}

TEST(BatchNorm, RefusesWhatDoesNotFit) {
  const auto call = [](const Tensor& input, const Given& weight, bool training) {
    return [=] { batch_norm(input, weight, Given(), Given(), Given(), training, 0.1, 1e-5, false); };
  };
  expect_error(call(waves({3}), Given(), true), "expected `input` to have 2 dimensions or more, got 1");
  expect_error(call(waves({2, 3}), waves({2}), true), "expected `weight` to have sizes [3], got [2]");
  expect_error(call(waves({2, 3}), waves<double>({3}), true), "expected `weight` of dtype Float, got Double");
  expect_error(call(waves({2, 3}), Given(), false), "expected `running_mean` and `running_var`");
  expect_error(call(counting<int64_t>({2, 3}), Given(), true), "native_batch_norm: expected dtype");
}

TEST(InstanceNorm, NormalisesEachSample) {
  const Tensor input = waves({2, 3, 10});
  Tensor running = waves({3}, 0);
  const std::vector<float> before = to_vector<float>(running);
  Tensor var = waves({3}, 2);
  const Tensor out = instance_norm(input, Given(), Given(), running, var, true, 0.5, 1e-5, false);
  double sum_of_means = 0;
  for (int64_t n = 0; n < 2; ++n) {
    const auto [m, v] = moments<float>(input, [n](const Index& i) { return i[0] == n && i[1] == 1; });
    sum_of_means += m;
    EXPECT_NEAR(at<float>(out, {n, 1, 4}), (at<float>(input, {n, 1, 4}) - m) / std::sqrt(v + 1e-5), 1e-5);
  }
  EXPECT_NEAR(at<float>(running, {1}), 0.5 * before[1] + 0.25 * sum_of_means, 1e-5);
}

template <class T>
void expect_layer_norm(const Tensor& input, const Given& weight, const Given& bias) {
  const auto [out, mean, factor] = native_layer_norm(input, {input.size(-1)}, weight, bias, 1e-5);
  Index kept(input.sizes().begin(), input.sizes().end());
  kept.back() = 1;
  EXPECT_EQ(mean.sizes(), IntArrayRef(kept));
  EXPECT_TRUE(out.is_contiguous());
  expect_elements<T>(
      out, input.sizes(),
      [&](const Index& i) {
        Index row = i;
        row.back() = 0;
        const auto [m, v] =
            moments<T>(input, [&i](const Index& j) { return std::equal(i.begin(), i.end() - 1, j.begin()); });
        EXPECT_NEAR(at<T>(mean, row), m, 1e-5);
        EXPECT_NEAR(at<T>(factor, row), 1 / std::sqrt(v + 1e-5), 1e-4);
        const double x = (static_cast<double>(at<T>(input, i)) - m) / std::sqrt(v + 1e-5);
        return x * (weight ? at<T>(*weight, {i.back()}) : 1) + (bias ? at<T>(*bias, {i.back()}) : 0);
      },
      2e-5);
}

TEST(LayerNorm, NormalisesTheLastDimensions) {
  for (const int64_t size : {3, 100}) {
    const Tensor input = waves({2, 2, size});
    for (const Given& weight : {Given(), Given(waves({size}, 1))}) {
      for (const Given& bias : {Given(), Given(strided(waves({size}, 0)))}) {
        expect_layer_norm<float>(input, weight, bias);
        expect_layer_norm<float>(strided(input), weight, bias);
      }
    }
  }
  expect_layer_norm<double>(waves<double>({2, 5}), waves<double>({5}), Given());
  EXPECT_EQ(layer_norm(waves({2, 3, 4}), {3, 4}).sizes(), IntArrayRef({2, 3, 4}));
  EXPECT_EQ(layer_norm(empty({0, 3}), {3}).sizes(), IntArrayRef({0, 3}));
}

TEST(LayerNorm, RefusesWhatDoesNotFit) {
  expect_error([] { layer_norm(waves({2, 3}), IntArrayRef()); }, "1 dimension or more, got none");
  expect_error([] { layer_norm(waves({2, 3}), {2}); }, "expected the last sizes of `input` to be `normalized_shape`");
  expect_error([] { layer_norm(waves({2, 3}), {3}, waves({2})); }, "expected `weight` to have sizes [3], got [2]");
  expect_error([] { layer_norm(counting<int64_t>({2, 3}), {3}); }, "native_layer_norm: expected dtype");
}

TEST(Renorm, ShortensWhatIsTooLong) {
  const Tensor self = tensor<float>({3, 4, 0.3f, 0.4f}, {2, 2});
  expect_elements<float>(
      renorm(self, 2, 0, 1), {2, 2}, [&](const Index& i) { return at<float>(self, i) / (i[0] == 0 ? 5 : 1); }, 1e-6);
  Tensor written = filled<Half>({2, 2}, [](int64_t) { return Half(2); });
  renorm_(written, 1, -1, 2);
  EXPECT_EQ(static_cast<float>(at<Half>(written, {1, 1})), 1);
  const Tensor turned = filled<Complex<float>>({1, 2}, [](int64_t i) { return Complex<float>(0, i == 0 ? 3 : 4); });
  EXPECT_NEAR(at<Complex<float>>(renorm(turned, 2, 0, 1), {0, 1}).imag(), 0.8, 1e-6);
  expect_error([&] { renorm(self, 0, 0, 1); }, "renorm: expected a positive `p`, got 0");
  expect_error([&] { renorm(self, 2, 0, -1); }, "expected a `maxnorm` of 0 or more");
  expect_error([&] { renorm(self, 2, 2, 1); }, "expected a dimension from -2 to 1, got 2");
}

TEST(BatchNorm, SaysWhatItWrites) {
  const Tensor input = waves({4, 3, 2});
  Tensor mean = waves({3}, 1);
  Tensor variance = filled<float>({3}, [](int64_t i) { return static_cast<float>(i) + 1; });
  const auto fixed = _native_batch_norm_legit_no_training(input, {}, {}, mean, variance, 0.5, 1e-5);
  const auto alone = _native_batch_norm_legit(input, {}, {}, true, 0.5, 1e-5);
  const auto same = native_batch_norm(input, {}, {}, mean, variance, false, 0.5, 1e-5);
  const float before = at<float>(mean, {1});
  const auto trained = _native_batch_norm_legit(input, {}, {}, mean, variance, true, 0.5, 1e-5);
  EXPECT_FLOAT_EQ(at<float>(mean, {1}), 0.5F * before + 0.5F * at<float>(std::get<1>(trained), {1}));
  expect_elements<float>(std::get<0>(fixed), input.sizes(),
                         [&](const Index& i) { return at<float>(std::get<0>(same), i); });
  expect_elements<float>(std::get<0>(alone), input.sizes(),
                         [&](const Index& i) { return at<float>(std::get<0>(trained), i); });
  expect_error([&] { _native_batch_norm_legit(input, {}, {}, false, 0.5, 1e-5); }, "expected `running_mean`");
}

TEST(GroupNorm, NormalisesGroupsOfChannels) {
  const Tensor weight = waves({6}, 1);
  const Tensor bias = waves({6}, -2);
  const Tensor image = waves({2, 6, 5, 3});
  for (const Tensor& input : {image, in_format(image, MemoryFormat::ChannelsLast), waves({2, 6})}) {
    const auto [out, mean, factor] = native_group_norm(input, weight, bias, 2, 6, input.numel() / 12, 3, 1e-5);
    EXPECT_EQ(out.strides(), input.strides());
    expect_elements<float>(
        out, input.sizes(),
        [&](const Index& i) {
          const auto [m, v] =
              moments<float>(input, [&i](const Index& j) { return i[0] == j[0] && i[1] / 2 == j[1] / 2; });
          EXPECT_NEAR(at<float>(mean, {i[0], i[1] / 2}), m, 1e-5);
          return (at<float>(input, i) - m) / std::sqrt(v + 1e-5) * at<float>(weight, {i[1]}) + at<float>(bias, {i[1]});
        },
        1e-4);
  }
  expect_error([&] { group_norm(image, 4); }, "expected `num_groups` to divide the number of channels, got 4 for 6");
  expect_error([&] { native_group_norm(image, Given(), Given(), 2, 6, 14, 3, 1e-5); }, "2 * 6 * 14 elements, got 180");
}

TEST(BatchNorm, UpdatesStatisticsAndReturnsAnEmptyReserve) {
  const Tensor x = counting<float>({4, 2});
  Tensor mean = full({2}, 0.0);
  Tensor variance = full({2}, 1.0);
  const auto [result, save_mean, save_deviation, reserve] =
      _batch_norm_with_update(x, std::nullopt, std::nullopt, mean, variance, 0.5, 0);
  expect_elements<float>(
      result, {4, 2}, [](const Index& at) { return (2 * static_cast<double>(at[0]) - 3) / std::sqrt(5.0); }, 1e-6);
  expect_elements<float>(save_mean, {2}, [](const Index& at) { return 3 + static_cast<double>(at[0]); }, 1e-6);
  expect_elements<float>(mean, {2}, [](const Index& at) { return (3 + static_cast<double>(at[0])) / 2; }, 1e-6);
  EXPECT_EQ(reserve.scalar_type(), kByte);
  EXPECT_EQ(reserve.numel(), 0);
}

}  // namespace
}  // namespace structured::normalization_test
