#include "structured/autograd/function.h"

#include <algorithm>

#include "structured/core/factory.h"

namespace structured {

void AutogradContext::save_for_backward(TensorList tensors) { to_save_.assign(tensors.begin(), tensors.end()); }

std::vector<Tensor> AutogradContext::saved_tensors() const {
  if (node_ == nullptr) return to_save_;
  std::vector<Tensor> result;
  for (const autograd::SavedTensor& saved : saved_) result.push_back(saved.get(*node_));
  return result;
}

bool AutogradContext::needs_input_grad(std::size_t index) const { return node_ != nullptr && node_->needs(index); }

void AutogradContext::mark_non_differentiable(TensorList results) {
  non_differentiable_.assign(results.begin(), results.end());
}

CustomNode::CustomNode(std::string name, Backward backward, const std::vector<Tensor>& inputs)
    : DynamicNode(inputs.size()), name_(std::move(name)), backward_(backward) {
  context_.node_ = this;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad()) continue;
    connect(i, inputs[i]);
    expect_shape(i, {{inputs[i].sizes().begin(), inputs[i].sizes().end()}, inputs[i].dtype()});
  }
}

void CustomNode::record(std::vector<Tensor>& results, const std::vector<Tensor>& inputs) {
  set_result_count(results.size());
  const auto contains = [](const std::vector<Tensor>& list, const Tensor& tensor) {
    return std::ranges::any_of(list, [&](const Tensor& element) { return element.is_same(tensor); });
  };
  std::vector<Tensor> returned = results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    STRUCTURED_CHECK(results[i].defined(), name_, ": result ", i, " of forward is undefined");
    result_sizes_.emplace_back(results[i].sizes().begin(), results[i].sizes().end());
    result_options_.push_back(results[i].options());
    // An input that is returned gets a new tensor, so that its own history stays.
    if (contains(inputs, results[i])) results[i] = results[i].detach();
  }
  for (const Tensor& tensor : context_.to_save_) {
    autograd::SavedTensor& saved = context_.saved_.emplace_back();
    const auto found = std::ranges::find_if(returned, [&](const Tensor& result) { return result.is_same(tensor); });
    if (found == returned.end() || contains(inputs, tensor)) {
      saved.save(tensor);
    } else {
      saved.save_result(tensor, static_cast<uint16_t>(found - returned.begin()));
    }
  }
  context_.to_save_.clear();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (contains(context_.non_differentiable_, returned[i])) continue;
    const autograd::NodePtr node = autograd::NodePtr::share(this);
    const auto index = static_cast<uint16_t>(i);
    results[i].is_view() ? autograd::set_view_history(results[i], node, index)
                         : autograd::set_history(results[i], node, index);
  }
  context_.non_differentiable_.clear();
}

void CustomNode::apply(autograd::Gradients results, autograd::Gradients inputs) {
  std::vector<Tensor> gradients(std::make_move_iterator(results.begin()), std::make_move_iterator(results.end()));
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined() && context_.materializes_grads_) {
      gradients[i] = detail::zeros(result_sizes_[i], result_options_[i]);
    }
  }
  std::vector<Tensor> computed = backward_(context_, std::move(gradients));
  STRUCTURED_CHECK(computed.size() == inputs.size(), "function ", name_,
                   " returned an incorrect number of gradients (expected ", inputs.size(), ", got ", computed.size(),
                   ")");
  std::ranges::move(computed, inputs.begin());
}

void CustomNode::release_saved() {
  for (autograd::SavedTensor& saved : context_.saved_) saved.release();
}

}  // namespace structured
