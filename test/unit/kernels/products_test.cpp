// Batched and accumulating products of matrices and vectors, and products that are scalars.
#include <structured/ops/addbmm.h>
#include <structured/ops/addmm.h>
#include <structured/ops/addmv.h>
#include <structured/ops/addr.h>
#include <structured/ops/baddbmm.h>
#include <structured/ops/bmm.h>
#include <structured/ops/dot.h>
#include <structured/ops/ger.h>
#include <structured/ops/inner.h>
#include <structured/ops/item.h>
#include <structured/ops/linear.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mv.h>
#include <structured/ops/outer.h>
#include <structured/ops/transpose.h>
#include <structured/ops/vdot.h>

#include <cmath>
#include <limits>

#include "kernels/expect.h"

namespace structured::products_test {
namespace {

using namespace test;

template <class T>
Tensor numbers(IntArrayRef sizes, int64_t seed = 7) {
  return filled<T>(sizes, [seed](int64_t i) { return static_cast<T>(i * seed % 11 - 5); });
}

// Returns an element of the product of the last two dimensions; either batch dimension may be missing.
template <class T>
double product(const Tensor& a, const Tensor& b, const Index& batch, int64_t row, int64_t column) {
  double sum = 0;
  for (int64_t k = 0; k < a.size(-1); ++k) {
    Index left = a.dim() == 2 ? Index() : batch;
    Index right = b.dim() == 2 ? Index() : batch;
    left.insert(left.end(), {row, k});
    right.insert(right.end(), {k, column});
    sum += static_cast<double>(at<T>(a, left)) * static_cast<double>(at<T>(b, right));
  }
  return sum;
}

template <class T>
class Products : public testing::Test {};
using Types = testing::Types<float, double, int64_t>;
TYPED_TEST_SUITE(Products, Types);

TYPED_TEST(Products, AreAddedInAnyLayout) {
  using T = TypeParam;
  // Small products, computed by a loop, and large ones.
  for (const int64_t size : {3, 20}) {
    const Tensor a = numbers<T>({size, size + 2});
    const Tensor b = numbers<T>({size + 2, size + 1}, 5);
    for (const Tensor& self : {numbers<T>({size, size + 1}, 3), numbers<T>({size + 1}, 3), numbers<T>({}, 3)}) {
      const auto expected = [&](const Index& i) {
        const Index from = self.dim() == 2 ? i : self.dim() == 1 ? Index{i[1]} : Index{};
        return 2 * static_cast<double>(at<T>(self, from)) + 3 * product<T>(a, b, {}, i[0], i[1]);
      };
      expect_elements<T>(addmm(self, strided(a), b, 2, 3), {size, size + 1}, expected, 1e-6);
      Tensor gaps = strided(empty({size, size + 1}, scalar_type_of<T>));
      Tensor turned = transpose(empty({size + 1, size}, scalar_type_of<T>), 0, 1);
      for (Tensor* out : {&gaps, &turned}) {
        addmm_out(*out, self, a, strided(b), 2, 3);
        expect_elements<T>(*out, {size, size + 1}, expected, 1e-6);
      }
    }
    Tensor written = numbers<T>({size, size + 1}, 3);
    const Tensor before = addmm(written, a, b, 2);
    addmm_(written, a, b, 2);
    EXPECT_EQ(to_vector<T>(written), to_vector<T>(before));
  }
}

TYPED_TEST(Products, ComeInBatches) {
  using T = TypeParam;
  const Tensor a = numbers<T>({3, 9, 10});
  const Tensor b = numbers<T>({3, 10, 8}, 5);
  const auto in_batch = [&](const Index& i) { return product<T>(a, b, {i[0]}, i[1], i[2]); };
  expect_elements<T>(bmm(a, strided(b)), {3, 9, 8}, in_batch, 1e-6);
  Tensor out = strided(empty({3, 9, 8}, scalar_type_of<T>));
  bmm_out(out, a, b);
  expect_elements<T>(out, {3, 9, 8}, in_batch, 1e-6);
  const Tensor self = numbers<T>({9, 8}, 3);
  const auto from = [&](const Index& i) { return static_cast<double>(at<T>(self, {i[i.size() - 2], i.back()})); };
  expect_elements<T>(
      baddbmm(self, a, b, 2, 3), {3, 9, 8}, [&](const Index& i) { return 2 * from(i) + 3 * in_batch(i); }, 1e-6);
  const auto summed = [&](const Index& i) {
    double sum = 0;
    for (int64_t batch = 0; batch < 3; ++batch) sum += product<T>(a, b, {batch}, i[0], i[1]);
    return 2 * from(i) + 3 * sum;
  };
  expect_elements<T>(addbmm(self, a, b, 2, 3), {9, 8}, summed, 1e-6);
}

TYPED_TEST(Products, OfMatrixAndVector) {
  using T = TypeParam;
  for (const int64_t size : {4, 40}) {
    const Tensor a = numbers<T>({size, 30});
    const Tensor x = numbers<T>({30}, 5);
    const Tensor y = numbers<T>({size}, 3);
    const auto value = [&](const Index& i) {
      double sum = 0;
      for (int64_t k = 0; k < 30; ++k)
        sum += static_cast<double>(at<T>(a, {i[0], k})) * static_cast<double>(at<T>(x, {k}));
      return sum;
    };
    expect_elements<T>(mv(a, strided(x)), {size}, value, 1e-6);
    expect_elements<T>(mv(strided(a), x), {size}, value, 1e-6);
    Tensor out = strided(y);
    addmv_out(out, y, a, x, 2, 3);
    expect_elements<T>(
        out, {size}, [&](const Index& i) { return 2 * static_cast<double>(at<T>(y, i)) + 3 * value(i); }, 1e-6);
  }
}

TEST(Products, IgnoreWhatIsMultipliedBy0) {
  for (const int64_t size : {2, 30}) {
    const Tensor nans = filled<float>({size, size}, [](int64_t) { return kNan; });
    const Tensor nan_row = filled<float>({size}, [](int64_t) { return kNan; });
    const Tensor ones = filled<float>({size, size}, [](int64_t) { return 1; });
    const Tensor one_row = filled<float>({size}, [](int64_t) { return 1; });
    const Tensor batch = filled<float>({1, size, size}, [](int64_t) { return 1; });
    const auto sum = [size](const Index&) { return static_cast<double>(size); };
    expect_elements<float>(addmm(nans, ones, ones, 0), {size, size}, sum);
    Tensor written = filled<float>({size, size}, [](int64_t) { return kNan; });
    expect_elements<float>(addmm_(written, ones, ones, 0), {size, size}, sum);
    expect_elements<float>(addmv(nan_row, ones, one_row, 0), {size}, sum);
    expect_elements<float>(baddbmm(nans, batch, batch, 0), {1, size, size}, sum);
    expect_elements<float>(addbmm(nans, batch, batch, 0), {size, size}, sum);
    expect_elements<float>(addr(nans, one_row, one_row, 0), {size, size}, [](const Index&) { return 1; });
  }
}

TEST(Products, OfNothingAre0) {
  const auto three = [](const Index&) { return 3.0; };
  const Tensor self = filled<float>({2, 2}, [](int64_t) { return 3; });
  expect_elements<float>(addmm(self, empty({2, 0}), empty({0, 2})), {2, 2}, three);
  expect_elements<float>(addbmm(self, empty({0, 2, 5}), empty({0, 5, 2})), {2, 2}, three);
  EXPECT_EQ(dot(empty({0}), empty({0})).item<float>(), 0);
  EXPECT_EQ(bmm(empty({0, 2, 3}), empty({0, 3, 4})).sizes(), IntArrayRef({0, 2, 4}));
}

TEST(Products, OfComplexNumbers) {
  using C = Complex<float>;
  const Tensor a =
      filled<C>({20, 20}, [](int64_t i) { return C(static_cast<float>(i % 3), static_cast<float>(i % 5)); });
  const Tensor result = addmm(a, a, a, C(0, 1));
  C sum = C(0, 1) * at<C>(a, {3, 4});
  for (int64_t k = 0; k < 20; ++k) sum += at<C>(a, {3, k}) * at<C>(a, {k, 4});
  EXPECT_EQ(at<C>(result, {3, 4}), sum);
  const Tensor x = tensor<C>({C(1, 2), C(3, 4)});
  EXPECT_EQ(dot(x, x).item<C>(), C(-10, 28));
  EXPECT_EQ(vdot(x, x).item<C>(), C(30, 0));
}

TEST(Dot, SumsInTheSameOrderWithAnyStepsOfVectors) {
  const Tensor a = filled<float>({100000}, [](int64_t i) { return std::sin(static_cast<float>(i)); });
  const float expected = dot(a, a).item<float>();
  EXPECT_NEAR(expected, 50000, 1);
  EXPECT_NEAR(dot(strided(a), a).item<float>(), expected, 5);
  EXPECT_EQ(dot(counting<int64_t>({5}), counting<int64_t>({5})).item<int64_t>(), 30);
}

TEST(Addr, PromotesAndBroadcasts) {
  const Tensor result = addr(counting<double>({1}), counting<float>({2}), counting<float>({3}), 1, 2);
  expect_elements<double>(result, {2, 3}, [](const Index& i) { return 2.0 * i[0] * i[1]; });
  const Tensor truth = tensor<bool>({true, false});
  const Tensor most = tensor<int32_t>({std::numeric_limits<int32_t>::max()});
  EXPECT_EQ(addr(most, most, most).item<int32_t>(), std::numeric_limits<int32_t>::min());  // integers wrap
  EXPECT_EQ(to_vector<bool>(addr(truth, truth, truth)), (std::vector<bool>{true, false, true, false}));
}

TEST(Matmul, TakesVectorsMatricesAndBatches) {
  const Tensor a = numbers<float>({4, 3, 5});
  const Tensor b = numbers<float>({2, 1, 5, 6}, 5);
  const auto expected = [&](const Index& i) {
    double sum = 0;
    for (int64_t k = 0; k < 5; ++k) sum += at<float>(a, {i[1], i[2], k}) * at<float>(b, {i[0], 0, k, i[3]});
    return sum;
  };
  expect_elements<float>(matmul(a, b), {2, 4, 3, 6}, expected);
  expect_elements<float>(matmul(strided(a), strided(b)), {2, 4, 3, 6}, expected);
  Tensor out = empty({0}, kFloat);
  matmul_out(out, a, b);
  expect_elements<float>(out, {2, 4, 3, 6}, expected);

  const Tensor x = numbers<float>({5}, 3);
  const Tensor m = numbers<float>({5, 6}, 5);
  const auto folded = [&](const Index& i) { return product<float>(a, m, {i[0]}, i[1], i[2]); };
  expect_elements<float>(matmul(a, m), {4, 3, 6}, folded);
  EXPECT_EQ(matmul(a, x).sizes(), IntArrayRef({4, 3}));
  EXPECT_EQ(matmul(x, b).sizes(), IntArrayRef({2, 1, 6}));
  EXPECT_EQ(matmul(x, m).sizes(), IntArrayRef({6}));
  EXPECT_EQ(matmul(x, x).dim(), 0);
  EXPECT_EQ(matmul(numbers<float>({2, 5}), b).sizes(), IntArrayRef({2, 1, 2, 6}));
}

TEST(Outer, MultipliesEachWithEach) {
  const Tensor a = counting<float>({3});
  const Tensor b = counting<double>({2});
  expect_elements<double>(outer(a, b), {3, 2}, [](const Index& i) { return static_cast<double>(i[0] * i[1]); });
  Tensor out = empty({0}, kDouble);
  ger_out(out, strided(a), b);
  EXPECT_EQ(out.sizes(), IntArrayRef({3, 2}));
  expect_error([&] { outer(a, out); }, "outer: expected two vectors, got 1 and 2 dimensions");
}

TEST(Inner, SumsOverLastDimensions) {
  const Tensor a = numbers<float>({2, 3, 5});
  const Tensor b = numbers<float>({4, 5}, 5);
  expect_elements<float>(inner(a, b), {2, 3, 4}, [&](const Index& i) {
    double sum = 0;
    for (int64_t k = 0; k < 5; ++k) sum += at<float>(a, {i[0], i[1], k}) * at<float>(b, {i[2], k});
    return sum;
  });
  EXPECT_EQ(inner(numbers<float>({5}), numbers<float>({5})).dim(), 0);
  EXPECT_EQ(inner(b, scalar_tensor(2.0f)).sizes(), IntArrayRef({4, 5}));
  expect_error([&] { inner(a, numbers<float>({4})); }, "inner: expected last dimensions of one size");
}

TEST(Linear, AddsIntoOut) {
  const Tensor input = numbers<float>({2, 3, 5});
  const Tensor weight = numbers<float>({4, 5}, 5);
  const Tensor bias = numbers<float>({4}, 3);
  Tensor out = empty({0}, kFloat);
  linear_out(out, input, weight, bias);
  EXPECT_EQ(to_vector<float>(out), to_vector<float>(linear(input, weight, bias)));
}

TEST(Products, RefuseWhatDoesNotFit) {
  const Tensor matrix = counting<float>({2, 3});
  const Tensor vector = counting<float>({3});
  const Tensor batch = counting<float>({2, 2, 3});
  expect_error([&] { addmm(vector, matrix, vector); }, "addmm: expected `mat2` to have 2 dimensions, got sizes [3]");
  expect_error([&] { addmm(counting<float>({4}), matrix, counting<float>({3, 2})); },
               "expected `self` to be expandable to sizes [2, 2], got [4]");
  expect_error([&] { addmm(counting<double>({2}), matrix, counting<float>({3, 2})); }, "of the dtype Float");
  expect_error([&] { bmm(batch, matrix); }, "bmm: expected `mat2` to have 3 dimensions, got sizes");
  expect_error([&] { bmm(batch, batch); }, "their shapes are 2x3 and 2x3");
  expect_error([&] { bmm(batch, counting<float>({3, 3, 1})); }, "the same number of matrices, got 2 and 3");
  expect_error([&] { bmm(empty({1, 1, 1}, kBool), empty({1, 1, 1}, kBool)); }, "bmm: ");
  expect_error([&] { mv(matrix, counting<float>({2})); }, "expected `vec` to have 3 elements");
  expect_error([&] { dot(vector, counting<float>({2})); }, "to have the same number of elements, got 3 and 2");
  expect_error([&] { dot(vector, counting<double>({3})); }, "one dtype, got Float and Double");
  expect_error([&] { matmul(scalar_tensor(1.0f), vector); }, "matmul: expected tensors of 1 dimension");
  expect_error([&] { matmul(batch, counting<float>({3, 3, 1})); }, "batch dimensions that can be broadcast");
  expect_error([&] { addr(counting<int64_t>({1}), counting<int64_t>({2}), counting<int64_t>({2}), 0.5); }, "beta");
  Tensor self = counting<float>({2, 2});
  expect_error([&] { addmm_(self, self, self); }, "shares memory with");
}

// Multiplying an overflowed sum by 1 would give the imaginary part infinity * 0, which is NaN.
TEST(Products, OfComplexNumbersStayInfinite) {
  const Complex<float> large(1e30f, 0);
  const Tensor matrix = filled<Complex<float>>({1, 1}, [&](int64_t) { return large; });
  const Tensor vector = filled<Complex<float>>({1}, [&](int64_t) { return large; });
  const Tensor batch = filled<Complex<float>>({1, 1, 1}, [&](int64_t) { return large; });
  for (const Tensor& product : {matmul(matrix, matrix), mv(matrix, vector), bmm(batch, batch)}) {
    const auto value = *product.data_ptr<Complex<float>>();
    EXPECT_EQ(value.real(), std::numeric_limits<float>::infinity());
    EXPECT_EQ(value.imag(), 0);
  }
}

}  // namespace
}  // namespace structured::products_test
