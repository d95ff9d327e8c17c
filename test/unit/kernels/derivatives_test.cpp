// Derivatives, compared with central differences.
#include <structured/ops/abs.h>
#include <structured/ops/acos.h>
#include <structured/ops/adaptive_avg_pool2d.h>
#include <structured/ops/add.h>
#include <structured/ops/addcdiv.h>
#include <structured/ops/addcmul.h>
#include <structured/ops/addmm.h>
#include <structured/ops/addmv.h>
#include <structured/ops/amax.h>
#include <structured/ops/amin.h>
#include <structured/ops/asin.h>
#include <structured/ops/atan.h>
#include <structured/ops/atan2.h>
#include <structured/ops/avg_pool2d.h>
#include <structured/ops/baddbmm.h>
#include <structured/ops/batch_norm.h>
#include <structured/ops/bmm.h>
#include <structured/ops/cat.h>
#include <structured/ops/chunk.h>
#include <structured/ops/clamp.h>
#include <structured/ops/clamp_max.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/clone.h>
#include <structured/ops/contiguous.h>
#include <structured/ops/conv2d.h>
#include <structured/ops/cos.h>
#include <structured/ops/cosh.h>
#include <structured/ops/cumsum.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/div.h>
#include <structured/ops/dot.h>
#include <structured/ops/elu.h>
#include <structured/ops/embedding.h>
#include <structured/ops/erf.h>
#include <structured/ops/exp.h>
#include <structured/ops/exp2.h>
#include <structured/ops/expand.h>
#include <structured/ops/expm1.h>
#include <structured/ops/flatten.h>
#include <structured/ops/flip.h>
#include <structured/ops/floor.h>
#include <structured/ops/full.h>
#include <structured/ops/gather.h>
#include <structured/ops/gelu.h>
#include <structured/ops/group_norm.h>
#include <structured/ops/gt.h>
#include <structured/ops/hardtanh.h>
#include <structured/ops/index.h>
#include <structured/ops/index_add.h>
#include <structured/ops/index_select.h>
#include <structured/ops/layer_norm.h>
#include <structured/ops/leaky_relu.h>
#include <structured/ops/lerp.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/linear.h>
#include <structured/ops/log.h>
#include <structured/ops/log10.h>
#include <structured/ops/log1p.h>
#include <structured/ops/log2.h>
#include <structured/ops/log_softmax.h>
#include <structured/ops/logsumexp.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/matmul.h>
#include <structured/ops/max.h>
#include <structured/ops/max_pool2d.h>
#include <structured/ops/maximum.h>
#include <structured/ops/mean.h>
#include <structured/ops/min.h>
#include <structured/ops/minimum.h>
#include <structured/ops/mm.h>
#include <structured/ops/movedim.h>
#include <structured/ops/mse_loss.h>
#include <structured/ops/mul.h>
#include <structured/ops/mv.h>
#include <structured/ops/narrow.h>
#include <structured/ops/neg.h>
#include <structured/ops/nll_loss.h>
#include <structured/ops/permute.h>
#include <structured/ops/pow.h>
#include <structured/ops/reciprocal.h>
#include <structured/ops/relu.h>
#include <structured/ops/repeat.h>
#include <structured/ops/reshape.h>
#include <structured/ops/rsqrt.h>
#include <structured/ops/rsub.h>
#include <structured/ops/scatter.h>
#include <structured/ops/scatter_add.h>
#include <structured/ops/select.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/sign.h>
#include <structured/ops/silu.h>
#include <structured/ops/sin.h>
#include <structured/ops/sinh.h>
#include <structured/ops/slice.h>
#include <structured/ops/softmax.h>
#include <structured/ops/softplus.h>
#include <structured/ops/sort.h>
#include <structured/ops/split.h>
#include <structured/ops/split_with_sizes.h>
#include <structured/ops/sqrt.h>
#include <structured/ops/squeeze.h>
#include <structured/ops/stack.h>
#include <structured/ops/std.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/t.h>
#include <structured/ops/tan.h>
#include <structured/ops/tanh.h>
#include <structured/ops/threshold.h>
#include <structured/ops/topk.h>
#include <structured/ops/transpose.h>
#include <structured/ops/tril.h>
#include <structured/ops/triu.h>
#include <structured/ops/unbind.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/var.h>
#include <structured/ops/view.h>
#include <structured/ops/where.h>

