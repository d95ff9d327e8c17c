// sort, topk, median, mode, unique and cumulative extrema.
#include <structured/ops/_unique2.h>
#include <structured/ops/argsort.h>
#include <structured/ops/cummax.h>
#include <structured/ops/cummin.h>
#include <structured/ops/kthvalue.h>
#include <structured/ops/logcumsumexp.h>
#include <structured/ops/median.h>
#include <structured/ops/mode.h>
#include <structured/ops/msort.h>
#include <structured/ops/nanmedian.h>
#include <structured/ops/sort.h>
#include <structured/ops/topk.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unique_consecutive.h>
#include <structured/ops/unique_dim.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

// Returns unordered values with repetitions.
template <class T>
std::vector<T> scrambled(int64_t count) {
  std::vector<T> result;
  uint64_t state = 1;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto number = static_cast<int64_t>(state >> 40) % 1000;
    result.push_back(static_cast<T>(std::is_signed_v<T> || std::is_same_v<T, Half> ? number - 500 : number % 200));
  }
  return result;
}

// Returns unordered values that, for floating-point types, include both zeros, NaN and infinity.
template <class T>
std::vector<T> scrambled_with_limits(int64_t count) {
  std::vector<T> elements = scrambled<T>(count);
  if constexpr (std::is_floating_point_v<T>) {
    elements[0] = T(-0.0);
    elements[1] = T(0.0);
    elements[2] = std::numeric_limits<T>::quiet_NaN();
    elements[3] = -std::numeric_limits<T>::infinity();
    elements[4] = -std::numeric_limits<T>::quiet_NaN();
  }
  return elements;
}

template <class T>
void expect_sorted(int64_t count, bool descending) {
  const std::vector<T> elements = scrambled_with_limits<T>(count);
  const auto is_less = [](T a, T b) { return a < b || (a == a && b != b); };
  std::vector<int64_t> order(elements.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  // Uses std::sort, since clang++ warns about the deprecated buffer of std::stable_sort in libstdc++ 12.
  std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    const T a = elements[static_cast<size_t>(i)];
    const T b = elements[static_cast<size_t>(j)];
    if (descending ? is_less(b, a) : is_less(a, b)) return true;
    if (descending ? is_less(a, b) : is_less(b, a)) return false;
    return i < j;
  });
  const Tensor row = tensor(ArrayRef<T>(elements));
  const auto [values, indices] = sort(row, 0, descending);
  EXPECT_EQ(to_vector<int64_t>(indices), order) << scalar_type_of<T> << " " << count;
  for (int64_t i = 0; i < count; ++i) {
    const T wanted = elements[static_cast<size_t>(order[static_cast<size_t>(i)])];
    EXPECT_EQ(std::memcmp(values.data_ptr<T>() + i, &wanted, sizeof(T)), 0);
  }
}

TEST(Sort, KeepsTheOrderOfEqualElementsOfEveryDtype) {
  for (const int64_t count : {5, 100, 3000}) {
    for (const bool descending : {false, true}) {
      expect_sorted<float>(count, descending);
      expect_sorted<double>(count, descending);
      expect_sorted<uint8_t>(count, descending);
      expect_sorted<int8_t>(count, descending);
      expect_sorted<int16_t>(count, descending);
      expect_sorted<int32_t>(count, descending);
      expect_sorted<int64_t>(count, descending);
    }
  }
}

TEST(Sort, WorksAlongAnyDimensionAndIntoAnyStrides) {
  const Tensor base = transpose(counting<float>({3, 4}), 0, 1);  // [4, 3]
  const auto [values, indices] = sort(base, 0, true);
  EXPECT_EQ(values.strides(), base.strides());
  expect_elements<float>(values, {4, 3}, [](const Index& i) { return double(i[1] * 4 + 3 - i[0]); });
  expect_elements<int64_t>(indices, {4, 3}, [](const Index& i) { return double(3 - i[0]); });
  Tensor out = strided(empty({4, 3}));
  Tensor at = strided(empty({4, 3}, kLong));
  sort_out(out, at, base, -1, true);
  expect_elements<float>(out, {4, 3}, [](const Index& i) { return double((2 - i[1]) * 4 + i[0]); });
  EXPECT_EQ(std::get<1>(sort(scalar_tensor(3.0))).item<int64_t>(), 0);
  EXPECT_EQ(std::get<0>(sort(empty({0, 3}), 1)).sizes(), IntArrayRef({0, 3}));
  EXPECT_EQ(to_vector<int64_t>(argsort(tensor<bool>({true, false, true}))), std::vector<int64_t>({1, 0, 2}));
  EXPECT_EQ(to_vector<float>(msort(tensor<float>({2, 1}))), std::vector<float>({1, 2}));
  expect_error([] { sort(empty({2}, kComplexFloat)); }, "expected `self` of dtype");
}

