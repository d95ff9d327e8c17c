#include <structured/autograd/gradient.h>
#include <structured/core/factory.h>
#include <structured/device/simd_level.h>
#include <structured/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <structured/ops/abs.h>
#include <structured/ops/amax.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mul.h>
#include <structured/ops/scaled_dot_product_attention.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/to.h>
#include <structured/ops/transpose.h>

#include <sys/resource.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

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

// Several blocks of queries and keys, copies of rows that are not dense, masks.
TEST(ScaledDotProductAttention, VisitsKeysInBlocks) {
  const Tensor q = wave({1, 2, 300, 4}, 0), v = wave({1, 2, 1100, 3}, 2);
  const Tensor k = transpose(wave({1, 2, 4, 1100}, 1), 2, 3);
  const auto expect = [&](const std::optional<Tensor>& mask, bool is_causal,
                          const std::function<double(int64_t, int64_t)>& bias) {
    const Tensor found = scaled_dot_product_attention(q, k, v, mask, 0.0, is_causal);
    ASSERT_EQ(found.sizes(), (DimVector{1, 2, 300, 3}));
    for (const int64_t l : {0, 1, 63, 64, 200, 299}) {
      for (int64_t e = 0; e < 3; ++e) {
        EXPECT_NEAR(at<double>(found, {0, 1, l, e}), attention(q, k, v, 1, 1, l, e, 0.5, bias), 1e-12) << l;
      }
    }
  };
  expect({}, false, no_bias);
  expect({}, true, [](int64_t l, int64_t s) { return s > l ? kHidden : 0; });
  const Tensor steps = wave({300, 1}, 3);
  expect(steps, false, [&](int64_t l, int64_t) { return at<double>(steps, {l, 0}); });
  // No query but the last one may attend to the first two blocks of keys.
  const Tensor allowed = filled<bool>({300, 1100}, [](int64_t i) { return i / 1100 == 299 || i % 1100 >= 1030; });
  expect(allowed, false, [&](int64_t l, int64_t s) { return l == 299 || s >= 1030 ? 0 : kHidden; });
}

TEST(ScaledDotProductAttention, ComputesHalfInFloat) {
  const Tensor q = to(wave({1, 1, 40, 8}, 0), kBFloat16), k = to(wave({1, 1, 600, 8}, 1), kBFloat16);
  const Tensor found = to(scaled_dot_product_attention(q, k, k), kDouble);
  const Tensor wide_q = to(q, kDouble), wide_k = to(k, kDouble);
  for (int64_t l = 0; l < 40; ++l) {
    const double expected = attention(wide_q, wide_k, wide_k, 0, 0, l, 5, 1 / std::sqrt(8.0), no_bias);
    EXPECT_NEAR(at<double>(found, {0, 0, l, 5}), expected, 4e-3) << l;
  }
}

// Sizes around those of tiles and blocks, of factors whose rows are dense or not, on each SIMD level: the products
// differ.
TEST(ScaledDotProductAttention, ComputesFloatAsDouble) {
  struct Sizes {
    int64_t queries, keys, size, width;
  };
  for (const auto& [queries, keys, size, width] : {Sizes{2, 1, 1, 1},
                                                   {6, 16, 8, 16},
                                                   {7, 17, 3, 9},
                                                   {13, 40, 20, 33},
                                                   {200, 300, 17, 24},
                                                   {1, 300, 8, 8},
                                                   {400, 600, 8, 8}}) {
    const Tensor q = to(wave({1, 2, queries, size}, 0), kFloat), v = to(wave({1, 2, keys, width}, 2), kFloat);
    for (const bool is_dense : {true, false}) {
      const Tensor k =
          to(is_dense ? wave({1, 2, keys, size}, 1) : transpose(wave({1, 2, size, keys}, 1), 2, 3), kFloat);
      for (const bool is_causal : {false, true}) {
        const auto compute = [&](ScalarType dtype) {
          return to(scaled_dot_product_attention(to(q, dtype), to(k, dtype), to(v, dtype), {}, 0.0, is_causal),
                    kDouble);
        };
        const Tensor expected = compute(kDouble);
        const SimdLevel before = simd_level();
        for (int level = 0; level <= static_cast<int>(best_simd_level()); ++level) {
          set_simd_level(static_cast<SimdLevel>(level));
          const Tensor found = compute(kFloat);
          EXPECT_LT(amax(abs(sub(found, expected))).item<double>(), 1e-5) << queries << " " << is_dense << " " << level;
        }
        set_simd_level(before);
      }
    }
  }
}

