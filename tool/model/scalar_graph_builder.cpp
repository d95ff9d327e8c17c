#include "model/scalar_graph_builder.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

using Node = ScalarGraphBuilder::Node;

constexpr Node none = -1;

/// Whether every number of type `from` is one of type `to`.
bool contains(ScalarType to, ScalarType from) {
  if (to == from || from == ScalarType::boolean) return true;
  if (to == ScalarType::boolean) return false;
  if (is_floating(to) || is_floating(from)) return is_floating(to) && is_floating(from) && size_of(to) > size_of(from);
  return size_of(to) > size_of(from) && (is_signed(to) || !is_signed(from));
}

/// The comparison that is true where `op` is false, of numbers that are ordered.
std::optional<ScalarOp> opposite(ScalarOp op, bool are_ordered) {
  switch (op) {
    case ScalarOp::eq:
      return ScalarOp::ne;
    case ScalarOp::ne:
      return ScalarOp::eq;
    case ScalarOp::lt:
      return are_ordered ? std::optional(ScalarOp::ge) : std::nullopt;
    case ScalarOp::ge:
      return are_ordered ? std::optional(ScalarOp::lt) : std::nullopt;
    case ScalarOp::gt:
      return are_ordered ? std::optional(ScalarOp::le) : std::nullopt;
    case ScalarOp::le:
      return are_ordered ? std::optional(ScalarOp::gt) : std::nullopt;
    default:
      return std::nullopt;
  }
}

bool is_nan(const ScalarValue& value) {
  if (value.type == ScalarType::float32) return number_of<float>(value) != number_of<float>(value);
  return value.type == ScalarType::float64 && number_of<double>(value) != number_of<double>(value);
}

}  // namespace

Node ScalarGraphBuilder::unique(ScalarNode node) {
  const auto [entry, is_new] =
      known_.try_emplace(Key{node.op, node.type, node.operands, node.bits}, static_cast<Node>(nodes_.size()));
  if (is_new) nodes_.push_back(std::move(node));
  return entry->second;
}

Node ScalarGraphBuilder::input(ScalarInput input) {
  const ScalarType type = input.type;
  inputs_.push_back(std::move(input));
  return unique({ScalarOp::input, type, {static_cast<Node>(inputs_.size()) - 1}});
}

Node ScalarGraphBuilder::constant(ScalarValue value) {
  return unique({ScalarOp::constant, value.type, {}, value.bits});
}

Node ScalarGraphBuilder::build(ScalarOp op, ScalarType type, std::vector<Node> operands) {
  const bool is_known = llvm::all_of(operands, [&](Node operand) { return is_constant(operand); });
  if (is_known && facts_of(op).is_exact) {
    std::vector<ScalarValue> values;
    for (Node operand : operands) values.push_back(value_of(operand));
    const ScalarValue value = evaluate(op, type, values);
    // The sign of a NaN that an operation makes depends on the machine.
    const bool makes_nan = is_nan(value) && op != ScalarOp::select && op != ScalarOp::bit_cast;
    return constant(makes_nan ? *parse_scalar(type, "nan") : value);
  }
  const Node simple = simpler(op, type, operands);
  return simple != none ? simple : unique({op, type, std::move(operands)});
}

Node ScalarGraphBuilder::make(ScalarOp op, std::initializer_list<Node> operands) {
  const bool is_comparison = facts_of(op).rule == ScalarRule::comparison;
  const ScalarType type = is_comparison ? ScalarType::boolean : type_of(*(operands.end() - 1));
  return build(op, type, std::vector<Node>(operands));
}

Node ScalarGraphBuilder::select(Node condition, Node yes, Node no) {
  return make(ScalarOp::select, {condition, yes, no});
}
Node ScalarGraphBuilder::cast(Node number, ScalarType type) { return build(ScalarOp::cast, type, {number}); }
Node ScalarGraphBuilder::bit_cast(Node number, ScalarType type) { return build(ScalarOp::bit_cast, type, {number}); }

