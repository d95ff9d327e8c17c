#include "structured/autograd/engine.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "structured/autograd/anomaly.h"
#include "structured/autograd/grad_mode.h"
#include "structured/autograd/gradient_operators.h"
#include "structured/autograd/leaf.h"
#include "structured/autograd/spin_lock.h"
#include "structured/base/error.h"

namespace structured::autograd {

namespace {

void check_no_nan(const Node& node, Gradients inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    STRUCTURED_CHECK(!inputs[i].defined() || !has_nan(inputs[i]), "Function '", node.name(),
                     "' returned nan values in its ", i, "th output.");
  }
}

void warn_of_error(const Node& node) {
  if (node.call_stack().empty()) {
    warn("Error detected in ", node.name(), ". It was not recorded in anomaly mode.");
  } else {
    warn("Error detected in ", node.name(), ". Functions that were running when it was recorded:\n", node.call_stack());
  }
}

}  // namespace

// One backward pass. Gradients that arrive at a node are summed in a buffer: the node's own, or, while another pass
// uses that, one of this pass. A node runs when no other node with a higher sequence number has gradients: all calls
// that used its results were recorded later.
class Engine {
 public:
  explicit Engine(BackwardOptions options) : options_(options) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  // After an error, buffers may still hold gradients.
  ~Engine() {
    for (const Ready& ready : heap_) clear_buffer(*ready.node);
  }

  void capture(std::span<const Edge> inputs) {
    captured_ = std::vector<Tensor>(inputs.size());
    inputs_ = inputs;
    for (const Edge& input : inputs) {
      if (!input.node) continue;
      wanted_[input.node.get()] = true;
      lowest_ = std::min(lowest_, input.node->sequence());
    }
  }

  std::vector<Tensor> run(std::span<const Root> roots) {
    const GradModeGuard mode(options_.create_graph);
    if (inputs_.data() != nullptr) find_wanted(roots);
    for (const Root& root : roots) deliver(root.edge.node.get(), root.edge.output, root.gradient);
    while (!heap_.empty()) {
      if (heap_.size() > 1) std::ranges::pop_heap(heap_, {}, &Ready::sequence);
      const NodePtr node = std::move(heap_.back().node);
      heap_.pop_back();
      run_node(*node);
    }
    return std::move(captured_);
  }

 private:
  struct Ready {
    uint64_t sequence;
    NodePtr node;
  };
  // Undefined tensors; on the heap only for unusually many.
  class TensorList {
   public:
    explicit TensorList(std::size_t count) : count_(count) {
      if (count > kInline) [[unlikely]]
        first_ = new Tensor[count];
    }
    TensorList(const TensorList&) = delete;
    TensorList& operator=(const TensorList&) = delete;
    ~TensorList() {
      if (count_ > kInline) [[unlikely]]
        delete[] first_;
    }
    Gradients span() { return {first_, count_}; }

   private:
    static constexpr std::size_t kInline = 4;
    Tensor few_[kInline];
    Tensor* first_ = few_;
    std::size_t count_;
  };

  bool is_wanted(Node* node) const {
    if (inputs_.data() == nullptr) return true;
    const auto found = wanted_.find(node);
    return found != wanted_.end() && found->second;
  }

  // Marks the nodes that lead to an input, without recursion: a node is finished after all that it refers to.
  void find_wanted(std::span<const Root> roots) {
    std::vector<std::pair<Node*, std::size_t>> path;
    std::unordered_set<Node*> seen;
    for (const Root& root : roots) {
      if (!seen.insert(root.edge.node.get()).second) continue;
      path.emplace_back(root.edge.node.get(), 0);
      while (!path.empty()) {
        auto& [node, position] = path.back();
        const std::span<Node* const> next = node->next_nodes();
        if (position < next.size()) {
          Node* const child = next[position++];
          if (child == nullptr || child->sequence() < lowest_) continue;  // recorded before all inputs
          if (seen.insert(child).second) {
            path.emplace_back(child, 0);
          } else if (is_wanted(child)) {
            wanted_[node] = true;
          }
          continue;
        }
        Node* const finished = node;
        path.pop_back();
        if (!path.empty() && is_wanted(finished)) wanted_[path.back().first] = true;
      }
    }
  }

  void deliver(Node* node, uint16_t result, Tensor gradient) {
    if (!is_wanted(node)) return;
    Tensor* const buffer = find_buffer(*node);
    if (buffer[result].defined()) {
      buffer[result] = add_gradients(std::move(buffer[result]), gradient);
    } else {
      buffer[result] = std::move(gradient);
    }
  }

