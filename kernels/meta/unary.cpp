// Shapes and dtypes of pointwise operators of one tensor.
#include <structured/core/error.h>
#include <structured/core/scalar_type.h>
#include <structured/iterator/tensor_iterator.h>

namespace structured::kernels {

/// 0 where `self` is negative, `self` elsewhere; NaN stays NaN. Real numbers only; the dtype stays.
[[structured::meta("relu", "relu_", "relu.out"), structured::device_check(false)]]
void relu_meta(TensorIteratorBase& op, const Tensor& self) {
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()), "relu: expected `self` of dtype ", kRealTypes, ", got ",
                   self.scalar_type());
  op.build_unary_op(op.maybe_get_output(), self);
}

/// e to the power of `self`. Integers give the default dtype.
[[structured::meta("exp", "exp_", "exp.out"), structured::device_check(false)]]
void exp_meta(TensorIteratorBase& op, const Tensor& self) {
  op.build_unary_float_op(op.maybe_get_output(), self);
}

/// The inverse of cosh: NaN below 1. Integers give the default dtype.
[[structured::meta("acosh", "acosh_", "acosh.out")]]
void acosh_meta(TensorIteratorBase& op, const Tensor& self) {
  op.build_unary_float_op(op.maybe_get_output(), self);
}

}  // namespace structured::kernels