bool ScalarGraphBuilder::matches(Node node, ScalarOp op, Node& operand) const {
  if (at(node).op != op) return false;
  operand = at(node).operands.front();
  return true;
}

bool ScalarGraphBuilder::is_number(Node node, double number) const {
  if (!is_constant(node) || type_of(node) == ScalarType::boolean) return false;
  const ScalarType type = type_of(node);
  // Tells -0 from 0, as bits differ.
  return value_of(node) == evaluate(ScalarOp::cast, type, scalar_value(number));
}

Node ScalarGraphBuilder::simpler(ScalarOp op, ScalarType type, const std::vector<Node>& operands) {
  const Node a = operands.front();
  switch (facts_of(op).rule) {
    case ScalarRule::choice:
      return simpler_select(a, operands[1], operands[2]);
    case ScalarRule::comparison:
      return simpler_comparison(op, a, operands[1]);
    case ScalarRule::conversion: {
      Node original = none;
      if (type_of(a) == type) return a;
      if (op == ScalarOp::cast) return simpler_cast(a, type);
      return matches(a, ScalarOp::bit_cast, original) ? bit_cast(original, type) : none;
    }
    case ScalarRule::same: {
      Node original = none;
      if (op == ScalarOp::bit_not) return simpler_not(a);
      if (op == ScalarOp::neg) return matches(a, op, original) ? original : none;
      if (operands.size() != 2) return none;
      return type == ScalarType::boolean ? simpler_logic(op, a, operands[1])
                                         : simpler_arithmetic(op, type, a, operands[1]);
    }
    case ScalarRule::leaf:
      break;
  }
  return none;
}

Node ScalarGraphBuilder::simpler_select(Node condition, Node yes, Node no) {
  Node opposite_condition = none;
  if (is_true(condition)) return yes;
  if (is_false(condition)) return no;
  if (yes == no) return yes;
  if (at(condition).op == ScalarOp::bit_not && matches(condition, ScalarOp::bit_not, opposite_condition)) {
    return select(opposite_condition, no, yes);
  }
  if (type_of(yes) != ScalarType::boolean) return none;
  if (is_true(yes)) return disjunction(condition, no);
  if (is_false(yes)) return conjunction(negation(condition), no);
  if (is_false(no)) return conjunction(condition, yes);
  if (is_true(no)) return disjunction(negation(condition), yes);
  return none;
}

Node ScalarGraphBuilder::simpler_cast(Node number, ScalarType type) {
  Node original = none;
  if (matches(number, ScalarOp::cast, original) && contains(type_of(number), type_of(original))) {
    const bool is_rounded =
        type_of(original) != ScalarType::boolean && is_floating(type_of(original)) != is_floating(type_of(number));
    if (!is_rounded) return cast(original, type);
  }
  if (type != ScalarType::boolean) return none;
  // Logic on promoted booleans: `static_cast<bool>(int(a) & int(b))`.
  const ScalarNode node = at(number);
  Node a = none;
  Node b = none;
  const bool is_logic = node.op == ScalarOp::bit_and || node.op == ScalarOp::bit_or || node.op == ScalarOp::bit_xor;
  if (is_logic && matches(node.operands[0], ScalarOp::cast, a) && matches(node.operands[1], ScalarOp::cast, b) &&
      type_of(a) == type && type_of(b) == type) {
    return make(node.op, {a, b});
  }
  return make(ScalarOp::ne, {number, zero(type_of(number))});
}

