// searchsorted, isin and histograms.
#include <structured/ops/_histogramdd_from_bin_cts.h>
#include <structured/ops/allclose.h>
#include <structured/ops/aminmax.h>
#include <structured/ops/bincount.h>
#include <structured/ops/bucketize.h>
#include <structured/ops/dist.h>
#include <structured/ops/histc.h>
#include <structured/ops/histogram.h>
#include <structured/ops/isclose.h>
#include <structured/ops/isin.h>
#include <structured/ops/norm.h>
#include <structured/ops/searchsorted.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

TEST(Searchsorted, AgreesWithTheStandardLibrary) {
  for (const int64_t length : {0, 1, 2, 3, 7, 8, 100}) {
    std::vector<float> row;
    for (int64_t i = 0; i < length; ++i) row.push_back(static_cast<float>(i / 3));
    const Tensor sequence = tensor(ArrayRef<float>(row));
    const Tensor values = filled<float>({40}, [](int64_t i) { return static_cast<float>(i) - 2.5f * (i % 2); });
    const Tensor left = searchsorted(sequence, values);
    const Tensor right = searchsorted(sequence, values, true, true);
    ASSERT_EQ(right.dtype(), kInt);
    for (int64_t i = 0; i < 40; ++i) {
      const float value = values.data_ptr<float>()[i];
      EXPECT_EQ(left.data_ptr<int64_t>()[i], std::lower_bound(row.begin(), row.end(), value) - row.begin());
      EXPECT_EQ(right.data_ptr<int32_t>()[i], std::upper_bound(row.begin(), row.end(), value) - row.begin());
    }
  }
}

TEST(Searchsorted, SearchesRowsAndOrdersThem) {
  const Tensor rows = tensor<int64_t>({1, 3, 5, 2, 4, 6}, {2, 3});
  const Tensor values = strided(tensor<int64_t>({3, 9, 0, 4}, {2, 2}));
  EXPECT_EQ(to_vector<int64_t>(searchsorted(rows, values)), std::vector<int64_t>({1, 3, 0, 1}));
  EXPECT_EQ(to_vector<int64_t>(searchsorted(rows, values, false, false, "right")), std::vector<int64_t>({2, 3, 0, 2}));
  const Tensor unsorted = tensor<float>({5, 1, 3});
  const Tensor order = tensor<int64_t>({1, 2, 0});
  EXPECT_EQ(searchsorted(unsorted, 4.0, false, false, std::nullopt, order).item<int64_t>(), 2);
  EXPECT_EQ(searchsorted(tensor<float>({1, 2}), tensor<float>({kNan})).item<int64_t>(), 2);
  const Tensor wrong = tensor<int64_t>({1, 3, 0});
  expect_error([&] { searchsorted(unsorted, 4.0, false, false, std::nullopt, wrong); },
               "expected positions from 0 to 2 in `sorter`, got 3");
  expect_error([&] { searchsorted(rows, counting<int64_t>({3, 1})); }, "but for the last, got [3, 1] and [2, 3]");
  expect_error([&] { searchsorted(unsorted, 1, false, true, "left"); }, "expected `right` and `side` to agree");
}

TEST(Bucketize, NumbersIntervals) {
  const Tensor boundaries = tensor<float>({1, 3});
  EXPECT_EQ(to_vector<int64_t>(bucketize(tensor<float>({0, 1, 2, 4}), boundaries)), std::vector<int64_t>({0, 0, 1, 2}));
  EXPECT_EQ(bucketize(1, boundaries, false, true).item<int64_t>(), 1);
  expect_error([] { bucketize(1, counting<float>({2, 2})); }, "expected `boundaries` to be a vector");
}

