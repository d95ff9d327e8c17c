// Storage of meta functions in fragments and libraries.
#pragma once

#include <type_traits>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/shape_program.h"

namespace structured::gen {

/// Names of the enumerators, in their order.
llvm::ArrayRef<llvm::StringRef> names_of(ShapeOp);

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ShapeNode> node) {
  archive.required("op", node.op);
  archive.field("text", node.text);
  archive.field("operands", node.operands);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ShapeFunction> function) {
  archive.required("name", function.name);
  archive.field("parameters", function.parameters);
  archive.required("nodes", function.nodes);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ShapeProgram> program) {
  archive.field("functions", program.functions);
  archive.field("has_dynamic_sizes", program.has_dynamic_sizes);
  archive.field("refusal", program.refusal);
  archive.field("range", program.range);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(program)>>) {
    if (const std::string fault = fault_in(program); !fault.empty()) archive.fail("a meta function", fault);
  }
}

}  // namespace structured::gen
