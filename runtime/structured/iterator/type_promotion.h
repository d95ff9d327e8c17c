#pragma once
// In which dtype a mixture of operands computes.
#include "structured/core/array_ref.h"
#include "structured/core/export.h"
#include "structured/core/scalar.h"
#include "structured/core/scalar_type.h"
#include "structured/core/tensor.h"

namespace structured {

/// Operands have one of three ranks: tensors with dimensions, tensors without, and numbers (wrapped numbers, Scalars).
/// Within a rank dtypes are promoted as `promote_types` says. A lower rank changes the result of a higher one only if
/// it is of a higher category (bool < integral < floating < complex), so that `half_tensor * 2.5` stays Half. A number
/// that is floating counts as `default_dtype()`, a complex one as its complex counterpart.
///
/// A value for one call; not shared between threads.
class STRUCTURED_API TypePromotion {
 public:
  /// Undefined tensors are left out. Throws Error where dtypes do not promote, as quantized ones.
  void add(const Tensor& tensor);
  void add(const Scalar& number);
  /// Undefined if nothing was added.
  ScalarType result() const;

 private:
  ScalarType dimensioned_ = ScalarType::Undefined;
  ScalarType zero_dim_ = ScalarType::Undefined;
  ScalarType number_ = ScalarType::Undefined;
};

/// The dtype of an operator's result on these operands. Throws Error as TypePromotion::add does, and for an empty list.
STRUCTURED_API ScalarType result_type(TensorList tensors);
STRUCTURED_API ScalarType result_type(const Tensor& a, const Tensor& b);
STRUCTURED_API ScalarType result_type(const Tensor& tensor, const Scalar& number);

}  // namespace structured