#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "kernels/gradient_check.h"

namespace structured::derivatives_test {
namespace {

using namespace test;

using Values = std::vector<Tensor>;

/// Two derivatives of a function of one tensor with elements of both signs, or of positive elements.
void expect_signed(const std::function<Tensor(const Tensor&)>& function) {
  expect_two_derivatives([&](const Values& in) { return function(in[0]); }, {signed_numbers({2, 3})});
}
void expect_positive(const std::function<Tensor(const Tensor&)>& function) {
  expect_two_derivatives([&](const Values& in) { return function(in[0]); }, {numbers({2, 3})});
}
/// First derivatives, for functions whose second is zero or not available.
void expect_first(const Function& function, const Values& inputs) { expect_gradients(function, inputs); }

TEST_F(Derivatives, OfElementaryFunctions) {
  expect_signed([](const Tensor& x) { return exp(x); });
  expect_signed([](const Tensor& x) { return exp2(x); });
  expect_signed([](const Tensor& x) { return expm1(x); });
  expect_positive([](const Tensor& x) { return log(x); });
  expect_positive([](const Tensor& x) { return log2(x); });
  expect_positive([](const Tensor& x) { return log10(x); });
  expect_signed([](const Tensor& x) { return log1p(x); });
  expect_positive([](const Tensor& x) { return sqrt(x); });
  expect_positive([](const Tensor& x) { return rsqrt(x); });
  expect_signed([](const Tensor& x) { return reciprocal(x); });
  expect_signed([](const Tensor& x) { return sin(x); });
  expect_signed([](const Tensor& x) { return cos(x); });
  expect_signed([](const Tensor& x) { return tan(x); });
  expect_signed([](const Tensor& x) { return sinh(x); });
  expect_signed([](const Tensor& x) { return cosh(x); });
  expect_signed([](const Tensor& x) { return asin(x); });
  expect_signed([](const Tensor& x) { return acos(x); });
  expect_signed([](const Tensor& x) { return atan(x); });
  expect_signed([](const Tensor& x) { return tanh(x); });
  expect_signed([](const Tensor& x) { return erf(x); });
  expect_signed([](const Tensor& x) { return sigmoid(x); });
}

TEST_F(Derivatives, OfActivations) {
  expect_signed([](const Tensor& x) { return mul(relu(x), x); });
  expect_signed([](const Tensor& x) { return mul(leaky_relu(x, 0.2), x); });
  expect_signed([](const Tensor& x) { return mul(hardtanh(x, -0.2, 0.3), x); });
  expect_signed([](const Tensor& x) { return mul(threshold(x, 0.1, 2), x); });
  expect_signed([](const Tensor& x) { return elu(x, 1.5, 0.7, 1.2); });
  expect_signed([](const Tensor& x) { return softplus(x, 2, 1); });
  expect_signed([](const Tensor& x) { return silu(x); });
  expect_signed([](const Tensor& x) { return gelu(x); });
  expect_signed([](const Tensor& x) { return gelu(x, "tanh"); });
}

TEST_F(Derivatives, OfArithmeticWithBroadcast) {
  const Values pair{numbers({2, 3}), numbers({3}, 1)};
  expect_first([](const Values& in) { return add(in[0], in[1], 2); }, pair);
  expect_first([](const Values& in) { return sub(in[0], in[1], 2); }, pair);
  expect_first([](const Values& in) { return rsub(in[0], in[1], 2); }, pair);
  expect_two_derivatives([](const Values& in) { return mul(in[0], in[1]); }, pair);
  expect_two_derivatives([](const Values& in) { return div(in[0], in[1]); }, pair);
  expect_two_derivatives([](const Values& in) { return pow(in[0], in[1]); }, pair);
  expect_two_derivatives([](const Values& in) { return atan2(in[0], in[1]); }, pair);
  expect_first([](const Values& in) { return maximum(in[0], in[1]); }, pair);
  expect_first([](const Values& in) { return minimum(in[0], in[1]); }, pair);
  expect_first([](const Values& in) { return lerp(in[0], in[1], 0.3); }, pair);
  expect_first([](const Values& in) { return where(gt(in[0], 0.8), in[0], in[1]); }, pair);
}

TEST_F(Derivatives, OfArithmeticWithNumbers) {
  expect_signed([](const Tensor& x) { return mul(add(x, 2), x); });
  expect_signed([](const Tensor& x) { return mul(sub(x, 2, 3), x); });
  expect_signed([](const Tensor& x) { return mul(rsub(x, 2), x); });
  expect_signed([](const Tensor& x) { return mul(mul(x, 3), x); });
  expect_signed([](const Tensor& x) { return mul(div(x, 3), x); });
  expect_signed([](const Tensor& x) { return pow(x, 3); });
  expect_positive([](const Tensor& x) { return pow(x, -1.5); });
  expect_signed([](const Tensor& x) { return pow(2.5, x); });
  expect_signed([](const Tensor& x) { return mul(neg(x), x); });
  expect_signed([](const Tensor& x) { return mul(abs(x), x); });
  expect_signed([](const Tensor& x) { return mul(clamp(x, -0.2, 0.3), x); });
  expect_signed([](const Tensor& x) { return mul(clamp_min(x, 0.1), x); });
  expect_signed([](const Tensor& x) { return mul(clamp_max(x, 0.1), x); });
  expect_signed([](const Tensor& x) { return mul(masked_fill(x, gt(x, 0.1), 2), x); });
  expect_signed([](const Tensor& x) { return add(floor(x), mul(sign(x), x)); });
}

TEST_F(Derivatives, OfFusedArithmetic) {
  const Values three{numbers({2, 3}), numbers({2, 1}, 1), numbers({3}, 2)};
  expect_two_derivatives([](const Values& in) { return addcmul(in[0], in[1], in[2], 1.5); }, three);
  expect_two_derivatives([](const Values& in) { return addcdiv(in[0], in[1], in[2], 1.5); }, three);
}

TEST_F(Derivatives, OfReductions) {
  const Values one{signed_numbers({2, 3, 2})};
  expect_two_derivatives([](const Values& in) { return exp(sum(in[0])); }, one);
  expect_two_derivatives([](const Values& in) { return exp(sum(in[0], {0, -1})); }, one);
  expect_two_derivatives([](const Values& in) { return exp(sum(in[0], 1, true)); }, one);
  expect_two_derivatives([](const Values& in) { return exp(mean(in[0])); }, one);
  expect_two_derivatives([](const Values& in) { return exp(mean(in[0], {1})); }, one);
  expect_first([](const Values& in) { return amax(in[0], 1); }, one);
  expect_first([](const Values& in) { return amin(in[0], {0, 2}, true); }, one);
  expect_first([](const Values& in) { return max(in[0]); }, one);
  expect_first([](const Values& in) { return min(in[0]); }, one);
  expect_first([](const Values& in) { return std::get<0>(max(in[0], 1)); }, one);
  expect_first([](const Values& in) { return std::get<0>(min(in[0], -1, true)); }, one);
  expect_first([](const Values& in) { return std::get<0>(sort(in[0], 1)); }, one);
  expect_first([](const Values& in) { return std::get<0>(topk(in[0], 2, 1)); }, one);
  expect_two_derivatives([](const Values& in) { return var(in[0], 1, 1, false); }, one);
  expect_two_derivatives([](const Values& in) { return std(in[0], IntArrayRef({0, 1}), 0, true); }, one);
  expect_two_derivatives([](const Values& in) { return logsumexp(in[0], 1); }, one);
  expect_two_derivatives([](const Values& in) { return exp(cumsum(in[0], 1)); }, one);
  expect_two_derivatives([](const Values& in) { return linalg_vector_norm(in[0], 2, 1); }, one);
  expect_two_derivatives([](const Values& in) { return linalg_vector_norm(in[0], 3); }, one);
}

TEST_F(Derivatives, OfViews) {
  const Values one{signed_numbers({2, 3, 4})};
  const auto expect_view = [&](const std::function<Tensor(const Tensor&)>& view) {
    expect_two_derivatives([&](const Values& in) { return exp(view(in[0])); }, one);
  };
  expect_view([](const Tensor& x) { return view(x, {6, -1}); });
  expect_view([](const Tensor& x) { return reshape(transpose(x, 0, 2), {-1}); });
  expect_view([](const Tensor& x) { return flatten(x, 1); });
  expect_view([](const Tensor& x) { return unsqueeze(x, 1); });
  expect_view([](const Tensor& x) { return squeeze(unsqueeze(x, 1), 1); });
  expect_view([](const Tensor& x) { return permute(x, {2, 0, 1}); });
  expect_view([](const Tensor& x) { return movedim(x, 0, 2); });
  expect_view([](const Tensor& x) { return t(select(x, 0, 1)); });
  expect_view([](const Tensor& x) { return slice(x, 2, 1, 4, 2); });
  expect_view([](const Tensor& x) { return narrow(x, 1, 1, 2); });
  expect_view([](const Tensor& x) { return expand(unsqueeze(x, 0), {3, -1, -1, -1}); });
  expect_view([](const Tensor& x) { return diagonal(x, 1, 1, 2); });
  expect_view([](const Tensor& x) { return unbind(x, 1)[2]; });
  expect_view([](const Tensor& x) { return split(x, 3, 2)[1]; });
  expect_view([](const Tensor& x) { return split_with_sizes(x, {1, 2}, 1)[1]; });
  expect_view([](const Tensor& x) { return chunk(x, 2, 2)[0]; });
  expect_view([](const Tensor& x) { return contiguous(transpose(x, 0, 1)); });
}

TEST_F(Derivatives, OfOperatorsThatMoveElements) {
  const Values one{signed_numbers({2, 3})};
  const auto expect_move = [&](const std::function<Tensor(const Tensor&)>& move) {
    expect_two_derivatives([&](const Values& in) { return exp(move(in[0])); }, one);
  };
  expect_move([](const Tensor& x) { return clone(x); });
  expect_move([](const Tensor& x) { return flip(x, 1); });
  expect_move([](const Tensor& x) { return tril(x); });
  expect_move([](const Tensor& x) { return triu(x, 1); });
  expect_move([](const Tensor& x) { return repeat(x, {2, 1, 3}); });
  const Values pair{numbers({2, 3}), numbers({2, 2}, 1)};
  expect_two_derivatives([](const Values& in) { return exp(cat({in[0], in[1], in[0]}, 1)); }, pair);
  const Values same{numbers({2, 3}), numbers({2, 3}, 1)};
  expect_two_derivatives([](const Values& in) { return exp(stack({in[0], in[1]}, 1)); }, same);
}

TEST_F(Derivatives, OfOperatorsWithIndices) {
  const Tensor index = tensor<int64_t>({2, 0, 2});
  const Tensor matrix_index = view(tensor<int64_t>({0, 1, 1, 2}), {2, 2});
  const Values one{signed_numbers({2, 3})};
  expect_two_derivatives([&](const Values& in) { return exp(index_select(in[0], 1, index)); }, one);
  expect_two_derivatives([&](const Values& in) { return exp(gather(in[0], 1, matrix_index)); }, one);
  expect_first(
      [&](const Values& in) { return exp(structured::index(in[0], {std::optional<Tensor>(tensor<int64_t>({1, 1}))})); },
      one);
  const Values added{numbers({2, 3}), numbers({2, 3}, 1)};
  expect_two_derivatives([&](const Values& in) { return exp(index_add(in[0], 1, index, in[1], 2)); }, added);
  const Values scattered{numbers({2, 3}), numbers({2, 2}, 1)};
  expect_two_derivatives([&](const Values& in) { return exp(scatter_add(in[0], 1, matrix_index, in[1])); }, scattered);
  expect_two_derivatives([&](const Values& in) { return exp(scatter(in[0], 1, matrix_index, in[1])); }, scattered);
  expect_first([&](const Values& in) { return exp(embedding(in[0], tensor<int64_t>({1, 0, 1}))); }, one);
}

TEST_F(Derivatives, OfMatrixProducts) {
  expect_two_derivatives([](const Values& in) { return mm(in[0], in[1]); }, {numbers({2, 3}), numbers({3, 2}, 1)});
  expect_two_derivatives([](const Values& in) { return bmm(in[0], in[1]); },
                         {numbers({2, 2, 3}), numbers({2, 3, 2}, 1)});
  expect_two_derivatives([](const Values& in) { return mv(in[0], in[1]); }, {numbers({2, 3}), numbers({3}, 1)});
  expect_two_derivatives([](const Values& in) { return dot(in[0], in[1]); }, {numbers({3}), numbers({3}, 1)});
  expect_two_derivatives([](const Values& in) { return addmm(in[0], in[1], in[2], 2, 3); },
                         {numbers({2}), numbers({2, 3}, 1), numbers({3, 2}, 2)});
  expect_two_derivatives([](const Values& in) { return addmv(in[0], in[1], in[2], 2, 3); },
                         {numbers({2}), numbers({2, 3}, 1), numbers({3}, 2)});
  expect_two_derivatives([](const Values& in) { return baddbmm(in[0], in[1], in[2], 2, 3); },
                         {numbers({2, 2, 2}), numbers({2, 2, 3}, 1), numbers({2, 3, 2}, 2)});
  expect_two_derivatives([](const Values& in) { return matmul(in[0], in[1]); },
                         {numbers({2, 2, 3}), numbers({3, 2}, 1)});
  expect_two_derivatives([](const Values& in) { return linear(in[0], in[1], in[2]); },
                         {numbers({2, 2, 3}), numbers({2, 3}, 1), numbers({2}, 2)});
}

TEST_F(Derivatives, OfSoftmaxAndLosses) {
  const Values one{signed_numbers({2, 3})};
  const Tensor target = tensor<int64_t>({2, 0});
  const Tensor partly_ignored = tensor<int64_t>({2, -100});
  const Tensor weight = numbers({3}, 3);
  expect_two_derivatives([](const Values& in) { return softmax(in[0], 1); }, one);
  expect_two_derivatives([](const Values& in) { return log_softmax(in[0], 0); }, one);
  for (const int64_t reduction : {0, 1, 2}) {
    expect_two_derivatives([&](const Values& in) { return nll_loss(log_softmax(in[0], 1), target, weight, reduction); },
                           one);
    expect_two_derivatives(
        [&](const Values& in) { return nll_loss(log_softmax(in[0], 1), partly_ignored, {}, reduction); }, one);
    expect_two_derivatives([&](const Values& in) { return mse_loss(in[0], in[1], reduction); },
                           {numbers({2, 3}), numbers({2, 3}, 1)});
  }
}

TEST_F(Derivatives, OfNetworkLayers) {
  expect_first([](const Values& in) { return layer_norm(in[0], 3, in[1], in[2]); },
               {numbers({4, 3}), numbers({3}, 1), numbers({3}, 2)});
  expect_first([](const Values& in) { return group_norm(in[0], 2, in[1], in[2]); },
               {numbers({2, 4, 3}), numbers({4}, 1), numbers({4}, 2)});
  for (const bool training : {false, true}) {
    expect_first(
        [&](const Values& in) {
          return batch_norm(in[0], in[1], in[2], full({2}, 0.5, kDouble), full({2}, 2, kDouble), training, 0.1, 1e-5,
                            true);
        },
        {numbers({3, 2, 2}), numbers({2}, 1), numbers({2}, 2)});
  }
  expect_first([](const Values& in) { return conv2d(in[0], in[1], in[2], {1, 1}, {1, 0}); },
               {numbers({2, 2, 4, 3}), numbers({3, 2, 2, 2}, 1), numbers({3}, 2)});
  expect_first([](const Values& in) { return conv2d(in[0], in[1], {}); },
               {numbers({1, 2, 3, 3}), numbers({2, 2, 2, 2}, 1)});
  expect_first([](const Values& in) { return max_pool2d(in[0], 2); }, {numbers({1, 2, 4, 4})});
  expect_first([](const Values& in) { return avg_pool2d(in[0], 2); }, {numbers({1, 2, 4, 4})});
  expect_first([](const Values& in) { return adaptive_avg_pool2d(in[0], {2, 3}); }, {numbers({1, 2, 4, 5})});
}

}  // namespace
}  // namespace structured::derivatives_test
