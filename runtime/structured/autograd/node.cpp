#include "structured/autograd/node.h"

#include <algorithm>
#include <string>
#include <utility>

#include "structured/autograd/anomaly.h"
#include "structured/autograd/gradient_operators.h"
#include "structured/autograd/leaf.h"
#include "structured/autograd/view.h"
#include "structured/dispatch/call_stack.h"
#include "structured/memory/host_cache.h"

namespace structured {

namespace detail {

STRUCTURED_THREAD_LOCAL AnomalyMode current_anomaly_mode = AnomalyMode::off;

}  // namespace detail

namespace autograd {
namespace impl {

constinit std::atomic<int64_t> node_count = 0;
STRUCTURED_THREAD_LOCAL uint64_t next_sequence = 1;

}  // namespace impl
namespace {

// While a node is being freed on this thread: the list of nodes that wait for the same.
STRUCTURED_THREAD_LOCAL bool is_freeing = false;
STRUCTURED_THREAD_LOCAL Node* waiting = nullptr;

constinit std::atomic<DescribeCallStack> describe_call_stack = &structured::detail::describe_call_stack;

bool is_expandable(IntArrayRef from, IntArrayRef to) {
  if (from.size() > to.size()) return false;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    const int64_t size = from[from.size() - i];
    if (size != 1 && size != to[to.size() - i]) return false;
  }
  return true;
}

}  // namespace

// Rare properties of a node.
struct Node::Extras {
  struct ResultHook {
    uint16_t result;
    TensorHook hook;
  };
  struct Retained {
    uint16_t result;
    Tensor gradient;
  };
  struct Tangent {
    uint16_t result;
    uint64_t scope;
    Tensor tangent;
  };
  struct InputShape {
    std::size_t input;
    GradientShape shape;
  };

