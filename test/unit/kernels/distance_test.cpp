// Pairwise distances, norms and attention.
#include <structured/ops/_pdist_forward.h>
#include <structured/ops/_scaled_dot_product_attention.h>
#include <structured/ops/_trilinear.h>
#include <structured/ops/cdist.h>
#include <structured/ops/dist.h>
#include <structured/ops/norm.h>

#include <cmath>

#include "kernels/expect.h"

namespace structured::distance_test {
namespace {

using namespace test;

template <class T = float>
Tensor waves(IntArrayRef sizes, double shift = 0) {
  return filled<T>(sizes, [shift](int64_t i) { return static_cast<T>(std::sin(static_cast<double>(i * i) + shift)); });
}

// Returns the p-norm of the difference of two rows.
template <class T>
double distance(const Tensor& a, Index row_a, const Tensor& b, Index row_b, double p) {
  double sum = 0;
  for (int64_t k = 0; k < a.size(-1); ++k) {
    row_a.back() = row_b.back() = k;
    const double x = std::fabs(static_cast<double>(at<T>(a, row_a)) - static_cast<double>(at<T>(b, row_b)));
    if (p == 0) sum += x != 0;
    if (p != 0 && std::isinf(p)) sum = std::max(sum, x);
    if (p != 0 && !std::isinf(p)) sum += std::pow(x, p);
  }
  return p == 0 || std::isinf(p) ? sum : std::pow(sum, 1 / p);
}

TEST(Cdist, IsTheNormOfEachDifference) {
  const Tensor a = waves({2, 1, 5, 7});
  const Tensor b = waves({3, 300, 7}, 1);
  for (const double p : {0.0, 1.0, 2.0, 2.5, double{kInfinity}}) {
    expect_elements<float>(
        cdist(strided(a), b, p), {2, 3, 5, 300},
        [&](const Index& i) { return distance<float>(a, {i[0], 0, i[2], 0}, b, {i[1], i[3], 0}, p); }, 1e-5);
  }
  const Tensor c = waves<double>({6, 4});
  const Tensor pairs = _pdist_forward(c);
  ASSERT_EQ(pairs.sizes(), IntArrayRef({15}));
  EXPECT_NEAR(at<double>(pairs, {6}), distance<double>(c, {1, 0}, c, {3, 0}, 2), 1e-12);
  EXPECT_NEAR(at<double>(pairs, {14}), distance<double>(c, {4, 0}, c, {5, 0}, 2), 1e-12);
}

TEST(Cdist, KnowsEmptyVectorsAndNan) {
  expect_elements<float>(cdist(empty({2, 0}), empty({3, 0})), {2, 3}, [](const Index&) { return 0; });
  EXPECT_EQ(cdist(empty({0, 4}), empty({3, 4})).sizes(), IntArrayRef({0, 3}));
  EXPECT_EQ(_pdist_forward(empty({1, 4})).numel(), 0);
  const Tensor nan = filled<float>({1, 2}, [](int64_t i) { return i == 0 ? NAN : 1; });
  EXPECT_TRUE(std::isnan(at<float>(cdist(nan, waves({1, 2}), kInfinity), {0, 0})));
}

TEST(Cdist, RefusesWhatDoesNotFit) {
  expect_error([] { cdist(waves({2, 3}), waves({2, 4})); }, "to have the same number of columns, got 3 and 4");
  expect_error([] { cdist(waves({2, 3}), waves({2, 3}), -1); }, "expected a `p` of 0 or more, got -1");
  expect_error([] { cdist(waves({3}), waves({2, 3})); }, "to have 2 dimensions or more, got 1 and 2");
  expect_error([] { cdist(counting<int64_t>({2, 3}), counting<int64_t>({2, 3})); }, "_cdist_forward: expected dtype");
  expect_error([] { cdist(waves({2, 3}), waves<double>({2, 3})); }, "to have one dtype, got Float and Double");
}

TEST(Norm, GoesBySeveralNames) {
  const Tensor self = tensor<float>({3, -4, 0, 12}, {2, 2});
  EXPECT_EQ(norm(self).item<float>(), 13);
  EXPECT_EQ(to_vector<float>(norm(self, std::optional<Scalar>(1), {1})), (std::vector<float>{7, 12}));
  EXPECT_EQ(norm(self, std::optional<Scalar>(), kDouble).dtype(), kDouble);
  EXPECT_EQ(dist(self, tensor<float>({3, -4})).item<float>(), std::sqrt(9.0f + 256.0f));
  Tensor out = empty({0});
  norm_out(out, self, std::optional<Scalar>(2), {0}, true);
  EXPECT_EQ(out.sizes(), IntArrayRef({1, 2}));
}

TEST(Attention, WeighsValuesByTheSoftmaxOfScores) {
  const Tensor query = waves({2, 3, 4});
  const Tensor key = waves({2, 5, 4}, 1);
  const Tensor value = waves({2, 5, 6}, 2);
  for (const bool is_causal : {false, true}) {
    const auto [output, weights] = _scaled_dot_product_attention(query, key, value, {}, 0, true, is_causal);
    expect_elements<float>(
        output, {2, 3, 6},
        [&](const Index& i) {
          double total = 0;
          double sum = 0;
          for (int64_t s = 0; s < (is_causal ? i[1] + 1 : 5); ++s) {
            double score = 0;
            for (int64_t e = 0; e < 4; ++e) score += at<float>(query, {i[0], i[1], e}) * at<float>(key, {i[0], s, e});
            total += std::exp(score / 2);
            sum += std::exp(score / 2) * at<float>(value, {i[0], s, i[2]});
          }
          return sum / total;
        },
        1e-5);
    EXPECT_EQ(weights.sizes(), IntArrayRef({2, 3, 5}));
  }
  EXPECT_FALSE(std::get<1>(_scaled_dot_product_attention(query, key, value)).defined());
  const Tensor mask = filled<float>({3, 5}, [](int64_t i) { return i % 5 == 2 ? 0 : -kInfinity; });
  expect_elements<float>(
      std::get<0>(_scaled_dot_product_attention(query, key, value, mask)), {2, 3, 6},
      [&](const Index& i) { return at<float>(value, {i[0], 2, i[2]}); }, 1e-6);
}

TEST(Trilinear, SumsProducts) {
  const Tensor a = waves({8, 3});
  const Tensor b = waves({5, 3, 4}, 1);
  const Tensor c = waves({8, 4}, 2);
  expect_elements<float>(
      _trilinear(a, b, c, {1, 3}, {0}, {1, 2}, {2, 3}), {8, 5},
      [&](const Index& i) {
        double sum = 0;
        for (int64_t j = 0; j < 3; ++j) {
          for (int64_t k = 0; k < 4; ++k)
            sum += at<float>(a, {i[0], j}) * at<float>(b, {i[1], j, k}) * at<float>(c, {i[0], k});
        }
        return sum;
      },
      1e-5);
  const auto truth = [](IntArrayRef sizes) { return filled<bool>(sizes, [](int64_t i) { return i % 3 != 0; }); };
  const auto sums = [&](int64_t rows) {
    return _trilinear(truth({rows, 3}), truth({5, 3, 4}), truth({rows, 4}), {1, 3}, {0}, {1, 2}, {2, 3});
  };
  EXPECT_EQ(sums(0).sizes(), IntArrayRef({0, 5}));
  EXPECT_EQ(sums(0).scalar_type(), kBool);
  expect_error([&] { sums(2); }, "_trilinear: a sum of Bool is not supported");
}

}  // namespace
}  // namespace structured::distance_test
