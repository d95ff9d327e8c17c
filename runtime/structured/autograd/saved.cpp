#include "structured/autograd/saved.h"

#include <sstream>

#include "structured/autograd/grad_mode.h"
#include "structured/autograd/record.h"
#include "structured/core/error.h"
#include "structured/dispatch/backend.h"

namespace structured::autograd {
namespace {

[[noreturn]] void fail_modified(const Tensor& tensor, std::uint32_t expected, const Node* source, std::uint16_t index,
                                const Node& user) {
  std::ostringstream text;
  text << "one of the variables needed for gradient computation has been modified by an inplace operation: ["
       << to_string(tensor.backend()) << to_string(tensor.dtype()) << "Type " << tensor.sizes() << "]";
  if (source != nullptr) text << ", which is output " << index << " of " << source->name() << ",";
  text << " is at version " << tensor.version() << "; expected version " << expected << " instead. " << user.name()
       << " saved it";
  fail(text.str());
}

}  // namespace

void SavedTensor::save(const Tensor& input) {
  tensor_ = input;
  version_ = input.defined() ? input.version() : 0;
  state_ = State::input;
}

void SavedTensor::save_result(const Tensor& result, std::uint16_t index) {
  tensor_ = Tensor::adopt(TensorImpl::create_detached(*result.impl()));
  version_ = result.version();
  index_ = index;
  state_ = State::result;
}

void SavedTensor::release() {
  tensor_.reset();
  state_ = State::released;
}

Tensor SavedTensor::get(const Node& node) const {
  STRUCTURED_CHECK(state_ != State::released,
                   "Trying to backward through the graph a second time (or directly access saved tensors after they "
                   "have already been freed). Saved intermediate values of the graph are freed when you call "
                   ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
                   "graph a second time or if you need to access saved tensors after calling backward.");
  if (!tensor_.defined()) return tensor_;
  const bool is_result = state_ == State::result;
  if (tensor_.version() != version_) [[unlikely]] {
    const Node* const source = is_result ? &node : static_cast<const Node*>(tensor_.impl()->autograd());
    fail_modified(tensor_, version_, source, is_result ? index_ : tensor_.impl()->output_index(), node);
  }
  if (!is_result || !is_grad_enabled() || !is_differentiable(tensor_.dtype())) return tensor_;
  Tensor result = Tensor::adopt(TensorImpl::create_detached(*tensor_.impl()));
  result.impl()->set_autograd(NodePtr::share(const_cast<Node*>(&node)).release(), true, index_);
  return result;
}

}  // namespace structured::autograd
