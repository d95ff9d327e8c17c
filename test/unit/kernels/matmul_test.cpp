// mm and linear.
#include <structured/ops/addbmm.h>
#include <structured/ops/addmm.h>
#include <structured/ops/addmv.h>
#include <structured/ops/addr.h>
#include <structured/ops/baddbmm.h>
#include <structured/ops/linear.h>
#include <structured/ops/mm.h>
#include <structured/ops/ones.h>
#include <structured/ops/transpose.h>

#include "kernels/expect.h"

namespace structured::matmul_test {
namespace {

using namespace test;

template <class T>
T small_value(int64_t i) {
  return static_cast<T>(i * 7 % 11 - 5);
}

// Returns element [i, j] of the product by definition.
template <class T>
double product(const Tensor& a, const Tensor& b, const Index& index) {
  double sum = 0;
  for (int64_t k = 0; k < a.size(1); ++k) {
    sum += static_cast<double>(at<T>(a, {index[0], k})) * static_cast<double>(at<T>(b, {k, index[1]}));
  }
  return sum;
}

template <class T>
void expect_product(const Tensor& actual, const Tensor& a, const Tensor& b) {
  expect_elements<T>(actual, {a.size(0), b.size(1)}, [&](const Index& index) { return product<T>(a, b, index); }, 1e-6);
}

template <class T>
class Mm : public testing::Test {};
using Types = testing::Types<float, double, int64_t, int32_t, int8_t>;
TYPED_TEST_SUITE(Mm, Types);

TYPED_TEST(Mm, MultipliesAnyLayout) {
  using T = TypeParam;
  const Tensor a = filled<T>({3, 5}, small_value<T>);
  const Tensor b = filled<T>({5, 4}, [](int64_t i) { return static_cast<T>(i % 3 - 1); });
  for (const Tensor& left : {a, strided(a)}) {
    for (const Tensor& right : {b, strided(b)}) {
      expect_product<T>(mm(left, right), a, b);
    }
  }
}

TYPED_TEST(Mm, MultipliesTransposedOperands) {
  using T = TypeParam;
  const Tensor a = filled<T>({5, 3}, small_value<T>);
  const Tensor b = filled<T>({4, 5}, small_value<T>);
  expect_product<T>(mm(transpose(a, 0, 1), transpose(b, 0, 1)), transpose(a, 0, 1), transpose(b, 0, 1));
}

TYPED_TEST(Mm, WritesIntoOutOfAnyLayout) {
  using T = TypeParam;
  const Tensor a = filled<T>({3, 5}, small_value<T>);
  const Tensor b = filled<T>({5, 4}, small_value<T>);
  Tensor dense = empty({3, 4}, scalar_type_of<T>);
  Tensor transposed = transpose(empty({4, 3}, scalar_type_of<T>), 0, 1);
  Tensor gaps = strided(dense);
  for (Tensor* out : {&dense, &transposed, &gaps}) {
    const Tensor before = *out;
    EXPECT_TRUE(mm_out(*out, a, b).is_same(before));
    expect_product<T>(*out, a, b);
  }
}

TEST(Mm, HasEmptyResultsAndEmptySums) {
  EXPECT_EQ(mm(empty({0, 3}), empty({3, 2})).sizes(), IntArrayRef({0, 2}));
  expect_elements<float>(mm(empty({2, 0}), empty({0, 3})), {2, 3}, [](const Index&) { return 0; });
}

TEST(Mm, RefusesToResizeAViewIntoAnOperand) {
  const Tensor memory = counting<float>({2, 2});
  Tensor none = as_strided(memory, {0, 0}, {2, 1}, 0);
  expect_error([&] { mm_out(none, memory, memory); }, "memory");
}

TEST(Mm, ResizesOutOfAnotherShape) {
  const Tensor a = counting<float>({2, 3});
  const Tensor b = counting<float>({3, 2});
  Tensor out = empty({0}, kFloat);
  mm_out(out, a, b);
  expect_product<float>(out, a, b);
}

TEST(Mm, AccumulatesHalvesInFloat) {
  // A sum in Half would stop growing at 2048, where adding 1 has no effect.
  const Tensor column = filled<Half>({4000, 1}, [](int64_t) { return Half(1); });
  const Tensor row = filled<Half>({1, 4000}, [](int64_t) { return Half(1); });
  EXPECT_EQ(static_cast<float>(at<Half>(mm(row, column), {0, 0})), 4000);
}

TEST(Mm, HasAShapeOnMeta) {
  const Tensor result = mm(empty({2, 3}, kMeta), empty({3, 7}, kMeta));
  EXPECT_TRUE(result.is_meta());
  EXPECT_EQ(result.sizes(), IntArrayRef({2, 7}));
}

TEST(Mm, RefusesWhatDoesNotFit) {
  const Tensor matrix = counting<float>({2, 3});
  expect_error([&] { mm(counting<float>({3}), matrix); }, "mm: expected `self` to have 2 dimensions, got sizes [3]");
  expect_error([&] { mm(matrix, counting<float>({3})); }, "mm: expected `mat2` to have 2 dimensions, got sizes [3]");
  expect_error([&] { mm(matrix, matrix); }, "their shapes are 2x3 and 2x3");
  expect_error([&] { mm(matrix, counting<double>({3, 2})); }, "to have one dtype, got Float and Double");
  expect_elements<float>(mm(empty({2, 0}), empty({0, 3}, kBool)), {2, 3}, [](const Index&) { return 0.0; });
  Tensor out = empty({2, 2}, kDouble);
  expect_error([&] { mm_out(out, matrix, counting<float>({3, 2})); },
               "in mm: `out`: expected output 0 of dtype Float, got Double");
}

TEST(Mm, RefusesOperandsOnSeveralDevices) {
  const Tensor here = empty({2, 2}, kFloat);
  const Tensor there = empty({2, 2}, TensorOptions(kFloat, kMeta));
  Tensor out = empty({2, 2}, kFloat);
  expect_error([&] { structured::cpu::mm_out(out, here, there); },
               "`mm.out`: expected all tensors on one device, got meta for argument 2 where argument 1 is on cpu");
}

TEST(Mm, RefusesToOverwriteAnOperand) {
  Tensor matrix = counting<float>({2, 2});
  expect_error([&] { mm_out(matrix, matrix, counting<float>({2, 2})); }, "in mm: the tensor to be written");
}

double affine(const Tensor& input, const Tensor& weight, const Tensor& bias, const Index& index) {
  double sum = bias.defined() ? at<float>(bias, {index.back()}) : 0;
  for (int64_t k = 0; k < weight.size(1); ++k) {
    Index from = index;
    from.back() = k;
    sum += static_cast<double>(at<float>(input, from)) * at<float>(weight, {index.back(), k});
  }
  return sum;
}

TEST(Linear, MapsTheLastDimension) {
  const Tensor weight = filled<float>({4, 3}, small_value<float>);
  const Tensor bias = filled<float>({4}, small_value<float>);
  for (const Index& batch : {Index{}, Index{2}, Index{2, 5}}) {
    Index sizes = batch;
    sizes.push_back(3);
    const Tensor dense = filled<float>(sizes, small_value<float>);
    Index result = batch;
    result.push_back(4);
    for (const Tensor& input : {dense, strided(dense)}) {
      for (const Tensor& added : {bias, Tensor()}) {
        expect_elements<float>(
            linear(input, weight, added.defined() ? std::optional(added) : std::nullopt), result,
            [&](const Index& index) { return affine(dense, weight, added, index); }, 1e-6);
      }
    }
  }
}

TEST(Linear, HasAShapeOnMeta) {
  EXPECT_EQ(linear(empty({2, 5, 3}, kMeta), empty({4, 3}, kMeta)).sizes(), IntArrayRef({2, 5, 4}));
}

TEST(Linear, RefusesWhatDoesNotFit) {
  const Tensor weight = counting<float>({4, 3});
  expect_error([&] { linear(counting<float>({2, 2}), weight); },
               "linear: expected the last dimension of `input` to have 3 elements");
  expect_error([&] { linear(counting<float>({2, 3}), counting<float>({3}), counting<float>({1})); },
               "linear: expected `weight` to be a matrix, or a vector without `bias`");
  expect_error([&] { linear(counting<float>({2, 3}), counting<double>({4, 3})); },
               "linear: expected `weight` of dtype Float, as `input` has, got Double");
  expect_error([&] { linear(counting<float>({2, 3}), weight, counting<float>({5})); },
               "linear: expected `bias` to have 4 elements, as `weight` has rows, got sizes [5]");
  EXPECT_EQ(to_vector<float>(linear(counting<float>({2, 3}), counting<float>({3}))), (std::vector<float>{5, 14}));
}

// The sum of matrix products of 16-bit numbers is computed in Float, others in the dtype itself.
TEST(Matmul, RefusesFactorsThatTheDtypeDoesNotHold) {
  const auto wrong = [](const char* argument) {
    return std::string(": `") + argument + "`: value 1e+300 cannot be converted to type Float without overflow";
  };
  const Scalar huge = 1e300;
  const Tensor x = ones({2, 2});
  const Tensor v = ones({2});
  const Tensor b = ones({1, 2, 2});
  expect_error([&] { addmm(x, x, x, 1, huge); }, "addmm" + wrong("alpha"));
  expect_error([&] { addmm(x, x, x, huge); }, "addmm" + wrong("beta"));
  expect_error([&] { addbmm(x, b, b, 1, huge); }, "addbmm" + wrong("alpha"));
  expect_error([&] { baddbmm(b, b, b, huge); }, "baddbmm" + wrong("beta"));
  expect_error([&] { addmv(v, x, v, 1, huge); }, "addmv" + wrong("alpha"));
  expect_error([&] { addr(x, v, v, huge); }, "addr" + wrong("beta"));
  const auto half = [](IntArrayRef sizes) { return ones(sizes, kHalf); };
  expect_error([&] { addmm(half({2, 2}), half({2, 2}), half({2, 2}), huge); }, "addmm" + wrong("beta"));
  EXPECT_NO_THROW(addmm(half({2, 2}), half({2, 2}), half({2, 2}), 1e5));
  expect_error([&] { addmv(half({2}), half({2, 2}), half({2}), 1e5); }, "cannot be converted to type Half");
  expect_error([&] { addr(half({2, 2}), half({2}), half({2}), 1, 1e5); }, "cannot be converted to type Half");
  EXPECT_NO_THROW(addmm(ones({2, 0}), ones({2, 3}), ones({3, 0}), huge)) << "no element is computed";
}

}  // namespace
}  // namespace structured::matmul_test