TEST(Isin, ComparesByValue) {
  const Tensor elements = tensor<float>({1, kNan, -0.0f, 2});
  const Tensor others = tensor<double>({kNan, 0, 2.5, 1});
  EXPECT_EQ(to_vector<bool>(isin(elements, others)), std::vector<bool>({true, false, true, false}));
  EXPECT_EQ(to_vector<bool>(isin(elements, 2, false, true)), std::vector<bool>({true, true, true, false}));
  EXPECT_EQ(to_vector<bool>(isin(elements, empty({0}))), std::vector<bool>(4, false));
}

TEST(Histc, CountsBothEnds) {
  const Tensor base = tensor<float>({0, 1, 1.5, 2, 4, kNan, -1, 5});
  EXPECT_EQ(to_vector<float>(histc(base, 4, 0, 4)), std::vector<float>({1, 2, 1, 1}));
  EXPECT_EQ(to_vector<float>(histc(tensor<float>({3, 3}), 2)), std::vector<float>({0, 2}));
  expect_error([&] { histc(base, 4); }, "expected a finite range");
  expect_error([&] { histc(base, 4, 2, 1); }, "expected `min` below `max`");
}

TEST(Histc, CountsSmallFloats) {
  const Tensor counts = histc(tensor<Half>({Half(1.0f), Half(2.0f), Half(3.0f)}), 4);
  EXPECT_EQ(counts.scalar_type(), kHalf);
  expect_elements<Half>(counts, 4, [](const Index& i) { return i[0] == 1 ? 0 : 1; });
}

TEST(Bincount, AddsUpWeights) {
  const Tensor numbers = tensor<int64_t>({1, 3, 1});
  EXPECT_EQ(to_vector<int64_t>(bincount(numbers, std::nullopt, 5)), std::vector<int64_t>({0, 2, 0, 1, 0}));
  EXPECT_EQ(to_vector<float>(bincount(numbers, tensor<float>({0.5, 1, 2}))), std::vector<float>({0, 2.5, 0, 1}));
  expect_error([] { bincount(tensor<int64_t>({1, -1})); }, "expected numbers of 0 or more, got -1");
  expect_error([] { bincount(tensor<int64_t>({std::numeric_limits<int64_t>::max()})); }, "below 2^58");
}

TEST(Aminmax, GivesBothEnds) {
  const auto [least, greatest] = aminmax(tensor<float>({3, 1, 2, 5}, {2, 2}), 1, true);
  EXPECT_EQ(to_vector<float>(least), std::vector<float>({1, 2}));
  EXPECT_EQ(greatest.sizes(), IntArrayRef({2, 1}));
  EXPECT_TRUE(std::isnan(std::get<0>(aminmax(tensor<float>({1, kNan}))).item<float>()));
  expect_error([] { aminmax(empty({0})); }, "expected a nonempty `self`");
}

TEST(Aminmax, OfAScalarIsAScalar) { EXPECT_EQ(std::get<0>(aminmax(scalar_tensor(3.0F), 0, true)).dim(), 0); }

TEST(Histogram, AddsUpWeightsBetweenEdges) {
  const Tensor base = tensor<float>({0, 1, 1.5, 2, 4, kNan}, {2, 3});
  const auto [hist, edges] = histogram(base, 4, std::vector<double>{0, 4});
  EXPECT_EQ(to_vector<float>(hist), std::vector<float>({1, 2, 1, 1}));
  EXPECT_EQ(to_vector<float>(edges), std::vector<float>({0, 1, 2, 3, 4}));
  const Tensor weights = tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor uneven = tensor<float>({1, 1.25, 4});
  EXPECT_EQ(to_vector<float>(std::get<0>(histogram(base, uneven, weights))), std::vector<float>({2, 12}));
  EXPECT_EQ(to_vector<float>(std::get<0>(histogram(base, uneven, std::nullopt, true))),
            std::vector<float>({1, 3.0f / 4 / 2.75f}));
  const Tensor wrong = tensor<float>({2, 1, 0});  // descending: results are unspecified, but no access is out of bounds
  EXPECT_EQ(std::get<0>(histogram(base, wrong)).numel(), 2);
  expect_error([&] { histogram(base, 4); }, "expected a finite range");
  expect_error([&] { histogram(base, 4, std::vector<double>{1, 0}); }, "expected the range to ascend");
  expect_error([&] { histogram(counting<int64_t>({2}), 4); }, "expected `self` of dtype");
}

