#include <structured/ops/einsum.h>

#include <vector>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

Tensor einsum_of(const char* equation, const std::vector<Tensor>& tensors) { return einsum(equation, tensors); }

TEST(Einsum, MultipliesMatrices) {
  const Tensor a = counting<float>({2, 3}), b = counting<float>({3, 4});
  const auto product = [&](int64_t i, int64_t k) {
    double sum = 0;
    for (int64_t j = 0; j < 3; ++j) sum += at<float>(a, {i, j}) * at<float>(b, {j, k});
    return sum;
  };
  for (const Tensor& left : {a, strided(a)}) {
    expect_elements<float>(einsum_of("ij,jk->ik", {left, b}), {2, 4},
                           [&](const Index& i) { return product(i[0], i[1]); });
  }
  expect_elements<float>(einsum_of("ij,jk", {a, b}), {2, 4}, [&](const Index& i) { return product(i[0], i[1]); });
  expect_elements<float>(einsum_of(" i j , j k -> k i ", {a, b}), {4, 2},
                         [&](const Index& i) { return product(i[1], i[0]); });
  expect_elements<float>(einsum_of("ij,jk->i", {a, b}), {2}, [&](const Index& i) {
    double sum = 0;
    for (int64_t k = 0; k < 4; ++k) sum += product(i[0], k);
    return sum;
  });
}

TEST(Einsum, TransposesSumsAndTakesDiagonals) {
  const Tensor a = counting<double>({3, 3});
  expect_elements<double>(einsum_of("ba", {a}), {3, 3}, [&](const Index& i) { return at<double>(a, {i[1], i[0]}); });
  EXPECT_EQ(einsum_of("ii", {a}).item<double>(), 0 + 4 + 8);
  expect_elements<double>(einsum_of("ii->i", {a}), {3}, [](const Index& i) { return 4.0 * static_cast<double>(i[0]); });
  EXPECT_EQ(einsum_of("ij->", {a}).item<double>(), 36);
  const Tensor cube = counting<double>({2, 3, 2});
  expect_elements<double>(einsum_of("iji->ji", {cube}), {3, 2},
                          [&](const Index& i) { return at<double>(cube, {i[1], i[0], i[1]}); });
}

TEST(Einsum, ComputesOuterAndElementwiseProducts) {
  const Tensor a = counting<float>({3}), b = counting<float>({2});
  expect_elements<float>(einsum_of("i,j->ij", {a, b}), {3, 2},
                         [](const Index& i) { return static_cast<double>(i[0] * i[1]); });
  expect_elements<float>(einsum_of("i,i->i", {a, a}), {3},
                         [](const Index& i) { return static_cast<double>(i[0] * i[0]); });
  EXPECT_EQ(einsum_of("i,i", {a, a}).item<float>(), 5);
}

TEST(Einsum, HandlesBatchesAndEllipses) {
  const Tensor a = counting<float>({2, 3, 4, 5}), b = counting<float>({2, 1, 6, 5});
  const auto element = [&](int64_t n, int64_t h, int64_t q, int64_t k) {
    double sum = 0;
    for (int64_t d = 0; d < 5; ++d) sum += at<float>(a, {n, h, q, d}) * at<float>(b, {n, 0, k, d});
    return sum;
  };
  for (const char* const equation : {"nhqd,nhkd->nhqk", "...qd,...kd->...qk"}) {
    expect_elements<float>(einsum_of(equation, {a, b}), {2, 3, 4, 6},
                           [&](const Index& i) { return element(i[0], i[1], i[2], i[3]); });
  }
  const Tensor matrix = counting<float>({6, 5});
  expect_elements<float>(einsum_of("...d,kd->...k", {a, matrix}), {2, 3, 4, 6}, [&](const Index& i) {
    double sum = 0;
    for (int64_t d = 0; d < 5; ++d) sum += at<float>(a, {i[0], i[1], i[2], d}) * at<float>(matrix, {i[3], d});
    return sum;
  });
}

TEST(Einsum, MultipliesSeveralOperands) {
  const Tensor a = counting<double>({2, 3}), b = counting<double>({3, 2}), c = counting<double>({2});
  expect_elements<double>(einsum_of("ij,jk,k->i", {a, b, c}), {2}, [&](const Index& i) {
    double sum = 0;
    for (int64_t j = 0; j < 3; ++j) {
      for (int64_t k = 0; k < 2; ++k) sum += at<double>(a, {i[0], j}) * at<double>(b, {j, k}) * at<double>(c, {k});
    }
    return sum;
  });
}

TEST(Einsum, RejectsWrongEquations) {
  const Tensor a = counting<float>({2, 3});
  expect_error([&] { einsum_of("ij,jk", {a}); }, "einsum: expected 2 tensors for equation `ij,jk`, got 1");
  expect_error([&] { einsum_of("i", {a}); }, "expected tensor 0 to have 1 dimensions for equation `i`, got 2");
  expect_error([&] { einsum_of("i1", {a}); }, "expected letters, `...`, `,` and `->` in `equation`, got `1`");
  expect_error([&] { einsum_of("ij->k", {a}); }, "expected letters after `->` to be distinct and to occur before");
  expect_error([&] { einsum_of("ij,jk", {a, a}); }, "expected size 3 of dimension 0 of tensor 1");
  expect_error([&] { einsum_of("ii", {a}); }, "einsum: expected ");
  expect_error([&] { einsum_of("......", {a}); }, "expected `...` once");
}

}  // namespace
}  // namespace structured
