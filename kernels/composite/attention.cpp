// Composite kernels for scaled dot-product attention and trilinear products.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/ops/_safe_softmax.h>
#include <structured/ops/_scaled_dot_product_attention_forward.h>
#include <structured/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <structured/ops/_softmax.h>
#include <structured/ops/add.h>
#include <structured/ops/bernoulli.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mul.h>
#include <structured/ops/repeat_interleave.h>
#include <structured/ops/sum.h>
#include <structured/ops/to.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/zeros_like.h>
#include <structured/structured.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

#include "shared/attention_mask.h"

namespace structured::kernels {
namespace {

Tensor with_dropout(const Tensor& weights, double p) {
  STRUCTURED_CHECK(p >= 0 && p <= 1, "_scaled_dot_product_attention: expected `dropout_p` from 0 to 1, got ", p);
  if (p == 0) return weights;
  if (p == 1) return structured::zeros_like(weights);
  Tensor kept = structured::zeros_like(weights);
  structured::bernoulli_(kept, 1 - p);
  return structured::mul(structured::mul(weights, kept), 1 / (1 - p));
}

// `tensor` [..., H, L, E] with each of its heads repeated, for a query of `heads` heads.
Tensor with_heads(const Tensor& tensor, int64_t heads) {
  const int64_t own = tensor.size(-3);
  STRUCTURED_CHECK(own > 0 && heads % own == 0, "scaled_dot_product_attention: expected ", heads,
                   " heads of `query` to be a multiple of those of `key` and `value`, got ", own);
  return own == heads ? tensor : structured::repeat_interleave(tensor, heads / own, -3);
}

Tensor expanded(Tensor tensor, IntArrayRef dims) {
  for (const int64_t dim : dims) tensor = structured::unsqueeze(tensor, dim);
  return tensor;
}

// Whether the kernel for CPUs, which keeps no scores for a derivative, takes these tensors.
bool has_blocked_kernel(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor* mask) {
  const auto is_constant = [](const Tensor& tensor) { return tensor.device().is_cpu() && !tensor.requires_grad(); };
  const auto agrees = [&](const Tensor& tensor) {
    return tensor.dim() == 4 && is_constant(tensor) && tensor.scalar_type() == query.scalar_type() &&
           tensor.size(0) == query.size(0) && tensor.size(1) == query.size(1);
  };
  return query.dim() == 4 && agrees(query) && agrees(key) && agrees(value) && key.size(3) == query.size(3) &&
         key.size(2) == value.size(2) && (mask == nullptr || (mask->dim() <= 4 && is_constant(*mask)));
}

}  // namespace

/// Scaled dot-product attention: `softmax(query @ key^T / sqrt(E) + attn_mask) @ value` for `query` [..., L, E], `key`
/// [..., S, E] and `value` [..., S, V]. Returns the result [..., L, V] and the attention weights [..., L, S].
///
/// `attn_mask` is broadcast to [..., L, S]; a Bool mask is true where attention is allowed. `is_causal` masks positions
/// after the query and excludes `attn_mask`. Weights are dropped with probability `dropout_p` and the others scaled by
/// 1 / (1 - dropout_p). `need_attn_weights` has no effect. Tensors have at least 3 dimensions and a floating-point
/// dtype.
[[structured::composite("_scaled_dot_product_attention_forward"), structured::tags("nondeterministic_seeded")]]
std::tuple<Tensor, Tensor> scaled_dot_product_attention_forward(
    const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& attn_mask = {},
    double dropout_p = 0.0, [[maybe_unused]] bool need_attn_weights = false, bool is_causal = false) {
  constexpr const char* name = "_scaled_dot_product_attention";
  STRUCTURED_CHECK(query.dim() >= 3 && key.dim() >= 3 && value.dim() >= 3, name,
                   ": expected tensors of 3 dimensions or more, got ", query.dim(), ", ", key.dim(), " and ",
                   value.dim());
  STRUCTURED_CHECK(structured::is_floating(query.scalar_type()), name, ": expected a floating-point dtype, got ",
                   query.scalar_type());
  const bool has_mask = attn_mask && attn_mask->defined();
  STRUCTURED_CHECK(!is_causal || !has_mask, name, ": expected no `attn_mask` where `is_causal` is one");
  const Tensor scaled = structured::mul(query, 1 / std::sqrt(static_cast<double>(query.size(-1))));
  Tensor scores = structured::matmul(scaled, structured::transpose(key, -2, -1));
  if (is_causal) {
    add_causal_mask(scores);
  } else if (has_mask) {
    structured::add_(scores, additive_mask(*attn_mask, query.scalar_type()));
  }
  const Tensor weights = with_dropout(structured::_softmax(scores, -1, false), dropout_p);
  return {structured::matmul(weights, value), weights};
}

/// Scaled dot-product attention: `softmax(query @ key^T / sqrt(E) + attn_mask) @ value` for `query` [..., L, E], `key`
/// [..., S, E] and `value` [..., S, V]. Returns the result [..., L, V] and, if `need_attn_weights`, the attention
/// weights [..., L, S], else an undefined tensor.
///
/// `attn_mask` is broadcast to [..., L, S]; a Bool mask is true where attention is allowed. `is_causal` masks positions
/// after the query and excludes `attn_mask`. Weights are dropped with probability `dropout_p` and the others scaled by
/// 1 / (1 - dropout_p). Tensors have at least 3 dimensions and a floating-point dtype.
[[structured::composite("_scaled_dot_product_attention"), structured::tags("nondeterministic_seeded")]]
std::tuple<Tensor, Tensor> scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                                        const std::optional<Tensor>& attn_mask = {},
                                                        double dropout_p = 0.0, bool need_attn_weights = false,
                                                        bool is_causal = false) {
  const auto [output, weights] = structured::_scaled_dot_product_attention_forward(
      query, key, value, attn_mask, dropout_p, need_attn_weights, is_causal);
  return {output, need_attn_weights ? weights : Tensor()};
}

