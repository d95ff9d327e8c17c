// Derivation of the functional, in-place and out variants of one definition.
#pragma once

#include <string>
#include <vector>

#include "derive/arguments.h"
#include "llvm/ADT/ArrayRef.h"
#include "model/operator_index.h"

namespace structured::gen {

/// Returns a variant for each name of `definition`, with the kernels for that name. `outputs` are the names of the out
/// arguments, which are tensors. If there is an in-place variant, the first input must be a tensor.
std::vector<Variant> derive_variants(const DefinedOperator& definition, const Inputs& inputs,
                                     llvm::ArrayRef<std::string> outputs, const OperatorIndex& index,
                                     const TypeTable& types);

}  // namespace structured::gen
