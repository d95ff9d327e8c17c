#pragma once
// Nodes of the gradient graph. A node stands for a recorded call: it computes the gradients of the call's inputs from
// those of its results, and refers to the nodes that computed the inputs.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "structured/core/autograd_data.h"
#include "structured/core/export.h"
#include "structured/core/ref_count.h"
#include "structured/core/tensor.h"

namespace structured::autograd {

class Node;

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
  std::uint16_t output = 0;
};

/// Shape and type of a tensor whose gradient may arrive broadcast or promoted.
struct GradientShape {
  std::vector<std::int64_t> sizes;
  ScalarType dtype;
};

/// Called with a gradient; may return another one in its place (an undefined tensor keeps it).
using TensorHook = std::function<Tensor(const Tensor& gradient)>;

/// Gradients of a node's results, or of its inputs. Undefined: no gradient arrived, or none is needed.
using Gradients = std::span<Tensor>;

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
  bool needs(std::size_t input) { return links().next[input] != nullptr; }

  /// The nodes that computed the inputs; null where no gradient is needed.
  std::span<Node* const> next_nodes();
  Edge next_edge(std::size_t input);
  std::size_t result_count() { return links().result_count; }

  /// Position in the order of recording: higher than that of all nodes that it refers to. Leaves have 0.
  std::uint64_t sequence() const { return sequence_; }

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
  void add_hook(std::uint16_t result, TensorHook hook);
  void run_hooks(Gradients results);
  /// Keeps the gradient of result `result`, for retained().
  void retain(std::uint16_t result);
  bool retains(std::uint16_t result) const;
  Tensor retained(std::uint16_t result) const;
  void set_retained(std::uint16_t result, const Tensor& gradient);

  /// For a node that computed a view: the version of the storage at which this history is valid.
  std::uint32_t view_version() const { return view_version_; }
  void set_view_version(std::uint32_t version) { view_version_ = version; }

  void share() { references_.retain(); }
  /// Drops a reference. Chains of any length are freed without recursion.
  void drop() noexcept {
    if (references_.release()) destroy(this);
  }
  void drop_tensor() noexcept final { drop(); }

  /// Number of nodes that exist, leaves included, on all threads.
  static std::int64_t count();

  static void* operator new(std::size_t bytes);
  static void operator delete(void* node, std::size_t bytes);

 protected:
  struct Links {
    Node** next;            // one for each input
    std::uint16_t* output;  // the result of the next node that the input was
    std::size_t input_count;
    Tensor* buffer;  // gradients of the results, while a backward pass runs
    std::size_t result_count;
  };

  Node();
  virtual ~Node();
  virtual Links links() = 0;
  void mark_as_leaf() { sequence_ = 0; }
  void drop_next() noexcept;

 private:
  friend class Engine;

  struct Extras;

  static void destroy(Node* node) noexcept;
  Extras& extras();

  detail::RefCount references_;
  std::uint32_t view_version_ = 0;
  std::uint64_t sequence_;
  // The backward pass that uses the buffer. While the node waits to be freed: the next node that waits.
  std::atomic<void*> owner_ = nullptr;
  std::atomic<bool> is_running_ = false;  // held while apply() runs
  std::unique_ptr<Extras> extras_;
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
  ~NodeOf() override { drop_next(); }

 private:
  Links links() final { return {next_.data(), output_.data(), inputs, buffer_.data(), results}; }

  std::array<Tensor, results> buffer_;
  std::array<Node*, inputs> next_{};
  std::array<std::uint16_t, inputs> output_;
};

/// A node whose numbers of inputs and results are known when the call is recorded.
class DynamicNode : public Node {
 protected:
  explicit DynamicNode(std::size_t inputs, std::size_t results = 1)
      : buffer_(results), next_(inputs), output_(inputs) {}
  void set_result_count(std::size_t results) { buffer_.resize(results); }
  ~DynamicNode() override { drop_next(); }

 private:
  Links links() final { return {next_.data(), output_.data(), next_.size(), buffer_.data(), buffer_.size()}; }

  std::vector<Tensor> buffer_;
  std::vector<Node*> next_;
  std::vector<std::uint16_t> output_;
};

}  // namespace structured::autograd
