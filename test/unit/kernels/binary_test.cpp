// add, sub and mul.
#include <structured/base/error.h>
#include <structured/ops/add.h>
#include <structured/ops/mul.h>
#include <structured/ops/rsub.h>
#include <structured/ops/sub.h>

#include <complex>
#include <limits>
#include <type_traits>

#include "kernels/expect.h"

namespace structured::binary_test {
namespace {

using namespace test;

// Values small enough for products to be exact in every type.
template <class T>
T small_value(int64_t i) {
  return static_cast<T>(static_cast<float>(i * 5 % 7));
}

template <class T>
double sum_of(T a, T b, double alpha = 1) {
  const double sum = static_cast<double>(a) + alpha * static_cast<double>(b);
  return std::is_same_v<T, bool> ? (sum != 0) : sum;
}

// Returns element `index` of `tensor` broadcast to a larger shape.
template <class T>
T broadcast_at(const Tensor& tensor, Index index) {
  index.erase(index.begin(), index.end() - tensor.dim());
  for (size_t d = 0; d < index.size(); ++d) {
    if (tensor.sizes()[d] == 1) index[d] = 0;
  }
  return at<T>(tensor, index);
}

template <class T>
void expect_sum(const Tensor& actual, const Tensor& a, const Tensor& b, IntArrayRef sizes, double alpha = 1) {
  expect_elements<T>(actual, sizes, [&](const Index& index) {
    return sum_of(broadcast_at<T>(a, index), broadcast_at<T>(b, index), alpha);
  });
}

template <class T>
void expect_product(const Tensor& actual, const Tensor& a, const Tensor& b, IntArrayRef sizes) {
  expect_elements<T>(actual, sizes, [&](const Index& index) {
    return static_cast<double>(broadcast_at<T>(a, index)) * static_cast<double>(broadcast_at<T>(b, index));
  });
}

template <class T>
class Binary : public testing::Test {};
using Types = testing::Types<float, double, int64_t, int32_t, int16_t, int8_t, uint8_t, bool, Half, BFloat16>;
TYPED_TEST_SUITE(Binary, Types);

TYPED_TEST(Binary, TakesAnyLayout) {
  using T = TypeParam;
  const Tensor a = filled<T>({3, 17}, small_value<T>);
  const Tensor b = filled<T>({3, 17}, [](int64_t i) { return small_value<T>(i + 3); });
  for (const Tensor& left : {a, strided(a)}) {
    for (const Tensor& right : {b, strided(b)}) {
      expect_sum<T>(add(left, right), a, b, {3, 17});
      expect_product<T>(mul(left, right), a, b, {3, 17});
    }
  }
}

TYPED_TEST(Binary, Broadcasts) {
  using T = TypeParam;
  const Tensor a = filled<T>({4, 1, 3}, small_value<T>);
  const Tensor b = filled<T>({5, 1}, small_value<T>);
  expect_sum<T>(add(a, b), a, b, {4, 5, 3});
  expect_product<T>(mul(b, a), b, a, {4, 5, 3});
  const Tensor row = filled<T>({3}, small_value<T>);
  expect_sum<T>(add(a, row), a, row, {4, 1, 3});
  expect_product<T>(mul(row, strided(a)), row, a, {4, 1, 3});
}

TYPED_TEST(Binary, TakesZeroDimensions) {
  using T = TypeParam;
  const Tensor a = filled<T>({}, [](int64_t) { return static_cast<T>(3.0f); });
  const Tensor b = filled<T>({2, 3}, small_value<T>);
  expect_sum<T>(add(a, a), a, a, {});
  expect_sum<T>(add(b, a), b, a, {2, 3});
  expect_product<T>(mul(a, b), a, b, {2, 3});
}

TYPED_TEST(Binary, TakesNoElements) {
  using T = TypeParam;
  const Tensor a = filled<T>({0, 3}, small_value<T>);
  const Tensor b = filled<T>({1, 3}, small_value<T>);
  EXPECT_EQ(add(a, b).sizes(), (IntArrayRef{0, 3}));
  EXPECT_EQ(mul(b, a).sizes(), (IntArrayRef{0, 3}));
}

TYPED_TEST(Binary, WorksInPlace) {
  using T = TypeParam;
  for (const bool is_strided : {false, true}) {
    const Tensor before = filled<T>({3, 5}, small_value<T>);
    const Tensor b = filled<T>({5}, [](int64_t i) { return small_value<T>(i + 1); });
    Tensor a = is_strided ? strided(before) : filled<T>({3, 5}, small_value<T>);
    const auto version = a.version();
    EXPECT_TRUE(add_(a, b).is_same(a));
    EXPECT_GT(a.version(), version);
    expect_sum<T>(a, before, b, {3, 5});
    Tensor c = is_strided ? strided(before) : filled<T>({3, 5}, small_value<T>);
    mul_(c, c);
    expect_product<T>(c, before, before, {3, 5});
  }
}

TYPED_TEST(Binary, WritesIntoOutOfAnyLayout) {
  using T = TypeParam;
  const Tensor a = filled<T>({3, 5}, small_value<T>);
  const Tensor b = filled<T>({5}, small_value<T>);
  Tensor dense = empty({3, 5}, scalar_type_of<T>);
  Tensor gaps = strided(dense);
  Tensor empty = structured::empty({0}, scalar_type_of<T>);
  for (Tensor* out : {&dense, &gaps, &empty}) {
    const Tensor before = *out;
    EXPECT_TRUE(add_out(*out, a, b).is_same(before));
    expect_sum<T>(*out, a, b, {3, 5});
    mul_out(*out, a, b);
    expect_product<T>(*out, a, b, {3, 5});
  }
}

TYPED_TEST(Binary, WorksOnManyElements) {
  using T = TypeParam;
  const Tensor a = filled<T>({100000}, small_value<T>);
  const Tensor b = filled<T>({100000}, [](int64_t i) { return small_value<T>(i / 3); });
  expect_sum<T>(add(a, b), a, b, {100000});
}

TYPED_TEST(Binary, MultipliesByAlpha) {
  using T = TypeParam;
  const Tensor a = filled<T>({3, 4}, small_value<T>);
  const Tensor b = filled<T>({3, 4}, [](int64_t i) { return small_value<T>(i + 2); });
  expect_sum<T>(add(a, b, 3), a, b, {3, 4}, 3);
  expect_sum<T>(add(strided(a), b, 0), a, b, {3, 4}, 0);
  if constexpr (std::is_floating_point_v<T>) expect_sum<T>(add(a, b, -2.5), a, b, {3, 4}, -2.5);
}

TEST(Add, WrapsIntegersAround) {
  const int64_t largest = std::numeric_limits<int64_t>::max();
  const Tensor a = tensor<int64_t>({largest, largest});
  const Tensor b = tensor<int64_t>({1, largest});
  EXPECT_EQ(to_vector<int64_t>(add(a, b)), (std::vector<int64_t>{-largest - 1, -2}));
  EXPECT_EQ(to_vector<int64_t>(mul(a, b)), (std::vector<int64_t>{largest, 1}));
  const Tensor c = tensor<int32_t>({std::numeric_limits<int32_t>::min()});
  EXPECT_EQ(to_vector<int32_t>(add(c, c)), (std::vector<int32_t>{0}));
  EXPECT_EQ(to_vector<uint8_t>(add(tensor<uint8_t>({5}), tensor<uint8_t>({7}), -1)), (std::vector<uint8_t>{254}));
}

TEST(Add, PromotesDtypes) {
  const Tensor ints = counting<int32_t>({300});
  const Tensor floats = filled<float>({300}, [](int64_t i) { return 0.5f * static_cast<float>(i); });
  expect_elements<float>(add(ints, floats), {300}, [](const Index& i) { return 1.5 * static_cast<double>(i[0]); });
  const Tensor halves = filled<Half>({4}, [](int64_t) { return Half(1.5f); });
  const Tensor zero_dim = filled<double>({}, [](int64_t) { return 0.25; });
  expect_elements<Half>(add(halves, zero_dim), {4}, [](const Index&) { return 1.75; });
  EXPECT_EQ(add(ints, zero_dim).dtype(), kDouble);
  EXPECT_EQ(add(halves, wrapped_scalar_tensor(1.0)).dtype(), kHalf);
  EXPECT_EQ(mul(ints, wrapped_scalar_tensor(1.0)).dtype(), kFloat);
  EXPECT_EQ(
      mul(filled<bool>({2}, [](int64_t) { return true; }), ints.dim() == 1 ? counting<uint8_t>({2}) : ints).dtype(),
      kByte);
}

TEST(AddNumber, GivesWhatATensorOfTheNumberGives) {
  const Tensor ints = counting<int32_t>({5});
  expect_elements<float>(add(ints, 0.5), {5}, [](const Index& i) { return static_cast<double>(i[0]) + 0.5; });
  expect_elements<int32_t>(add(ints, 3, 2), {5}, [](const Index& i) { return static_cast<double>(i[0] + 6); });
  const Tensor floats = counting<float>({2, 3});
  expect_elements<float>(add(strided(floats), 2.0), {2, 3},
                         [](const Index& i) { return static_cast<double>(i[0] * 3 + i[1] + 2); });
  EXPECT_EQ(add(floats, Complex<double>(0, 1)).dtype(), kComplexFloat);
  const Tensor bools = filled<bool>({2}, [](int64_t) { return false; });
  EXPECT_EQ(add(bools, true).dtype(), kBool);
  EXPECT_EQ(add(bools, 1).dtype(), kLong);
  EXPECT_EQ(add(filled<Half>({2}, [](int64_t) { return Half(1.0F); }), 2.0).dtype(), kHalf);
  EXPECT_EQ(add(wrapped_scalar_tensor(1), 2.0).dtype(), kFloat);
  EXPECT_EQ(add(wrapped_scalar_tensor(1.0), 2.0).dtype(), kDouble);
  // The scalar is converted like a tensor element: it wraps, whereas a scalar argument out of range is an error.
  EXPECT_EQ(to_vector<int8_t>(add(counting<int8_t>({2}), 300)), (std::vector<int8_t>{44, 45}));
}

TEST(AddNumber, HasTheVariantsOfAnOperator) {
  Tensor self = counting<float>({3});
  const auto version = self.version();
  EXPECT_TRUE(add_(self, 2).is_same(self));
  EXPECT_EQ(to_vector<float>(self), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(self.version(), version + 1);
  Tensor out = empty({0}, kDouble);
  add_out(out, self, 0.5);
  EXPECT_EQ(to_vector<double>(out), (std::vector<double>{2.5, 3.5, 4.5}));
  Tensor ints = counting<int64_t>({3});
  expect_error([&] { add_(ints, 0.5); }, "the result has dtype Float, which output 0 of dtype Long cannot hold");
  expect_error([&] { add(ints, 1, 1.5); }, "expected an integer as `alpha` of Long tensors, got 1.5");
}

TEST(Sub, RefusesBool) {
  const Tensor bools = filled<bool>({2}, [](int64_t i) { return i == 0; });
  const Tensor ints = counting<int64_t>({2});
  Tensor floats = counting<float>({2});
  expect_error([&] { sub(bools, ints); }, "sub: Bool operands are not supported");
  expect_error([&] { sub(bools, 1); }, "sub: Bool operands are not supported");
  expect_error([&] { sub(bools, 0.5); }, "sub: Bool operands are not supported");
  expect_error([&] { sub_(floats, true); }, "sub: Bool operands are not supported");
  expect_error([&] { rsub(bools, ints); }, "rsub: Bool operands are not supported");
  expect_error([&] { rsub(ints, bools); }, "rsub: Bool operands are not supported");
  expect_error([&] { rsub(bools, 1); }, "rsub: Bool operands are not supported");
  expect_error([&] { rsub(ints, 1, 1.5); }, "rsub: expected an integer as `alpha`");
  EXPECT_EQ(to_vector<int64_t>(sub(ints, 3, 2)), (std::vector<int64_t>{-6, -5}));
  EXPECT_EQ(to_vector<int64_t>(rsub(ints, 3, 2)), (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(to_vector<float>(rsub(ints, floats, 2)), (std::vector<float>{0, -1}));
  EXPECT_EQ(rsub(strided(counting<float>({5, 5})), counting<float>({5, 5})).strides(), (IntArrayRef{5, 1}));
}

TEST(Add, ConvertsTheResultToOutsDtype) {
  const Tensor a = counting<float>({3, 4});
  Tensor out = strided(counting<double>({3, 4}));
  add_out(out, a, a);
  expect_elements<double>(out, {3, 4}, [](const Index& i) { return 2 * static_cast<double>(i[0] * 4 + i[1]); });
  Tensor lower = counting<float>({12});
  add_(lower, counting<double>({12}));
  expect_elements<float>(lower, {12}, [](const Index& i) { return 2 * static_cast<double>(i[0]); });
}

TEST(Add, RefusesOutputsThatCannotHoldTheResult) {
  const Tensor floats = counting<float>({3});
  Tensor ints = counting<int64_t>({3});
  expect_error([&] { add_(ints, floats); }, "the result has dtype Float, which output 0 of dtype Long cannot hold");
  expect_error([&] { mul_out(ints, floats, floats); }, "cannot hold");
  Tensor bools = filled<bool>({3}, [](int64_t) { return true; });
  expect_error([&] { add_out(bools, ints, ints); }, "the result has dtype Long, which output 0 of dtype Bool");
}

TEST(Add, RefusesAnAlphaOfAHigherCategory) {
  const Tensor ints = counting<int64_t>({3});
  const Tensor bools = filled<bool>({3}, [](int64_t) { return true; });
  expect_error([&] { add(ints, ints, 1.5); }, "expected an integer as `alpha` of Long tensors, got 1.5");
  expect_error([&] { add(ints, ints, true); }, "a boolean `alpha` requires Bool tensors, got Long");
  expect_error([&] { add(counting<float>({3}), ints, Complex<double>(0, 1)); }, "expected a real number as `alpha`");
  expect_elements<bool>(add(bools, bools, false), {3}, [](const Index&) { return 1; });
  EXPECT_NO_THROW(add(ints, counting<float>({3}), 1.5));
}

TEST(Add, RefusesShapesThatDoNotFit) {
  const Tensor a = counting<float>({2, 3});
  const Tensor b = counting<float>({4});
  expect_error([&] { add(a, b); }, "shapes [2, 3] and [4] do not broadcast");
  Tensor row = counting<float>({3});
  expect_error([&] { add_(row, a); }, "expected output 0 of shape [2, 3]");
  expect_elements<float>(row, {3}, [](const Index& i) { return static_cast<double>(i[0]); });
}

TEST(Add, RefusesToResizeAViewIntoAnOperand) {
  const Tensor memory = counting<float>({4});
  Tensor none = as_strided(memory, {0}, {1}, 1);
  expect_error([&] { add_out(none, memory, memory); }, "overlaps a part");
  expect_elements<float>(memory, {4}, [](const Index& i) { return static_cast<double>(i[0]); });
}

TEST(Add, RefusesMemoryThatOverlaps) {
  const Tensor memory = counting<float>({10});
  Tensor first = as_strided(memory, {8}, {1}, 0);
  const Tensor second = as_strided(memory, {8}, {1}, 1);
  expect_error([&] { add_(first, second); }, "overlaps a part");
  Tensor repeated = as_strided(memory, {8}, {0}, 0);
  expect_error([&] { mul_(repeated, second); }, "share one memory location");
}

TEST(Add, KeepsTheOrderOfDimensions) {
  const Tensor a = strided(counting<float>({3, 4}));
  const Tensor b = strided(counting<float>({3, 4}));
  EXPECT_EQ(add(a, b).strides(), (IntArrayRef{1, 3}));
}

TEST(Add, ComputesComplexNumbers) {
  using C = Complex<float>;
  const Tensor a = tensor<C>({C(1, 2), C(3, -1)});
  const Tensor b = tensor<C>({C(0, 1), C(2, 2)});
  EXPECT_EQ(to_vector<C>(add(a, b, Complex<double>(0, 2))), (std::vector<C>{C(-1, 2), C(-1, 3)}));
  EXPECT_EQ(to_vector<C>(mul(a, b)), (std::vector<C>{C(-2, 1), C(8, 4)}));
  EXPECT_EQ(mul(a, counting<double>({2})).dtype(), kComplexDouble);
}

TEST(Add, ComputesShapesOnMeta) {
  const TensorOptions options = TensorOptions(kFloat).device(kMeta);
  const Tensor out = add(empty({4, 1}, options), empty({3}, options.dtype(kDouble)));
  EXPECT_TRUE(out.is_meta());
  EXPECT_EQ(out.sizes(), (IntArrayRef{4, 3}));
  EXPECT_EQ(out.dtype(), kDouble);
}

}  // namespace
}  // namespace structured::binary_test
