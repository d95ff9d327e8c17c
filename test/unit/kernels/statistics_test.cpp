// Variance, norms and other reductions, and cumulative operators, beyond the recorded calls of test/conformance.
#include <structured/base/error.h>
#include <structured/device/simd_level.h>
#include <structured/ops/all.h>
#include <structured/ops/amax.h>
#include <structured/ops/amin.h>
#include <structured/ops/any.h>
#include <structured/ops/argmax.h>
#include <structured/ops/argmin.h>
#include <structured/ops/count_nonzero.h>
#include <structured/ops/cumprod.h>
#include <structured/ops/cumsum.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/max.h>
#include <structured/ops/mean.h>
#include <structured/ops/min.h>
#include <structured/ops/nansum.h>
#include <structured/ops/prod.h>
#include <structured/ops/std.h>
#include <structured/ops/std_mean.h>
#include <structured/ops/sum.h>
#include <structured/ops/var.h>
#include <structured/ops/var_mean.h>

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

template <class T>
T only(const Tensor& tensor) {
  return *tensor.data_ptr<T>();
}

TEST(Variance, IsExactFarFromZero) {
  // In float, the mean of the squares minus the squared mean would have no correct digit.
  const Tensor a = filled<float>({100000}, [](int64_t i) { return 1e6f + static_cast<float>(i % 2); });
  EXPECT_NEAR(only<float>(var(a, std::nullopt, 0)), 0.25, 1e-6);
  EXPECT_NEAR(only<float>(std(a, std::nullopt, 0)), 0.5, 1e-6);
}

TEST(Variance, OfTooFewElementsIsNoNumber) {
  EXPECT_TRUE(std::isnan(only<float>(var(counting<float>({1}), std::nullopt, 1))));
  EXPECT_TRUE(std::isnan(only<float>(var(counting<float>({0}), std::nullopt, 1))));
  EXPECT_TRUE(std::isnan(only<float>(var(counting<float>({0}), std::nullopt, std::optional<Scalar>(-1)))));
  EXPECT_TRUE(std::isnan(only<float>(std(counting<float>({0}), std::nullopt, std::optional<Scalar>(-1)))));
}

TEST(Variance, MayHaveRoomWhereTheSumOfSquaresHasNone) {
  const auto of_signs = [](float size, int64_t count) {
    return filled<float>({count}, [=](int64_t i) { return i % 2 == 0 ? size : -size; });
  };
  EXPECT_FLOAT_EQ(only<float>(std(of_signs(1e20f, 2), std::nullopt, 1)), std::sqrt(2.0f) * 1e20f);
  EXPECT_FLOAT_EQ(only<float>(std(of_signs(3e38f, 100), std::nullopt, 0)), 3e38f);
  EXPECT_FLOAT_EQ(only<float>(var(of_signs(1e19f, 16), std::nullopt, 0)), 1e38f);
  EXPECT_EQ(only<float>(var(of_signs(1e20f, 2), std::nullopt, 0)), std::numeric_limits<float>::infinity());
}

TEST(Variance, OfInfinityAndNanIsNan) {
  EXPECT_TRUE(std::isnan(only<float>(var(tensor<float>({0, kInfinity})))));
  EXPECT_TRUE(std::isnan(only<float>(std(tensor<float>({kInfinity, 1, 2})))));
  EXPECT_TRUE(std::isnan(only<float>(var(tensor<float>({kNan}), false))));
  EXPECT_TRUE(std::isnan(only<float>(std(tensor<float>({-kInfinity}), false))));
  EXPECT_TRUE(
      std::isnan(only<double>(var(filled<double>({1000}, [](int64_t i) { return i == 500 ? kInfinity : 0; })))));
  const Tensor columns = filled<float>({3, 4}, [](int64_t i) { return i == 5 ? kNan : static_cast<float>(i); });
  const Tensor spread = var(columns, 0, true, false);
  for (int64_t column = 0; column < 4; ++column) {
    EXPECT_EQ(std::isnan(at<float>(spread, {column})), column == 1) << column;
  }
}

TEST(Variance, TakesFractionsAsCorrection) {
  const Tensor self = tensor<float>({1, 2, 4, 8});
  const auto with = [](Scalar correction) { return std::optional<Scalar>(correction); };
  EXPECT_FLOAT_EQ(only<float>(var(self, std::nullopt, with(0.5))), 28.75F / 3.5F);
  EXPECT_FLOAT_EQ(only<float>(std(self, std::nullopt, with(3.5))), std::sqrt(57.5F));
  EXPECT_EQ(only<float>(var(self, std::nullopt, with(4.5))), kInfinity);
  EXPECT_FLOAT_EQ(only<float>(std::get<0>(var_mean(self, std::nullopt, with(-1.75)))), 5);
}

