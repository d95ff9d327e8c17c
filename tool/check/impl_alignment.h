// Which parameter of an impl stands for which of the meta function's.
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
  SourceRange range;           ///< the meta function's parameter, or its result for precomputed values
  bool has_free_name = false;  ///< impls choose the name of precomputed values

  /// `const Scalar& alpha`
  std::string text() const { return type.written + " " + name; }
};

/// A pair, or one of the two alone: a missing or an additional parameter.
struct AlignedParameter {
  std::optional<ExpectedParameter> expected;
  std::optional<std::size_t> index;  ///< among the impl's parameters
};

struct ImplAlignment {
  bool has_base = false;      ///< the impl's first parameter is an operator base, not always the right one
  bool is_reordered = false;  ///< the inputs are all there, in another order; `inputs` is in the meta's order
  std::vector<AlignedParameter> inputs;
  std::size_t first_output = 0;  ///< the impl's parameters from here on are its outputs
};

/// Whether the meta function is fit to compare impls with; if not, another rule tells why.
bool is_comparable(const Declaration& meta, const TypeTable& types);

/// The parameters that an impl needs between base and outputs. For a mutable tensor of the meta function, which is
/// an error, impls take the immutable one.
std::vector<ExpectedParameter> expected_parameters(const Declaration& meta, const TypeTable& types);

/// The cheapest way to read the impl's parameters as base, expected parameters and outputs.
ImplAlignment align_impl(const Declaration& impl, const Declaration& meta, const TypeTable& types);

/// Whether the first parameter is a reference to a class that can be an operator's base.
bool starts_with_base(const Declaration& declaration, const TypeTable& types);

bool is_output_type(const CppType& type, const TypeTable& types);

}  // namespace structured::gen
