#include "emit/onnx/model.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {
namespace {

/// The first version with default values of attributes.
constexpr int64_t ir_version = 8;
constexpr int64_t opset_version = 18;
/// The version of the library's own functions.
constexpr int64_t domain_version = 1;

// Field numbers of messages.
namespace model_field {
constexpr unsigned ir_version = 1;
constexpr unsigned producer_name = 2;
constexpr unsigned graph = 7;
constexpr unsigned opset_import = 8;
constexpr unsigned metadata_props = 14;
constexpr unsigned functions = 25;
}  // namespace model_field
namespace graph_field {
constexpr unsigned name = 2;
}
namespace function_field {
constexpr unsigned name = 1;
constexpr unsigned input = 4;
constexpr unsigned output = 5;
constexpr unsigned node = 7;
constexpr unsigned doc_string = 8;
constexpr unsigned opset_import = 9;
constexpr unsigned domain = 10;
constexpr unsigned attribute_proto = 11;
}  // namespace function_field
namespace node_field {
constexpr unsigned input = 1;
constexpr unsigned output = 2;
constexpr unsigned op_type = 4;
constexpr unsigned attribute = 5;
}  // namespace node_field
namespace attribute_field {
constexpr unsigned name = 1;
constexpr unsigned i = 3;
constexpr unsigned s = 4;
constexpr unsigned t = 5;
constexpr unsigned type = 20;
constexpr unsigned ref_attr_name = 21;
}  // namespace attribute_field
namespace tensor_field {
constexpr unsigned dims = 1;
constexpr unsigned data_type = 2;
constexpr unsigned raw_data = 9;
}  // namespace tensor_field
namespace opset_field {
constexpr unsigned domain = 1;
constexpr unsigned version = 2;
}  // namespace opset_field
namespace entry_field {
constexpr unsigned key = 1;
constexpr unsigned value = 2;
}  // namespace entry_field

/// AttributeProto.AttributeType.
enum AttributeType : int64_t { INT = 2, STRING = 3, TENSOR = 4 };

/// TensorProto.DataType.
int64_t data_type(ScalarType type) {
  switch (type) {
    case ScalarType::float32:
      return 1;
    case ScalarType::uint8:
      return 2;
    case ScalarType::int8:
      return 3;
    case ScalarType::uint16:
      return 4;
    case ScalarType::int16:
      return 5;
    case ScalarType::int32:
      return 6;
    case ScalarType::int64:
      return 7;
    case ScalarType::boolean:
      return 9;
    case ScalarType::float64:
      return 11;
    case ScalarType::uint32:
      return 12;
    case ScalarType::uint64:
      return 13;
  }
  llvm_unreachable("all types are handled");
}

/// A number, or an empty tensor for double.
ProtobufMessage tensor(const std::optional<ScalarValue>& number) {
  ProtobufMessage message;
  std::string data;
  if (!number) message.integer(tensor_field::dims, 0);
  const ScalarType type = number ? number->type : ScalarType::float64;
  message.integer(tensor_field::data_type, data_type(type));
  for (unsigned i = 0; number && i < size_of(type); ++i) data += static_cast<char>(number->bits >> (8 * i));
  message.bytes(tensor_field::raw_data, data);
  return message;
}

ProtobufMessage attribute(llvm::StringRef name, AttributeType type) {
  ProtobufMessage message;
  message.bytes(attribute_field::name, name);
  message.integer(attribute_field::type, type);
  return message;
}

ProtobufMessage integer_attribute(llvm::StringRef name, int64_t value) {
  ProtobufMessage message = attribute(name, INT);
  message.integer(attribute_field::i, value);
  return message;
}

ProtobufMessage string_attribute(llvm::StringRef name, llvm::StringRef value) {
  ProtobufMessage message = attribute(name, STRING);
  message.bytes(attribute_field::s, value);
  return message;
}

ProtobufMessage tensor_attribute(llvm::StringRef name, const std::optional<ScalarValue>& number) {
  ProtobufMessage message = attribute(name, TENSOR);
  message.message(attribute_field::t, tensor(number));
  return message;
}

/// An attribute of a node with the value of an attribute of the function.
ProtobufMessage reference(llvm::StringRef name, llvm::StringRef referred) {
  ProtobufMessage message = attribute(name, TENSOR);
  message.bytes(attribute_field::ref_attr_name, referred);
  return message;
}

ProtobufMessage opset(llvm::StringRef domain, int64_t version) {
  ProtobufMessage message;
  message.bytes(opset_field::domain, domain);
  message.integer(opset_field::version, version);
  return message;
}

/// Writes the nodes of one function, and names their results.
class FunctionMessage {
 public:
  explicit FunctionMessage(const OnnxFunction& function) : function_(function) {
    for (const std::string& input : function.inputs) {
      while (llvm::StringRef(input).starts_with(prefix_)) prefix_ += '_';
    }
  }

