#pragma once
// The graph of recorded calls, as text or for Graphviz.
#include <cstdint>
#include <iosfwd>

#include "structured/base/export.h"
#include "structured/core/tensor.h"

namespace structured {

enum class GraphFormat : uint8_t { text, graphviz };

/// Prints the nodes that a backward pass from `tensor` visits, in its order. A line of text is a node's number, its
/// name, and the numbers of the nodes that get its gradients; `-` is an input that needs none:
///
///     0 SumBackward0 -> 1
///     1 MulBackward0 -> 2, -
///     2 AccumulateGrad
///
/// `dot -Tsvg` draws the format graphviz. Throws Error if `tensor` does not require gradients.
STRUCTURED_API void print_graph(std::ostream& out, const Tensor& tensor, GraphFormat format = GraphFormat::text);

}  // namespace structured
