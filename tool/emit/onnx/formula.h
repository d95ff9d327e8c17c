// The ONNX operators that compute an operation: the table onnx_operators.def.
#pragma once

#include <optional>

#include "emit/onnx/graph_builder.h"
#include "llvm/ADT/ArrayRef.h"
#include "model/scalar_graph.h"

namespace structured::gen {

/// Adds the nodes that compute an operation of operands of the type; nullopt if the table has no row.
std::optional<OnnxGraphBuilder::Node> add_operation(OnnxGraphBuilder& builder, ScalarOp op, ScalarType type,
                                                    llvm::ArrayRef<OnnxGraphBuilder::Node> operands);

}  // namespace structured::gen