  std::vector<ResultHook> hooks;
  std::vector<NodePrehook> prehooks;
  std::vector<NodeHook> posthooks;
  std::vector<Retained> retained;
  std::vector<InputShape> shapes;
  std::vector<Tangent> tangents;
  std::string call_stack;
};

void Node::drop_tensor() noexcept { drop(); }

void Node::keep_call_stack() { extras().call_stack = describe_call_stack.load()(); }

void* Node::allocate_slow_path(std::size_t bytes) { return detail::allocate_host_slow_path(bytes); }

void Node::deallocate_slow_path(void* node, std::size_t bytes) noexcept {
  detail::deallocate_host_slow_path(node, bytes);
}

void Node::destroy(Node* node) noexcept {
  if (is_freeing) {
    node->owner_.store(waiting, std::memory_order_relaxed);
    waiting = node;
    return;
  }
  is_freeing = true;
  delete node;
  while (waiting != nullptr) {
    Node* const next = waiting;
    waiting = static_cast<Node*>(next->owner_.load(std::memory_order_relaxed));
    delete next;
  }
  is_freeing = false;
}

Node::Extras& Node::extras() {
  if (extras_ == nullptr) extras_ = new Extras;
  return *extras_;
}

void Node::delete_extras() noexcept { delete extras_; }

// A call is recorded after the calls that computed its inputs, also if those were on another thread.
void Node::keep_order(const Node& next) {
  sequence_ = next.sequence_ + 1;
  impl::next_sequence = std::max(impl::next_sequence, sequence_ + 1);
}

void Node::attach(std::size_t input, Node* node, uint16_t output) {
  STRUCTURED_INTERNAL_ASSERT(input < input_count_ && next_[input] == nullptr);
  next_[input] = node;
  outputs()[input] = output;
  follow(*node);
}

void Node::connect(std::size_t input, Edge edge) {
  if (edge.node) attach(input, edge.node.release(), edge.output);
}

void Node::connect(std::size_t input, const Tensor& tensor) {
  if (tensor.requires_grad()) connect(input, edge_of(tensor));
}

void Node::connect(std::size_t input, const Tensor& tensor, const Tensor& result) {
  if (!tensor.requires_grad()) return;
  const TensorImpl& impl = *tensor.impl();
  if (impl.has_flag(TensorFlags::kView)) [[unlikely]]
    update_view(tensor);
  auto* const node = static_cast<Node*>(impl.autograd());
  node->share();
  attach(input, node, impl.output_index());
  if (!result.defined()) return;  // the call was asked for other results only
  if (impl.signature() == result.impl()->signature() && impl.sizes() == result.impl()->sizes()) return;
  if (impl.dtype() != result.dtype() || is_expandable(impl.sizes(), result.sizes())) {
    expect_shape(input, {{impl.sizes().begin(), impl.sizes().end()}, impl.dtype()});
  }
}

void Node::expect_shape(std::size_t input, GradientShape shape) {
  extras().shapes.push_back({input, std::move(shape)});
}

const GradientShape* Node::shape_of(std::size_t input) const {
  if (extras_ == nullptr) return nullptr;
  for (const Extras::InputShape& entry : extras_->shapes) {
    if (entry.input == input) return &entry.shape;
  }
  return nullptr;
}

void Node::add_hook(uint16_t result, TensorHook hook) { extras().hooks.push_back({result, std::move(hook)}); }

void Node::add_prehook(NodePrehook hook) { extras().prehooks.push_back(std::move(hook)); }

void Node::add_hook(NodeHook hook) { extras().posthooks.push_back(std::move(hook)); }

void Node::apply_with_hooks(Gradients results, Gradients inputs) {
  if (extras_ == nullptr || extras_->posthooks.empty()) return apply(results, inputs);
  std::vector<Tensor> kept(results.begin(), results.end());  // apply() may take the gradients
  apply(results, inputs);
  const std::vector<NodeHook> hooks = extras_->posthooks;  // a hook may add others
  for (const NodeHook& hook : hooks) hook(inputs, kept);
}

void Node::run_hooks(Gradients results) {
  if (extras_ == nullptr) return;
  for (std::size_t i = 0; i < extras_->hooks.size(); ++i) {  // a hook may add others
    const uint16_t result = extras_->hooks[i].result;
    if (!results[result].defined()) continue;
    const TensorHook hook = extras_->hooks[i].hook;
    if (Tensor replaced = hook(results[result]); replaced.defined()) results[result] = std::move(replaced);
  }
  for (std::size_t i = 0; i < extras_->prehooks.size(); ++i) {
    const NodePrehook hook = extras_->prehooks[i];
    hook(results);
  }
  for (Extras::Retained& entry : extras_->retained) {
    if (!results[entry.result].defined()) continue;
    entry.gradient =
        entry.gradient.defined() ? add_gradients(entry.gradient, results[entry.result]) : results[entry.result];
  }
}

void Node::retain(uint16_t result) {
  if (!retains(result)) extras().retained.push_back({result, Tensor()});
}

bool Node::retains(uint16_t result) const {
  return extras_ != nullptr &&
         std::ranges::any_of(extras_->retained, [&](const Extras::Retained& entry) { return entry.result == result; });
}

Tensor Node::retained(uint16_t result) const {
  if (extras_ == nullptr) return Tensor();
  const auto found = std::ranges::find(extras_->retained, result, &Extras::Retained::result);
  return found == extras_->retained.end() ? Tensor() : found->gradient;
}

void Node::set_retained(uint16_t result, const Tensor& gradient) {
  retain(result);
  std::ranges::find(extras_->retained, result, &Extras::Retained::result)->gradient = gradient;
}

DynamicNode::DynamicNode(std::size_t inputs, std::size_t results) : Node(nullptr, inputs, results) {
  set_result_count(results);
}

// All slots are zero at first: null pointers, undefined tensors, and numbers, four in the room of a pointer.
void DynamicNode::set_result_count(std::size_t results) {
  static_assert(sizeof(Tensor) == sizeof(void*) && sizeof(Node*) == sizeof(void*));
  const std::size_t inputs = next_nodes().size();
  const std::size_t tail = inputs + (inputs + 3) / 4;
  std::vector<void*> slots(results + tail);
  std::copy_n(slots_.end() - static_cast<std::ptrdiff_t>(std::min(tail, slots_.size())), std::min(tail, slots_.size()),
              slots.end() - static_cast<std::ptrdiff_t>(tail));
  slots_ = std::move(slots);
  set_slots(reinterpret_cast<Node**>(slots_.data() + results), results);
}

DynamicNode::~DynamicNode() {
  for (Node* const next : next_nodes()) {
    if (next != nullptr) next->drop();
  }
  for (std::size_t i = 0; i < result_count(); ++i) reinterpret_cast<Tensor*>(slots_.data())[i].reset();
}

Tensor Node::tangent(uint16_t result, uint64_t scope) const {
  if (extras_ == nullptr) return Tensor();
  for (const Extras::Tangent& entry : extras_->tangents) {
    if (entry.result == result && entry.scope == scope) return entry.tangent;
  }
  return Tensor();
}

void Node::set_tangent(uint16_t result, uint64_t scope, Tensor tangent) {
  extras().tangents.push_back({result, scope, std::move(tangent)});
}

std::string_view Node::call_stack() const {
  return extras_ == nullptr ? std::string_view() : std::string_view(extras_->call_stack);
}

}  // namespace autograd

void set_call_stack_description(DescribeCallStack describe) {
  autograd::describe_call_stack = describe != nullptr ? describe : &detail::describe_call_stack;
}

}  // namespace structured
