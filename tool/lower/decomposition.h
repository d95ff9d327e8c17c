// Decompositions: scalar functions as operations on whole tensors, which compilers of tensor programs see.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "language/dtypes.h"
#include "model/operator.h"
#include "model/scalar_graph.h"

namespace structured::gen {

/// A scalar function as a sequence of operations.
struct Decomposition {
  struct Operation {
    ScalarOp op = ScalarOp::constant;
    /// Type of the result; nullopt for the type in which elements of the dtype are computed.
    std::optional<ScalarType> type;
    /// Indices of earlier operations; for an input, the position of the operator's argument.
    std::vector<int64_t> operands;
    bool is_presence = false;  ///< for an input: whether the optional argument has a value
    /// For a constant. Numbers of all types are stored in the widest type of their category, so that functions for
    /// several dtypes can be equal.
    ScalarValue number;
    friend bool operator==(const Operation&, const Operation&) = default;
  };
  /// The function for some dtypes.
  struct Body {
    std::vector<const DtypeName*> dtypes;
    std::vector<Operation> operations;
  };
  std::string name;                    ///< the emitted constant: `decomposition_relu`
  std::vector<Pointwise::Role> roles;  ///< of the operator's arguments
  bool is_boolean = false;             ///< whether the result is a boolean tensor
  bool is_floating = false;            ///< whether integers are computed as floating point
  std::vector<Body> bodies;
};

/// Why compilers do not see the function for some dtypes.
struct DecompositionRefusal {
  std::vector<std::string> dtypes;  ///< `float`
  std::string reason;  ///< "computes `std::fma(a, b, c)`, for which PyTorch has no operator with the same results"
  SourceRange range;
};

struct DecompositionResult {
  std::optional<Decomposition> decomposition;  ///< nullopt if there is no dtype for which it is possible
  std::vector<DecompositionRefusal> refusals;  ///< complex numbers, which have no bodies, are not listed
};

/// Returns the decomposition of a scalar function, or of its derived derivative by the input `derivative`, whose bodies
/// have the input `grad` last and whose operator takes it first. Without bodies there is neither a decomposition nor a
/// refusal.
DecompositionResult decompose(const Pointwise& pointwise, llvm::StringRef derivative = "");

}  // namespace structured::gen