template <class T>
void expect_topk_as_sort(const Tensor& row, bool largest) {
  const auto [values, indices] = sort(row, 0, largest);
  const int64_t count = row.numel();
  for (const int64_t k : {int64_t{1}, int64_t{7}, int64_t{64}, int64_t{65}, count}) {
    if (k > count) continue;
    const auto [best, at] = topk(row, k, 0, largest);
    ASSERT_EQ(best.sizes(), IntArrayRef({k}));
    const auto size = static_cast<size_t>(k);
    EXPECT_EQ(std::memcmp(best.data_ptr<T>(), values.data_ptr<T>(), size * sizeof(T)), 0) << row.scalar_type();
    EXPECT_EQ(std::memcmp(at.data_ptr<int64_t>(), indices.data_ptr<int64_t>(), size * sizeof(int64_t)), 0)
        << k << " of " << count << " " << row.scalar_type();
  }
}

template <class T>
void expect_topk_as_sort() {
  for (const int64_t count : {20, 300, 5000}) {
    const std::vector<T> elements = scrambled_with_limits<T>(count);
    const Tensor row = tensor(ArrayRef<T>(elements));
    for (const bool largest : {false, true}) {
      expect_topk_as_sort<T>(row, largest);
      expect_topk_as_sort<T>(std::get<0>(sort(row, 0, false)), largest);  // every element qualifies, or none does
    }
  }
}

TEST(Topk, FindsTheSameAsSorting) {
  expect_topk_as_sort<float>();
  expect_topk_as_sort<double>();
  expect_topk_as_sort<Half>();
  expect_topk_as_sort<uint8_t>();
  expect_topk_as_sort<int16_t>();
  expect_topk_as_sort<int64_t>();
  const auto best = std::get<0>(topk(tensor<float>({1, kNan, kInfinity}), 2));
  EXPECT_TRUE(std::isnan(best.data_ptr<float>()[0]));
  EXPECT_EQ(best.data_ptr<float>()[1], kInfinity);
  EXPECT_EQ(std::get<0>(topk(empty({2, 3}), 0)).sizes(), IntArrayRef({2, 0}));
  expect_error([] { topk(empty({2}), 3); }, "expected a `k` from 0 to 2, got 3");
}

TEST(Kthvalue, CountsFromTheLeast) {
  const Tensor base = tensor<float>({3, kNan, 1, 2, 5, 4}, {2, 3});
  const auto [values, indices] = kthvalue(base, 2, 1, true);
  EXPECT_EQ(values.sizes(), IntArrayRef({2, 1}));
  EXPECT_EQ(to_vector<float>(values), std::vector<float>({3, 4}));
  EXPECT_EQ(to_vector<int64_t>(indices), std::vector<int64_t>({0, 2}));
  expect_error([&] { kthvalue(base, 0); }, "expected a `k` from 1 to 3, got 0");
  expect_error([&] { kthvalue(base, 4); }, "expected a `k` from 1 to 3, got 4");
}

TEST(Median, IsTheLowerOneOfTwo) {
  const Tensor base = tensor<float>({4, 1, 3, 2, 1, kNan, 0, kNan}, {2, 4});
  const auto [values, indices] = median(base, 1);
  EXPECT_EQ(values.data_ptr<float>()[0], 2);
  EXPECT_TRUE(std::isnan(values.data_ptr<float>()[1]));
  EXPECT_EQ(to_vector<int64_t>(indices), std::vector<int64_t>({3, 1}));
  EXPECT_EQ(std::get<0>(nanmedian(base, 1)).data_ptr<float>()[1], 0);
  EXPECT_TRUE(std::isnan(median(base).item<float>()));
  EXPECT_EQ(nanmedian(transpose(base, 0, 1)).item<float>(), 1);
  EXPECT_TRUE(std::isnan(median(empty({0})).item<float>()));
  expect_error([] { median(empty({2, 0}), 1); }, "expected elements along dimension 1");
}

TEST(Mode, IsTheLeastOfTheMostFrequent) {
  const auto [values, indices] = mode(tensor<int64_t>({2, 3, 3, 1, 1, 5, 7, 5}, {2, 4}));
  EXPECT_EQ(to_vector<int64_t>(values), std::vector<int64_t>({3, 5}));
  EXPECT_EQ(to_vector<int64_t>(indices), std::vector<int64_t>({2, 3}));
  EXPECT_EQ(std::get<0>(mode(tensor<float>({kNan, kNan, 1}))).item<float>(), 1);
}

TEST(Unique, GivesElementsPositionsAndCounts) {
  const Tensor base = tensor<int64_t>({3, 1, 3, -2}, {2, 2});
  const auto [values, inverse, counts] = _unique2(base, true, true, true);
  EXPECT_EQ(to_vector<int64_t>(values), std::vector<int64_t>({-2, 1, 3}));
  expect_elements<int64_t>(inverse, {2, 2}, [](const Index& i) { return i[1] == 0 ? 2 : i[0] == 0 ? 1 : 0; });
  EXPECT_EQ(to_vector<int64_t>(counts), std::vector<int64_t>({1, 1, 2}));
  EXPECT_EQ(std::get<0>(_unique2(tensor<float>({kNan, 1, kNan, -0.0f, 0}))).numel(), 4);
  EXPECT_EQ(std::get<0>(_unique2(empty({0}), true, true, true)).numel(), 0);
  EXPECT_EQ(to_vector<float>(std::get<0>(unique_consecutive(tensor<float>({1, 1, 2, 1})))),
            std::vector<float>({1, 2, 1}));
}

