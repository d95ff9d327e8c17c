// Symbolic expressions in canonical form: equal expressions are the same object. `a != b` is the negation of `b == a`,
// and a constant variable is replaced by its initializer.
//
// The text of an expression names parameters by name and functions by qualified name, so that expressions of different
// functions and sources can be compared by text.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <string>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// The smallest and the largest number that an expression of a meta function can have.
inline constexpr int64_t min_number = std::numeric_limits<int64_t>::min();
inline constexpr int64_t max_number = std::numeric_limits<int64_t>::max();

/// Inputs that a value depends on.
struct Reads {
  /// Only sizes, dims and dtypes of tensors and values of other parameters.
  bool only_shapes = true;
  /// The value is a tensor: a use of it may read elements, strides or storage.
  bool is_tensor = false;
  std::set<std::string> tensors;  ///< names of the tensor parameters

  static Reads anything() { return {false, false, {}}; }
  /// Merges the inputs of another operand.
  Reads& add(const Reads& other);
};

struct SymbolicExpr {
  enum class Kind {
    constant,     ///< `number`
    opaque,       ///< identified by its text only
    negation,     ///< !left
    conjunction,  ///< left && right
    disjunction,  ///< left || right
    equality,     ///< left == number
    order,        ///< left < number
  };
  Kind kind = Kind::opaque;
  std::string text;
  int64_t number = 0;
  const SymbolicExpr* left = nullptr;
  const SymbolicExpr* right = nullptr;
  bool is_bool = false;         ///< the type is bool, or the value is 0 or 1
  bool is_nonnegative = false;  ///< never negative, e.g. a size
  Reads reads;
};

/// Creates, uniques and owns symbolic expressions.
class SymbolicExprContext {
 public:
  const SymbolicExpr* constant(int64_t number);
  struct Opaque {
    std::string text;
    bool is_bool = false;
    bool is_nonnegative = false;
    Reads reads;
  };
  const SymbolicExpr* opaque(Opaque value);
  /// Returns an expression that is equal to no other.
  const SymbolicExpr* unknown(bool is_bool);

  /// Converts `expr` to bool: returns it if it is one, `expr != 0` otherwise.
  const SymbolicExpr* condition(const SymbolicExpr* expr);
  const SymbolicExpr* negation(const SymbolicExpr* condition);
  const SymbolicExpr* conjunction(const SymbolicExpr* left, const SymbolicExpr* right);
  const SymbolicExpr* disjunction(const SymbolicExpr* left, const SymbolicExpr* right);
  const SymbolicExpr* equal(const SymbolicExpr* left, const SymbolicExpr* right);
  const SymbolicExpr* less(const SymbolicExpr* left, const SymbolicExpr* right);

 private:
  const SymbolicExpr* add(SymbolicExpr expr);
  /// Returns the difference of two values, whose sign alone is meaningful, and whether the operands were swapped.
  std::pair<const SymbolicExpr*, bool> difference(const SymbolicExpr* left, const SymbolicExpr* right);
  const SymbolicExpr* compare(SymbolicExpr::Kind kind, const SymbolicExpr* left, int64_t number);

  llvm::StringMap<SymbolicExpr> exprs_;
  uint64_t unknowns_ = 0;
};

}  // namespace structured::gen
