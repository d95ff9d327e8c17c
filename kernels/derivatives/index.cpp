// Derivatives of operators that read or write elements by index.
#include <structured/core/factory.h>
#include <structured/ops/embedding_dense_backward.h>
#include <structured/ops/gather.h>
#include <structured/ops/index_add.h>
#include <structured/ops/index_put.h>
#include <structured/ops/index_select.h>
#include <structured/ops/reshape.h>
#include <structured/ops/scatter.h>
#include <structured/ops/scatter_add.h>

#include <cstdint>
#include <optional>

#include "derivatives/formula.h"

namespace structured::derivatives {

[[structured::backward("index_select", "self")]]
Tensor index_select(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& index) {
  return structured::index_add(structured::zeros(self_sizes, grad.options()), dim, index, grad);
}

[[structured::backward("index_add", "self")]]
Tensor index_add_self(const Tensor& grad) {
  return grad;
}

[[structured::backward("index_add", "source")]]
Tensor index_add_source(const Tensor& grad, IntArrayRef source_sizes, int64_t dim, const Tensor& index,
                        const Scalar& alpha) {
  return scaled(structured::reshape(structured::index_select(grad, dim, index), source_sizes), conjugate(alpha));
}

[[structured::backward("gather", "self")]]
Tensor gather(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& index) {
  return structured::scatter_add(structured::zeros(self_sizes, grad.options()), dim, index, grad);
}

[[structured::backward("scatter_add", "self")]]
Tensor scatter_add_self(const Tensor& grad) {
  return grad;
}

[[structured::backward("scatter_add", "src")]] [[structured::backward("scatter.src", "src")]]
Tensor scatter_src(const Tensor& grad, int64_t dim, const Tensor& index) {
  return structured::gather(grad, dim, index);
}

[[structured::backward("scatter.src", "self")]] [[structured::backward("scatter.value", "self")]]
Tensor scatter_self(const Tensor& grad, int64_t dim, const Tensor& index) {
  return structured::scatter(grad, dim, index, 0);
}

[[structured::backward("index.Tensor", "self")]]
Tensor index(const Tensor& grad, IntArrayRef self_sizes, ArrayRef<std::optional<Tensor>> indices) {
  return structured::index_put(structured::zeros(self_sizes, grad.options()), indices, grad, true);
}

[[structured::backward("embedding", "weight")]]
Tensor embedding(const Tensor& grad, IntArrayRef weight_sizes, const Tensor& indices, int64_t padding_idx,
                 bool scale_grad_by_freq) {
  return structured::embedding_dense_backward(grad, indices, weight_sizes[0], padding_idx, scale_grad_by_freq);
}

}  // namespace structured::derivatives