  ProtobufMessage write() {
    message_.bytes(function_field::name, function_.name);
    for (const std::string& input : function_.inputs) message_.bytes(function_field::input, input);
    for (const auto& [index, node] : llvm::enumerate(function_.nodes)) add(node, index);
    message_.bytes(function_field::output, name_of_value(function_.nodes.size() - 1));
    message_.bytes(function_field::doc_string, function_.documentation);
    message_.message(function_field::opset_import, opset("", opset_version));
    message_.bytes(function_field::domain, function_.domain);
    for (const OnnxAttribute& each : function_.attributes) {
      message_.message(function_field::attribute_proto, tensor_attribute(each.name, each.number));
    }
    return std::move(message_);
  }

 private:
  std::string name_of_value(std::size_t index) const {
    const OnnxNode& node = function_.nodes[index];
    return node.kind == OnnxNode::Kind::input ? node.name : prefix_ + std::to_string(index);
  }

  void add(const OnnxNode& node, std::size_t index) {
    std::vector<std::string> operands;
    for (const int64_t operand : node.operands) operands.push_back(name_of_value(static_cast<std::size_t>(operand)));
    const std::string result = name_of_value(index);
    switch (node.kind) {
      case OnnxNode::Kind::input:
        return;
      case OnnxNode::Kind::attribute:
        return add("Constant", {}, result, reference("value", node.name));
      case OnnxNode::Kind::constant:
        return add_constant(node, result);
      case OnnxNode::Kind::cast:
        return add_cast(operands.front(), node.type, result);
      case OnnxNode::Kind::operation:
        return add(node.name, operands, result, attribute_of(node));
    }
  }

  static std::optional<ProtobufMessage> attribute_of(const OnnxNode& node) {
    if (node.attribute.empty()) return std::nullopt;
    return node.integer ? integer_attribute(node.attribute, *node.integer)
                        : string_attribute(node.attribute, node.text);
  }

  void add_constant(const OnnxNode& node, const std::string& result) {
    const std::string number = result + "_number";
    add("Constant", {}, number, tensor_attribute("value", node.number));
    add_cast(number, node.type, result);
  }

  void add_cast(const std::string& operand, std::optional<ScalarType> type, const std::string& result) {
    if (type) return add("Cast", {operand}, result, integer_attribute("to", data_type(*type)));
    add("CastLike", {operand, name_of_value(static_cast<std::size_t>(function_.element))}, result, std::nullopt);
  }

  void add(llvm::StringRef op_type, const std::vector<std::string>& operands, llvm::StringRef result,
           const std::optional<ProtobufMessage>& attribute) {
    ProtobufMessage node;
    for (const std::string& operand : operands) node.bytes(node_field::input, operand);
    node.bytes(node_field::output, result);
    node.bytes(node_field::op_type, op_type);
    if (attribute) node.message(node_field::attribute, *attribute);
    message_.message(function_field::node, node);
  }

  const OnnxFunction& function_;
  std::string prefix_ = "value";
  ProtobufMessage message_;
};

}  // namespace

ProtobufMessage function_message(const OnnxFunction& function) { return FunctionMessage(function).write(); }

std::string onnx_model(llvm::ArrayRef<OnnxFunction> functions,
                       llvm::ArrayRef<std::pair<std::string, std::string>> metadata) {
  ProtobufMessage model;
  model.integer(model_field::ir_version, ir_version);
  model.bytes(model_field::producer_name, "structured-gen");
  ProtobufMessage graph;
  graph.bytes(graph_field::name, "functions");
  model.message(model_field::graph, graph);
  model.message(model_field::opset_import, opset("", opset_version));
  std::set<std::string> domains;
  for (const OnnxFunction& function : functions) domains.insert(function.domain);
  for (const std::string& domain : domains) model.message(model_field::opset_import, opset(domain, domain_version));
  for (const auto& [key, value] : metadata) {
    ProtobufMessage entry;
    entry.bytes(entry_field::key, key);
    entry.bytes(entry_field::value, value);
    model.message(model_field::metadata_props, entry);
  }
  for (const OnnxFunction& function : functions) model.message(model_field::functions, function_message(function));
  return model.text();
}

}  // namespace structured::gen
