#include "emit/onnx/translation.h"

#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "emit/onnx/formula.h"
#include "emit/onnx/graph_builder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "lower/calling_convention.h"
#include "model/scalar_evaluation.h"
#include "structured/schema/default_value.h"
#include "structured/schema/dtype.h"

namespace structured::gen {
namespace {

using Node = OnnxGraphBuilder::Node;
using Role = Pointwise::Role;

/// The body of a function for one type of elements.
struct TypedBody {
  ScalarType element = ScalarType::float32;
  std::vector<OnnxNode> nodes;
  Node element_input = 0;
};

/// The types whose bodies are instances of `general`.
struct Group {
  TypedBody general;
  std::vector<ScalarType> types;
};

/// The order of bodies, and of types in messages.
constexpr ScalarType type_order[] = {ScalarType::float32, ScalarType::float64, ScalarType::int64, ScalarType::int32,
                                     ScalarType::int16,   ScalarType::int8,    ScalarType::uint8, ScalarType::boolean};

llvm::StringRef name_in_onnx(ScalarType type) { return type == ScalarType::boolean ? "bool" : name_of(type); }

bool is_tensor(Role role) { return role == Role::element || role == Role::boolean_element; }

/// The value of a default as a number; nullopt for `None`. Fails for text and lists.
llvm::Expected<std::optional<ScalarValue>> default_number(const Argument& argument) {
  const std::optional<schema::DefaultValue> value = schema::parse_default(argument.type, *argument.default_value);
  if (value && value->as<schema::DefaultValue::None>() != nullptr) return std::nullopt;
  if (value && value->as<bool>() != nullptr) return scalar_value(*value->as<bool>());
  if (value && value->as<int64_t>() != nullptr) return scalar_value(*value->as<int64_t>());
  if (value && value->as<double>() != nullptr) return scalar_value(*value->as<double>());
  return llvm::createStringError("the default of `" + argument.name + "` is not a number");
}

class BodyTranslation {
 public:
  BodyTranslation(const Pointwise& pointwise, const Schema& schema, const ScalarGraph& graph, ScalarType element)
      : pointwise_(pointwise), arguments_(inputs_of(schema)), graph_(graph), element_(element), builder_(element) {}

  llvm::Expected<TypedBody> translate() {
    const std::optional<Node> element_input = add_element_input();
    if (!element_input) return llvm::createStringError("has no input with the type of the elements");
    for (const ScalarNode& node : graph_.nodes) {
      llvm::Expected<Node> value = add(node);
      if (!value) return value.takeError();
      values_.push_back(*value);
    }
    finish();
    return TypedBody{element_, builder_.take(), *element_input};
  }

 private:
  /// Adds the input that tells the type of the elements: the first tensor of elements, else the first number.
  std::optional<Node> add_element_input() {
    for (const bool wants_tensor : {true, false}) {
      for (const auto& [role, argument] : llvm::zip(pointwise_.roles, arguments_)) {
        const bool is_element = wants_tensor ? role == Role::element : !is_tensor(role) && role != Role::value;
        if (is_element && !argument->default_value && !argument->type.is_optional()) {
          element_name_ = argument->name;
          return builder_.input(argument->name);
        }
      }
    }
    return std::nullopt;
  }

  llvm::Expected<Node> add(const ScalarNode& node) {
    switch (node.op) {
      case ScalarOp::input:
        return add_input(static_cast<std::size_t>(node.operands.front()));
      case ScalarOp::constant:
        return builder_.constant(node.type, ScalarValue{node.type, node.bits});
      case ScalarOp::cast:
        return builder_.cast(operand(node, 0), operand_type(node), node.type);
      case ScalarOp::bit_cast:
        if (!is_integer(operand_type(node)) || !is_integer(node.type)) return missing(node);
        return builder_.cast(operand(node, 0), operand_type(node), node.type);
      default:
        return add_operation_of(node);
    }
  }

  llvm::Expected<Node> add_operation_of(const ScalarNode& node) {
    std::vector<Node> operands;
    for (std::size_t i = 0; i < node.operands.size(); ++i) operands.push_back(operand(node, i));
    const std::optional<Node> result = add_operation(builder_, node.op, operand_type(node), operands);
    if (!result) return missing(node);
    return *result;
  }