TEST(Histogram, TakesSmallFloatsBetweenGivenEdges) {
  const auto numbers = [](std::initializer_list<float> list) {
    const Tensor wide = tensor<float>(list);
    const Tensor result = empty(wide.sizes(), kBFloat16);
    copy_into(result, wide);
    return result;
  };
  const auto [hist, edges] = histogram(numbers({1, 2, 2.5}), numbers({1, 2, 3}));
  expect_elements<BFloat16>(hist, 2, [](const Index& i) { return 1.0 + static_cast<double>(i[0]); });
  expect_error([&] { histogram(numbers({1, 2}), 3); },
               "histogram: expected `self` of dtype Float, Double, got BFloat16");
  EXPECT_EQ(std::get<0>(histogram(empty({0}, kHalf), 3)).scalar_type(), kHalf);
}

TEST(Histogram, HasADimensionForEachCoordinate) {
  const Tensor points = tensor<float>({0, 0, 1, 0, 1, 3}, {3, 2});
  const Tensor hist = _histogramdd_from_bin_cts(points, {2, 3});
  expect_elements<float>(hist, {2, 3}, [](const Index& i) { return i[1] == 0 ? 1 : double(i[0] == 1 && i[1] == 2); });
  expect_error([&] { _histogramdd_from_bin_cts(points, {2}); }, "as many coordinates as there are `bins`, 1");
}

TEST(Norm, HasTwoAsItsDefault) {
  const Tensor base = tensor<float>({3, 4, 0, -2}, {2, 2});
  EXPECT_EQ(to_vector<float>(norm(base, std::nullopt, 1)), std::vector<float>({5, 2}));
  EXPECT_EQ(norm(base, 1).item<float>(), 9);
  EXPECT_EQ(norm(counting<int64_t>({3}), 1, kDouble).dtype(), kDouble);
  EXPECT_EQ(dist(base, tensor<float>({0, 1, 0, -2}, {2, 2}), 1).item<float>(), 6);
  expect_error([] { norm(counting<int64_t>({3})); }, "expected a floating-point or complex dtype, got Long");
}

TEST(Norm, OfComplexNumbersIsReal) {
  const Tensor self = tensor<Complex<float>>({{3, 4}, {0, -1}});
  EXPECT_FLOAT_EQ(norm(self).item<float>(), std::sqrt(26.0F));
  EXPECT_EQ(norm(self, 1).item<float>(), 6);
  EXPECT_EQ(norm(self, std::optional<Scalar>(), kComplexDouble).scalar_type(), kDouble);
  EXPECT_EQ(dist(self, tensor<Complex<float>>({{0, 4}, {0, 3}}), 1).item<float>(), 7);
  EXPECT_EQ(to_vector<bool>(isclose(self, tensor<Complex<float>>({{3, 4}, {0, 1}}))), std::vector<bool>({true, false}));
}

TEST(Isclose, TreatsWhatIsNotFiniteByEquality) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const Tensor a = tensor<float>({1, 1, inf, inf, kNan});
  const Tensor b = tensor<float>({1.000001f, 1.1f, inf, -inf, kNan});
  EXPECT_EQ(to_vector<bool>(isclose(a, b)), std::vector<bool>({true, false, true, false, false}));
  EXPECT_TRUE(isclose(a, b, 0, 0, true).data_ptr<bool>()[4]);
  EXPECT_FALSE(allclose(a, b));
  EXPECT_TRUE(allclose(counting<bool>({2}), counting<bool>({2})));
}

}  // namespace
}  // namespace structured