TEST(ScaledDotProductAttention, TakesOneQueryNoKeysAndNoQueries) {
  const Tensor q = wave({1, 2, 1, 4}, 0), k = wave({1, 2, 700, 4}, 1), v = wave({1, 2, 700, 6}, 2);
  expect_attention(scaled_dot_product_attention(q, k, v), {1, 2, 1, 6},
                   [&](const Index& i) { return attention(q, k, v, i[1], i[1], i[2], i[3], 0.5, no_bias); });
  expect_attention(scaled_dot_product_attention(q, empty({1, 2, 0, 4}, kDouble), empty({1, 2, 0, 6}, kDouble)),
                   {1, 2, 1, 6}, [](const Index&) { return 0; });
  EXPECT_EQ(scaled_dot_product_attention(empty({1, 2, 0, 4}, kDouble), k, v).sizes(), (DimVector{1, 2, 0, 6}));
}

TEST(FlashAttention, HasTheDerivativesOfItsFormula) {
  const std::optional<Tensor> mask = filled<bool>({5, 5}, [](int64_t i) { return i < 20 && i % 3 != 0; });
  const std::pair<bool, std::optional<Tensor>> cases[] = {{false, {}}, {true, {}}, {false, mask}};
  for (const auto& [is_causal, allowed] : cases) {
    std::vector<Tensor> inputs{wave({1, 2, 5, 4}, 0), wave({1, 2, 5, 4}, 1), wave({1, 2, 5, 3}, 2)};
    for (Tensor& input : inputs) input.requires_grad_();
    const Tensor weights = wave({1, 2, 5, 3}, 3);
    const auto gradients_of = [&](const Tensor& out) { return grad({sum(mul(out, weights))}, inputs); };
    const std::vector<Tensor> expected =
        gradients_of(scaled_dot_product_attention(inputs[0], inputs[1], inputs[2], allowed, 0.0, is_causal));
    const std::vector<Tensor> found = gradients_of(std::get<0>(
        _scaled_dot_product_flash_attention_for_cpu(inputs[0], inputs[1], inputs[2], 0.0, is_causal, allowed)));
    for (size_t i = 0; i < 3; ++i) EXPECT_LT(amax(abs(sub(expected[i], found[i]))).item<double>(), 1e-12) << i;
  }
}

// All scores of these queries and keys would take 1.6 GB.
TEST(FlashAttention, TakesMemoryForABlockOfScores) {
  const auto peak_kilobytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const Tensor q = to(wave({1, 1, 20000, 2}, 0), kFloat);
  const long before = peak_kilobytes();
  const Tensor out = scaled_dot_product_attention(q, q, q, {}, 0.0, true);
  EXPECT_LT(peak_kilobytes() - before, 200 << 10);
  EXPECT_EQ(out.sizes(), q.sizes());
}

TEST(FlashAttention, RejectsSizesThatDoNotAgree) {
  const Tensor q = wave({1, 2, 3, 4}, 0);
  expect_error([&] { _scaled_dot_product_flash_attention_for_cpu(q, wave({1, 3, 3, 4}, 0), q); },
               "expected `key` [N, H, S, E] and `value` [N, H, S, V] for `query` [N, H, L, E], got [1, 3, 3, 4] and");
  expect_error([&] { _scaled_dot_product_flash_attention_for_cpu(q, to(q, kFloat), q); },
               "expected `key` and `value` of dtype Double, got Float and Double");
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