  static llvm::Error missing(const ScalarNode& node) {
    return llvm::createStringError("computes `" + facts_of(node.op).meaning.str() +
                                   "`, for which ONNX has no operator");
  }

  Node operand(const ScalarNode& node, std::size_t i) const {
    return values_[static_cast<std::size_t>(node.operands[i])];
  }
  /// The type of the last operand, which is not the condition of a selection.
  ScalarType operand_type(const ScalarNode& node) const {
    return graph_.nodes[static_cast<std::size_t>(node.operands.back())].type;
  }

  llvm::Expected<Node> add_input(std::size_t index) {
    const ScalarInput& input = graph_.inputs[index];
    // The presence of an argument precedes its value.
    const auto position = static_cast<std::size_t>(llvm::count_if(
        llvm::ArrayRef(graph_.inputs).take_front(index), [](const ScalarInput& each) { return !each.is_presence; }));
    const Argument& argument = *arguments_[position];
    used_.insert(argument.name);
    if (argument.default_value) {
      if (auto number = default_number(argument); !number) return number.takeError();
    }
    const Node whole = argument.default_value ? builder_.attribute(argument.name) : builder_.input(argument.name);
    if (input.is_presence) return builder_.cast(builder_.operation("Size", {whole}), ScalarType::boolean);
    if (is_tensor(pointwise_.roles[position]) || argument.name == element_name_) return whole;
    return builder_.cast(argument.type.is_optional() ? sum_of(whole) : whole, OnnxGraphBuilder::stored(input.type));
  }

  /// The number in a tensor with at most one element.
  Node sum_of(Node tensor) {
    return builder_.unique({.name = "ReduceSum", .operands = {tensor}, .attribute = "keepdims", .integer = 0});
  }

  /// The result has the common shape of all tensors, also of those on which it does not depend, and is an operation.
  void finish() {
    Node result = values_.back();
    for (const auto& [role, argument] : llvm::zip(pointwise_.roles, arguments_)) {
      if (!is_tensor(role) || used_.count(argument->name) != 0) continue;
      const Node shape = builder_.operation("Shape", {builder_.input(argument->name)});
      result = builder_.operation("Expand", {result, shape});
    }
    builder_.append({.name = "Identity", .operands = {result}});
  }

  const Pointwise& pointwise_;
  std::vector<const Argument*> arguments_;
  const ScalarGraph& graph_;
  ScalarType element_;
  std::string element_name_;
  OnnxGraphBuilder builder_;
  std::vector<Node> values_;  ///< by node of the graph
  std::set<std::string> used_;
};

/// Whether the body is `general` where elements have its type.
bool is_instance(const TypedBody& general, const TypedBody& body) {
  const ScalarType element = OnnxGraphBuilder::stored(body.element);
  const auto is_equal = [&](const OnnxNode& a, const OnnxNode& b) {
    OnnxNode instance = a;
    if (!a.type || *a.type == element) instance.type = b.type;
    if (a.type.value_or(element) != b.type.value_or(element)) return false;
    if (a.kind == OnnxNode::Kind::constant && !a.type &&
        evaluate(ScalarOp::cast, element, {a.number}) == evaluate(ScalarOp::cast, element, {b.number})) {
      instance.number = b.number;
    }
    return instance == b;
  };
  return llvm::equal(general.nodes, body.nodes, is_equal);
}

void add_body(std::vector<Group>& groups, TypedBody body) {
  const ScalarType type = body.element;
  for (Group& group : groups) {
    if (is_instance(group.general, body)) return group.types.push_back(type);
    // Constants have more digits in the body for double than in that for float.
    if (group.types.size() == 1 && is_instance(body, group.general)) {
      group.general = std::move(body);
      return group.types.push_back(type);
    }
  }
  groups.push_back({std::move(body), {type}});
}

class OperatorTranslation {
 public:
  OperatorTranslation(const Library& library, const Operator& op, OnnxFunctions& result)
      : op_(op), schema_(op.variants.front().schema), result_(result) {
    domain_ = schema_.name.ns.empty() ? library.schema_namespace : schema_.name.ns;
    name_ = schema_.name.base + (schema_.name.overload.empty() ? "" : "_" + schema_.name.overload);
  }

