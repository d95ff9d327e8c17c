// Properties of scalar functions.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/operator.h"
#include "model/type_table.h"

namespace structured::gen {

/// Returns the rule that `promote` names, or `default`.
std::string promotion_of(const Declaration& declaration);
/// Returns the dtypes that the attributes `dtypes` list.
std::vector<std::string> pointwise_dtypes(const Declaration& declaration);

/// Returns the properties of a scalar function that its declaration shows: roles, promotion, dtypes and result.
Pointwise read_pointwise(const Declaration& declaration, const TypeTable& types);

/// Returns the function that an operator applies to each element: its scalar function, or the body of the loop of its
/// impls; null if the operator has neither.
const Pointwise* element_function(const Operator& op);

/// Whether the function can be computed on dual numbers, so that gradients are derived from it: it computes
/// floating-point elements from others.
bool is_dual_function(const Pointwise& pointwise);

/// Returns the derivatives of an operator: those that the author wrote, then for each remaining element of a pointwise
/// operator the one that is derived from the scalar function. Empty for operators that are not differentiable. An
/// operator with an input named `grad` has no derived ones.
std::vector<Backward> derivatives_of(const Operator& op);

/// Whether the function computes elements of a dtype that has gradients.
bool is_differentiable_function(const Pointwise& pointwise);

/// Whether a backward pass throws where it reaches the operator: it computes tensors from others, and has neither a
/// derivative nor a kernel whose calls are recorded, nor the mark `not_differentiable`.
bool lacks_derivative(const Operator& op);

}  // namespace structured::gen
