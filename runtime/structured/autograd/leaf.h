#pragma once
// Leaves of the gradient graph: tensors that require gradients and that no recorded call has computed.
#include "structured/autograd/node.h"

namespace structured::autograd {

/// Called with a leaf's gradient after a backward pass has added to it.
using LeafHook = std::function<void(const Tensor& gradient)>;

/// Holds the gradient of a leaf. The leaf's tensor and the nodes that used the leaf share it.
class Leaf final : public NodeOf<0> {
 public:
  explicit Leaf(const Tensor& tensor);

  std::string_view name() const override { return "AccumulateGrad"; }
  /// Adds the gradient that arrived to grad().
  void apply(Gradients results, Gradients inputs) override;

  Tensor grad() const;
  void set_grad(const Tensor& gradient);
  void add_leaf_hook(LeafHook hook);

 private:
  void accumulate(Tensor gradient);

  mutable std::atomic<bool> is_busy_ = false;  // guards grad_
  ScalarType dtype_;
  Tensor grad_;
  std::vector<int64_t> sizes_;
  std::vector<LeafHook> hooks_;
};

/// The leaf's data of a tensor that no recorded call has computed; null if it has none.
Leaf* find_leaf(const Tensor& tensor);
/// Creates the data if the tensor has none. Precondition: no recorded call has computed `tensor`.
Leaf& leaf_of(const Tensor& tensor);

/// Node and result that computed `tensor`, or its leaf. Brings the history of a view up to date whose storage was
/// written to. Without a node if `tensor` requires no gradients.
STRUCTURED_API Edge edge_of(const Tensor& tensor);

}  // namespace structured::autograd