TEST(Variance, OfComplexNumbersIsTheSumOverBothParts) {
  const Tensor self = tensor<Complex<float>>({{1, 1}, {2, 0}, {0, 3}});
  const auto [variance, mean] = var_mean(self, std::nullopt, std::nullopt);
  EXPECT_FLOAT_EQ(only<float>(variance), 10.0F / 3);
  EXPECT_EQ(only<Complex<float>>(mean), (Complex<float>(1, 4.0F / 3)));
  const Tensor rows = as_strided(self, {1, 3}, {3, 1}, 0);
  expect_elements<float>(std(rows, -1, true, true), {1, 1}, [](const Index&) { return std::sqrt(10.0 / 3); }, 1e-6);
  expect_elements<float>(var(rows, 0, false, false), 3, [](const Index&) { return 0; });
}

TEST(Variance, IsComputedInTheDtypeOfOut) {
  const Tensor self = tensor<float>({1, 2, 3.1F});
  Tensor wide = empty({}, kDouble);
  var_out(wide, self, 0, true, false);
  EXPECT_NEAR(only<double>(wide), 1.1033, 1e-4);
  EXPECT_NE(only<double>(wide), static_cast<double>(static_cast<float>(only<double>(wide))));
  Tensor narrow = empty({}, kHalf);
  var_out(narrow, self, 0, true, false);
  EXPECT_NEAR(static_cast<float>(only<Half>(narrow)), 1.1033, 2e-3);
  Tensor whole = empty({}, kInt);
  expect_error([&] { var_out(whole, self, 0, true, false); }, "var: expected `out` of dtype");
}

TEST(Mean, IsComputedWiderThanHalf) {
  const Tensor a = filled<Half>({5000, 3}, [](int64_t) { return Half(60.0f); });  // the sum exceeds the greatest Half
  for (const Tensor& in : {a, strided(a)}) {
    expect_elements<Half>(mean(in, IntArrayRef(0)), {3}, [](const Index&) { return 60.0; }, 1e-3);
  }
  expect_error([] { mean(counting<int64_t>({3})); }, "mean: expected a floating-point or complex dtype");
}

TEST(Truth, IsOfAllButZero) {
  const Tensor a = filled<float>({4, 50}, [](int64_t i) { return i == 60 ? 0.25f : i >= 100 ? std::nanf("") : 0.0f; });
  for (const Tensor& in : {a, strided(a)}) {
    expect_elements<bool>(any(in, 1), {4}, [](const Index& index) { return index[0] > 0 ? 1.0 : 0.0; });
    expect_elements<bool>(all(in, 1), {4}, [](const Index& index) { return index[0] > 1 ? 1.0 : 0.0; });
    EXPECT_TRUE(only<bool>(any(in)));
    EXPECT_FALSE(only<bool>(all(in)));
    EXPECT_EQ(only<int64_t>(count_nonzero(in)), 101);
  }
  EXPECT_FALSE(only<bool>(any(counting<float>({0}))));
  EXPECT_TRUE(only<bool>(all(counting<float>({0}))));
  EXPECT_EQ(any(counting<uint8_t>({2})).scalar_type(), kByte);
}

TEST(Truth, OfComplexNumbersIsThatOfEitherPart) {
  const Tensor self = tensor<Complex<float>>({{0, 1}, {0, 0}, {0, 2}});
  EXPECT_TRUE(only<bool>(any(self)));
  EXPECT_TRUE(only<bool>(all(tensor<Complex<float>>({{0, 1}, {1, 0}}))));
  EXPECT_FALSE(only<bool>(all(self)));
  EXPECT_EQ(only<int64_t>(count_nonzero(self)), 2);
}

TEST(Truth, OverListedDimensions) {
  const Tensor self = filled<uint8_t>({2, 3}, [](int64_t i) { return i == 1 ? 7 : 0; });
  expect_elements<bool>(any(counting<float>({1, 3}), IntArrayRef({0}), false), 3,
                        [](const Index& i) { return i[0] != 0; });
  expect_elements<uint8_t>(any(self, IntArrayRef({-1, 0}), true), {1, 1}, [](const Index&) { return 1; });
  expect_elements<uint8_t>(any(self, OptionalIntArrayRef(), false), {}, [](const Index&) { return 1; });
  expect_elements<uint8_t>(all(self, OptionalIntArrayRef(), false), {}, [](const Index&) { return 0; });
  // An empty list selects no dimension.
  expect_elements<uint8_t>(any(self, IntArrayRef(), false), {2, 3},
                           [](const Index& i) { return i[0] == 0 && i[1] == 1; });
  expect_error([&] { any(self, IntArrayRef({0, -2}), false); }, "any: ");
}

