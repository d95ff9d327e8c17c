#pragma once
// Type promotion of mixed operands.
#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/number/scalar.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// Operands have one of three priorities: tensors with dimensions, 0-dimensional tensors, and numbers (wrapped numbers,
/// Scalars). Dtypes of one priority promote as `promote_types` does. A lower priority changes the result only if its
/// category is higher (bool < integral < floating < complex), so that `half_tensor * 2.5` stays Half. A floating number
/// counts as `default_dtype()`, a complex one as its complex counterpart.
///
/// Belongs to one call and one thread.
class STRUCTURED_API TypePromotion {
 public:
  /// Ignores undefined tensors. Throws Error for dtypes that do not promote, such as quantized ones.
  void add(const Tensor& tensor);
  void add(const Scalar& number);
  /// Undefined if no operand was added.
  ScalarType result() const;

 private:
  ScalarType dimensioned_ = ScalarType::Undefined;
  ScalarType zero_dim_ = ScalarType::Undefined;
  ScalarType number_ = ScalarType::Undefined;
};

/// Dtype of an operator's result on these operands. Throws Error as TypePromotion::add does, and for an empty list.
STRUCTURED_API ScalarType result_type(TensorList tensors);
STRUCTURED_API ScalarType result_type(const Tensor& a, const Tensor& b);
STRUCTURED_API ScalarType result_type(const Tensor& tensor, const Scalar& number);

}  // namespace structured
