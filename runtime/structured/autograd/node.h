#pragma once
// Nodes of the gradient graph. A node stands for a recorded call: it computes the gradients of the call's inputs from
// those of its results, and refers to the nodes that computed the inputs.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "structured/autograd/anomaly.h"
#include "structured/base/export.h"
#include "structured/core/autograd_data.h"
#include "structured/core/tensor.h"
#include "structured/memory/host_cache.h"
#include "structured/memory/ref_count.h"

namespace structured::autograd {

class Node;

namespace impl {

// Nodes that exist.
extern STRUCTURED_API constinit std::atomic<int64_t> node_count;
// Higher than the sequence number of each node that this thread has recorded.
extern STRUCTURED_API STRUCTURED_THREAD_LOCAL uint64_t next_sequence;

}  // namespace impl

/// Shared ownership of a node.
class NodePtr {
 public:
  NodePtr() = default;
  /// Takes over a reference to `node`, which may be null.
  static NodePtr adopt(Node* node) {
    NodePtr result;
    result.node_ = node;
    return result;
  }
  /// Takes a reference of its own.
  static inline NodePtr share(Node* node);
  NodePtr(const NodePtr& other) : NodePtr(share(other.node_)) {}
  NodePtr(NodePtr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  NodePtr& operator=(NodePtr other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  inline ~NodePtr();

  explicit operator bool() const { return node_ != nullptr; }
  Node* get() const { return node_; }
  Node* operator->() const { return node_; }
  Node& operator*() const { return *node_; }
  /// Gives up ownership without dropping the reference.
  Node* release() { return std::exchange(node_, nullptr); }

 private:
  Node* node_ = nullptr;
};

/// A result of a node.
struct Edge {
  NodePtr node;  ///< null: no gradient is needed
  uint16_t output = 0;
};

/// Shape and type of a tensor whose gradient may arrive broadcast or promoted.
struct GradientShape {
  std::vector<int64_t> sizes;
  ScalarType dtype;
};

/// Called with a gradient; may return another one in its place (an undefined tensor keeps it).
using TensorHook = std::function<Tensor(const Tensor& gradient)>;

/// Gradients of a node's results, or of its inputs. Undefined: no gradient arrived, or none is needed.
using Gradients = std::span<Tensor>;

/// Called with the gradients of a node's results before the node runs. May replace them.
using NodePrehook = std::function<void(Gradients results)>;

/// Called with the gradients of a node's inputs and of its results after the node has run. May replace the former.
using NodeHook = std::function<void(Gradients inputs, Gradients results)>;

/// Reference-counted. A derived class stores what apply() needs; NodeOf and DynamicNode store the edges.
class STRUCTURED_API Node : public detail::AutogradData {
 public:
  virtual std::string_view name() const = 0;

  /// Computes `inputs`, the gradients of the recorded call's inputs, from `results`, those of its results. At least one
  /// of `results` is defined. May skip inputs for which needs() is false.
  virtual void apply(Gradients results, Gradients inputs) = 0;

  /// Frees what apply() needs. A later call of apply() throws.
  virtual void release_saved() {}

  /// Whether the gradient of an input is needed.
  bool needs(std::size_t input) const { return next_[input] != nullptr; }

  /// The nodes that computed the inputs; null where no gradient is needed.
  std::span<Node* const> next_nodes() const { return {next_, input_count_}; }
  Edge next_edge(std::size_t input) const { return {NodePtr::share(next_[input]), outputs()[input]}; }
  std::size_t result_count() const { return result_count_; }

  /// Position in the order of recording: higher than that of all nodes that it refers to. Leaves have 0.
  uint64_t sequence() const { return sequence_; }

  /// Makes the gradient of input `input` flow to the node that computed `tensor`, if that requires gradients. If
  /// `tensor` has another dtype than the call's result, or was broadcast to its shape, the gradient is converted and
  /// summed.
  void connect(std::size_t input, const Tensor& tensor, const Tensor& result);
  /// Leaves the shape of the gradient to apply().
  void connect(std::size_t input, const Tensor& tensor);
  void connect(std::size_t input, Edge edge);
  /// Shape of the gradient that connect() has recorded for `input`, or null.
  const GradientShape* shape_of(std::size_t input) const;
  /// Makes gradients of input `input` that have another shape or dtype be summed and converted.
  void expect_shape(std::size_t input, GradientShape shape);

  /// Runs before apply() with the gradient of result `result`.
  void add_hook(uint16_t result, TensorHook hook);
  /// Runs after the hooks of single results, also if no gradient of a result arrived.
  void add_prehook(NodePrehook hook);
  /// Runs after apply().
  void add_hook(NodeHook hook);
  void run_hooks(Gradients results);
  /// Keeps the gradient of result `result`, for retained().
  void retain(uint16_t result);
  bool retains(uint16_t result) const;
  Tensor retained(uint16_t result) const;
  void set_retained(uint16_t result, const Tensor& gradient);

  /// The tangent of result `result` in a scope of forward mode; undefined if there is none.
  Tensor tangent(uint16_t result, uint64_t scope) const;
  void set_tangent(uint16_t result, uint64_t scope, Tensor tangent);

  /// The functions that were running when the node was recorded in anomaly mode, else empty.
  std::string_view call_stack() const;

  /// For a node that computed a view: the version of the storage at which this history is valid.
  uint32_t view_version() const { return view_version_; }
  void set_view_version(uint32_t version) { view_version_ = version; }

  void share() { references_.retain(); }
  /// Drops a reference. Chains of any length are freed without recursion.
  void drop() noexcept {
    if (references_.release()) destroy(this);
  }
  void drop_tensor() noexcept final;

  /// Number of nodes that exist, leaves included, on all threads.
  static int64_t count() { return impl::node_count.load(std::memory_order_relaxed); }

  STRUCTURED_ALWAYS_INLINE static void* operator new(std::size_t bytes) {
    if (bytes <= structured::detail::ThreadCache::kSmallBytes) {
      void* const block = structured::detail::take_host_block(bytes);
      if (block != nullptr) [[likely]]
        return block;
    }
    return allocate_slow_path(bytes);
  }
  STRUCTURED_ALWAYS_INLINE static void operator delete(void* node, std::size_t bytes) {
    using structured::detail::ThreadCache;
    const bool is_kept = bytes <= ThreadCache::kSmallBytes &&
                         structured::detail::thread_cache->put(ThreadCache::small_class(bytes), node);
    if (!is_kept) [[unlikely]]
      deallocate_slow_path(node, bytes);
  }

 protected:
  /// `next` is the part of the derived class's slots for the nodes that computed the inputs. Before it are the
  /// gradients of the results, after it the number of each input among the results of its node.
  STRUCTURED_ALWAYS_INLINE Node(Node** next, std::size_t inputs, std::size_t results)
      : next_(next),
        input_count_(static_cast<uint32_t>(inputs)),
        result_count_(static_cast<uint16_t>(results)),
        sequence_(impl::next_sequence++) {
    impl::node_count.fetch_add(1, std::memory_order_relaxed);
    if (structured::detail::current_anomaly_mode != AnomalyMode::off) [[unlikely]]
      keep_call_stack();
  }
  STRUCTURED_ALWAYS_INLINE virtual ~Node() {
    impl::node_count.fetch_sub(1, std::memory_order_relaxed);
    if (extras_ != nullptr) [[unlikely]]
      delete_extras();
  }
  void set_slots(Node** next, std::size_t results) {
    next_ = next;
    result_count_ = static_cast<uint16_t>(results);
  }
  void mark_as_leaf() { sequence_ = 0; }
  /// Whether a tensor with gradients may lack a current history, or its gradient may arrive in another shape or dtype.
  static bool needs_care(const TensorImpl& input, const Tensor& result) {
    if (input.has_flag(TensorFlags::kView) || !result.defined()) return true;
    const TensorImpl& computed = *result.impl();
    return input.signature() != computed.signature() || input.numel() != computed.numel() || input.numel() == 0;
  }
  /// Makes the sequence number higher than that of `next`, which this node refers to.
  void follow(const Node& next) {
    if (sequence_ <= next.sequence_) [[unlikely]]
      keep_order(next);
  }

 private:
  friend class Engine;

  struct Extras;

  static void* allocate_slow_path(std::size_t bytes);
  static void deallocate_slow_path(void* node, std::size_t bytes) noexcept;
  static void destroy(Node* node) noexcept;
  // apply(), and the hooks that run after it.
  void apply_with_hooks(Gradients results, Gradients inputs);
  STRUCTURED_COLD void keep_call_stack();
  void delete_extras() noexcept;
  Extras& extras();
  uint16_t* outputs() const { return reinterpret_cast<uint16_t*>(next_ + input_count_); }
  // Gradients of the results, while a backward pass runs.
  Tensor* buffer() const { return reinterpret_cast<Tensor*>(next_) - result_count_; }
  void attach(std::size_t input, Node* node, uint16_t output);
  STRUCTURED_COLD void keep_order(const Node& next);

  detail::RefCount references_;
  uint32_t view_version_ = 0;
  Node** next_;
  uint32_t input_count_;
  uint16_t result_count_;
  std::atomic<bool> is_running_ = false;  // held while apply() runs
  uint64_t sequence_;
  // The backward pass that uses the buffer. While the node waits to be freed: the next node that waits.
  std::atomic<void*> owner_ = nullptr;
  Extras* extras_ = nullptr;
};

NodePtr NodePtr::share(Node* node) {
  if (node != nullptr) node->share();
  return adopt(node);
}
NodePtr::~NodePtr() {
  if (node_ != nullptr) node_->drop();
}

/// A node for a call with `inputs` differentiable inputs and `results` results.
template <std::size_t inputs, std::size_t results = 1>
class NodeOf : public Node {
 protected:
  STRUCTURED_ALWAYS_INLINE NodeOf() : Node(slots_.next, inputs, results) {}
  STRUCTURED_ALWAYS_INLINE ~NodeOf() override {
    for (Node* const next : slots_.next) {
      if (next != nullptr) next->drop();
    }
  }

 public:
  bool needs(std::size_t input) const { return slots_.next[input] != nullptr; }
  using Node::connect;
  STRUCTURED_ALWAYS_INLINE void connect(std::size_t input, const Tensor& tensor, const Tensor& result) {
    if (!tensor.requires_grad()) return;
    const TensorImpl& impl = *tensor.impl();
    if (needs_care(impl, result)) [[unlikely]]
      return Node::connect(input, tensor, result);
    Node* const computed = static_cast<Node*>(impl.autograd());
    if (computed == nullptr) __builtin_unreachable();  // the tensor requires gradients
    computed->share();
    slots_.next[input] = computed;
    slots_.outputs[input] = impl.output_index();
    follow(*computed);
  }

 private:
  struct {
    Tensor buffer[results];
    Node* next[inputs == 0 ? 1 : inputs] = {};
    uint16_t outputs[inputs == 0 ? 1 : inputs];
  } slots_;
};

/// A node whose numbers of inputs and results are known when the call is recorded.
class STRUCTURED_API DynamicNode : public Node {
 protected:
  explicit DynamicNode(std::size_t inputs, std::size_t results = 1);
  /// Precondition: no backward pass has reached the node.
  void set_result_count(std::size_t results);
  ~DynamicNode() override;

 private:
  std::vector<void*> slots_;
};

}  // namespace structured::autograd