TEST(Variance, MayBeUnbiased) {
  const Tensor self = counting<float>({2, 3});
  expect_elements<float>(var(self, 1, true, false), 2, [](const Index&) { return 1; });
  expect_elements<float>(var(self, 1, false, true), {2, 1}, [](const Index&) { return 2.0 / 3; }, 1e-6);
  EXPECT_FLOAT_EQ(only<float>(std(self, true)), std::sqrt(3.5F));
  const auto [deviation, mean] = std_mean(self, 0, false, false);
  expect_elements<float>(deviation, 3, [](const Index&) { return 1.5; });
  expect_elements<float>(mean, 3, [](const Index& i) { return 1.5 + static_cast<double>(i[0]); });
  EXPECT_FLOAT_EQ(only<float>(std::get<0>(var_mean(self, false))), 17.5F / 6);
  Tensor out = empty({0});
  var_out(out, self, 0, true, false);
  expect_elements<float>(out, 3, [](const Index&) { return 4.5; });
}

TEST(Extremum, OfAllNamesTheCalledOperator) {
  expect_error([] { max(empty({0})); }, "max: expected a nonempty `self` without `dim`, got sizes [0]");
  expect_error([] { min(tensor<Complex<float>>({{1, 2}})); }, "min: expected dtype");
}

TEST(Extremum, WritesIntoWiderDtypes) {
  Tensor out = empty({3}, kDouble);
  max_out(out, tensor<float>({1, 3, 2}));
  EXPECT_EQ(out.dim(), 0);
  EXPECT_EQ(only<double>(out), 3);
  Tensor half = empty({0}, kHalf);
  EXPECT_EQ(static_cast<float>(only<Half>(min_out(half, tensor<int64_t>({4, 2})))), 2);
  Tensor whole = empty({}, kLong);
  expect_error([&] { max_out(whole, tensor<float>({1})); }, "max: expected `out` of a dtype to which Float casts");
}

TEST(Positions, AreThoseOfTheFirst) {
  const Tensor a = filled<float>({3, 4}, [](int64_t i) { return static_cast<float>(i % 4 == 1 || i % 4 == 3); });
  for (const Tensor& in : {a, strided(a)}) {
    expect_elements<int64_t>(argmax(in, 1), {3}, [](const Index&) { return 1.0; });
    expect_elements<int64_t>(argmin(in, 1, true), {3, 1}, [](const Index&) { return 0.0; });
    EXPECT_EQ(only<int64_t>(argmax(in)), 1);
  }
  const Tensor b = filled<float>({6}, [](int64_t i) { return i >= 4 ? std::nanf("") : static_cast<float>(i); });
  EXPECT_EQ(only<int64_t>(argmax(b)), 4);
  EXPECT_EQ(only<int64_t>(argmin(b)), 4);
  EXPECT_EQ(only<int64_t>(std::get<1>(min(b, 0))), 4);
  expect_error([] { argmax(counting<float>({0})); }, "argmax: expected a nonempty `self`, got sizes [0]");
  const Tensor truth = filled<bool>({3, 1}, [](int64_t i) { return i == 1; });
  expect_error([&] { argmax(truth, 0); }, "argmax: expected `self` of dtype");
  expect_error([&] { argmin(truth, 1); }, "argmin: expected `self` of dtype");
  expect_error([&] { argmax(filled<bool>({1}, [](int64_t) { return true; })); }, "argmax: expected `self` of dtype");
}

TEST(Extrema, WantElementsAndKeepNan) {
  const Tensor a = filled<float>({5}, [](int64_t i) { return i == 2 ? std::nanf("") : static_cast<float>(-i - 1); });
  EXPECT_TRUE(std::isnan(only<float>(amax(a))));
  expect_error([] { amax(counting<float>({2, 0}), 1); }, "amax: expected elements along dimension 1, got sizes [2, 0]");
}

TEST(Prod, WrapsAroundAndIsLongForIntegers) {
  const Tensor a = filled<int8_t>({70}, [](int64_t) { return int8_t{2}; });
  EXPECT_EQ(only<int64_t>(prod(a)), 0);
  EXPECT_EQ(only<int64_t>(prod(a, 0, false, kLong)), 0);
}

