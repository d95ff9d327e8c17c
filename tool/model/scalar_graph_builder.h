// Builds graphs of scalar functions: equal operations are one node, and operations are simplified where that changes no
// bit of the result, except the sign and payload of NaN.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "model/scalar_evaluation.h"
#include "model/scalar_graph.h"

namespace structured::gen {

class ScalarGraphBuilder {
 public:
  /// A node of the graph.
  using Node = int64_t;

  Node input(ScalarInput input);
  Node constant(ScalarValue value);
  template <class T>
  Node constant(T number) {
    return constant(scalar_value(number));
  }
  /// Zero of that type; false.
  Node zero(ScalarType type) { return constant(ScalarValue{type, 0}); }

  /// Returns the operation, whose type is the type of its last operand, or boolean for a comparison.
  Node make(ScalarOp op, std::initializer_list<Node> operands);
  Node select(Node condition, Node yes, Node no);
  /// Returns the number converted to the type.
  Node cast(Node number, ScalarType type);
  Node bit_cast(Node number, ScalarType type);
  Node negation(Node condition) { return make(ScalarOp::bit_not, {condition}); }
  Node conjunction(Node a, Node b) { return make(ScalarOp::bit_and, {a, b}); }
  Node disjunction(Node a, Node b) { return make(ScalarOp::bit_or, {a, b}); }

  ScalarType type_of(Node node) const { return at(node).type; }
  bool is_constant(Node node) const { return at(node).op == ScalarOp::constant; }
  /// The value of a constant.
  ScalarValue value_of(Node node) const { return {at(node).type, at(node).bits}; }
  bool is_true(Node node) const { return is_constant(node) && at(node).bits != 0; }
  bool is_false(Node node) const { return is_constant(node) && at(node).bits == 0; }
  std::size_t size() const { return nodes_.size(); }

  /// Returns the part of the graph that computes `result`, with all inputs.
  ScalarGraph graph_of(Node result) const;

 private:
  using Key = std::tuple<ScalarOp, ScalarType, std::vector<Node>, uint64_t>;

  const ScalarNode& at(Node node) const { return nodes_[static_cast<std::size_t>(node)]; }
  /// Whether the node is this operation; stores its first operand.
  bool matches(Node node, ScalarOp op, Node& operand) const;
  bool is_number(Node node, double number) const;
  Node unique(ScalarNode node);
  Node build(ScalarOp op, ScalarType type, std::vector<Node> operands);
  /// Each returns an equal node that is simpler, or -1.
  Node simpler(ScalarOp op, ScalarType type, const std::vector<Node>& operands);
  Node simpler_select(Node condition, Node yes, Node no);
  Node simpler_cast(Node number, ScalarType type);
  Node simpler_arithmetic(ScalarOp op, ScalarType type, Node a, Node b);
  Node simpler_logic(ScalarOp op, Node a, Node b);
  Node simpler_not(Node operand);
  Node simpler_comparison(ScalarOp op, Node a, Node b);

  std::vector<ScalarInput> inputs_;
  std::vector<ScalarNode> nodes_;
  std::map<Key, Node> known_;
};

}  // namespace structured::gen
