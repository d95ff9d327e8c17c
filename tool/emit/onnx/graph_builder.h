// Builds the nodes of ONNX functions. Equal nodes are one node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emit/onnx/onnx_function.h"
#include "llvm/ADT/StringRef.h"
#include "model/scalar_graph.h"

namespace structured::gen {

class OnnxGraphBuilder {
 public:
  using Node = int64_t;
  /// Whether a type may be named as that of the elements.
  enum class TypeName { relative, absolute };

  /// `element` is the type in which the function computes elements.
  explicit OnnxGraphBuilder(ScalarType element) : element_(stored(element)) {}

  /// The type in which numbers are stored: signed for uint16, uint32 and uint64.
  static ScalarType stored(ScalarType type);

  Node input(std::string name) { return unique({.kind = OnnxNode::Kind::input, .name = std::move(name)}); }
  Node attribute(std::string name) { return unique({.kind = OnnxNode::Kind::attribute, .name = std::move(name)}); }
  /// A number of the type. `number` may have another one.
  Node constant(ScalarType type, const ScalarValue& number, TypeName name = TypeName::relative);
  Node operation(llvm::StringRef name, std::vector<Node> operands) {
    return unique({.name = name.str(), .operands = std::move(operands)});
  }
  Node unique(OnnxNode node);
  /// Adds the node even if there is an equal one.
  void append(OnnxNode node) { nodes_.push_back(std::move(node)); }
  /// Converts a number of any type.
  Node cast(Node number, ScalarType to, TypeName name = TypeName::relative);
  /// Converts a number of the type `from`.
  Node cast(Node number, ScalarType from, ScalarType to);
  /// The unsigned integer with the bits of an integer of the type, and its inverse.
  Node to_unsigned(Node number, ScalarType type);
  Node to_stored(Node number, ScalarType type);

  std::vector<OnnxNode> take() { return std::move(nodes_); }
  const OnnxNode& operator[](Node node) const { return nodes_[static_cast<std::size_t>(node)]; }

 private:
  std::optional<ScalarType> named(ScalarType type, TypeName name) const {
    return type == element_ && name == TypeName::relative ? std::nullopt : std::optional(type);
  }

  ScalarType element_;
  std::vector<OnnxNode> nodes_;
};

}  // namespace structured::gen
