// The computation of a meta function as data: how sizes, strides and dtypes of results follow from the arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/source_range.h"

namespace structured::gen {

/// Kinds of expressions and statements. `text` and the operands of each are listed in shape_ops.def.
enum class ShapeOp : uint8_t {
#define STRUCTURED_SHAPE_OP(name, role, least, most, text) name,
#include "model/shape_ops.def"
};

enum class ShapeRole : uint8_t { expression, statement };

/// A row of shape_ops.def.
struct ShapeOpFacts {
  llvm::StringLiteral name;
  ShapeRole role;
  unsigned least;  ///< numbers of operands
  unsigned most;
};
const ShapeOpFacts& facts_of(ShapeOp op);

/// An expression or a statement.
struct ShapeNode {
  ShapeOp op = ShapeOp::none;
  std::string text;
  std::vector<int64_t> operands;  ///< indices of earlier nodes
  friend bool operator==(const ShapeNode&, const ShapeNode&) = default;
};

/// A function: the meta function, or one that it calls.
struct ShapeFunction {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<ShapeNode> nodes;  ///< the last one is the body
  friend bool operator==(const ShapeFunction&, const ShapeFunction&) = default;
};

/// A meta function, or the reason why its computation is not known.
struct ShapeProgram {
  std::vector<ShapeFunction> functions;  ///< the meta function last; empty if there is a reason
  /// Whether sizes of results depend on data.
  bool has_dynamic_sizes = false;
  std::string refusal;
  SourceRange range;  ///< that the reason is about
  friend bool operator==(const ShapeProgram&, const ShapeProgram&) = default;
};

/// Names of the functions that expressions of the kind `known` may call: those of the module that emitted Python
/// imports.
llvm::ArrayRef<llvm::StringLiteral> known_shape_functions();

/// Describes the first violation of the rules of shape_ops.def; empty if there is none.
std::string fault_in(const ShapeProgram& program);

}  // namespace structured::gen
