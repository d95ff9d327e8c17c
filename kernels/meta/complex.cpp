// Meta functions of operators that build complex tensors from real ones, or real ones from complex ones.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/number/scalar_type.h>

namespace structured::kernels {
namespace {

void build_complex(const char* name, TensorIteratorBase& op, const Tensor& a, const Tensor& b) {
  STRUCTURED_CHECK((kFloatingTypes | kHalf).contains(a.scalar_type()) && a.scalar_type() == b.scalar_type(), name,
                   ": expected two tensors of one dtype among ", kFloatingTypes | kHalf, ", got ", a.scalar_type(),
                   " and ", b.scalar_type());
  const Tensor& out = op.maybe_get_output();
  STRUCTURED_CHECK(!out.defined() || out.scalar_type() == to_complex(a.scalar_type()), name,
                   ": expected `out` of dtype ", to_complex(a.scalar_type()), ", got ", out.scalar_type());
  op.build(TensorIteratorConfig()
               .check_all_same_dtype(false)
               .declare_static_dtype(to_complex(a.scalar_type()))
               .add_output(out)
               .add_input(a)
               .add_input(b));
}

// Sets up a function of complex numbers with real results.
void build_real(const char* name, TensorIteratorBase& op, const Tensor& self) {
  const ScalarType dtype = to_real(self.scalar_type());
  const Tensor& out = op.maybe_get_output();
  STRUCTURED_CHECK(!out.defined() || out.scalar_type() == dtype, name, ": expected `out` of dtype ", dtype,
                   " for complex numbers, got ", out.scalar_type());
  op.build(
      TensorIteratorConfig().check_all_same_dtype(false).declare_static_dtype(dtype).add_output(out).add_input(self));
}

}  // namespace

/// Elementwise absolute value: `|self|`. The most negative integer is returned unchanged, since its absolute value is
/// not representable. Complex numbers give real results, not in place. Bool is not supported.
[[structured::meta("abs", "abs_", "abs.out"), structured::device_check(false), structured::tags("core", "pointwise")]]
void abs_meta(TensorIteratorBase& op, const Tensor& self) {
  check_dtype("abs", self.scalar_type(), kRealTypes | kAllComplexTypes);
  if (self.is_complex()) return build_real("abs", op, self);
  op.build_unary_op(op.maybe_get_output(), self);
}

/// Argument of each element in the complex plane, from -pi to pi: 0 or pi for real numbers. NaN is propagated. Integer
/// and Bool inputs are converted to the default dtype; complex inputs give real results.
[[structured::meta("angle", "angle.out"), structured::device_check(false), structured::tags("pointwise")]]
void angle_meta(TensorIteratorBase& op, const Tensor& self) {
  if (self.is_complex()) return build_real("angle", op, self);
  op.build_unary_float_op(op.maybe_get_output(), self);
}

/// Complex tensor with real part `real` and imaginary part `imag`, which are broadcast. Both have one dtype: Half,
/// Float or Double.
[[structured::meta("complex", "complex.out")]]
void complex_meta(TensorIteratorBase& op, const Tensor& real, const Tensor& imag) {
  build_complex("complex", op, real, imag);
}

/// Complex tensor with absolute value `abs` and argument `angle`: `abs * (cos(angle) + i * sin(angle))`. Inputs are
/// broadcast and have one dtype: Half, Float or Double.
[[structured::meta("polar", "polar.out")]]
void polar_meta(TensorIteratorBase& op, const Tensor& abs, const Tensor& angle) {
  build_complex("polar", op, abs, angle);
}

}  // namespace structured::kernels
