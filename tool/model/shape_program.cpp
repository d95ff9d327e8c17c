#include "model/shape_program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "model/shape_program_json.h"

namespace structured::gen {
namespace {

constexpr ShapeOpFacts ops[] = {
#define STRUCTURED_SHAPE_OP(name, role, least, most, text) {#name, ShapeRole::role, least, most},
#include "model/shape_ops.def"
};

std::string fault_in(const ShapeFunction& function, const llvm::StringSet<>& earlier) {
  for (std::size_t i = 0; i < function.nodes.size(); ++i) {
    const ShapeNode& node = function.nodes[i];
    const ShapeOpFacts& facts = facts_of(node.op);
    const std::string where = "`" + facts.name.str() + "` in `" + function.name + "`";
    if (node.operands.size() < facts.least || node.operands.size() > facts.most) {
      return where + " with " + std::to_string(node.operands.size()) + " operands";
    }
    for (const int64_t operand : node.operands) {
      if (operand < 0 || operand >= static_cast<int64_t>(i))
        return where + " with an operand that is not an earlier node";
    }
    if (node.op == ShapeOp::known && !llvm::is_contained(known_shape_functions(), node.text)) {
      return where + " of the unknown function `" + node.text + "`";
    }
    if (node.op == ShapeOp::call && !earlier.contains(node.text) && node.text != function.name) {
      return where + " of `" + node.text + "`, which is not an earlier function";
    }
  }
  if (function.nodes.empty() || function.nodes.back().op != ShapeOp::block)
    return "`" + function.name + "` without a body";
  return "";
}

}  // namespace

llvm::ArrayRef<llvm::StringRef> names_of(ShapeOp) {
  static constexpr llvm::StringRef names[] = {
#define STRUCTURED_SHAPE_OP(name, role, least, most, text) #name,
#include "model/shape_ops.def"
  };
  return names;
}

const ShapeOpFacts& facts_of(ShapeOp op) { return ops[static_cast<std::size_t>(op)]; }

llvm::ArrayRef<llvm::StringLiteral> known_shape_functions() {
  static constexpr llvm::StringLiteral names[] = {
#define STRUCTURED_SHAPE_CALL(cpp, name) #name,
#include "model/shape_calls.def"
  };
  return names;
}

std::string fault_in(const ShapeProgram& program) {
  llvm::StringSet<> earlier;
  for (const ShapeFunction& function : program.functions) {
    if (std::string fault = fault_in(function, earlier); !fault.empty()) return fault;
    if (!earlier.insert(function.name).second) return "two functions `" + function.name + "`";
  }
  return "";
}

}  // namespace structured::gen