TEST(Unique, LeavesOutWhatIsNotAskedFor) {
  const auto [values, inverse, counts] = _unique2(tensor<float>({3, 1, 3}), true, false, true);
  EXPECT_EQ(inverse.sizes(), IntArrayRef({0}));
  EXPECT_EQ(to_vector<int64_t>(counts), std::vector<int64_t>({1, 2}));
}

TEST(UniqueDim, ComparesSlicesInTheirOrder) {
  const Tensor base = tensor<float>({1, -1, 1, 2, 3, 2}, {2, 3});
  const auto [values, inverse, counts] = unique_dim(base, 1);
  expect_elements<float>(values, {2, 2}, [](const Index& i) { return i[0] == 0 ? 2.0 * i[1] - 1 : 3.0 - i[1]; });
  EXPECT_EQ(to_vector<int64_t>(inverse), std::vector<int64_t>({1, 0, 1}));
  EXPECT_EQ(to_vector<int64_t>(counts), std::vector<int64_t>({1, 2}));
  expect_error([] { unique_dim(empty({0, 2}), 1); }, "expected only dimension `dim` to be empty");
  const auto [slices, places, lengths] = unique_dim(tensor<float>({1, 2, 0, 3, 1, 2, 5, 3}, {2, 2, 2}), 1);
  EXPECT_EQ(slices.strides(), IntArrayRef({2, 4, 1}));
  EXPECT_EQ(to_vector<float>(slices), (std::vector<float>{0, 3, 1, 2, 5, 3, 1, 2}));
}

TEST(Cummax, NamesTheLastOfEqualElements) {
  const Tensor base = tensor<float>({1, 3, 3, 2, kNan, 5}, {1, 6});
  const auto [values, indices] = cummax(transpose(base, 0, 1), 0);
  EXPECT_EQ(to_vector<int64_t>(indices), std::vector<int64_t>({0, 1, 2, 2, 4, 4}));
  EXPECT_EQ(values.data_ptr<float>()[3], 3);
  EXPECT_TRUE(std::isnan(values.data_ptr<float>()[5]));
  EXPECT_EQ(to_vector<int64_t>(std::get<1>(cummin(tensor<int64_t>({2, 2, 3, 1}), 0))),
            std::vector<int64_t>({0, 1, 1, 3}));
}

TEST(Logcumsumexp, NeitherOverflowsNorForgets) {
  const std::vector<double> results =
      to_vector<double>(logcumsumexp(tensor<double>({-HUGE_VAL, 1000, 1000, -5000, 2000, HUGE_VAL, 1}), 0));
  EXPECT_EQ(results[0], -HUGE_VAL);
  EXPECT_DOUBLE_EQ(results[2], 1000 + std::log(2.0));
  EXPECT_DOUBLE_EQ(results[3], 1000 + std::log(2.0));
  EXPECT_DOUBLE_EQ(results[4], 2000);
  EXPECT_EQ(results[6], HUGE_VAL);
  for (const float next : {1.0f, HUGE_VALF, -HUGE_VALF}) {
    EXPECT_TRUE(std::isnan(to_vector<float>(logcumsumexp(tensor<float>({kNan, next, 1}), 0))[2]));
  }
}

TEST(Logcumsumexp, AddsComplexNumbers) {
  using C = Complex<double>;
  const std::vector<C> results =
      to_vector<C>(logcumsumexp(tensor<C>({C(-HUGE_VAL, 0), C(1000, 1), C(1000, 1), C(0, 3), C(kNan, 0)}), 0));
  EXPECT_EQ(results[0].real(), -HUGE_VAL);
  EXPECT_EQ(results[1], C(1000, 1));
  EXPECT_DOUBLE_EQ(results[2].real(), 1000 + std::log(2.0));
  EXPECT_DOUBLE_EQ(results[2].imag(), 1);
  EXPECT_DOUBLE_EQ(results[3].imag(), 1);
  EXPECT_TRUE(std::isnan(results[4].imag()));
  // exp(0.5i) + exp(-0.5i) = 2 cos(0.5).
  const std::vector<C> sums = to_vector<C>(logcumsumexp(tensor<C>({C(0, 0.5), C(0, -0.5)}), 0));
  EXPECT_DOUBLE_EQ(sums[1].real(), std::log(2 * std::cos(0.5)));
  EXPECT_NEAR(sums[1].imag(), 0, 1e-15);
}

}  // namespace
}  // namespace structured
