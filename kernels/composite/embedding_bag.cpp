// Composite kernels for embedding_bag.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/ops/_embedding_bag.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace structured::kernels {

/// Sums, means or maxima of bags of rows of `weight` [N, M] selected by `indices`: [B, M] for B `offsets`. `mode` is 0
/// (sum), 1 (mean) or 2 (max). See `_embedding_bag` for the other results. Floating-point dtypes only.
[[structured::composite("embedding_bag")]]
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq = false,
                                                         int64_t mode = 0, bool sparse = false,
                                                         const std::optional<Tensor>& per_sample_weights = std::nullopt,
                                                         bool include_last_offset = false) {
  return structured::_embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                                    include_last_offset, -1);
}

/// Sums, means or maxima of bags of rows of `weight` [N, M] selected by `indices`, without row `padding_idx`: [B, M]
/// for B `offsets`. `mode` is 0 (sum), 1 (mean) or 2 (max). A negative `padding_idx` counts from the end; None excludes
/// no row. See `_embedding_bag` for the other results. Floating-point dtypes only.
[[structured::composite("embedding_bag.padding_idx")]]
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag_padding(const Tensor& weight, const Tensor& indices,
                                                                 const Tensor& offsets, bool scale_grad_by_freq,
                                                                 int64_t mode, bool sparse,
                                                                 const std::optional<Tensor>& per_sample_weights,
                                                                 bool include_last_offset,
                                                                 std::optional<int64_t> padding_idx) {
  int64_t left_out = -1;
  if (padding_idx) {
    STRUCTURED_CHECK(*padding_idx >= -weight.size(0) && *padding_idx < weight.size(0),
                     "embedding_bag: expected `padding_idx` within the rows of `weight`, got ", *padding_idx, " for ",
                     weight.size(0));
    left_out = *padding_idx < 0 ? *padding_idx + weight.size(0) : *padding_idx;
  }
  return structured::_embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                                    include_last_offset, left_out);
}

}  // namespace structured::kernels
