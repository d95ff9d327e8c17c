#pragma once
// Definitions of layers.h, which need the headers of libtorch's autograd.
#include <torch/csrc/autograd/VariableTypeUtils.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "structured/torch/layers.h"
#include "structured/torch/node.h"

namespace structured::torch::detail {

void check_writable(const at::Tensor& tensor) { ::torch::autograd::check_inplace(tensor, /*requires_grad=*/true); }

using NodePointer = decltype(::torch::autograd::Edge::function);

FailingNode::FailingNode(const std::string& operator_name, const std::vector<at::Tensor>& inputs) {
  auto node = make_node<::torch::autograd::NotImplemented>(operator_name);
  ::torch::autograd::edge_list edges;
  for (const at::Tensor& input : inputs) edges.push_back(::torch::autograd::impl::gradient_edge(input));
  node->set_next_edges(std::move(edges));
  node_ = std::make_shared<NodePointer>(std::move(node));
}

void FailingNode::record(at::Tensor& result, bool is_written) const {
  if (!result.defined() || !::torch::autograd::isDifferentiableType(result.scalar_type())) return;
  const NodePointer& node = *static_cast<NodePointer*>(node_.get());
  if (is_written) {
    ::torch::autograd::rebase_history(result, node);
  } else {
    ::torch::autograd::set_history(result, node);
  }
}

}  // namespace structured::torch::detail