TEST(VectorNorm, HasManyOrders) {
  const Tensor a = filled<double>({4}, [](int64_t i) { return i == 0 ? 0.0 : -static_cast<double>(i); });
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(only<double>(linalg_vector_norm(a)), std::sqrt(14.0), 1e-12);
  EXPECT_NEAR(only<double>(linalg_vector_norm(a, 1)), 6, 1e-12);
  EXPECT_NEAR(only<double>(linalg_vector_norm(a, 3)), std::cbrt(36.0), 1e-12);
  EXPECT_EQ(only<double>(linalg_vector_norm(a, 0)), 3);
  EXPECT_EQ(only<double>(linalg_vector_norm(a, infinity)), 3);
  EXPECT_EQ(only<double>(linalg_vector_norm(a, -infinity)), 0);
}

TEST(Reductions, AreTheSameWithAllVectorInstructions) {
  using Dim = std::optional<int64_t>;
  Tensor (*const functions[])(const Tensor&, Dim) = {
      [](const Tensor& x, Dim dim) { return dim ? sum(x, *dim) : sum(x); },
      [](const Tensor& x, Dim dim) { return dim ? prod(x, *dim) : prod(x); },
      [](const Tensor& x, Dim dim) { return dim ? mean(x, *dim) : mean(x); },
      [](const Tensor& x, Dim dim) { return dim ? nansum(x, *dim) : nansum(x); },
      [](const Tensor& x, Dim dim) { return dim ? amax(x, *dim) : amax(x); },
      [](const Tensor& x, Dim dim) { return dim ? amin(x, *dim) : amin(x); },
      [](const Tensor& x, Dim dim) { return dim ? linalg_vector_norm(x, 1, *dim) : linalg_vector_norm(x, 1); },
      [](const Tensor& x, Dim dim) { return dim ? linalg_vector_norm(x, 2, *dim) : linalg_vector_norm(x, 2); }};
  const Tensor numbers =
      filled<double>({70, 1300}, [](int64_t i) { return 0.99 + 0.0003 * static_cast<double>(i * 37 % 71); });
  const SimdLevel before = simd_level();
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kComplexFloat}) {
    const size_t count = is_complex(dtype) ? 3 : std::size(functions);
    const Tensor dense = empty(numbers.sizes(), dtype);
    copy_into(dense, numbers);
    for (const Tensor& x : {dense, strided(dense)}) {
      for (const auto function : ArrayRef(functions, count)) {
        for (const Dim dim : {Dim(), Dim(0), Dim(1)}) {
          set_simd_level(SimdLevel::baseline);
          const Tensor expected = function(x, dim);
          for (int level = 1; level <= static_cast<int>(best_simd_level()); ++level) {
            set_simd_level(static_cast<SimdLevel>(level));
            const Tensor actual = function(x, dim);
            EXPECT_EQ(std::memcmp(actual.data(), expected.data(), expected.nbytes()), 0)
                << dtype << ' ' << dim.value_or(-1) << ' ' << level;
          }
        }
      }
    }
  }
  set_simd_level(before);
}

TEST(Cumulative, OperatorsGoAlongAnyDimension) {
  const Tensor a = filled<float>({3, 4, 5}, [](int64_t) { return 2.0f; });
  for (const Tensor& in : {a, strided(a)}) {
    for (int64_t dim = 0; dim < 3; ++dim) {
      const auto d = static_cast<size_t>(dim);
      expect_elements<float>(cumsum(in, dim), {3, 4, 5}, [&](const Index& i) { return 2.0 * double(i[d] + 1); });
      expect_elements<float>(cumprod(in, dim - 3), {3, 4, 5},
                             [&](const Index& i) { return std::exp2(double(i[d] + 1)); });
    }
  }
  Tensor b = counting<int32_t>({4});
  cumsum_(b, 0);
  expect_elements<int32_t>(b, {4}, [](const Index& i) { return double(i[0] * (i[0] + 1)) / 2; });
  const Tensor truth = filled<bool>({}, [](int64_t) { return true; });
  EXPECT_TRUE(only<bool>(cumsum(truth, 0, kBool)));
  EXPECT_EQ(cumprod(filled<bool>({3, 0}, [](int64_t) { return true; }), 0, kBool).scalar_type(), kBool);
  expect_error([] { cumsum(filled<bool>({2}, [](int64_t) { return true; }), 0, kBool); },
               "cumsum: a result of dtype Bool is not supported");
}

}  // namespace
}  // namespace structured
