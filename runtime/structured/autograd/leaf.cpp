#include "structured/autograd/leaf.h"

#include "structured/autograd/grad_mode.h"
#include "structured/autograd/gradient_operators.h"
#include "structured/autograd/spin_lock.h"
#include "structured/autograd/view.h"

namespace structured::autograd {
namespace {

// Whether nothing but `gradient` refers to its data, so that a leaf can keep it.
bool is_sole_owner(const Tensor& gradient) {
  return gradient.use_count() == 1 && !gradient.is_view() && gradient.storage().use_count() == 1 &&
         gradient.is_non_overlapping_and_dense();
}

}  // namespace

Leaf::Leaf(const Tensor& tensor) : dtype_(tensor.dtype()), sizes_(tensor.sizes().begin(), tensor.sizes().end()) {
  mark_as_leaf();
}

void Leaf::apply(Gradients results, Gradients) {
  Tensor gradient = std::move(results[0]);
  STRUCTURED_CHECK(gradient.sizes() == IntArrayRef(sizes_) && gradient.dtype() == dtype_,
                   "the gradient of a leaf has sizes ", gradient.sizes(), " and dtype ", gradient.dtype(),
                   "; expected ", IntArrayRef(sizes_), " and ", dtype_);
  accumulate(std::move(gradient));
  for (std::size_t i = 0; i < hooks_.size(); ++i) hooks_[i](grad());
}

// Without a graph, later passes add to the first gradient in place. With one, each sum is a new tensor.
void Leaf::accumulate(Tensor gradient) {
  const SpinLock lock(is_busy_);
  if (!grad_.defined()) {
    if (is_grad_enabled()) {
      grad_ = clone(gradient);
    } else {
      grad_ = is_sole_owner(gradient) ? std::move(gradient) : clone(gradient);
    }
  } else if (is_grad_enabled()) {
    grad_ = add(grad_, gradient);
  } else {
    add_in_place(grad_, gradient);
  }
}

Tensor Leaf::grad() const {
  const SpinLock lock(is_busy_);
  return grad_;
}

void Leaf::set_grad(const Tensor& gradient) {
  Tensor previous = gradient;
  const SpinLock lock(is_busy_);
  grad_.swap(previous);
}

void Leaf::add_leaf_hook(LeafHook hook) { hooks_.push_back(std::move(hook)); }

// A quantized tensor keeps its quantizer in the place of gradient data.
Leaf* find_leaf(const Tensor& tensor) {
  if (tensor.is_quantized()) return nullptr;
  auto* const node = static_cast<Node*>(tensor.impl()->autograd());
  return node != nullptr && node->sequence() == 0 ? static_cast<Leaf*>(node) : nullptr;
}

Leaf& leaf_of(const Tensor& tensor) {
  if (Leaf* const leaf = find_leaf(tensor)) return *leaf;
  STRUCTURED_CHECK(!tensor.is_quantized(), "quantized tensors have no gradients");
  auto* const leaf = new Leaf(tensor);
  tensor.impl()->set_autograd(leaf, tensor.requires_grad());
  return *leaf;
}

Edge edge_of(const Tensor& tensor) {
  if (!tensor.requires_grad()) return {};
  if (tensor.is_view()) update_view(tensor);
  return {NodePtr::share(static_cast<Node*>(tensor.impl()->autograd())), tensor.impl()->output_index()};
}

}  // namespace structured::autograd
