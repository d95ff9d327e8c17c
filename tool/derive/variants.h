// The variants of one definition: functional, in-place and out, from inputs and outputs.
#pragma once

#include <string>
#include <vector>

#include "derive/arguments.h"
#include "llvm/ADT/ArrayRef.h"
#include "model/operator_index.h"

namespace structured::gen {

/// One variant for each name of `definition`, each with the kernels that name it. `outputs` are the names of the out
/// arguments, all tensors; the first input of an in-place variant is a tensor.
std::vector<Variant> derive_variants(const DefinedOperator& definition, const Inputs& inputs,
                                     llvm::ArrayRef<std::string> outputs, const OperatorIndex& index,
                                     const TypeTable& types);

}  // namespace structured::gen
