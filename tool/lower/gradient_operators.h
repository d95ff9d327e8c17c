// Operators that compute gradients of pointwise operators, for a target whose autograd traces calls of operators.
#pragma once

#include <optional>
#include <vector>

#include "dialect/dialect.h"
#include "llvm/ADT/ArrayRef.h"
#include "lower/pointwise.h"
#include "model/operator.h"

namespace structured::gen {

/// A pointwise operator that computes a gradient of another one, or a derivative of such a gradient.
struct GradientOperator {
  Operator op;                                    ///< takes the gradient of the result as `grad`
  std::optional<PointwiseDerivative> derivative;  ///< empty if the author wrote the scalar function of the gradient
  bool is_second = false;                         ///< whether it computes a derivative of a gradient
};

/// Returns the operators for the gradients that are computed for each element: for each, the gradient, then its
/// derivatives by all tensors other than `grad`.
std::vector<GradientOperator> gradient_operators(const CppTypes& cpp_types, const Operator& op);

/// Returns the name of the operator that computes the gradient for an input, `_mul_backward_self.Tensor` for `self` of
/// `mul.Tensor`.
OperatorName gradient_operator_name(const OperatorName& op, llvm::StringRef input);
/// Returns the name of the operator that computes the derivative of a gradient by one of its inputs,
/// `_mul_backward_self_by_other.Tensor`.
OperatorName second_gradient_operator_name(const OperatorName& gradient, llvm::StringRef input);

}  // namespace structured::gen
