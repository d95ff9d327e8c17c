// Parameters of `backward` functions, whose names say what they are: gradients, inputs, their properties, results.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "model/tensor_property.h"

namespace structured::gen {

/// A value that a `backward` function takes.
struct DerivativeParameter {
  enum class Kind {
    gradient,        ///< gradient of result `index`
    needs_gradient,  ///< the array that says which gradients are needed
    input,           ///< input `index`
    property,        ///< `property` of input `index`
    output,          ///< result `index`
  };
  Kind kind = Kind::gradient;
  std::size_t index = 0;
  TensorProperty property = TensorProperty::sizes;
  friend bool operator==(const DerivativeParameter&, const DerivativeParameter&) = default;
};

/// The names of an operator's inputs and results, from which those of parameters follow.
struct DerivativeNames {
  /// A result may have several names.
  struct Output {
    std::string name;
    std::size_t index = 0;
  };
  std::vector<std::string> inputs;
  std::vector<Output> outputs;
  /// Names of results that have no gradient, since the operator is `not_differentiable` in them.
  std::vector<std::string> without_gradient;

  /// Adds a name of a result. Ignores empty ones.
  void add_output(llvm::StringRef name, std::size_t index);
  /// Names results without a name: `out`, or `out0`, `out1`, ... if there are several results.
  void name_others(std::size_t results);

  /// Returns all meanings of a name, more than one if it is ambiguous. The names `input_x` for an input `x`, `result_y`
  /// for a result `y`, and `grad_result_y` for its gradient are never ambiguous: another meaning comes first.
  std::vector<DerivativeParameter> meanings(llvm::StringRef name) const;

  /// Returns a name that means only this value. Empty if there is none.
  std::string unambiguous_name(const DerivativeParameter& parameter) const;

  /// Returns the names of gradients, inputs and results, without the unambiguous forms.
  std::vector<std::string> known() const;
};

}  // namespace structured::gen
