// Operators whose impl applies one lambda to each element, which compilers see into.
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/ops/abs.h>
#include <structured/torch.h>

#include <cmath>

namespace trial {

/// `self / (1 + strength * |self|)`, computed in float for 16-bit numbers.
[[structured::meta("damped", "damped_", "damped.out")]]
void damped_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& strength = 1) {
  op.build_unary_float_op(op.maybe_get_output(), self);
}

[[structured::impl("damped.out", "CPU")]]
void damped_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& strength, const at::Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, op.common_dtype(), "damped", [&] {
    using opmath_t = at::opmath_type<scalar_t>;
    const auto factor = strength.to<opmath_t>();
    at::native::cpu_kernel(op, [factor](scalar_t x) -> scalar_t {
      const auto value = static_cast<opmath_t>(x);
      return value / (1 + factor * std::abs(value));
    });
  });
}

[[structured::backward("damped")]]
at::Tensor damped_backward(const at::Tensor& grad, const at::Tensor& self, const at::Scalar& strength) {
  const at::Tensor denominator = at::abs(self) * strength + 1;
  return grad / (denominator * denominator);
}

/// A third of `self`, rounded toward 0 for integers. In half precision the quotient is rounded once, too.
[[structured::meta("third", "third_", "third.out"), structured::not_differentiable]]
void third_meta(at::TensorIteratorBase& op, const at::Tensor& self) {
  op.build_unary_op(op.maybe_get_output(), self);
}

[[structured::impl("third.out", "CPU")]]
void third_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& out) {
  AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, op.dtype(), "third", [&] {
    at::native::cpu_kernel(op, [](scalar_t x) -> scalar_t { return x / static_cast<scalar_t>(3); });
  });
}

/// `self + alpha * other`. In half precision the product is rounded, too, so that compilers call the operator.
[[structured::meta("joined.Tensor", "joined_.Tensor", "joined.out"), structured::not_differentiable]]
void joined_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other,
                 [[structured::kwonly]] const at::Scalar& alpha = 1) {
  op.build_borrowing_binary_op(op.maybe_get_output(), self, other);
}

[[structured::impl("joined.out", "CPU")]]
void joined_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha,
                const at::Tensor& out) {
  AT_DISPATCH_ALL_TYPES_AND(at::kHalf, op.common_dtype(), "joined", [&] {
    const auto factor = alpha.to<scalar_t>();
    at::native::cpu_kernel(op, [=](scalar_t x, scalar_t y) -> scalar_t { return x + factor * y; });
  });
}

/// Whether `self` is greater than `other` by more than `margin`.
[[structured::meta("exceeds", "exceeds.out"), structured::not_differentiable]]
void exceeds_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, int64_t margin = 0) {
  op.build_comparison_op(op.maybe_get_output(), self, other);
}

[[structured::impl("exceeds.out", "CPU")]]
void exceeds_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& other, int64_t margin,
                 const at::Tensor& out) {
  AT_DISPATCH_ALL_TYPES(op.common_dtype(), "exceeds", [&] {
    at::native::cpu_kernel(op,
                           [margin](scalar_t x, scalar_t y) -> bool { return x > y + static_cast<scalar_t>(margin); });
  });
}

/// `other` where `self` is less than `low`, else `self`.
[[structured::meta("floored", "floored.out"), structured::not_differentiable]]
void floored_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& low, const at::Tensor& other) {
  op.build(at::TensorIteratorConfig()
               .add_output(op.maybe_get_output())
               .add_input(self)
               .add_input(low)
               .add_input(other)
               .allow_cpu_scalars(true)
               .promote_inputs_to_common_dtype(true)
               .cast_common_dtype_to_outputs(true)
               .enforce_safe_casting_to_output(true));
}

template <class T>
void floored_loop(at::TensorIteratorBase& op) {
  at::native::cpu_kernel(op, [](T x, T low, T y) -> T { return x < low ? y : x; });
}

[[structured::impl("floored.out", "CPU")]]
void floored_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& low, const at::Tensor& other,
                 const at::Tensor& out) {
  AT_DISPATCH_ALL_TYPES_AND3(at::kHalf, at::kBFloat16, at::kBool, op.common_dtype(), "floored",
                             [&] { floored_loop<scalar_t>(op); });
}

}  // namespace trial
