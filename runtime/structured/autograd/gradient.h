#pragma once
// Gradients of tensors with respect to others, and hooks.
#include <cstdint>
#include <vector>

#include "structured/autograd/grad_mode.h"
#include "structured/autograd/leaf.h"
#include "structured/autograd/node.h"
#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"

namespace structured {

struct GradOptions {
  bool retain_graph = false;  ///< keeps what the graph saved, for another pass
  bool create_graph = false;  ///< records the computation of the gradients; implies retain_graph
  bool allow_unused = false;  ///< inputs that do not affect the outputs get undefined gradients, in place of an error
};

/// Gradients of the sum of `outputs`, weighted by `grad_outputs`, with respect to `inputs`; one for each input. Adds to
/// no grad(). An undefined or missing element of `grad_outputs` stands for 1 and needs an output of one element.
STRUCTURED_API std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs = {},
                                        GradOptions options = {});

/// Adds the gradients of all `outputs` to grad() of the leaves; see Tensor::backward.
STRUCTURED_API void backward(TensorList outputs, TensorList gradients = {}, bool retain_graph = false,
                             bool create_graph = false);

/// The node that computed `tensor`; null for a leaf.
STRUCTURED_API autograd::NodePtr grad_fn(const Tensor& tensor);

/// Calls `hook` with each gradient that arrives at `tensor`, before it is used. The hook may replace it. Throws Error
/// if `tensor` requires no gradients.
STRUCTURED_API void register_hook(const Tensor& tensor, autograd::TensorHook hook);

/// Calls `hook` with the gradient of a leaf after each backward pass that has added to it.
STRUCTURED_API void register_post_accumulate_grad_hook(const Tensor& leaf, autograd::LeafHook hook);

}  // namespace structured
