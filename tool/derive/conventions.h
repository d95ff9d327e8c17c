// Derivation of operators, with one function for each form of declaration.
#pragma once

#include "model/operator.h"
#include "model/operator_index.h"
#include "model/type_table.h"

namespace structured::gen {

/// Derives an operator from a meta function and its impls.
Operator derive_structured(const DefinedOperator& definition, const OperatorIndex& index, const TypeTable& types);
/// Derives an operator from a scalar function. `backends` are those of the library; empty: all.
Operator derive_pointwise(const DefinedOperator& definition, const OperatorIndex& index, const TypeTable& types,
                          llvm::ArrayRef<std::string> backends);
/// Derives an operator from kernels whose signature is the schema.
Operator derive_plain(const PlainOperator& plain, const OperatorIndex& index, const TypeTable& types);
/// Derives the operators that `variants` attributes of the kernels name. `op` is derived from the kernels.
std::vector<Operator> derive_variants(const PlainOperator& plain, const Operator& op, const OperatorIndex& index);

}  // namespace structured::gen
