#include "structured/autograd/print_graph.h"

#include <algorithm>
#include <ostream>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "structured/autograd/leaf.h"
#include "structured/autograd/node.h"
#include "structured/base/error.h"

namespace structured {
namespace {

using autograd::Node;

/// The nodes that `root` leads to, itself first, in the order of their sequence numbers from the highest down. Leaves,
/// which have none, come last in the order in which the others refer to them.
std::vector<Node*> ordered_nodes(Node* root) {
  std::vector<Node*> nodes{root};
  std::unordered_set<Node*> seen{root};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (Node* const next : nodes[i]->next_nodes()) {
      if (next != nullptr && seen.insert(next).second) nodes.push_back(next);
    }
  }
  std::ranges::stable_sort(nodes, std::ranges::greater(), &Node::sequence);
  return nodes;
}

}  // namespace

void print_graph(std::ostream& out, const Tensor& tensor, GraphFormat format) {
  STRUCTURED_CHECK(tensor.requires_grad(), "print_graph: expected a tensor that requires gradients");
  const autograd::Edge root = autograd::edge_of(tensor);
  const std::vector<Node*> nodes = ordered_nodes(root.node.get());
  std::unordered_map<Node*, std::size_t> numbers;
  for (std::size_t i = 0; i < nodes.size(); ++i) numbers[nodes[i]] = i;
  const bool is_text = format == GraphFormat::text;
  if (!is_text) out << "digraph {\n";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (is_text) {
      out << i << " " << nodes[i]->name();
    } else {
      out << "  n" << i << " [label=\"" << nodes[i]->name() << "\"];\n";
    }
    const char* separator = " -> ";
    for (Node* const next : nodes[i]->next_nodes()) {
      if (is_text) {
        out << separator;
        next == nullptr ? out << "-" : out << numbers[next];
        separator = ", ";
      } else if (next != nullptr) {
        out << "  n" << i << " -> n" << numbers[next] << ";\n";
      }
    }
    if (is_text) out << "\n";
  }
  if (!is_text) out << "}\n";
}

}  // namespace structured
