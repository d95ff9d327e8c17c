// Storage of graphs of scalar functions in fragments and libraries.
#pragma once

#include <type_traits>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/scalar_graph.h"

namespace structured::gen {

/// Names of the enumerators, in their order.
llvm::ArrayRef<llvm::StringRef> names_of(ScalarOp);
llvm::ArrayRef<llvm::StringRef> names_of(ScalarType);

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ScalarInput> input) {
  archive.required("name", input.name);
  archive.required("type", input.type);
  archive.field("is_presence", input.is_presence);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ScalarNode> node) {
  constexpr bool reads = !std::is_const_v<std::remove_reference_t<decltype(node)>>;
  archive.required("op", node.op);
  archive.required("type", node.type);
  archive.field("operands", node.operands);
  std::string value;
  if constexpr (!reads) {
    if (node.op == ScalarOp::constant) value = to_text(ScalarValue{node.type, node.bits});
  }
  archive.field("value", value);
  if constexpr (reads) {
    if (node.op != ScalarOp::constant) return;
    const auto constant = parse_scalar(node.type, value);
    if (constant) {
      node.bits = constant->bits;
    } else {
      archive.fail("a constant of the type `" + name_of(node.type) + "`", "`" + value + "`");
    }
  }
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ScalarGraph> graph) {
  archive.field("inputs", graph.inputs);
  archive.required("nodes", graph.nodes);
  archive.field("masked_iterations", graph.masked_iterations);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(graph)>>) {
    if (const std::string fault = fault_in(graph); !fault.empty()) archive.fail("a graph", fault);
  }
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ScalarBody> body) {
  archive.required("dtype", body.dtype);
  archive.field("derivative", body.derivative);
  archive.field("graph", body.graph);
  archive.field("refusal", body.refusal);
  archive.field("range", body.range);
}

}  // namespace structured::gen
