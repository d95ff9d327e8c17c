#include "model/scalar_graph.h"

#include <charconv>
#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "model/scalar_graph_json.h"

namespace structured::gen {
namespace {

struct TypeFacts {
  llvm::StringLiteral name;
  unsigned size;
  bool is_signed;
};

// In the order of the enumerators.
constexpr TypeFacts type_table[] = {
    {"boolean", 1, false}, {"int8", 1, true},    {"uint8", 1, false},  {"int16", 2, true},
    {"uint16", 2, false},  {"int32", 4, true},   {"uint32", 4, false}, {"int64", 8, true},
    {"uint64", 8, false},  {"float32", 4, true}, {"float64", 8, true},
};
static_assert(std::size(type_table) == static_cast<std::size_t>(ScalarType::float64) + 1);

constexpr ScalarOpFacts ops[] = {
#define STRUCTURED_SCALAR_OP(name, operands, rule, domain, is_exact, meaning) \
  {#name, operands, ScalarRule::rule, ScalarDomain::domain, is_exact, meaning},
#include "structured/schema/scalar_ops.def"
};

const TypeFacts& facts_of(ScalarType type) { return type_table[static_cast<std::size_t>(type)]; }

template <class Float>
constexpr uint64_t usual_nan = sizeof(Float) == 4 ? 0x7fc00000 : 0x7ff8000000000000;

template <class Float, class Bits>
std::string floating_text(uint64_t bits) {
  const Float number = llvm::bit_cast<Float>(static_cast<Bits>(bits));
  if (std::isnan(number)) return bits == usual_nan<Float> ? "nan" : "0x" + llvm::utohexstr(bits, /*LowerCase=*/true);
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
  return {text, end};
}

template <class Number>
std::optional<Number> parse_number(llvm::StringRef text, int base = 10) {
  Number number{};
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<Number>) {
    result = std::from_chars(text.begin(), text.end(), number);
  } else {
    result = std::from_chars(text.begin(), text.end(), number, base);
  }
  if (result.ec != std::errc() || result.ptr != text.end()) return std::nullopt;
  return number;
}

template <class Float, class Bits>
std::optional<uint64_t> parse_floating(llvm::StringRef text) {
  if (text.consume_front("0x")) return parse_number<Bits>(text, 16);
  if (text == "nan") return usual_nan<Float>;
  std::optional<Float> number = parse_number<Float>(text);
  if (!number) return std::nullopt;
  return llvm::bit_cast<Bits>(*number);
}

std::optional<uint64_t> parse_integer(ScalarType type, llvm::StringRef text) {
  const unsigned width = 8 * size_of(type);
  if (is_signed(type)) {
    std::optional<int64_t> number = parse_number<int64_t>(text);
    if (!number || !llvm::isIntN(width, *number)) return std::nullopt;
    return static_cast<uint64_t>(*number) & (~uint64_t{0} >> (64 - width));
  }
  std::optional<uint64_t> number = parse_number<uint64_t>(text);
  return number && llvm::isUIntN(width, *number) ? number : std::nullopt;
}

bool is_in(ScalarDomain domain, ScalarType type) {
  switch (domain) {
    case ScalarDomain::any:
      return true;
    case ScalarDomain::number:
      return type != ScalarType::boolean;
    case ScalarDomain::integer:
      return is_integer(type);
    case ScalarDomain::bits:
      return !is_floating(type);
    case ScalarDomain::floating:
      return is_floating(type);
  }
  return false;
}

bool follows_rule(const ScalarNode& node, llvm::ArrayRef<ScalarType> operands) {
  const ScalarOpFacts& facts = facts_of(node.op);
  switch (facts.rule) {
    case ScalarRule::leaf:
      return true;
    case ScalarRule::same:
      return is_in(facts.domain, node.type) && llvm::all_equal(operands) && operands.front() == node.type;
    case ScalarRule::comparison:
      return is_in(facts.domain, operands.front()) && llvm::all_equal(operands) && node.type == ScalarType::boolean;
    case ScalarRule::conversion:
      return is_in(facts.domain, node.type) && is_in(facts.domain, operands.front()) &&
             (node.op != ScalarOp::bit_cast || size_of(node.type) == size_of(operands.front()));
    case ScalarRule::choice:
      return operands[0] == ScalarType::boolean && operands[1] == node.type && operands[2] == node.type;
  }
  return false;
}

}  // namespace

bool is_signed(ScalarType type) { return facts_of(type).is_signed; }
unsigned size_of(ScalarType type) { return facts_of(type).size; }
llvm::StringRef name_of(ScalarType type) { return facts_of(type).name; }

llvm::ArrayRef<ScalarOpFacts> scalar_ops() { return ops; }
const ScalarOpFacts& facts_of(ScalarOp op) { return ops[static_cast<std::size_t>(op)]; }

std::optional<ScalarOp> find_scalar_op(llvm::StringRef name) {
  const auto found = llvm::find_if(ops, [&](const ScalarOpFacts& op) { return op.name == name; });
  if (found == std::end(ops)) return std::nullopt;
  return static_cast<ScalarOp>(found - std::begin(ops));
}

std::optional<ScalarType> computed_type(const schema::Dtype& dtype) {
  if (dtype.is_boolean()) return ScalarType::boolean;
  if (dtype.is_floating() && dtype.size() == 4) return ScalarType::float32;
  if (dtype.is_floating() && dtype.size() == 8) return ScalarType::float64;
  if (!dtype.is_integral()) return std::nullopt;
  constexpr ScalarType of_size[] = {ScalarType::int8, ScalarType::int16, ScalarType::int32, ScalarType::int64};
  const auto type = static_cast<int>(of_size[dtype.size_log2]);
  return static_cast<ScalarType>(dtype.is_signed ? type : type + 1);
}

std::string to_text(const ScalarValue& value) {
  if (value.type == ScalarType::boolean) return value.bits != 0 ? "true" : "false";
  if (value.type == ScalarType::float32) return floating_text<float, uint32_t>(value.bits);
  if (value.type == ScalarType::float64) return floating_text<double, uint64_t>(value.bits);
  if (!is_signed(value.type)) return std::to_string(value.bits);
  return std::to_string(llvm::SignExtend64(value.bits, 8 * size_of(value.type)));
}

std::optional<ScalarValue> parse_scalar(ScalarType type, llvm::StringRef text) {
  std::optional<uint64_t> bits;
  if (type == ScalarType::boolean) {
    if (text == "true" || text == "false") bits = text == "true";
  } else if (type == ScalarType::float32) {
    bits = parse_floating<float, uint32_t>(text);
  } else if (type == ScalarType::float64) {
    bits = parse_floating<double, uint64_t>(text);
  } else {
    bits = parse_integer(type, text);
  }
  if (!bits) return std::nullopt;
  return ScalarValue{type, *bits};
}

llvm::ArrayRef<llvm::StringRef> names_of(ScalarOp) {
  static const auto names =
      llvm::to_vector(llvm::map_range(ops, [](const ScalarOpFacts& op) -> llvm::StringRef { return op.name; }));
  return names;
}
llvm::ArrayRef<llvm::StringRef> names_of(ScalarType) {
  static const auto names =
      llvm::to_vector(llvm::map_range(type_table, [](const TypeFacts& type) -> llvm::StringRef { return type.name; }));
  return names;
}

std::size_t ScalarGraph::operation_count() const {
  return static_cast<std::size_t>(
      llvm::count_if(nodes, [](const ScalarNode& node) { return facts_of(node.op).rule != ScalarRule::leaf; }));
}

bool ScalarGraph::is_exact() const {
  return llvm::all_of(nodes, [](const ScalarNode& node) { return facts_of(node.op).is_exact; });
}

std::string fault_in(const ScalarGraph& graph) {
  if (graph.nodes.empty()) return "a graph without nodes";
  std::vector<bool> is_used(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const ScalarNode& node = graph.nodes[i];
    const std::string name = "node " + std::to_string(i) + ", `" + facts_of(node.op).name.str() + "`";
    if (node.op == ScalarOp::input) {
      const std::size_t index =
          node.operands.size() == 1 ? static_cast<std::size_t>(node.operands[0]) : ~std::size_t{0};
      if (index >= graph.inputs.size() || graph.inputs[index].type != node.type) return name + ", of no input";
      continue;
    }
    if (node.operands.size() != facts_of(node.op).operands) return name + ", with a wrong number of operands";
    std::vector<ScalarType> types;
    for (int64_t operand : node.operands) {
      if (operand < 0 || static_cast<std::size_t>(operand) >= i) return name + ", whose operand is not an earlier node";
      is_used[static_cast<std::size_t>(operand)] = true;
      types.push_back(graph.nodes[static_cast<std::size_t>(operand)].type);
    }
    if (!follows_rule(node, types)) return name + ", with operands of wrong types";
  }
  is_used.back() = true;
  const auto unused = llvm::find(is_used, false);
  if (unused != is_used.end()) return "node " + std::to_string(unused - is_used.begin()) + ", which nothing uses";
  return {};
}

}  // namespace structured::gen
