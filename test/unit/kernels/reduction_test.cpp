// sum and max along dimensions.
#include <structured/base/error.h>
#include <structured/ops/max.h>
#include <structured/ops/segment_reduce.h>
#include <structured/ops/sum.h>

#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "kernels/expect.h"

namespace structured::reduction_test {
namespace {

using namespace test;

template <class T>
T small_value(int64_t i) {
  return static_cast<T>(static_cast<float>(i * 5 % 7));
}

bool contains(const std::vector<int64_t>& dims, int64_t dim, int64_t rank) {
  for (const int64_t d : dims) {
    if ((d < 0 ? d + rank : d) == dim) return true;
  }
  return dims.empty();
}

DimVector result_sizes(IntArrayRef sizes, const std::vector<int64_t>& dims, bool keepdim) {
  DimVector result;
  const auto rank = static_cast<int64_t>(sizes.size());
  for (int64_t d = 0; d < rank; ++d) {
    if (!contains(dims, d, rank)) {
      result.push_back(sizes[static_cast<size_t>(d)]);
    } else if (keepdim) {
      result.push_back(1);
    }
  }
  return result;
}

// Compares `actual` with the sum of all elements of `in`, each added at its output index.
template <class T, class Result>
void expect_sums(const Tensor& actual, const Tensor& in, const std::vector<int64_t>& dims, bool keepdim) {
  const DimVector sizes = result_sizes(in.sizes(), dims, keepdim);
  std::vector<double> sums(static_cast<size_t>(empty(sizes, kByte).numel()), 0.0);
  const auto place = [&](const Index& index, bool is_result) {
    size_t at = 0;
    size_t kept = 0;
    for (int64_t d = 0; d < in.dim(); ++d) {
      const auto extent = static_cast<size_t>(in.size(d));
      if (!contains(dims, d, in.dim())) {
        at = at * extent + static_cast<size_t>(index[is_result && !keepdim ? kept : static_cast<size_t>(d)]);
        ++kept;
      }
    }
    return at;
  };
  for_each_index(in.sizes(),
                 [&](const Index& index) { sums[place(index, false)] += static_cast<double>(at<T>(in, index)); });
  expect_elements<Result>(actual, sizes, [&](const Index& index) { return sums[place(index, true)]; });
}

const std::vector<std::vector<int64_t>> all_dims = {{}, {0}, {1}, {-1}, {0, 2}, {1, 2}, {-3, -2}, {0, 1, 2}};

template <class T>
class Sum : public testing::Test {};
using SumTypes = testing::Types<float, double, int64_t, int32_t, int16_t, int8_t, uint8_t, bool, Half, BFloat16>;
TYPED_TEST_SUITE(Sum, SumTypes);

TYPED_TEST(Sum, ReducesAnyDimensionsOfAnyLayout) {
  using T = TypeParam;
  using Result = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  const Tensor in = filled<T>({3, 5, 4}, small_value<T>);
  for (const Tensor& a : {in, strided(in)}) {
    for (const std::vector<int64_t>& dims : all_dims) {
      for (const bool keepdim : {false, true}) expect_sums<T, Result>(sum(a, dims, keepdim), in, dims, keepdim);
    }
  }
  expect_sums<T, Result>(sum(in), in, {}, false);
}

TYPED_TEST(Sum, WritesIntoOutOfAnyLayout) {
  using T = TypeParam;
  const Tensor in = filled<T>({3, 5, 4}, small_value<T>);
  using Result = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  Tensor dense = empty({3, 4}, scalar_type_of<Result>);
  Tensor gaps = strided(dense);
  Tensor empty = structured::empty({0}, scalar_type_of<Result>);
  for (Tensor* out : {&dense, &gaps, &empty}) {
    const Tensor before = *out;
    EXPECT_TRUE(sum_out(*out, in, 1).is_same(before));
    expect_sums<T, Result>(*out, in, {1}, false);
  }
}

TYPED_TEST(Sum, OfNoElementsIsZero) {
  using T = TypeParam;
  using Result = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  const Tensor in = filled<T>({2, 0, 3}, small_value<T>);
  expect_sums<T, Result>(sum(in, 1), in, {1}, false);
  expect_sums<T, Result>(sum(in), in, {}, false);
  EXPECT_EQ(sum(in, 0).sizes(), (IntArrayRef{0, 3}));
}

TYPED_TEST(Sum, OfAScalarIsItself) {
  using T = TypeParam;
  using Result = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  const Tensor in = filled<T>({}, [](int64_t) { return static_cast<T>(1.0f); });
  expect_elements<Result>(sum(in, 0), {}, [](const Index&) { return 1; });
  expect_elements<Result>(sum(in, std::nullopt, true), {}, [](const Index&) { return 1; });
}

TEST(SumDtype, ElementsAreConvertedFirst) {
  const Tensor in = tensor<float>({1.75f, 2.75f, -0.5f});
  const Tensor integers = sum(in, 0, false, kLong);
  expect_elements<int64_t>(integers, {}, [](const Index&) { return 3; });
  expect_elements<double>(sum(in, 0, false, kDouble), {}, [](const Index&) { return 4; });
  expect_elements<uint8_t>(sum(tensor<int64_t>({200, 100}), 0, false, kByte), {}, [](const Index&) { return 44; });
  expect_elements<bool>(sum(tensor<int64_t>({0, 3, 2}), 0, false, kBool), {}, [](const Index&) { return 1; });
  EXPECT_EQ(sum(in, 0, false, kComplexFloat).item<Complex<float>>(), Complex<float>(4));
}

TEST(SumDtype, FollowsOutUnlessItIsSaid) {
  const Tensor in = counting<int32_t>({5});
  Tensor out = counting<float>({0});
  sum_out(out, in, 0);
  expect_elements<float>(out, {}, [](const Index&) { return 10; });
  expect_error([&] { sum_out(out, in, 0, false, kDouble); }, "of dtype Double, got Float");
}

TEST(SumLarge, AddsManyElementsExactlyEnough) {
  const Tensor in = filled<float>({1000, 3000}, [](int64_t i) { return static_cast<float>(i % 16) / 16; });
  double expected = 0;
  for (int64_t i = 0; i < in.numel(); ++i) expected += static_cast<double>(i % 16) / 16;
  EXPECT_NEAR(static_cast<double>(sum(in).item<float>()) / expected, 1, 1e-6);
  const Tensor columns = sum(in, 0);
  double total = 0;
  for (int64_t i = 0; i < 3000; ++i) total += static_cast<double>(at<float>(columns, {i}));
  EXPECT_NEAR(total / expected, 1, 1e-6);
}

TEST(SumErrors, NameTheDimension) {
  const Tensor in = counting<float>({2, 3});
  expect_error([&] { sum(in, 2); }, "expected a dimension from -2 to 1, got 2");
  expect_error([&] { sum(in, {0, -2}); }, "sum: expected each dimension once, got [0, -2]");
}

// Returns the maximum along `dim` and its first position.
template <class T>
std::pair<double, int64_t> largest(const Tensor& in, Index index, size_t dim) {
  std::pair<double, int64_t> best{0, -1};
  for (int64_t i = 0; i < in.sizes()[dim]; ++i) {
    index[dim] = i;
    const auto value = static_cast<double>(at<T>(in, index));
    if (best.second < 0 || value > best.first) best = {value, i};
  }
  return best;
}

template <class T>
void expect_largest(const std::tuple<Tensor, Tensor>& actual, const Tensor& in, size_t dim, bool keepdim) {
  const DimVector sizes = result_sizes(in.sizes(), {static_cast<int64_t>(dim)}, keepdim);
  const auto result = [&](const Index& at_result) {
    Index index = at_result;
    if (!keepdim) index.insert(index.begin() + static_cast<std::ptrdiff_t>(dim), 0);
    return largest<T>(in, index, dim);
  };
  expect_elements<T>(std::get<0>(actual), sizes, [&](const Index& index) { return result(index).first; });
  expect_elements<int64_t>(std::get<1>(actual), sizes,
                           [&](const Index& index) { return static_cast<double>(result(index).second); });
}

template <class T>
class Max : public testing::Test {};
TYPED_TEST_SUITE(Max, SumTypes);

TYPED_TEST(Max, FindsTheFirstOfTheLargestAlongAnyDimension) {
  using T = TypeParam;
  const Tensor in = filled<T>({3, 5, 4}, [](int64_t i) { return small_value<T>(i * i); });
  for (const Tensor& a : {in, strided(in)}) {
    for (const bool keepdim : {false, true}) {
      for (int64_t dim = 0; dim < 3; ++dim) {
        expect_largest<T>(max(a, dim, keepdim), in, static_cast<size_t>(dim), keepdim);
        expect_largest<T>(max(a, dim - 3, keepdim), in, static_cast<size_t>(dim), keepdim);
      }
    }
  }
}

TYPED_TEST(Max, WritesIntoOutOfAnyLayout) {
  using T = TypeParam;
  const Tensor in = filled<T>({3, 5, 4}, small_value<T>);
  for (const int kind : {0, 1, 2}) {
    const Tensor dense = empty({3, 4}, scalar_type_of<T>);
    const Tensor dense_indices = empty({3, 4}, kLong);
    Tensor values = kind == 0 ? dense : kind == 1 ? strided(dense) : empty({0}, scalar_type_of<T>);
    Tensor indices = kind == 0 ? dense_indices : kind == 1 ? strided(dense_indices) : empty({0}, kLong);
    max_out(values, indices, in, 1);
    expect_largest<T>({values, indices}, in, 1, false);
  }
}

TEST(MaxDim, OfAScalarIsItself) {
  const auto [values, indices] = max(filled<float>({}, [](int64_t) { return 7.0f; }), 0);
  EXPECT_EQ(values.dim(), 0);
  EXPECT_EQ(values.item<float>(), 7);
  EXPECT_EQ(indices.item<int64_t>(), 0);
}

TEST(MaxDim, TakesTheFirstNan) {
  const float nan = std::nanf("");
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor rows = tensor<float>({1, nan, inf, nan, -inf, -inf, -inf, -inf, nan, nan, 2, 3}, {3, 4});
  const auto expect = [](const Tensor& values, const Tensor& indices) {
    EXPECT_TRUE(std::isnan(at<float>(values, {0})));
    EXPECT_EQ(at<float>(values, {1}), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(at<float>(values, {2})));
    EXPECT_EQ(to_vector<int64_t>(indices), (std::vector<int64_t>{1, 0, 0}));
  };
  const auto by_rows = max(rows, 1);
  expect(std::get<0>(by_rows), std::get<1>(by_rows));
  const auto by_columns = max(strided(rows), 1);  // reverses the loop order
  expect(std::get<0>(by_columns), std::get<1>(by_columns));
}

TEST(MaxDim, TakesEmptyResultsAndRefusesEmptyDimensions) {
  const auto [values, indices] = max(counting<float>({0, 3}), 1);
  EXPECT_EQ(values.sizes(), (IntArrayRef{0}));
  EXPECT_EQ(indices.sizes(), (IntArrayRef{0}));
  expect_error([] { max(counting<float>({2, 0}), 1); }, "max: expected elements along dimension 1, got sizes [2, 0]");
  expect_error([] { max(counting<float>({2, 3}), 2); }, "expected a dimension from -2 to 1, got 2");
}

TEST(MaxDim, RefusesComplexNumbersAndWrongOuts) {
  expect_error([] { max(empty({2}, kComplexFloat), 0); }, "max: expected `self` of dtype");
  Tensor values = counting<double>({2});
  Tensor indices = counting<int64_t>({2});
  expect_error([&] { max_out(values, indices, counting<float>({2, 3}), 1); }, "of dtype Float, got Double");
  Tensor right = counting<float>({2});
  Tensor wrong = counting<int32_t>({2});
  expect_error([&] { max_out(right, wrong, counting<float>({2, 3}), 1); }, "of dtype Long, got Int");
}

TEST(MaxDim, ComputesShapesOnMeta) {
  const auto [values, indices] = max(empty({2, 3}, TensorOptions(kInt).device(kMeta)), 0, true);
  EXPECT_TRUE(values.is_meta());
  EXPECT_EQ(values.sizes(), (IntArrayRef{1, 3}));
  EXPECT_EQ(values.dtype(), kInt);
  EXPECT_EQ(indices.dtype(), kLong);
}

TEST(SegmentReduce, ReducesEachSegment) {
  const Tensor data = tensor<float>({1, 2, 3, 4, 5, kNan}, {3, 2});
  const Tensor means = segment_reduce(data, "mean", tensor<int64_t>({2, 0, 1}));
  EXPECT_EQ(at<float>(means, {0, 1}), 3);
  EXPECT_TRUE(std::isnan(at<float>(means, {1, 0})));
  EXPECT_EQ(at<float>(means, {2, 0}), 5);
  EXPECT_TRUE(std::isnan(at<float>(means, {2, 1})));
  const Tensor whole = tensor<float>({1, 2, 3, 4, 5, 6}, {3, 2});
  EXPECT_EQ(to_vector<float>(segment_reduce(whole, "max", std::nullopt, std::nullopt, tensor<int64_t>({0, 1, 3}), 0,
                                            false, Scalar(2))),
            (std::vector<float>{2, 2, 5, 6}));
  const Tensor rows = tensor<float>({1, 2, 3, 3, 4, 5}, {2, 3});
  const Tensor lengths = tensor<int64_t>({1, 2, 3, 0}, {2, 2});
  EXPECT_EQ(to_vector<float>(segment_reduce(rows, "prod", lengths, std::nullopt, std::nullopt, 1)),
            (std::vector<float>{1, 6, 60, 1}));
  EXPECT_EQ(to_vector<float>(segment_reduce(rows, "min", lengths, std::nullopt, std::nullopt, 1)),
            (std::vector<float>{1, 2, 3, kInfinity}));
  expect_error([&] { segment_reduce(whole, "sum", tensor<int64_t>({1, 1})); },
               "segment_reduce: expected `lengths` that add up to 3, got 2");
  EXPECT_EQ(
      to_vector<float>(segment_reduce(whole, "sum", tensor<int64_t>({1, 1}), std::nullopt, std::nullopt, 0, true)),
      (std::vector<float>{1, 2, 3, 4}));
  expect_error([&] { segment_reduce(whole, "median", lengths); }, "expected `reduce` max, mean, min, sum or prod");
  expect_error([&] { segment_reduce(whole, "sum"); }, "expected `lengths` or `offsets`, got neither");
}

}  // namespace
}  // namespace structured::reduction_test