/// Scaled dot-product attention: `softmax(query @ key^T * scale + attn_mask) @ value` for `query` [..., L, E], `key`
/// [..., S, E] and `value` [..., S, V]: [..., L, V]. `scale` defaults to 1 / sqrt(E).
///
/// `attn_mask` is broadcast to [..., L, S]; a Bool mask is true where attention is allowed. A query that may attend to
/// nothing has the result 0. `is_causal` masks positions after the query and excludes `attn_mask`. With `enable_gqa`,
/// dimension -3 of `key` and `value` may be smaller than the one of `query` and is repeated. Weights are dropped with
/// probability `dropout_p` and the others scaled by 1 / (1 - dropout_p). Tensors have a floating-point dtype.
[[structured::composite("scaled_dot_product_attention"), structured::tags("nondeterministic_seeded")]]
Tensor scaled_dot_product_attention_scaled(const Tensor& query, const Tensor& key, const Tensor& value,
                                           const std::optional<Tensor>& attn_mask = {}, double dropout_p = 0.0,
                                           bool is_causal = false,
                                           [[structured::kwonly]] std::optional<double> scale = std::nullopt,
                                           bool enable_gqa = false) {
  constexpr const char* name = "scaled_dot_product_attention";
  STRUCTURED_CHECK(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2, name,
                   ": expected tensors of 2 dimensions or more, got ", query.dim(), ", ", key.dim(), " and ",
                   value.dim());
  STRUCTURED_CHECK(structured::is_floating(query.scalar_type()), name, ": expected a floating-point dtype, got ",
                   query.scalar_type());
  const bool has_mask = attn_mask && attn_mask->defined();
  STRUCTURED_CHECK(!is_causal || !has_mask, name, ": expected no `attn_mask` where `is_causal` is true");
  const bool repeats_heads = enable_gqa && query.dim() >= 3;
  const Tensor keys = repeats_heads ? with_heads(key, query.size(-3)) : key;
  const Tensor values = repeats_heads ? with_heads(value, query.size(-3)) : value;
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  if (dropout_p == 0 && has_blocked_kernel(query, keys, values, has_mask ? &*attn_mask : nullptr)) {
    return std::get<0>(structured::_scaled_dot_product_flash_attention_for_cpu(query, keys, values, 0.0, is_causal,
                                                                               attn_mask, factor));
  }
  Tensor scores = structured::matmul(structured::mul(query, factor), structured::transpose(keys, -2, -1));
  if (is_causal) {
    add_causal_mask(scores);
  } else if (has_mask) {
    scores = structured::add(scores, additive_mask(*attn_mask, query.scalar_type()));
  }
  const Tensor weights = has_mask ? structured::_safe_softmax(scores, -1) : structured::_softmax(scores, -1, false);
  return structured::matmul(with_dropout(weights, dropout_p), values);
}

/// Sum over the dimensions `sumdim` of the product of three tensors, which are broadcast after dimensions of size 1 are
/// inserted at `expand1`, `expand2` and `expand3`. Bool cannot be summed. `unroll_dim` has no effect.
[[structured::composite("_trilinear"), structured::variants("_trilinear.out")]]
Tensor trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArrayRef expand1, IntArrayRef expand2,
                 IntArrayRef expand3, IntArrayRef sumdim, [[maybe_unused]] int64_t unroll_dim = 1) {
  const Tensor first = structured::mul(expanded(i1, expand1), expanded(i2, expand2));
  const Tensor products = structured::mul(first, expanded(i3, expand3));
  STRUCTURED_CHECK(i1.scalar_type() != kBool || sumdim.empty() || products.numel() == 0,
                   "_trilinear: a sum of Bool is not supported");
  return sumdim.empty() ? products : structured::sum(products, sumdim, false, i1.scalar_type());
}

}  // namespace structured::kernels
