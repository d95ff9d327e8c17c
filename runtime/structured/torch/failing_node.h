#pragma once
// Definitions of layers.h, which need the headers of libtorch's autograd.
#include <torch/csrc/autograd/VariableTypeUtils.h>

#include <cstddef>
#include <string>
#include <vector>

#include "structured/torch/layers.h"
#include "structured/torch/node.h"

namespace structured::torch::detail {

void check_writable(const at::Tensor& tensor) { ::torch::autograd::check_inplace(tensor, /*requires_grad=*/true); }

bool shares_memory(const at::Tensor& one, const at::Tensor& other) {
  if (!one.defined() || !other.defined()) return false;
  if (one.is_same(other)) return true;
  return one.has_storage() && other.has_storage() &&
         one.storage().unsafeGetStorageImpl() == other.storage().unsafeGetStorageImpl();
}

at::Tensor detached(const at::Tensor& tensor) {
  const at::AutoDispatchBelowADInplaceOrView guard;
  return tensor.detach();
}

void refuse_alias(const c10::FunctionSchema& schema, std::size_t result, std::size_t argument) {
  const std::string number = schema.returns().size() == 1 ? "" : " " + std::to_string(result);
  const std::string& name = schema.arguments()[argument].name();
  const c10::AliasInfo* alias = schema.arguments()[argument].alias_info();
  const bool is_written = alias != nullptr && alias->isWrite();
  TORCH_CHECK(false, known_name(schema.operator_name()), ": result", number, " is the argument `", name,
              "` or shares memory with it, and the schema does not say so. Autograd needs a new tensor: return a copy",
              is_written
                  ? ", or call the operator in torch.no_grad()."
                  : (", such as `" + name + ".clone()`, or declare the view by `[[structured::alias(\"a\")]]`."));
}

void fail_in_backward(const std::string& operator_name, const std::vector<at::Tensor>& inputs,
                      const std::vector<at::Tensor>& written, const std::vector<at::Tensor>& results) {
  ::torch::autograd::edge_list edges;  // taken before an input gets a new history
  for (const at::Tensor& input : inputs) edges.push_back(::torch::autograd::impl::gradient_edge(input));
  // A node of its own for each tensor, as the histories of views require.
  const auto make_failing = [&] {
    auto node = make_node<::torch::autograd::NotImplemented>(operator_name);
    node->set_next_edges(::torch::autograd::edge_list(edges));
    return node;
  };
  const auto is_differentiable = [](const at::Tensor& tensor) {
    return tensor.defined() && ::torch::autograd::isDifferentiableType(tensor.scalar_type());
  };
  for (at::Tensor tensor : written) {
    if (is_differentiable(tensor)) ::torch::autograd::rebase_history(tensor, make_failing());
  }
  for (at::Tensor tensor : results) {
    if (is_differentiable(tensor)) ::torch::autograd::set_history(tensor, make_failing());
  }
}

}  // namespace structured::torch::detail
