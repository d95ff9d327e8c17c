// State of the symbolic execution of a scalar function: values of variables, and the condition on which a statement
// runs.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "model/scalar_graph_builder.h"

namespace structured::gen {

using ScalarNodeId = ScalarGraphBuilder::Node;

/// A variable or temporary, or a part of one.
struct ScalarPlace {
  std::size_t cell = 0;
  std::vector<unsigned> path;  ///< index of a part, then of a part of that

  ScalarPlace part(unsigned index) const;
  friend bool operator==(const ScalarPlace&, const ScalarPlace&) = default;
};

/// A value as graph nodes. The parts of an object are its bases, then its members; those of an array its elements;
/// those of a lambda its captures; those of std::optional a boolean and the value.
struct SymbolicValue {
  enum class Kind {
    undefined,
    number,
    object,
    reference,
    wide,
    handle  ///< an object that is known by its identity alone
  };
  Kind kind = Kind::undefined;
  ScalarNodeId node = -1;  ///< the number, or the identity of a handle
  std::vector<SymbolicValue> parts;
  ScalarPlace place;
  std::shared_ptr<const llvm::APFloat> wide;  ///< constant of the type `long double`, which graphs lack

  static SymbolicValue number(ScalarNodeId node);
  static SymbolicValue object(std::vector<SymbolicValue> parts);
  static SymbolicValue reference(ScalarPlace place);
  static SymbolicValue handle(ScalarNodeId identity);
  bool is_undefined() const { return kind == Kind::undefined; }
  bool is_number() const { return kind == Kind::number; }
  friend bool operator==(const SymbolicValue&, const SymbolicValue&) = default;
};

/// Conditions on which elements have left an iteration of a loop, and wait for its end. A `switch` is a loop with one
/// iteration.
struct ScalarLoop {
  ScalarNodeId left;        ///< until the end of the loop
  ScalarNodeId continued;   ///< until the end of the iteration
  std::size_t cells;        ///< number of cells before the loop
  std::size_t outer_cells;  ///< number of cells before the iteration
  bool is_switch = false;
  friend bool operator==(const ScalarLoop&, const ScalarLoop&) = default;
};

/// The part of a call's state that branches change.
struct ScalarFlow {
  ScalarNodeId live = -1;  ///< whether the next statement runs, if the conditions of the enclosing branches hold
  std::vector<ScalarLoop> loops;
  SymbolicValue result;
};

struct ScalarState {
  std::vector<SymbolicValue> cells;
  ScalarFlow flow;  ///< in the innermost call
};

/// A branch that has returned. Its state is merged at the end of the enclosing block, so that the statements after the
/// branch need no condition.
struct ReturnedBranch {
  ScalarNodeId condition;
  bool when;  ///< value of the condition in the branch
  ScalarState state;
};

/// A call of a function that is being executed.
struct ScalarFrame {
  const clang::FunctionDecl* function = nullptr;
  const clang::Expr* call = nullptr;  ///< null for the outermost call
  std::size_t cells = 0;              ///< number of cells of all callers
  std::map<const clang::ValueDecl*, ScalarPlace> variables;
  std::optional<ScalarPlace> self;  ///< `*this`
  llvm::DenseMap<const clang::ValueDecl*, clang::FieldDecl*> captures;
  std::vector<ReturnedBranch> returned;
  ScalarFlow flow;  ///< while a callee is being executed
};

}  // namespace structured::gen
