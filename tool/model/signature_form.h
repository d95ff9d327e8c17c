// How the parameter lists of an operator's functions divide into base, inputs, precomputed values and outputs.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "model/declaration.h"
#include "model/operator_index.h"
#include "model/type_table.h"

namespace structured::gen {

/// The parameters that are inputs of the operator: all but a meta function's base and a kernel's outputs.
llvm::ArrayRef<Parameter> input_parameters(const OperatorRef& ref, const TypeTable& types);

/// Whether the meta function returns values for the impls.
bool has_precomputed(const Declaration& meta);
/// The type with which impls take them: `const kernels::Plan &`. Empty if there are none.
std::string precomputed_parameter_type(const Declaration& meta);
/// The meta function's inputs that impls take: those that no precomputed value replaces.
std::vector<const Parameter*> impl_inputs(const Declaration& meta);
/// Whether the first parameter of the impl is the operator's base.
bool takes_base(const Declaration& impl, const Declaration& meta);
/// The outputs of an impl that agrees with its meta function.
llvm::ArrayRef<Parameter> impl_outputs(const Declaration& impl, const Declaration& meta);

/// Inputs that a `backward` gives a gradient for: tensors, optional tensors and lists of them, except those that
/// are written and those of a pointwise function that are boolean.
std::vector<std::string> differentiable_inputs(const OperatorRef& definition, const TypeTable& types);

/// One `returns` attribute.
struct ResultNames {
  const Attribute* attribute = nullptr;
  std::optional<OperatorName> variant;  ///< the only variant that it holds for
  std::vector<std::string> names;
};
/// The `returns` attributes of an operator with these variants.
std::vector<ResultNames> read_result_names(const Declaration& declaration, llvm::ArrayRef<OperatorName> variants,
                                           const OperatorIndex& index);
/// The names that hold for `variant`; empty if there are none.
std::vector<std::string> result_names(llvm::ArrayRef<ResultNames> all, const OperatorName& variant);

}  // namespace structured::gen
