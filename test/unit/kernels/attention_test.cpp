#include <structured/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mul.h>
#include <structured/ops/scaled_dot_product_attention.h>
#include <structured/ops/transpose.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "kernels/expect.h"

namespace structured::attention_test {
namespace {

using namespace test;

Tensor wave(IntArrayRef sizes, double phase) {
  return filled<double>(sizes, [phase](int64_t i) { return std::sin(phase + 0.7 * static_cast<double>(i)); });
}

/// Attention of one batch by loops; `bias(l, s)` is added to the score and may be negative infinity.
double attention(const Tensor& q, const Tensor& k, const Tensor& v, int64_t h, int64_t kv, int64_t l, int64_t e,
                 double scale, const std::function<double(int64_t, int64_t)>& bias) {
  double total = 0, result = 0;
  for (int64_t s = 0; s < k.size(2); ++s) {
    double score = bias(l, s);
    for (int64_t d = 0; d < q.size(3); ++d) score += scale * at<double>(q, {0, h, l, d}) * at<double>(k, {0, kv, s, d});
    const double weight = std::exp(score);
    total += weight;
    result += weight * at<double>(v, {0, kv, s, e});
  }
  return total == 0 ? 0 : result / total;
}

constexpr double kHidden = -std::numeric_limits<double>::infinity();
double no_bias(int64_t, int64_t) { return 0; }

void expect_attention(const Tensor& found, const IntArrayRef sizes,
                      const std::function<double(const Index&)>& expected) {
  ASSERT_EQ(found.sizes(), sizes);
  for_each_index(sizes, [&](const Index& i) { EXPECT_NEAR(at<double>(found, i), expected(i), 1e-12); });
}

TEST(ScaledDotProductAttention, ComputesScaledSoftmax) {
  const Tensor q = wave({1, 2, 3, 4}, 0), k = wave({1, 2, 5, 4}, 1), v = wave({1, 2, 5, 6}, 2);
  expect_attention(scaled_dot_product_attention(q, k, v), {1, 2, 3, 6},
                   [&](const Index& i) { return attention(q, k, v, i[1], i[1], i[2], i[3], 0.5, no_bias); });
  expect_attention(scaled_dot_product_attention(q, k, v, {}, 0.0, false, 2.0), {1, 2, 3, 6},
                   [&](const Index& i) { return attention(q, k, v, i[1], i[1], i[2], i[3], 2, no_bias); });
  expect_attention(scaled_dot_product_attention(q, k, v, {}, 0.0, true), {1, 2, 3, 6}, [&](const Index& i) {
    return attention(q, k, v, i[1], i[1], i[2], i[3], 0.5, [](int64_t l, int64_t s) { return s > l ? kHidden : 0; });
  });
}

TEST(ScaledDotProductAttention, AppliesMasks) {
  const Tensor q = wave({1, 2, 3, 4}, 0), k = wave({1, 2, 5, 4}, 1), v = wave({1, 2, 5, 6}, 2);
  const Tensor added = wave({3, 5}, 3);
  expect_attention(scaled_dot_product_attention(q, k, v, added), {1, 2, 3, 6}, [&](const Index& i) {
    return attention(q, k, v, i[1], i[1], i[2], i[3], 0.5,
                     [&](int64_t l, int64_t s) { return at<double>(added, {l, s}); });
  });
  // The last query may attend to nothing.
  const Tensor allowed = filled<bool>({3, 5}, [](int64_t i) { return i < 10 && i % 3 != 0; });
  expect_attention(scaled_dot_product_attention(q, k, v, allowed), {1, 2, 3, 6}, [&](const Index& i) {
    return attention(q, k, v, i[1], i[1], i[2], i[3], 0.5,
                     [&](int64_t l, int64_t s) { return at<bool>(allowed, {l, s}) ? 0 : kHidden; });
  });
}

TEST(ScaledDotProductAttention, RepeatsHeads) {
  const Tensor q = wave({1, 4, 3, 4}, 0), k = wave({1, 2, 5, 4}, 1), v = wave({1, 2, 5, 6}, 2);
  expect_attention(scaled_dot_product_attention(q, k, v, {}, 0.0, false, {}, true), {1, 4, 3, 6},
                   [&](const Index& i) { return attention(q, k, v, i[1], i[1] / 2, i[2], i[3], 0.5, no_bias); });
  const Tensor three = wave({1, 3, 5, 4}, 1);
  expect_error([&] { scaled_dot_product_attention(q, three, three, {}, 0.0, false, {}, true); },
               "expected 4 heads of `query` to be a multiple of those of `key` and `value`, got 3");
}

TEST(ScaledDotProductAttention, RejectsAMaskWithIsCausal) {
  const Tensor q = wave({1, 2, 3, 4}, 0);
  expect_error([&] { scaled_dot_product_attention(q, q, q, wave({3, 3}, 0), 0.0, true); },
               "expected no `attn_mask` where `is_causal` is true");
}

TEST(FlashAttention, ReturnsLogarithmsOfSums) {
  const Tensor q = wave({2, 3, 5, 4}, 0.1);
  const Tensor k = wave({2, 3, 7, 4}, 0.2);
  const Tensor v = wave({2, 3, 7, 4}, 0.3);
  const auto [result, sums] = _scaled_dot_product_flash_attention_for_cpu(q, k, v);
  const Tensor expected = scaled_dot_product_attention(q, k, v);
  expect_elements<double>(result, {2, 3, 5, 4}, [&](const Index& index) { return at<double>(expected, index); }, 1e-12);
  const Tensor scores = matmul(mul(q, 0.5), transpose(k, -2, -1));
  expect_elements<double>(
      sums, {2, 3, 5},
      [&](const Index& index) {
        double sum = 0;
        for (int64_t s = 0; s < 7; ++s) sum += std::exp(at<double>(scores, {index[0], index[1], index[2], s}));
        return std::log(sum);
      },
      1e-12);
  EXPECT_EQ(sums.strides()[1], 1);
  expect_error([&] { _scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.5); },
               "expected a `dropout_p` of 0, got 0.5");
}

}  // namespace
}  // namespace structured::attention_test
