// Division of parameter lists into operator base, inputs, precomputed values and outputs.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "model/declaration.h"
#include "model/operator_index.h"
#include "model/type_table.h"

namespace structured::gen {

/// Returns the parameters that are inputs of the operator: all but the base of meta and the outputs of kernels.
llvm::ArrayRef<Parameter> input_parameters(const OperatorRef& ref, const TypeTable& types);

/// Whether the meta function returns values for the impls.
bool has_precomputed(const Declaration& meta);
/// Returns the parameter type of precomputed values in impls: `const kernels::Plan &`. Empty if there are none.
std::string precomputed_parameter_type(const Declaration& meta);
/// Returns the inputs of meta that impls take: those that no precomputed value replaces.
std::vector<const Parameter*> impl_inputs(const Declaration& meta);
/// Whether the parameter is a reference to the operator's base. If that is a class of libtorch with meta as a member,
/// kernels take one of its base classes.
bool is_base(const Parameter& parameter, const Declaration& meta);
/// Whether the first parameter of the impl is the operator's base.
bool takes_base(const Declaration& impl, const Declaration& meta);
/// Returns the outputs of an impl that matches its meta function.
llvm::ArrayRef<Parameter> impl_outputs(const Declaration& impl, const Declaration& meta);

/// Returns the inputs that have a gradient: tensors, optional tensors and lists of them, except mutable ones and
/// boolean inputs of pointwise functions.
std::vector<std::string> differentiable_inputs(const OperatorRef& definition, const TypeTable& types);
/// Returns the inputs whose gradients a `backward` function computes: those that it names, or all differentiable ones.
std::vector<std::string> gradients_of(const OperatorRef& backward, const OperatorRef& definition,
                                      const TypeTable& types);

/// One `returns` attribute.
struct ResultNames {
  const Attribute* attribute = nullptr;
  std::optional<OperatorName> variant;  ///< the only variant to which it applies; nullopt: all
  std::vector<std::string> names;
};
/// Reads the `returns` attributes of a declaration, which may name a variant of its operator first.
std::vector<ResultNames> read_result_names(const OperatorRef& ref, const OperatorIndex& index);
/// Returns the result names of `variant`; empty if there are none.
std::vector<std::string> result_names(llvm::ArrayRef<ResultNames> all, const OperatorName& variant);

}  // namespace structured::gen
