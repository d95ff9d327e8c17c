#pragma once
// Backward passes: gradients flow from results to leaves, node by node in the reverse order of recording.
#include <span>
#include <vector>

#include "structured/autograd/node.h"

namespace structured::autograd {

struct BackwardOptions {
  bool retain_graph = false;  ///< keeps what the nodes saved, for another pass
  bool create_graph = false;  ///< records the pass itself
};

/// A gradient to start from.
struct Root {
  Edge edge;
  Tensor gradient;
};

/// Adds gradients to the leaves that `roots` were computed from. Reentrant; several threads may run passes over the
/// same nodes.
STRUCTURED_API void run_backward(std::span<const Root> roots, BackwardOptions options);

/// Returns the gradients that arrive at `inputs`, undefined where none does, and adds to no leaf. Runs only nodes that
/// lead to an input.
STRUCTURED_API std::vector<Tensor> run_gradients(std::span<const Root> roots, std::span<const Edge> inputs,
                                                 BackwardOptions options);

/// The gradient of an input of `node` in the shape and dtype of the input, which was broadcast or promoted.
Tensor in_edge_shape(const Node& node, std::size_t input, Tensor gradient);

}  // namespace structured::autograd
