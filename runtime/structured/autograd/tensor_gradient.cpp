// The gradient members of Tensor, and the functions of gradient.h.
#include "structured/autograd/engine.h"
#include "structured/autograd/grad_mode.h"
#include "structured/autograd/gradient.h"
#include "structured/autograd/layer.h"
#include "structured/autograd/record.h"
#include "structured/base/error.h"
#include "structured/core/factory.h"

namespace structured {
namespace {

using autograd::find_leaf;
using autograd::leaf_of;
using autograd::Node;
using autograd::NodePtr;
using autograd::Root;

Node* node_of(const Tensor& tensor) { return static_cast<Node*>(tensor.impl()->autograd()); }

bool is_computed(const Tensor& tensor) { return tensor.requires_grad() && find_leaf(tensor) == nullptr; }

void check_defined(const Tensor& tensor) { static_cast<void>(tensor.numel()); }

// One root for each output.
std::vector<Root> roots_of(TensorList outputs, TensorList gradients) {
  STRUCTURED_CHECK(gradients.empty() || gradients.size() == outputs.size(), "got ", outputs.size(), " tensors and ",
                   gradients.size(), " gradients");
  std::vector<Root> roots;
  roots.reserve(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& output = outputs[i];
    STRUCTURED_CHECK(output.requires_grad(), "element ", i,
                     " of tensors does not require grad and does not have a grad_fn");
    Tensor gradient = i < gradients.size() ? gradients[i] : Tensor();
    if (!gradient.defined()) {
      STRUCTURED_CHECK(output.numel() == 1, "grad can be implicitly created only for scalar outputs");
      STRUCTURED_CHECK(output.is_floating_point(),
                       "grad can be implicitly created only for real scalar outputs but got ", output.dtype());
      gradient = detail::full(output.sizes(), 1, output.options());
    }
    STRUCTURED_CHECK(gradient.sizes() == output.sizes(), "Mismatch in shape: grad_output[", i, "] has a shape of ",
                     gradient.sizes(), " and output[", i, "] has a shape of ", output.sizes(), ".");
    STRUCTURED_CHECK(gradient.is_complex() == output.is_complex(),
                     "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch "
                     "in dtype: grad_output[",
                     i, "] has a dtype of ", gradient.dtype(), " and output[", i, "] has a dtype of ", output.dtype(),
                     ".");
    STRUCTURED_CHECK(gradient.dtype() == output.dtype() && gradient.device() == output.device(), "gradient ", i,
                     " has dtype ", gradient.dtype(), " and device ", gradient.device(), "; expected ", output.dtype(),
                     " and ", output.device());
    roots.push_back({autograd::edge_of(output), std::move(gradient)});
  }
  return roots;
}

}  // namespace

const Tensor& Tensor::requires_grad_(bool requires_grad) const {
  TensorImpl& impl = checked();
  STRUCTURED_CHECK(!is_computed(*this) || requires_grad,
                   "you can only change requires_grad flags of leaf variables. If you want to use a computed variable "
                   "in a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  STRUCTURED_CHECK(!requires_grad || !is_inference() || is_inference_mode_enabled(),
                   "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  if (requires_grad == impl.requires_grad()) return *this;
  STRUCTURED_CHECK(!requires_grad || autograd::is_differentiable(dtype()),
                   "only Tensors of floating point and complex dtype can require gradients");
  autograd::install_layer();
  leaf_of(*this);
  node_of(*this)->share();
  impl.set_autograd(node_of(*this), requires_grad);
  return *this;
}

bool Tensor::is_leaf() const {
  check_defined(*this);
  return !is_computed(*this);
}

Tensor Tensor::grad() const {
  checked();
  if (const autograd::Leaf* const leaf = find_leaf(*this)) return leaf->grad();
  return is_computed(*this) ? node_of(*this)->retained(impl()->output_index()) : Tensor();
}

void Tensor::set_grad(const Tensor& gradient) const {
  checked();
  if (gradient.defined()) {
    STRUCTURED_CHECK(!gradient.is_same(*this), "can't assign Variable as its own grad");
    STRUCTURED_CHECK(gradient.dtype() == dtype(), "assigned grad has data of a different type: expected ", dtype(),
                     ", got ", gradient.dtype());
    STRUCTURED_CHECK(gradient.device() == device(), "assigned grad has data located on a different device: expected ",
                     device(), ", got ", gradient.device());
    STRUCTURED_CHECK(gradient.sizes() == sizes(), "assigned grad has data of a different size: expected ", sizes(),
                     ", got ", gradient.sizes());
  }
  if (is_computed(*this)) {
    node_of(*this)->set_retained(impl()->output_index(), gradient);
  } else if (gradient.defined() || find_leaf(*this) != nullptr) {
    leaf_of(*this).set_grad(gradient);
  }
}

void Tensor::retain_grad() const {
  STRUCTURED_CHECK(checked().requires_grad(), "can't retain_grad on Tensor that has requires_grad=False");
  if (is_computed(*this)) node_of(*this)->retain(impl()->output_index());
}

bool Tensor::retains_grad() const {
  checked();
  return is_computed(*this) && node_of(*this)->retains(impl()->output_index());
}

void Tensor::backward(const Tensor& gradient, bool retain_graph, bool create_graph) const {
  check_defined(*this);
  structured::backward(*this, gradient, retain_graph, create_graph);
}

void Tensor::backward() const { backward(Tensor()); }

Tensor Tensor::detach() const { return adopt(TensorImpl::create_detached(checked())); }

void backward(TensorList outputs, TensorList gradients, bool retain_graph, bool create_graph) {
  autograd::run_backward(roots_of(outputs, gradients), {retain_graph, create_graph});
}

std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs, GradOptions options) {
  const std::vector<Root> roots = roots_of(outputs, grad_outputs);
  std::vector<autograd::Edge> edges;
  edges.reserve(inputs.size());
  for (const Tensor& input : inputs) {
    STRUCTURED_CHECK(input.requires_grad(), "One of the differentiated Tensors does not require grad");
    edges.push_back(autograd::edge_of(input));
  }
  std::vector<Tensor> result = autograd::run_gradients(roots, edges, {options.retain_graph, options.create_graph});
  for (const Tensor& gradient : result) {
    STRUCTURED_CHECK(gradient.defined() || options.allow_unused,
                     "One of the differentiated Tensors appears to not have been used in the graph. Set "
                     "allow_unused=True if this is the desired behavior.");
  }
  return result;
}

NodePtr grad_fn(const Tensor& tensor) {
  check_defined(tensor);
  return is_computed(tensor) ? autograd::edge_of(tensor).node : NodePtr();
}

void register_hook(const Tensor& tensor, autograd::TensorHook hook) {
  STRUCTURED_CHECK(tensor.requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  const autograd::Edge edge = autograd::edge_of(tensor);
  edge.node->add_hook(edge.output, std::move(hook));
}

void register_post_accumulate_grad_hook(const Tensor& leaf, autograd::LeafHook hook) {
  STRUCTURED_CHECK(leaf.requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  STRUCTURED_CHECK(leaf.is_leaf(), "post accumulate grad hooks cannot be registered on non-leaf tensors");
  find_leaf(leaf)->add_leaf_hook(std::move(hook));
}

}  // namespace structured
