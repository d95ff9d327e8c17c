// Alignment of an impl's parameters with those of its meta function.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "model/operator_index.h"
#include "model/type_table.h"

namespace structured::gen {

/// A parameter that the impl should have.
struct ExpectedParameter {
  std::string name;
  CppType type;
  SourceRange range;           ///< parameter of the meta function, or its result for precomputed values
  bool has_free_name = false;  ///< the name may differ: impls choose the name of precomputed values

  /// `const Scalar& alpha`
  std::string text() const { return type.written + " " + name; }
};

/// A pair of parameters, a missing parameter (no `index`) or an additional one (no `expected`).
struct AlignedParameter {
  std::optional<ExpectedParameter> expected;
  std::optional<std::size_t> index;  ///< among the impl's parameters
};

struct ImplAlignment {
  bool has_base = false;      ///< the impl's first parameter is an operator base, possibly the wrong one
  bool is_reordered = false;  ///< all inputs exist, but in another order; `inputs` is in the order of meta
  std::vector<AlignedParameter> inputs;
  std::size_t first_output = 0;  ///< index of the first output among the impl's parameters
};

/// Whether impls can be compared with the meta function; if not, another rule reports why.
bool is_comparable(const Declaration& meta, const TypeTable& types);

/// Returns the parameters that an impl needs between base and outputs. A mutable tensor of the meta function, which is
/// an error, becomes a const one; a type without a schema type has the text of the suggested one.
std::vector<ExpectedParameter> expected_parameters(const Declaration& meta, const TypeTable& types);

/// Returns the cheapest division of the impl's parameters into base, expected parameters and outputs.
ImplAlignment align_impl(const Declaration& impl, const Declaration& meta, const TypeTable& types);

/// Whether the first parameter is a reference to a class that can be an operator's base class.
bool starts_with_base(const Declaration& declaration, const TypeTable& types);

/// Whether the types are equal, or both are tensors, refined or not.
bool is_same_argument(const CppType& expected, const CppType& found, const TypeTable& types);

bool is_output_type(const CppType& type, const TypeTable& types);

}  // namespace structured::gen
