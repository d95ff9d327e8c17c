// One function for each way of declaring an operator.
#pragma once

#include "model/operator.h"
#include "model/operator_index.h"
#include "model/type_table.h"

namespace structured::gen {

/// From a meta function and its impls.
Operator derive_structured(const DefinedOperator& definition, const OperatorIndex& index, const TypeTable& types);
/// From a scalar function.
Operator derive_pointwise(const DefinedOperator& definition, const OperatorIndex& index, const TypeTable& types);
/// From kernels whose signature is the schema.
Operator derive_plain(const PlainOperator& plain, const OperatorIndex& index, const TypeTable& types);

}  // namespace structured::gen