Node ScalarGraphBuilder::simpler_arithmetic(ScalarOp op, ScalarType type, Node a, Node b) {
  const bool is_integral = is_integer(type);
  switch (op) {
    case ScalarOp::add:  // x + 0 is not x for -0, but x + -0 is
      if (is_number(b, is_integral ? 0.0 : -0.0)) return a;
      return is_number(a, is_integral ? 0.0 : -0.0) ? b : none;
    case ScalarOp::sub:
      return is_number(b, 0) ? a : none;
    case ScalarOp::mul:
      if (is_number(a, 1)) return b;
      if (is_number(b, 1)) return a;
      return is_integral && (is_number(a, 0) || is_number(b, 0)) ? zero(type) : none;
    case ScalarOp::div:
      return is_number(b, 1) ? a : none;
    case ScalarOp::bit_or:
    case ScalarOp::bit_xor:
      if (is_number(a, 0)) return b;
      return is_number(b, 0) ? a : none;
    case ScalarOp::bit_and:
      return is_number(a, 0) || is_number(b, 0) ? zero(type) : none;
    case ScalarOp::shift_left:
    case ScalarOp::shift_right:
      return is_number(b, 0) ? a : none;
    default:
      return none;
  }
}

Node ScalarGraphBuilder::simpler_logic(ScalarOp op, Node a, Node b) {
  if (a == b) return op == ScalarOp::bit_xor ? constant(false) : a;
  if (is_constant(b)) std::swap(a, b);
  if (is_constant(a)) {
    if (op == ScalarOp::bit_xor) return is_true(a) ? negation(b) : b;
    const bool decides = is_true(a) == (op == ScalarOp::bit_or);
    return decides ? a : b;
  }
  Node x = none;
  const bool are_opposite =
      (matches(a, ScalarOp::bit_not, x) && x == b) || (matches(b, ScalarOp::bit_not, x) && x == a);
  return are_opposite ? constant(op != ScalarOp::bit_and) : none;
}

Node ScalarGraphBuilder::simpler_not(Node operand) {
  Node original = none;
  if (matches(operand, ScalarOp::bit_not, original)) return original;
  if (facts_of(at(operand).op).rule != ScalarRule::comparison) return none;
  const std::vector<Node> operands = at(operand).operands;
  const auto op = opposite(at(operand).op, !is_floating(type_of(operands[0])));
  return op ? make(*op, {operands[0], operands[1]}) : none;
}

Node ScalarGraphBuilder::simpler_comparison(ScalarOp op, Node a, Node b) {
  const bool includes_equality = op == ScalarOp::eq || op == ScalarOp::le || op == ScalarOp::ge;
  if (a == b && !is_floating(type_of(a))) return constant(includes_equality);
  if (type_of(a) == ScalarType::boolean) {
    if (op == ScalarOp::ne) return make(ScalarOp::bit_xor, {a, b});
    if (op == ScalarOp::eq && is_constant(b)) return is_true(b) ? a : negation(a);
    return none;
  }
  // Comparisons of promoted numbers.
  Node x = none;
  if (!matches(a, ScalarOp::cast, x) || !contains(type_of(a), type_of(x))) return none;
  if (is_floating(type_of(a)) != is_floating(type_of(x))) return none;
  Node y = none;
  if (is_constant(b)) {
    y = cast(b, type_of(x));
    if (cast(y, type_of(b)) != b) return none;
  } else if (!matches(b, ScalarOp::cast, y) || type_of(y) != type_of(x)) {
    return none;
  }
  return make(op, {x, y});
}

ScalarGraph ScalarGraphBuilder::graph_of(Node result) const {
  std::vector<bool> is_used(nodes_.size());
  is_used[static_cast<std::size_t>(result)] = true;
  for (std::size_t i = static_cast<std::size_t>(result) + 1; i-- > 0;) {
    if (!is_used[i] || nodes_[i].op == ScalarOp::input) continue;
    for (Node operand : nodes_[i].operands) is_used[static_cast<std::size_t>(operand)] = true;
  }
  ScalarGraph graph;
  graph.inputs = inputs_;
  std::vector<Node> renumbered(nodes_.size());
  for (std::size_t i = 0; i <= static_cast<std::size_t>(result); ++i) {
    if (!is_used[i]) continue;
    ScalarNode node = nodes_[i];
    if (node.op != ScalarOp::input) {
      for (Node& operand : node.operands) operand = renumbered[static_cast<std::size_t>(operand)];
    }
    renumbered[i] = static_cast<Node>(graph.nodes.size());
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

}  // namespace structured::gen