  // The buffer of a node; makes the node ready if it has none.
  Tensor* find_buffer(Node& node) {
    void* owner = node.owner_.load(std::memory_order_relaxed);
    if (owner == this) return node.buffer();
    if (!own_buffers_.empty()) {
      const auto found = own_buffers_.find(&node);
      if (found != own_buffers_.end()) return found->second.data();
    }
    heap_.push_back({node.sequence(), NodePtr::share(&node)});
    if (heap_.size() > 1) std::ranges::push_heap(heap_, {}, &Ready::sequence);
    owner = nullptr;
    if (node.owner_.compare_exchange_strong(owner, this, std::memory_order_acquire)) return node.buffer();
    return own_buffers_.emplace(&node, node.result_count()).first->second.data();
  }

  // Moves the gradients out of the node's buffer to `results`, which are undefined, and gives up the buffer.
  void take_buffer(Node& node, Gradients results) {
    if (node.owner_.load(std::memory_order_relaxed) == this) {
      for (std::size_t i = 0; i < results.size(); ++i) results[i].swap(node.buffer()[i]);
      node.owner_.store(nullptr, std::memory_order_release);
    } else {
      const auto found = own_buffers_.find(&node);
      std::ranges::move(found->second, results.begin());
      own_buffers_.erase(found);
    }
  }
  void clear_buffer(Node& node) {
    TensorList dropped(node.result_count());
    take_buffer(node, dropped.span());
  }

  // Runs the node. If that fails, warns with the functions that recorded it.
  static void apply_watched(Node& node, Gradients results, Gradients inputs) {
    try {
      node.apply_with_hooks(results, inputs);
      if (anomaly_mode() == AnomalyMode::check_nan) check_no_nan(node, inputs);
    } catch (...) {
      warn_of_error(node);
      throw;
    }
  }

  void run_node(Node& node) {
    const std::size_t result_count = node.result_count_;
    const std::size_t count = node.input_count_;
    TensorList list(result_count + count);
    const Gradients results = list.span().first(result_count);
    const Gradients inputs = list.span().subspan(result_count);
    take_buffer(node, results);
    if (node.extras_ != nullptr) node.run_hooks(results);
    if (inputs_.data() != nullptr && take_captured(node, results)) return;
    {
      const SpinLock lock(node.is_running_);
      if (anomaly_mode() != AnomalyMode::off) [[unlikely]] {
        apply_watched(node, results, inputs);
      } else if (node.extras_ != nullptr) {
        node.apply_with_hooks(results, inputs);
      } else {
        node.apply(results, inputs);
      }
      if (!options_.retain_graph && !options_.create_graph) node.release_saved();
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (node.next_[i] == nullptr || !inputs[i].defined()) continue;
      if (node.extras_ != nullptr) inputs[i] = in_edge_shape(node, i, std::move(inputs[i]));
      deliver(node.next_[i], node.outputs()[i], std::move(inputs[i]));
    }
  }

  // Keeps the gradients that the caller asked for. Returns whether the node need not run.
  bool take_captured(Node& node, Gradients results) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].node.get() == &node) captured_[i] = results[inputs_[i].output];
    }
    return std::ranges::none_of(node.next_nodes(), [&](Node* next) { return next != nullptr && is_wanted(next); });
  }

  BackwardOptions options_;
  std::vector<Ready> heap_;
  std::unordered_map<Node*, std::vector<Tensor>> own_buffers_;
  std::span<const Edge> inputs_;  // empty data: a pass that adds to leaves
  std::vector<Tensor> captured_;
  std::unordered_map<Node*, bool> wanted_;
  uint64_t lowest_ = std::numeric_limits<uint64_t>::max();  // lowest sequence number of an input
};

Tensor in_edge_shape(const Node& node, std::size_t input, Tensor gradient) {
  const GradientShape* const shape = node.shape_of(input);
  if (shape == nullptr) return gradient;
  const IntArrayRef sizes(shape->sizes);
  if (gradient.sizes() != sizes) {
    bool is_expanded = gradient.sizes().size() >= sizes.size();
    for (std::size_t i = 1; is_expanded && i <= sizes.size(); ++i) {
      const int64_t size = sizes[sizes.size() - i];
      is_expanded = size == 1 || size == gradient.sizes()[gradient.sizes().size() - i];
    }
    STRUCTURED_CHECK(is_expanded, "Function ", node.name(), " returned an invalid gradient at index ", input, " - got ",
                     gradient.sizes(), " but expected shape compatible with ", sizes);
    gradient = sum_to_size(gradient, sizes);
  }
  if (gradient.is_complex() && !is_complex(shape->dtype)) gradient = real(gradient);
  return gradient.dtype() == shape->dtype ? gradient : to_dtype(gradient, shape->dtype);
}

void run_backward(std::span<const Root> roots, BackwardOptions options) { Engine(options).run(roots); }

std::vector<Tensor> run_gradients(std::span<const Root> roots, std::span<const Edge> inputs, BackwardOptions options) {
  Engine engine(options);
  engine.capture(inputs);
  return engine.run(roots);
}

}  // namespace structured::autograd
