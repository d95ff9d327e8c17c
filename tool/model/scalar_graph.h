// The body of a scalar function as data: a graph of operations on numbers, without loops, calls and memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/source_range.h"
#include "structured/schema/dtype.h"

namespace structured::gen {

/// Type of a number. The categories are contiguous.
enum class ScalarType : uint8_t {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
};

constexpr bool is_floating(ScalarType type) { return type >= ScalarType::float32; }
constexpr bool is_integer(ScalarType type) { return type != ScalarType::boolean && !is_floating(type); }
bool is_signed(ScalarType type);
unsigned size_of(ScalarType type);
/// `float32`.
llvm::StringRef name_of(ScalarType type);

/// Relation of the types of an operation's operands and its result.
enum class ScalarRule : uint8_t {
  leaf,
  same,        ///< all operands and the result
  comparison,  ///< the operands; the result is boolean
  conversion,  ///< none
  choice,      ///< a boolean, then two operands of the type of the result
};

/// Types that the operands of an operation may have.
enum class ScalarDomain : uint8_t { any, number, integer, bits, floating };

enum class ScalarOp : uint8_t {
#define STRUCTURED_SCALAR_OP(name, operands, rule, domain, is_exact, meaning) name,
#include "structured/schema/scalar_ops.def"
};

/// A row of scalar_ops.def.
struct ScalarOpFacts {
  llvm::StringLiteral name;
  unsigned operands;
  ScalarRule rule;
  ScalarDomain domain;
  bool is_exact;
  llvm::StringLiteral meaning;
};
llvm::ArrayRef<ScalarOpFacts> scalar_ops();
const ScalarOpFacts& facts_of(ScalarOp op);
/// Returns the operation of that name; nullopt if there is none.
std::optional<ScalarOp> find_scalar_op(llvm::StringRef name);

/// A number: the low bytes of `bits` are its representation, and all others are 0.
struct ScalarValue {
  ScalarType type = ScalarType::boolean;
  uint64_t bits = 0;
  friend bool operator==(const ScalarValue&, const ScalarValue&) = default;
};

/// Returns the shortest decimal number that stands for the value; `true`, `inf`, `nan`, and the bits (`0x7fc00001`) of
/// NaNs other than the usual one.
std::string to_text(const ScalarValue& value);
/// Inverse of to_text; nullopt for any other text.
std::optional<ScalarValue> parse_scalar(ScalarType type, llvm::StringRef text);

/// The type in which a scalar function computes elements of a dtype; nullopt for complex numbers, and for 16-bit
/// floating-point numbers, which are computed as float.
std::optional<ScalarType> computed_type(const schema::Dtype& dtype);

/// A parameter of the function. A parameter of type std::optional is two inputs.
struct ScalarInput {
  std::string name;
  ScalarType type = ScalarType::boolean;
  bool is_presence = false;  ///< whether the optional parameter of this name has a value
  friend bool operator==(const ScalarInput&, const ScalarInput&) = default;
};

/// An operation, which computes one number.
struct ScalarNode {
  ScalarOp op = ScalarOp::constant;
  ScalarType type = ScalarType::boolean;  ///< type of the result
  std::vector<int64_t> operands;          ///< indices of earlier nodes; for an input, the index of the input
  uint64_t bits = 0;                      ///< of a constant
  friend bool operator==(const ScalarNode&, const ScalarNode&) = default;
};

/// Nodes are in an order in which they can be computed; equal nodes are one node, and each leads to the result, which
/// is the last one. Equal graphs are equal values.
struct ScalarGraph {
  std::vector<ScalarInput> inputs;
  std::vector<ScalarNode> nodes;
  /// Iterations of loops that run for all elements until the last one has left the loop: their cost may exceed that of
  /// the function.
  int64_t masked_iterations = 0;
  friend bool operator==(const ScalarGraph&, const ScalarGraph&) = default;

  ScalarType type() const { return nodes.back().type; }
  std::size_t operation_count() const;
  /// Whether every bit of the result is determined, apart from the sign and payload of NaN.
  bool is_exact() const;
};

/// Describes the first violation of the registry's rules or of ScalarGraph's order; empty if there is none.
std::string fault_in(const ScalarGraph& graph);

/// The body of a scalar function for one dtype, or the reason why there is no graph of it.
struct ScalarBody {
  std::string dtype;  ///< dtype of the elements: `float`; 16-bit floating-point elements are computed as `float`
  /// The element by which the function is differentiated; empty for its value. The graph of a derivative has the
  /// further input `grad`, by which it is multiplied.
  std::string derivative;
  std::optional<ScalarGraph> graph;
  std::string refusal;  ///< reason; empty if there is a graph
  SourceRange range;    ///< that the reason is about
  friend bool operator==(const ScalarBody&, const ScalarBody&) = default;
};

}  // namespace structured::gen
