#include "model/shape_program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "model/cpp_names.h"
#include "model/shape_program_json.h"

namespace structured::gen {
namespace {

constexpr ShapeOpFacts ops[] = {
#define STRUCTURED_SHAPE_OP(name, role, least, most, text) {#name, ShapeRole::role, least, most},
#include "model/shape_ops.def"
};

/// The kinds of nodes that an operand may be.
enum class Operand { expression, statement, block, field };

Operand operand_of(ShapeOp op, std::size_t index) {
  switch (op) {
    case ShapeOp::block:
      return Operand::statement;
    case ShapeOp::record:
      return Operand::field;
    case ShapeOp::function:
      return Operand::block;
    case ShapeOp::branch:
    case ShapeOp::visit:
    case ShapeOp::loop:
      return index > 0 ? Operand::block : Operand::expression;
    case ShapeOp::count:
      return index > 1 ? Operand::block : Operand::expression;
    default:
      return Operand::expression;
  }
}

bool fits(ShapeOp op, Operand operand) {
  switch (operand) {
    case Operand::expression:
      return facts_of(op).role == ShapeRole::expression && op != ShapeOp::field;
    case Operand::statement:
      return facts_of(op).role == ShapeRole::statement;
    case Operand::block:
      return op == ShapeOp::block;
    case Operand::field:
      return op == ShapeOp::field;
  }
  return false;
}

bool is_number(llvm::StringRef text) {
  text.consume_front("-");
  return !text.empty() && llvm::all_of(text, llvm::isDigit);
}

bool are_identifiers(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, ',', -1, /*KeepEmpty=*/false);
  return llvm::all_of(names, is_identifier);
}

/// Whether the text of a node is what its kind expects; emitted code contains it.
bool has_valid_text(const ShapeNode& node) {
  static constexpr llvm::StringLiteral operators[] = {
      "+", "-", "*", "/", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "&&", "||"};
  switch (node.op) {
    case ShapeOp::text:
      return true;
    case ShapeOp::real: {
      double number = 0;
      return !llvm::StringRef(node.text).getAsDouble(number);
    }
    case ShapeOp::integer:
      return is_number(node.text);
    case ShapeOp::dtype:
    case ShapeOp::memory_format:
    case ShapeOp::variable:
    case ShapeOp::member:
    case ShapeOp::field:
    case ShapeOp::store:
    case ShapeOp::outer:
    case ShapeOp::count:
    case ShapeOp::visit:
    case ShapeOp::check:
    case ShapeOp::fail:
    case ShapeOp::call:
      return is_identifier(node.text);
    case ShapeOp::known:
      return llvm::is_contained(known_shape_functions(), node.text);
    case ShapeOp::function:
      return are_identifiers(node.text);
    case ShapeOp::unary:
      return node.text == "-" || node.text == "~" || node.text == "!";
    case ShapeOp::binary:
    case ShapeOp::update:
      return llvm::is_contained(operators, node.text);
    default:
      return node.text.empty();
  }
}

std::string fault_in(const ShapeFunction& function, const llvm::StringSet<>& earlier) {
  if (!is_identifier(function.name) || !llvm::all_of(function.parameters, is_identifier)) {
    return "a function with the name or a parameter `" + function.name + "`, which is not an identifier";
  }
  for (std::size_t i = 0; i < function.nodes.size(); ++i) {
    const ShapeNode& node = function.nodes[i];
    const ShapeOpFacts& facts = facts_of(node.op);
    const std::string where = "`" + facts.name.str() + "` in `" + function.name + "`";
    if (node.operands.size() < facts.least || node.operands.size() > facts.most) {
      return where + " with " + std::to_string(node.operands.size()) + " operands";
    }
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const int64_t operand = node.operands[k];
      if (operand < 0 || operand >= static_cast<int64_t>(i)) return where + " with an operand that does not precede it";
      const ShapeOp used = function.nodes[static_cast<std::size_t>(operand)].op;
      if (!fits(used, operand_of(node.op, k))) return where + " with the operand `" + facts_of(used).name.str() + "`";
    }
    if (!has_valid_text(node)) return where + " with the text `" + node.text + "`";
    if (node.op == ShapeOp::call && !earlier.contains(node.text) && node.text != function.name) {
      return where + " of `" + node.text + "`, which does not precede it";
    }
  }
  if (function.nodes.empty() || function.nodes.back().op != ShapeOp::block) {
    return "`" + function.name + "` without a body";
  }
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
