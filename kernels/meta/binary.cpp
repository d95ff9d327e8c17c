// Shapes and dtypes of pointwise operators of two tensors.
#include <structured/core/error.h>
#include <structured/core/scalar.h>
#include <structured/core/scalar_type.h>
#include <structured/iterator/tensor_iterator.h>

namespace structured::kernels {
namespace {

// A factor must not be of a higher category than the elements that it multiplies.
void check_alpha(const char* name, ScalarType dtype, const Scalar& alpha) {
  STRUCTURED_CHECK(!alpha.is_boolean() || dtype == kBool, name, ": a boolean `alpha` goes with Bool tensors only, got ",
                   dtype);
  STRUCTURED_CHECK(is_floating(dtype) || is_complex(dtype) || alpha.is_integral(true), name,
                   ": expected an integer as `alpha` of ", dtype, " tensors, got ", alpha);
  STRUCTURED_CHECK(is_complex(dtype) || !alpha.is_complex(), name, ": expected a real number as `alpha` of ", dtype,
                   " tensors, got ", alpha);
}

}  // namespace

/// `self + alpha * other`, with broadcasting and type promotion. On Bool tensors, logical or.
[[structured::meta("add.Tensor", "add_.Tensor", "add.out"), structured::device_check(false)]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), self, other);
  check_alpha("add", op.common_dtype(), alpha);
}

/// `self + alpha * other` for a number `other`, which changes the dtype of `self` only if it is of a higher category.
[[structured::meta("add.Scalar", "add_.Scalar", "add.Scalar_out"), structured::device_check(false)]]
void add_number_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), self, other);
  check_alpha("add", op.common_dtype(), alpha);
}

/// `self * other`, with broadcasting and type promotion. On Bool tensors, logical and.
[[structured::meta("mul.Tensor", "mul_.Tensor", "mul.out"), structured::device_check(false)]]
void mul_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other) {
  op.build_binary_op(op.maybe_get_output(), self, other);
}

}  // namespace structured::kernels
