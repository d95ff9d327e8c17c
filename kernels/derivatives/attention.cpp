// Derivatives of attention.
#include <structured/core/tensor.h>
#include <structured/ops/_safe_softmax.h>
#include <structured/ops/_softmax.h>
#include <structured/ops/add.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mul.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/to.h>
#include <structured/ops/transpose.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

#include "shared/attention_mask.h"

namespace structured::derivatives {

// Computes the weights again, since the kernel keeps none.
[[structured::backward("_scaled_dot_product_flash_attention_for_cpu", "query", "key", "value")]]
std::tuple<Tensor, Tensor, Tensor> flash_attention(const Tensor& grad, const Tensor& query, const Tensor& key,
                                                   const Tensor& value, bool is_causal,
                                                   const std::optional<Tensor>& attn_mask,
                                                   std::optional<double> scale) {
  if (!grad.defined()) return {};
  const ScalarType dtype = query.scalar_type();
  const ScalarType wide = dtype == kDouble ? kDouble : kFloat;
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  const auto transposed = [](const Tensor& tensor) { return structured::transpose(tensor, -2, -1); };
  const Tensor upstream = structured::to(grad, wide);
  const Tensor queries = structured::mul(structured::to(query, wide), factor);
  const Tensor keys = structured::to(key, wide);
  Tensor scores = structured::matmul(queries, transposed(keys));
  if (is_causal) kernels::add_causal_mask(scores);
  const bool has_mask = attn_mask && attn_mask->defined();
  if (has_mask) scores = structured::add(scores, kernels::additive_mask(*attn_mask, wide));
  const Tensor weights = has_mask ? structured::_safe_softmax(scores, -1) : structured::_softmax(scores, -1, false);
  const Tensor of_weights = structured::matmul(upstream, transposed(structured::to(value, wide)));
  const Tensor mean = structured::sum(structured::mul(of_weights, weights), -1, true);
  const Tensor of_scores = structured::mul(weights, structured::sub(of_weights, mean));
  return {structured::to(structured::mul(structured::matmul(of_scores, keys), factor), dtype),
          structured::to(structured::matmul(transposed(of_scores), queries), dtype),
          structured::to(structured::matmul(transposed(weights), upstream), dtype)};
}

}  // namespace structured::derivatives
