#include "structured/autograd/node.h"

#include <algorithm>

#include "structured/autograd/gradient_operators.h"
#include "structured/autograd/leaf.h"
#include "structured/core/host_cache.h"

namespace structured::autograd {
namespace {

constinit std::atomic<std::int64_t> node_count = 0;

// Higher than the sequence number of each node that this thread has recorded.
constinit thread_local std::uint64_t next_sequence = 1;

// While a node is being freed on this thread: the list of nodes that wait for the same.
constinit thread_local bool is_freeing = false;
constinit thread_local Node* waiting = nullptr;

struct ResultHook {
  std::uint16_t result;
  TensorHook hook;
};
struct Retained {
  std::uint16_t result;
  Tensor gradient;
};
struct InputShape {
  std::size_t input;
  GradientShape shape;
};

bool is_expandable(IntArrayRef from, IntArrayRef to) {
  if (from.size() > to.size()) return false;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    const std::int64_t size = from[from.size() - i];
    if (size != 1 && size != to[to.size() - i]) return false;
  }
  return true;
}

}  // namespace

// Rare properties of a node.
struct Node::Extras {
  std::vector<ResultHook> hooks;
  std::vector<Retained> retained;
  std::vector<InputShape> shapes;
};

Node::Node() : sequence_(next_sequence++) { node_count.fetch_add(1, std::memory_order_relaxed); }

Node::~Node() { node_count.fetch_sub(1, std::memory_order_relaxed); }

std::int64_t Node::count() { return node_count.load(std::memory_order_relaxed); }

void* Node::operator new(std::size_t bytes) { return detail::allocate_host(bytes); }

void Node::operator delete(void* node, std::size_t bytes) { detail::deallocate_host(node, bytes); }

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

void Node::drop_next() noexcept {
  const Links links = this->links();
  for (std::size_t i = 0; i < links.input_count; ++i) {
    if (links.next[i] != nullptr) links.next[i]->drop();
  }
}

Node::Extras& Node::extras() {
  if (extras_ == nullptr) extras_ = std::make_unique<Extras>();
  return *extras_;
}

std::span<Node* const> Node::next_nodes() {
  const Links links = this->links();
  return {links.next, links.input_count};
}

Edge Node::next_edge(std::size_t input) {
  const Links links = this->links();
  return {NodePtr::share(links.next[input]), links.output[input]};
}

void Node::connect(std::size_t input, Edge edge) {
  const Links links = this->links();
  STRUCTURED_INTERNAL_ASSERT(input < links.input_count && links.next[input] == nullptr);
  if (!edge.node) return;
  if (sequence_ <= edge.node->sequence_) {
    sequence_ = edge.node->sequence_ + 1;  // another thread has recorded the input
    next_sequence = std::max(next_sequence, sequence_ + 1);
  }
  links.output[input] = edge.output;
  links.next[input] = edge.node.release();
}

void Node::connect(std::size_t input, const Tensor& tensor) {
  if (tensor.requires_grad()) connect(input, edge_of(tensor));
}

void Node::connect(std::size_t input, const Tensor& tensor, const Tensor& result) {
  if (!tensor.requires_grad()) return;
  connect(input, edge_of(tensor));
  if (tensor.impl()->signature() == result.impl()->signature() && tensor.sizes() == result.sizes()) return;
  if (tensor.dtype() != result.dtype() || is_expandable(tensor.sizes(), result.sizes())) {
    expect_shape(input, {{tensor.sizes().begin(), tensor.sizes().end()}, tensor.dtype()});
  }
}

void Node::expect_shape(std::size_t input, GradientShape shape) {
  extras().shapes.push_back({input, std::move(shape)});
}

const GradientShape* Node::shape_of(std::size_t input) const {
  if (extras_ == nullptr) return nullptr;
  for (const InputShape& entry : extras_->shapes) {
    if (entry.input == input) return &entry.shape;
  }
  return nullptr;
}

void Node::add_hook(std::uint16_t result, TensorHook hook) { extras().hooks.push_back({result, std::move(hook)}); }

void Node::run_hooks(Gradients results) {
  if (extras_ == nullptr) return;
  for (std::size_t i = 0; i < extras_->hooks.size(); ++i) {  // a hook may add others
    const std::uint16_t result = extras_->hooks[i].result;
    if (!results[result].defined()) continue;
    const TensorHook hook = extras_->hooks[i].hook;
    if (Tensor replaced = hook(results[result]); replaced.defined()) results[result] = std::move(replaced);
  }
  for (Retained& entry : extras_->retained) {
    if (!results[entry.result].defined()) continue;
    entry.gradient =
        entry.gradient.defined() ? add_gradients(entry.gradient, results[entry.result]) : results[entry.result];
  }
}

void Node::retain(std::uint16_t result) {
  if (!retains(result)) extras().retained.push_back({result, Tensor()});
}

bool Node::retains(std::uint16_t result) const {
  return extras_ != nullptr &&
         std::ranges::any_of(extras_->retained, [&](const Retained& entry) { return entry.result == result; });
}

Tensor Node::retained(std::uint16_t result) const {
  if (extras_ == nullptr) return Tensor();
  const auto found = std::ranges::find(extras_->retained, result, &Retained::result);
  return found == extras_->retained.end() ? Tensor() : found->gradient;
}

void Node::set_retained(std::uint16_t result, const Tensor& gradient) {
  retain(result);
  std::ranges::find(extras_->retained, result, &Retained::result)->gradient = gradient;
}

}  // namespace structured::autograd
