#include "structured/autograd/saved.h"

#include <sstream>
#include <utility>

#include "structured/autograd/grad_mode.h"
#include "structured/autograd/leaf.h"
#include "structured/autograd/record.h"
#include "structured/autograd/saved_hooks.h"
#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/dispatch/backend.h"

namespace structured {

namespace detail {

STRUCTURED_THREAD_LOCAL const PackTensor* pack_tensor = nullptr;

}  // namespace detail

namespace {

// Stands for a packed tensor: data of an empty tensor, which owns them.
class Packed final : public detail::AutogradData {
 public:
  Packed(UnpackTensor unpack, autograd::Edge edge) : unpack_(std::move(unpack)), edge_(std::move(edge)) {}

  void drop_tensor() noexcept override { delete this; }

  Tensor unpack() const {
    Tensor tensor = [&] {
      const NoGradGuard guard;
      return unpack_();
    }();
    STRUCTURED_CHECK(tensor.defined(), "the hook that unpacks a saved tensor returned an undefined tensor");
    return tensor;
  }
  const autograd::Edge& edge() const { return edge_; }

 private:
  UnpackTensor unpack_;
  autograd::Edge edge_;  // how the tensor was computed; without a node for results of the node that saved it
};

Tensor pack(const Tensor& tensor, autograd::Edge edge) {
  const NoGradGuard guard;
  const uint32_t version = tensor.version();
  UnpackTensor unpack = (*structured::detail::pack_tensor)(tensor.detach());
  STRUCTURED_CHECK(tensor.version() == version,
                   "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook "
                   "can not be modified by in-place operations as this can lead to unexpected side-effects.");
  STRUCTURED_CHECK(unpack, "the hook that packs saved tensors returned no function");
  Tensor stand_in = detail::empty({0}, tensor.options().device(kCPU));
  stand_in.impl()->set_autograd(new Packed(std::move(unpack), std::move(edge)), false);
  return stand_in;
}

}  // namespace

SavedTensorHooks::SavedTensorHooks(PackTensor pack)
    : pack_(std::move(pack)), previous_(structured::detail::pack_tensor) {
  structured::detail::pack_tensor = &pack_;
}

SavedTensorHooks::~SavedTensorHooks() { structured::detail::pack_tensor = previous_; }

namespace autograd {
namespace {

[[noreturn]] void fail_modified(const Tensor& tensor, uint32_t expected, const Node* source, uint16_t index,
                                std::string_view user) {
  std::ostringstream text;
  text << "one of the variables needed for gradient computation has been modified by an inplace operation: ["
       << to_string(tensor.backend()) << to_string(tensor.dtype()) << "Type " << tensor.sizes() << "]";
  if (source != nullptr) text << ", which is output " << index << " of " << source->name() << ",";
  text << " is at version " << tensor.version() << "; expected version " << expected << " instead. " << user
       << " saved it";
  fail(text.str());
}

constinit thread_local bool drops_history = false;

const Packed& packed(const Tensor& stand_in) { return *static_cast<Packed*>(stand_in.impl()->autograd()); }

// `tensor` as a result of a node.
Tensor as_computed(const Tensor& tensor, NodePtr node, uint16_t index) {
  Tensor result = Tensor::adopt(TensorImpl::create_detached(*tensor.impl()));
  result.impl()->set_autograd(node.release(), true, index);
  return result;
}

}  // namespace

SavedTensor::WithoutHistory::WithoutHistory() : previous_(std::exchange(drops_history, true)) {}
SavedTensor::WithoutHistory::~WithoutHistory() { drops_history = previous_; }

void SavedTensor::fail_inference() {
  fail(
      "Inference tensors cannot be saved for backward. To work around you can make a clone to get a normal tensor and "
      "use it in autograd.");
}

void SavedTensor::save_general(const Tensor& input) {
  if (input.defined() && input.is_inference()) fail_inference();
  if (structured::detail::pack_tensor != nullptr && input.defined()) [[unlikely]] {
    tensor_ = pack(input, edge_of(input));
    state_ = State::packed_input;
    return;
  }
  tensor_ = input;
  version_ = input.defined() ? input.version() : 0;
  state_ = State::input;
}

void SavedTensor::save_result(const Tensor& result, uint16_t index) {
  if (result.is_inference()) fail_inference();
  index_ = index;
  if (structured::detail::pack_tensor != nullptr) [[unlikely]] {
    tensor_ = pack(result, {});
    state_ = State::packed_result;
    return;
  }
  tensor_ = Tensor::adopt(TensorImpl::create_detached(*result.impl()));
  version_ = result.version();
  state_ = State::result;
}

void SavedTensor::release() {
  tensor_.reset();
  state_ = State::released;
}

Tensor SavedTensor::get_general(const Node& node) const {
  if (state_ == State::input) [[likely]] {
    if (tensor_.defined() && tensor_.version() != version_) [[unlikely]]
      fail_if_modified(node.name());
    return tensor_.requires_grad() && drops_history ? tensor_.detach() : tensor_;
  }
  if (state_ != State::result && state_ != State::packed_result) return get_input(node.name());
  if (state_ == State::result && tensor_.version() != version_) [[unlikely]] {
    fail_modified(tensor_, version_, &node, index_, node.name());
  }
  Tensor tensor = state_ == State::result ? tensor_ : packed(tensor_).unpack();
  if (!is_grad_enabled() || drops_history || !is_differentiable(tensor.dtype())) return tensor;
  return as_computed(tensor, NodePtr::share(const_cast<Node*>(&node)), index_);
}

Tensor SavedTensor::get_input(std::string_view user) const {
  STRUCTURED_CHECK(state_ != State::released,
                   "Trying to backward through the graph a second time (or directly access saved tensors after they "
                   "have already been freed). Saved intermediate values of the graph are freed when you call "
                   ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
                   "graph a second time or if you need to access saved tensors after calling backward.");
  if (state_ == State::input) {
    fail_if_modified(user);
    return tensor_;
  }
  const Packed& data = packed(tensor_);
  Tensor tensor = data.unpack();
  return data.edge().node && !drops_history ? as_computed(tensor, data.edge().node, data.edge().output) : tensor;
}

void SavedTensor::fail_if_modified(std::string_view user) const {
  if (!is_modified()) return;
  fail_modified(tensor_, version_, static_cast<const Node*>(tensor_.impl()->autograd()), tensor_.impl()->output_index(),
                user);
}

void SavedUnlessModified::save_copy(const Tensor& input) {
  SavedTensor::save(input.defined() && !input.is_inference() ? copy_of(input) : input);
}

}  // namespace autograd
}  // namespace structured