  void translate() {
    const Pointwise& pointwise = *op_.pointwise;
    if (pointwise.is_opaque) return refuse(std::nullopt, "is marked `opaque`", pointwise.function.range);
    std::vector<Group> groups;
    bool has_bodies = false;
    for (const ScalarType type : type_order) {
      const ScalarBody* body = find_body(type);
      if (body == nullptr) continue;
      has_bodies = true;
      translate(*body, type, groups);
    }
    if (!has_bodies) {
      refuse(std::nullopt, "has no graph for real numbers; scan with `--scalar-graphs`", pointwise.function.range);
    }
    add_functions(groups);
  }

 private:
  const ScalarBody* find_body(ScalarType type) const {
    for (const ScalarBody& body : op_.pointwise->bodies) {
      const schema::Dtype& dtype = *schema::dtype_with_word(llvm::StringRef(body.dtype));
      if (body.derivative.empty() && computed_type(dtype) == type) return &body;
    }
    return nullptr;
  }

  void translate(const ScalarBody& body, ScalarType type, std::vector<Group>& groups) {
    if (!body.graph) return refuse(type, body.refusal, body.range);
    llvm::Expected<TypedBody> translated = BodyTranslation(*op_.pointwise, schema_, *body.graph, type).translate();
    if (translated) {
      add_body(groups, std::move(*translated));
    } else {
      refuse(type, llvm::toString(translated.takeError()), op_.pointwise->function.range);
    }
  }

  void refuse(std::optional<ScalarType> type, std::string reason, const SourceRange& range) {
    const std::string name =
        domain_ + "::" + schema_.name.base + (schema_.name.overload.empty() ? "" : "." + schema_.name.overload);
    for (OnnxRefusal& refusal : result_.refusals) {
      if (refusal.name == name && refusal.reason == reason && refusal.range == range) {
        return refusal.types.push_back(name_in_onnx(*type).str());
      }
    }
    OnnxRefusal& refusal = result_.refusals.emplace_back(OnnxRefusal{name, {}, std::move(reason), range});
    if (type) refusal.types.push_back(name_in_onnx(*type).str());
  }

  void add_functions(const std::vector<Group>& groups) {
    if (groups.empty()) return;
    const auto with_float =
        llvm::find_if(groups, [](const Group& group) { return llvm::is_contained(group.types, ScalarType::float32); });
    const Group& main = with_float == groups.end() ? groups.front() : *with_float;
    add_function(main, main.types, name_);
    for (const Group& group : groups) {
      if (&group == &main) continue;
      for (const ScalarType type : group.types) add_function(group, {type}, name_ + "_" + name_in_onnx(type).str());
    }
  }

  void add_function(const Group& group, llvm::ArrayRef<ScalarType> types, std::string name) {
    // `clip_int8` may also be the overload `int8`.
    const auto is_taken = [&](const OnnxFunction& each) { return each.domain == domain_ && each.name == name; };
    while (llvm::any_of(result_.functions, is_taken)) name += '_';
    OnnxFunction& function = result_.functions.emplace_back();
    function.domain = domain_;
    function.name = std::move(name);
    function.documentation = op_.documentation + (op_.documentation.empty() ? "" : "\n\n") + "Elements: ";
    for (const ScalarType type : types) {
      function.documentation += (type == types.front() ? "" : ", ") + name_in_onnx(type).str();
    }
    function.documentation += '.';
    for (const Argument* argument : inputs_of(schema_)) {
      if (argument->default_value) {
        add_attribute(function, *argument);
      } else {
        function.inputs.push_back(argument->name);
      }
    }
    function.nodes = group.general.nodes;
    function.element = group.general.element_input;
  }

  static void add_attribute(OnnxFunction& function, const Argument& argument) {
    llvm::Expected<std::optional<ScalarValue>> number = default_number(argument);
    if (number) {
      function.attributes.push_back({argument.name, *number});
    } else {
      llvm::consumeError(number.takeError());  // the argument of a function whose result does not depend on it
    }
  }

  const Operator& op_;
  const Schema& schema_;
  OnnxFunctions& result_;
  std::string domain_;
  std::string name_;
};

}  // namespace

OnnxFunctions translate_to_onnx(const Library& library) {
  OnnxFunctions result;
  for (const Operator& op : library.operators) {
    if (op.pointwise) OperatorTranslation(library, op, result).translate();
  }
  return result;
}

}  // namespace structured::gen
