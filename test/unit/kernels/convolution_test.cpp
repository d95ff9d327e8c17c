// Convolution with each algorithm.
#include "cpu/convolution.h"

#include <structured/device/simd_level.h>
#include <structured/ops/col2im.h>
#include <structured/ops/conv1d.h>
#include <structured/ops/conv2d.h>
#include <structured/ops/conv3d.h>
#include <structured/ops/conv_transpose2d.h>
#include <structured/ops/convolution.h>
#include <structured/ops/convolution_backward.h>
#include <structured/ops/im2col.h>
#include <structured/ops/to.h>
#include <structured/structured.h>

#include <cmath>

#include "kernels/expect.h"

namespace structured::convolution_test {
namespace {

using namespace test;
using kernels::ConvArguments;
using kernels::ConvBackend;

template <class T>
Tensor waves(IntArrayRef sizes) {
  return filled<T>(sizes, [](int64_t i) { return static_cast<T>(4 * std::sin(static_cast<double>(i * i))); });
}

struct Case {
  Index input;
  Index weight;
  Index stride = {1};
  Index padding = {0};
  Index dilation = {1};
  int64_t groups = 1;
  Index output_padding = {0};

  ConvArguments arguments(bool transposed) const {
    return {stride, padding, dilation, transposed, output_padding, groups};
  }
};

int64_t element(const Index& list, size_t d) { return list.size() == 1 ? list[0] : list[d]; }

// Calls `visit(window, position, tap)` for each kernel element of each window that lies inside the input.
void for_each_term(const Case& c, IntArrayRef windows, IntArrayRef positions, IntArrayRef kernel,
                   const std::function<void(const Index&, const Index&, const Index&)>& visit) {
  for_each_index(windows, [&](const Index& window) {
    for_each_index(kernel, [&](const Index& tap) {
      Index position;
      for (size_t d = 0; d < tap.size(); ++d) {
        position.push_back(window[d] * element(c.stride, d) - element(c.padding, d) + tap[d] * element(c.dilation, d));
        if (position[d] < 0 || position[d] >= positions[d]) return;
      }
      visit(window, position, tap);
    });
  });
}

Index joined(int64_t first, int64_t second, const Index& rest) {
  Index result{first, second};
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

// Computes the convolution by definition, in double, with the sizes of `result`.
template <class T>
Tensor expected(const Case& c, bool transposed, const Tensor& input, const Tensor& weight, const Tensor& bias,
                const Tensor& result) {
  const auto spatial = [](const Tensor& tensor) { return Index(tensor.sizes().begin() + 2, tensor.sizes().end()); };
  const Tensor sums = filled<double>(result.sizes(), [](int64_t) { return 0.0; });
  const auto at_sum = [&](const Index& i) -> double& {
    double* place = sums.data_ptr<double>();
    for (size_t d = 0; d < i.size(); ++d) place += i[d] * sums.strides()[d];
    return *place;
  };
  const int64_t in_channels = input.size(1) / c.groups;
  const int64_t out_channels = result.size(1) / c.groups;
  for (int64_t n = 0; n < input.size(0); ++n) {
    for (int64_t group = 0; group < c.groups; ++group) {
      for (int64_t o = 0; o < out_channels; ++o) {
        for (int64_t i = 0; i < in_channels; ++i) {
          const int64_t from = group * in_channels + i;
          const int64_t to = group * out_channels + o;
          for_each_term(c, spatial(transposed ? input : result), spatial(transposed ? result : input), spatial(weight),
                        [&](const Index& window, const Index& position, const Index& tap) {
                          const Index source = joined(n, from, transposed ? window : position);
                          const Index factor = transposed ? joined(from, o, tap) : joined(to, i, tap);
                          at_sum(joined(n, to, transposed ? position : window)) +=
                              static_cast<double>(at<T>(input, source)) * static_cast<double>(at<T>(weight, factor));
                        });
        }
      }
    }
  }
  for_each_index(result.sizes(), [&](const Index& i) {
    if (bias.defined()) at_sum(i) += static_cast<double>(at<T>(bias, {i[1]}));
  });
  return sums;
}

template <class T>
void expect_convolution(const Case& c, bool transposed = false, double tolerance = 5e-5) {
  const Tensor input = waves<T>(c.input);
  const Tensor weight = waves<T>(c.weight);
  const Tensor bias = waves<T>({transposed ? c.weight[1] * c.groups : c.weight[0]});
  const ConvArguments a = c.arguments(transposed);
  const Tensor result =
      convolution(input, weight, bias, a.stride, a.padding, a.dilation, transposed, a.output_padding, a.groups);
  const Tensor sums = expected<T>(c, transposed, input, weight, bias, result);
  const auto check = [&](const Tensor& actual) {
    expect_elements<T>(actual, result.sizes(), [&](const Index& i) { return at<double>(sums, i); }, tolerance);
  };
  check(result);
  if (input.dim() == 4) {
    check(convolution(channels_last(input), channels_last(weight), bias, a.stride, a.padding, a.dilation, transposed,
                      a.output_padding, a.groups));
  }
  check(convolution(strided(input), strided(weight), bias, a.stride, a.padding, a.dilation, transposed,
                    a.output_padding, a.groups));
  std::vector<ConvBackend> backends{transposed ? ConvBackend::col2im : ConvBackend::im2col};
  const bool has_one_input = transposed ? c.weight[0] == c.groups : true;
  if (c.weight[1] == 1 && has_one_input && std::is_floating_point_v<T>) backends.push_back(ConvBackend::depthwise);
  if (std::is_same_v<T, float> && simd_level() != SimdLevel::baseline) {
    backends.push_back(ConvBackend::direct_nhwc);
    if (!transposed) backends.push_back(ConvBackend::implicit_gemm);
  }
  for (const ConvBackend backend : backends) {
    const Tensor out = empty(result.sizes(), result.options());
    kernels::convolve(backend, input, weight, bias, a, out);
    check(out);
    const Tensor gaps = strided(out);
    kernels::convolve(backend, strided(input), weight, Tensor(), a, gaps);
    const Tensor without = expected<T>(c, transposed, input, weight, Tensor(), result);
    expect_elements<T>(gaps, result.sizes(), [&](const Index& i) { return at<double>(without, i); }, tolerance);
  }
}

const Case kCases[] = {
    {{2, 3, 10}, {5, 3, 3}, {1}, {1}},
    {{1, 4, 9}, {6, 2, 4}, {2}, {3}, {2}, 2},
    {{2, 3, 8, 9}, {11, 3, 3, 3}, {1}, {1}},
    {{1, 3, 23, 30}, {9, 3, 7, 7}, {2}, {3}},
    {{1, 5, 9, 11}, {3, 5, 1, 1}},
    {{1, 5, 9, 11}, {13, 5, 1, 1}, {2}},
    {{2, 6, 7, 5}, {6, 1, 3, 3}, {1}, {1}, {1}, 6},
    {{1, 4, 12, 13}, {8, 1, 3, 2}, {2, 3}, {1, 0}, {2, 3}, 4},
    {{1, 2, 8, 8}, {2, 1, 3, 3}, {5, 5}, {2, 2}, {1, 1}, 2},
    {{1, 4, 10, 12}, {4, 2, 3, 3}, {3, 2}, {2, 1}, {1, 2}, 2},
    {{1, 2, 5, 6, 7}, {3, 2, 3, 2, 3}, {1, 2, 1}, {1, 0, 1}, {1, 1, 2}},
    {{1, 1, 1, 200}, {2, 1, 1, 5}, {1}, {0, 2}},
    {{1, 2, 6, 6}, {3, 2, 6, 6}},
    {{0, 2, 6, 6}, {3, 2, 3, 3}},
    {{1, 2, 24, 24}, {3, 2, 3, 3}, {1}, {1}},
};

// Output channels of more than one panel, and factors of more than one part.
const Case kManyChannels = {{2, 130, 3, 2}, {70, 130, 3, 3}, {1}, {1}};

const Case kTransposedCases[] = {
    {{1, 3, 4}, {3, 3, 3}, {2}, {2}, {1}, 1, {1}},
    {{2, 2, 4, 4}, {2, 2, 4, 5}, {3, 2}, {1, 2}, {4, 4}, 2, {2, 3}},
    {{1, 20, 8, 8}, {20, 10, 2, 2}, {2}},
    {{1, 1, 4, 5, 2}, {1, 1, 4, 3, 1}, {2}, {1}, {2, 3, 2}, 1, {1}},
    {{2, 4, 5, 6}, {4, 1, 3, 3}, {2}, {1}, {1}, 4, {1}},
    {{1, 3, 4, 5}, {3, 1, 5, 4}, {3, 2}, {2, 1}, {1, 2}, 3},
};

// Rows, or channels, that fill several vectors.
const Case kDepthwiseCases[] = {
    {{1, 4, 7, 71}, {4, 1, 3, 3}, {1}, {1}, {1}, 4},
    {{1, 4, 5, 150}, {8, 1, 3, 3}, {2}, {1}, {1}, 4},
    {{2, 91, 6, 7}, {91, 1, 5, 3}, {1}, {2}, {1}, 91},
    {{1, 150, 7, 6}, {150, 1, 3, 3}, {2}, {1}, {1}, 150},
    {{1, 3, 4, 5, 6}, {3, 1, 2, 3, 2}, {1, 2, 1}, {1}, {1}, 3},
};

// Expects the gradients of Float tensors of each layout to equal those of Double tensors.
void expect_gradients(const Case& c, bool transposed = false) {
  const ConvArguments a = c.arguments(transposed);
  const auto call = [&](const Tensor& g, const Tensor& x, const Tensor& w) {
    return convolution_backward(g, x, w, std::nullopt, a.stride, a.padding, a.dilation, transposed, a.output_padding,
                                a.groups, {true, true, false});
  };
  const Tensor input = waves<float>(c.input);
  const Tensor weight = waves<float>(c.weight);
  const Tensor g = waves<float>(
      convolution(input, weight, {}, a.stride, a.padding, a.dilation, transposed, a.output_padding, a.groups).sizes());
  const auto [dx, dw, db] = call(to(g, kDouble), to(input, kDouble), to(weight, kDouble));
  const auto check = [&](const std::tuple<Tensor, Tensor, Tensor>& actual) {
    expect_elements<float>(std::get<0>(actual), dx.sizes(), [&](const Index& i) { return at<double>(dx, i); }, 1e-3);
    expect_elements<float>(std::get<1>(actual), dw.sizes(), [&](const Index& i) { return at<double>(dw, i); }, 1e-3);
  };
  check(call(g, input, weight));
  check(call(strided(g), strided(input), strided(weight)));
  if (input.dim() == 4) check(call(channels_last(g), channels_last(input), channels_last(weight)));
}

TEST(Convolution, IsTheSameByAllWays) {
  expect_convolution<float>(kManyChannels, false, 1e-3);
  for (const Case& c : kCases) {
    SCOPED_TRACE(::testing::PrintToString(c.input) + ::testing::PrintToString(c.weight));
    expect_convolution<float>(c);
    expect_convolution<double>(c);
  }
  expect_convolution<int64_t>(kCases[2]);
}

TEST(Convolution, IsTheSameWithAllVectorInstructions) {
  const SimdLevel before = simd_level();
  for (int level = 0; level <= static_cast<int>(best_simd_level()); ++level) {
    set_simd_level(static_cast<SimdLevel>(level));
    expect_convolution<float>(kCases[2]);
    expect_convolution<float>(kCases[3]);
    expect_convolution<float>(kManyChannels, false, 1e-3);
    expect_convolution<float>(kTransposedCases[2], true);
    expect_gradients(kCases[2]);
    expect_gradients(kManyChannels);
    for (const Case& c : kDepthwiseCases) {
      expect_convolution<float>(c);
      expect_convolution<double>(c);
      expect_gradients(c);
    }
    for (const Case& c : {kTransposedCases[4], kTransposedCases[5]}) {
      expect_convolution<float>(c, true);
      expect_gradients(c, true);
    }
  }
  set_simd_level(before);
}

TEST(Convolution, TransposedIsTheSameAsItsDefinition) {
  for (const Case& c : kTransposedCases) {
    expect_convolution<float>(c, true);
    expect_convolution<double>(c, true);
    expect_convolution<int64_t>(c, true);
  }
}

TEST(Convolution, HasTheSameGradientsInEachLayout) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(::testing::PrintToString(c.input) + ::testing::PrintToString(c.weight));
    expect_gradients(c);
  }
  for (const Case& c : kTransposedCases) expect_gradients(c, true);
  expect_gradients(kManyChannels);
}

TEST(Convolution, ChoosesBySizesAndTypes) {
  const auto backend = [](const Case& c, TensorOptions options = kFloat, bool transposed = false) {
    return kernels::conv_backend(empty(c.input, options), empty(c.weight, options), c.arguments(transposed));
  };
  const ConvBackend best = simd_level() == SimdLevel::baseline ? ConvBackend::im2col : ConvBackend::implicit_gemm;
  EXPECT_EQ(backend({{1, 64, 56, 56}, {64, 64, 3, 3}, {1}, {1}}), best);
  EXPECT_EQ(backend({{1, 64, 56, 56}, {64, 64, 3, 3}, {1}, {1}}, kDouble), ConvBackend::im2col);
  EXPECT_EQ(backend({{1, 64, 56, 56}, {64, 1, 3, 3}, {1}, {1}, {1}, 64}, kDouble), ConvBackend::depthwise);
  EXPECT_EQ(backend({{1, 64, 56, 56}, {64, 1, 3, 3}, {1}, {1}, {1}, 64}), ConvBackend::depthwise);
  EXPECT_EQ(backend({{1, 64, 56, 56}, {64, 1, 2, 2}, {2}, {0}, {1}, 64}, kFloat, true), ConvBackend::depthwise);
  EXPECT_EQ(backend({{1, 64, 6, 6}, {64, 64, 6, 6}}), ConvBackend::im2col);
  const ConvBackend transposed = best == ConvBackend::im2col ? ConvBackend::col2im : ConvBackend::direct_nhwc;
  EXPECT_EQ(backend({{1, 64, 6, 6}, {64, 64, 2, 2}, {2}}, kFloat, true), transposed);
  EXPECT_EQ(backend({{1, 64, 6, 6}, {64, 2, 2, 2}, {2}}, kFloat, true), ConvBackend::col2im);
  EXPECT_EQ(backend({{1, 1, 1, 100}, {1, 1, 1, 1}, {int64_t{1} << 40}}), ConvBackend::im2col);
  const auto last = [](IntArrayRef input, IntArrayRef weight) {
    return kernels::conv_backend(channels_last(empty(input)), empty(weight), Case{{}, {}, {1}, {1}}.arguments(false));
  };
  const bool has_loops = simd_level() != SimdLevel::baseline;
  EXPECT_EQ(last({1, 64, 56, 56}, {64, 64, 3, 3}), has_loops ? ConvBackend::direct_nhwc : ConvBackend::im2col);
  EXPECT_EQ(last({1, 64, 56, 56}, {1, 64, 1, 1}), has_loops ? ConvBackend::direct_nhwc : ConvBackend::im2col);
  EXPECT_EQ(last({1, 64, 56, 56}, {3, 64, 3, 3}), best);    // few lanes of a vector would be used
  EXPECT_EQ(last({1, 512, 7, 7}, {512, 512, 3, 3}), best);  // rearranging the weights takes longer
}

TEST(Convolution, KeepsTheMemoryFormatAndHasAShapeOnMeta) {
  const Tensor dense = waves<float>({2, 4, 6, 6});
  const Tensor input = channels_last(dense);
  const Tensor weight = waves<float>({3, 4, 3, 3});
  const Tensor result = conv2d(input, weight);
  EXPECT_TRUE(result.is_contiguous(MemoryFormat::ChannelsLast));
  expect_elements<float>(result, {2, 3, 4, 4}, [&](const Index& i) { return at<float>(conv2d(dense, weight), i); });
  EXPECT_EQ(conv2d(empty({1, 3, 224, 224}, kMeta), empty({64, 3, 7, 7}, kMeta), {}, 2, 3).sizes(),
            IntArrayRef({1, 64, 112, 112}));
}

TEST(Convolution, TakesOneSampleAndNamedPadding) {
  const Tensor input = waves<float>({2, 7});
  const Tensor weight = waves<float>({3, 2, 4});
  EXPECT_EQ(conv1d(input, weight).sizes(), IntArrayRef({3, 4}));
  const Tensor same = conv1d(input, weight, {}, 1, std::string_view("same"));
  EXPECT_EQ(same.sizes(), IntArrayRef({3, 7}));
  const Tensor padded = conv1d(input, weight, {}, 1, 2);  // one more window at the start
  expect_elements<float>(same, {3, 7}, [&](const Index& i) { return at<float>(padded, {i[0], i[1] + 1}); }, 1e-6);
  expect_error([&] { conv1d(input, weight, {}, 2, std::string_view("same")); }, "expected a `stride` of 1");
  expect_error([&] { conv1d(input, weight, {}, 1, std::string_view("full")); }, "to be \"valid\" or \"same\"");
  EXPECT_EQ(conv_transpose2d(waves<float>({4, 5, 5}), waves<float>({4, 2, 2, 2}), {}, 2).sizes(),
            IntArrayRef({2, 10, 10}));
}

TEST(Convolution, ComputesHalvesInFloat) {
  const Tensor ones = filled<Half>({1, 1, 1, 3000}, [](int64_t) { return Half(1); });
  EXPECT_EQ(static_cast<float>(at<Half>(conv2d(ones, ones), {0, 0, 0, 0})), 3000);
}

TEST(Windows, AreWrittenAsColumnsAndAddedUpAgain) {
  const Tensor image = waves<float>({2, 3, 5, 6});
  const Tensor columns = im2col(image, {3, 2}, {1, 2}, {1, 0}, {2, 1});
  ASSERT_EQ(columns.sizes(), IntArrayRef({2, 18, 12}));
  expect_elements<float>(columns, {2, 18, 12}, [&](const Index& i) {
    const int64_t y = i[2] / 4 * 2 + i[1] % 6 / 2 - 1;
    const int64_t x = i[2] % 4 + i[1] % 2 * 2;
    return y < 0 || y >= 5 ? 0.0 : at<float>(image, {i[0], i[1] / 6, y, x});
  });
  // Each element is returned as many times as windows contain it.
  const Tensor ones = filled<float>({2, 18, 12}, [](int64_t) { return 1; });
  const Tensor sums = col2im(columns, {5, 6}, {3, 2}, {1, 2}, {1, 0}, {2, 1});
  const Tensor counts = col2im(ones, {5, 6}, {3, 2}, {1, 2}, {1, 0}, {2, 1});
  expect_elements<float>(
      sums, {2, 3, 5, 6}, [&](const Index& i) { return at<float>(image, i) * at<float>(counts, i); }, 1e-6);
  EXPECT_EQ(im2col(empty({0, 3, 5, 6}), {2, 2}, {1, 1}, {0, 0}, {1, 1}).sizes(), IntArrayRef({0, 12, 20}));
  expect_error([&] { im2col(image, {6, 2}, {1, 1}, {0, 0}, {1, 1}); }, "no smaller than a window");
  expect_error([&] { im2col(image, {2, 2}, {1, 1}, {0, 0}, {0, 1}); }, "im2col: expected `stride` of 1 or more");
  expect_error([&] { col2im(ones, {5, 6}, {4, 2}, {1, 2}, {1, 0}, {2, 1}); }, "a multiple of 8 rows of windows");
  expect_error([&] { col2im(ones, {5, 7}, {3, 2}, {1, 2}, {1, 0}, {2, 1}); }, "expected 15 windows");
}

TEST(Convolution, RefusesWhatDoesNotFit) {
  const Tensor input = waves<float>({1, 4, 6, 6});
  const Tensor weight = waves<float>({2, 4, 3, 3});
  const auto call = [&](const Tensor& w, const Case& c, bool transposed = false) {
    return [=] {
      const ConvArguments a = c.arguments(transposed);
      convolution(input, w, {}, a.stride, a.padding, a.dilation, transposed, a.output_padding, a.groups);
    };
  };
  expect_error(call(weight, {{}, {}, {1}, {0}, {1}, 0}), "expected positive `groups`, got 0");
  expect_error(call(weight, {{}, {}, {1}, {0}, {1}, 3}), "expected `groups` to divide the first size of `weight`");
  expect_error(call(waves<float>({2, 3, 3, 3}), {}), "expected `input` to have 3 channels for `weight`");
  expect_error(call(waves<float>({2, 4, 3}), {}), "expected `weight` to have 4 dimensions, as `input` has, got 3");
  expect_error(call(weight, {{}, {}, {0}}), "expected `stride` of 1 or more");
  expect_error(call(weight, {{}, {}, {1}, {-1}}), "expected `padding` of 0 or more");
  expect_error(call(weight, {{}, {}, {1}, {0}, {0}}), "expected `dilation` of 1 or more");
  expect_error(call(weight, {{}, {}, {1, 1, 1}}), "expected `stride` to have 1 or 2 elements, got 3");
  expect_error(call(waves<float>({2, 4, 7, 7}), {}), "no larger than the padded `input`, got 7 and 6");
  expect_error(call(weight, {{}, {}, {1}, {0}, {int64_t{1} << 62}}), "convolution: ");
  expect_error(call(waves<float>({4, 2, 3, 3}), {{}, {}, {1}, {0}, {1}, 1, {1}}, true),
               "`output_padding` to be smaller");
  expect_error(call(waves<float>({4, 2, 3, 3}), {{}, {}, {1}, {9}}, true), "a result of positive sizes");
  expect_error(call(waves<double>({2, 4, 3, 3}), {}), "of dtype Float, as `input` has, got Double");
  expect_error([&] { conv2d(input, weight, waves<float>({3})); }, "expected `bias` to have 2 elements");
  expect_error([&] { conv2d(waves<float>({6, 6}), weight); }, "conv2d: expected `input` to have 3 or 4 dimensions");
  expect_error([&] { conv2d(empty({1, 1, 3, 3}, kBool), empty({1, 1, 1, 1}, kBool)); }, "got Bool");
}

}  // namespace
}  // namespace structured::convolution_test
