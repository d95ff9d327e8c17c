// Values as bodies compute them, in a form under which equal expressions are one object: `a != b`, `!(a == b)` and
// `b == a` negated, `two` and what `two` was initialised with.
//
// The text of a term names parameters by their names and functions by their qualified names, so that terms of two
// functions, even of two sources, can be compared by their text.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// What computing a value reads.
struct Reads {
  /// Sizes, dims and dtypes of tensors, values of other parameters, and nothing else.
  bool only_shapes = true;
  /// The value is a tensor itself: its elements, strides and storage are a step away.
  bool is_tensor = false;
  std::set<std::string> tensors;  ///< parameters that hold the tensors

  static Reads anything() { return {false, false, {}}; }
  /// What a value computed from two others reads.
  Reads& add(const Reads& other);
};

struct SymbolicExpr {
  enum class Kind {
    constant,     ///< `number`
    opaque,       ///< known by its text only
    negation,     ///< !left
    conjunction,  ///< left && right
    disjunction,  ///< left || right
    equality,     ///< left == number
    order,        ///< left < number
  };
  Kind kind = Kind::opaque;
  std::string text;
  std::int64_t number = 0;
  const SymbolicExpr* left = nullptr;
  const SymbolicExpr* right = nullptr;
  bool is_truth = false;  ///< a boolean value
  bool is_count = false;  ///< never negative
  Reads reads;
};

/// Makes terms, and keeps them as long as it lives.
class SymbolicExprContext {
 public:
  const SymbolicExpr* constant(std::int64_t number);
  struct Opaque {
    std::string text;
    bool is_truth = false;
    bool is_count = false;
    Reads reads;
  };
  const SymbolicExpr* opaque(Opaque value);
  /// A value that equals no other.
  const SymbolicExpr* unknown(bool is_truth);

  /// `term` as a condition: itself if it is a truth value, `term != 0` otherwise.
  const SymbolicExpr* truth(const SymbolicExpr* term);
  const SymbolicExpr* negation(const SymbolicExpr* truth);
  const SymbolicExpr* conjunction(const SymbolicExpr* left, const SymbolicExpr* right);
  const SymbolicExpr* disjunction(const SymbolicExpr* left, const SymbolicExpr* right);
  const SymbolicExpr* equal(const SymbolicExpr* left, const SymbolicExpr* right);
  const SymbolicExpr* less(const SymbolicExpr* left, const SymbolicExpr* right);

 private:
  const SymbolicExpr* add(SymbolicExpr term);
  /// The difference of two values, of which only the sign means anything, and whether it is `right - left`.
  std::pair<const SymbolicExpr*, bool> difference(const SymbolicExpr* left, const SymbolicExpr* right);
  const SymbolicExpr* compare(SymbolicExpr::Kind kind, const SymbolicExpr* left, std::int64_t number);

  llvm::StringMap<SymbolicExpr> exprs_;
  std::uint64_t unknowns_ = 0;
};

}  // namespace structured::gen
