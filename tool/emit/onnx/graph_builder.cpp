#include "emit/onnx/graph_builder.h"

#include "llvm/ADT/STLExtras.h"
#include "model/scalar_evaluation.h"

namespace structured::gen {
namespace {

/// Signed and unsigned types of one size are neighbours in ScalarType.
ScalarType signed_type(ScalarType type) { return static_cast<ScalarType>(static_cast<int>(type) - 1); }
ScalarType unsigned_type(ScalarType type) {
  return is_signed(type) ? static_cast<ScalarType>(static_cast<int>(type) + 1) : type;
}

ScalarType widest(ScalarType type) {
  if (type == ScalarType::boolean) return type;
  return is_floating(type) ? ScalarType::float64 : ScalarType::int64;
}

}  // namespace

ScalarType OnnxGraphBuilder::stored(ScalarType type) {
  return is_integer(type) && !is_signed(type) && type != ScalarType::uint8 ? signed_type(type) : type;
}

OnnxGraphBuilder::Node OnnxGraphBuilder::unique(OnnxNode node) {
  const auto found = llvm::find(nodes_, node);
  if (found != nodes_.end()) return found - nodes_.begin();
  nodes_.push_back(std::move(node));
  return static_cast<Node>(nodes_.size()) - 1;
}

OnnxGraphBuilder::Node OnnxGraphBuilder::constant(ScalarType type, const ScalarValue& number, TypeName name) {
  const ScalarType in = stored(type);
  const ScalarValue converted = evaluate(ScalarOp::cast, in, {number});
  return unique({.kind = OnnxNode::Kind::constant,
                 .type = named(in, name),
                 .number = evaluate(ScalarOp::cast, widest(in), {converted})});
}

OnnxGraphBuilder::Node OnnxGraphBuilder::cast(Node number, ScalarType to, TypeName name) {
  return unique({.kind = OnnxNode::Kind::cast, .operands = {number}, .type = named(to, name)});
}

OnnxGraphBuilder::Node OnnxGraphBuilder::cast(Node number, ScalarType from, ScalarType to) {
  const bool is_wider = is_floating(to) || size_of(to) > size_of(from);
  if (stored(from) != from && is_wider && to != ScalarType::boolean) {
    number = cast(number, from);
  } else if (stored(to) != to && is_floating(from)) {
    number = cast(number, to);
  } else if (stored(from) == stored(to)) {
    return number;
  }
  return cast(number, stored(to));
}

OnnxGraphBuilder::Node OnnxGraphBuilder::to_unsigned(Node number, ScalarType type) {
  const ScalarType to = unsigned_type(type);
  return to == stored(type) ? number : cast(number, to);
}

OnnxGraphBuilder::Node OnnxGraphBuilder::to_stored(Node number, ScalarType type) {
  return unsigned_type(type) == stored(type) ? number : cast(number, stored(type));
}

}  // namespace structured::gen
