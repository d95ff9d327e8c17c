#pragma once
// Definitions of decomposition.h, for libraries with operators that compilers see into.
#include <ATen/ScalarOps.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/acos.h>
#include <ATen/ops/acosh.h>
#include <ATen/ops/add.h>
#include <ATen/ops/asin.h>
#include <ATen/ops/asinh.h>
#include <ATen/ops/atan.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/atanh.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_left_shift.h>
#include <ATen/ops/bitwise_not.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/bitwise_right_shift.h>
#include <ATen/ops/bitwise_xor.h>
#include <ATen/ops/broadcast_tensors.h>
#include <ATen/ops/ceil.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/cosh.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/erfc.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/exp2.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/fmax.h>
#include <ATen/ops/fmin.h>
#include <ATen/ops/fmod.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/hypot.h>
#include <ATen/ops/le.h>
#include <ATen/ops/lgamma.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log10.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/log2.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/nextafter.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/round.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/sinh.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tan.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/trunc.h>
#include <ATen/ops/where.h>
#include <c10/core/DefaultDtype.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "structured/torch/decomposition.h"

namespace structured::torch::detail {

/// Computes operations in their order.
class OperationsRun {
 public:
  explicit OperationsRun(const DecomposedCall& call)
      : call_(call), computed_(is_short(call.common_dtype) ? at::kFloat : call.common_dtype) {
    for (const Operand& operand : call.operands) {
      if (!operand.tensor.defined()) continue;
      if (!constants_.device_opt()) constants_ = constants_.device(operand.tensor.device());
      tensors_.push_back(operand.tensor);
    }
  }

  at::Tensor result() {
    for (const Operation& operation : call_.body->operations) values_.push_back(value_of(operation));
    at::Tensor result = tensor(values_.size() - 1);
    result = converted(result, call_.decomposition->is_boolean ? at::kBool : call_.common_dtype);
    // The result of an operator is as large as its arguments, and no view of one.
    if (tensors_.size() > inputs_) {
      std::vector<at::Tensor> all = tensors_;
      all.push_back(result);
      result = at::broadcast_tensors(all).back().clone();
    }
    const auto is_result = [&](const at::Tensor& tensor) { return tensor.is_same(result); };
    return std::any_of(tensors_.begin(), tensors_.end(), is_result) ? result.clone() : result;
  }

 private:
  /// A tensor, or whether an optional argument has a value.
  struct Value {
    at::Tensor tensor;
    std::optional<bool> known;
  };

  static bool is_short(at::ScalarType dtype) { return dtype == at::kHalf || dtype == at::kBFloat16; }

  at::ScalarType dtype_of(const Operation& operation) const {
    return operation.type == kComputed ? computed_ : operation.type;
  }

  static at::Tensor converted(const at::Tensor& tensor, at::ScalarType dtype) {
    return tensor.scalar_type() == dtype ? tensor : tensor.to(dtype);
  }

  // Numbers are tensors without dimensions: ATen computes with a number in double, and a kernel in its own type.
  at::Tensor constant(const c10::Scalar& number, at::ScalarType dtype) const {
    return at::scalar_tensor(number, constants_.dtype(dtype));
  }

  const at::Tensor& tensor(std::size_t index) {
    Value& value = values_[index];
    if (!value.tensor.defined()) value.tensor = constant(*value.known, at::kBool);
    return value.tensor;
  }

  Value value_of(const Operation& operation) {
    const at::ScalarType dtype = dtype_of(operation);
    const std::array<int16_t, 3>& operands = operation.operands;
    if (operation.op == ScalarOp::input) return input(operands, dtype);
    if (operation.op == ScalarOp::constant) {
      const bool is_floating = at::isFloatingType(dtype);
      return {constant(is_floating ? c10::Scalar(operation.number) : c10::Scalar(operation.integer), dtype), {}};
    }
    if (operation.op == ScalarOp::select) {
      const std::optional<bool> known = values_[operands[0]].known;
      if (known) return values_[*known ? operands[1] : operands[2]];
    }
    if (operation.op == ScalarOp::bit_not && values_[operands[0]].known) return {{}, !*values_[operands[0]].known};
    return {computed(operation, dtype), {}};
  }

  Value input(const std::array<int16_t, 3>& operands, at::ScalarType dtype) {
    const Operand& operand = call_.operands[operands[0]];
    if (operands[1] != 0) return {{}, operand.number.has_value()};
    if (operand.tensor.defined()) {
      ++inputs_;
      // The common dtype first: another dtype loses what a kernel would not see either.
      const at::Tensor common = dtype == at::kBool ? operand.tensor : converted(operand.tensor, call_.common_dtype);
      return {converted(common, dtype), {}};
    }
    return {constant(operand.number.value_or(0), dtype), {}};
  }

  at::Tensor computed(const Operation& operation, at::ScalarType dtype) {
    const auto operand = [&](std::size_t index) -> const at::Tensor& { return tensor(operation.operands[index]); };
    switch (operation.op) {
      case ScalarOp::select:
        return at::where(operand(0), operand(1), operand(2));
      case ScalarOp::cast:
        return converted(operand(0), dtype);
      case ScalarOp::bit_cast:
        return operand(0).view(dtype);
      case ScalarOp::div:
        return at::isFloatingType(dtype) ? at::div(operand(0), operand(1)) : divided(operand(0), operand(1));
      case ScalarOp::rem:
        return remainder(operand(0), operand(1));
      case ScalarOp::round:
        return rounded(operand(0));
#define STRUCTURED_UNARY(op, function) \
  case ScalarOp::op:                   \
    return at::function(operand(0));
#define STRUCTURED_BINARY(op, function) \
  case ScalarOp::op:                    \
    return at::function(operand(0), operand(1));
        STRUCTURED_BINARY(add, add)
        STRUCTURED_BINARY(sub, sub)
        STRUCTURED_BINARY(mul, mul)
        STRUCTURED_UNARY(neg, neg)
        STRUCTURED_BINARY(eq, eq)
        STRUCTURED_BINARY(ne, ne)
        STRUCTURED_BINARY(lt, lt)
        STRUCTURED_BINARY(le, le)
        STRUCTURED_BINARY(gt, gt)
        STRUCTURED_BINARY(ge, ge)
        STRUCTURED_BINARY(bit_and, bitwise_and)
        STRUCTURED_BINARY(bit_or, bitwise_or)
        STRUCTURED_BINARY(bit_xor, bitwise_xor)
        STRUCTURED_UNARY(bit_not, bitwise_not)
        STRUCTURED_BINARY(shift_left, bitwise_left_shift)
        STRUCTURED_BINARY(shift_right, bitwise_right_shift)
        STRUCTURED_UNARY(fabs, abs)
        STRUCTURED_BINARY(copysign, copysign)
        STRUCTURED_BINARY(fmin, fmin)
        STRUCTURED_BINARY(fmax, fmax)
        STRUCTURED_UNARY(floor, floor)
        STRUCTURED_UNARY(ceil, ceil)
        STRUCTURED_UNARY(trunc, trunc)
        STRUCTURED_UNARY(nearbyint, round)
        STRUCTURED_UNARY(sqrt, sqrt)
        STRUCTURED_BINARY(nextafter, nextafter)
        STRUCTURED_BINARY(hypot, hypot)
        STRUCTURED_BINARY(pow, pow)
        STRUCTURED_UNARY(exp, exp)
        STRUCTURED_UNARY(exp2, exp2)
        STRUCTURED_UNARY(expm1, expm1)
        STRUCTURED_UNARY(log, log)
        STRUCTURED_UNARY(log2, log2)
        STRUCTURED_UNARY(log10, log10)
        STRUCTURED_UNARY(log1p, log1p)
        STRUCTURED_UNARY(sin, sin)
        STRUCTURED_UNARY(cos, cos)
        STRUCTURED_UNARY(tan, tan)
        STRUCTURED_UNARY(asin, asin)
        STRUCTURED_UNARY(acos, acos)
        STRUCTURED_UNARY(atan, atan)
        STRUCTURED_BINARY(atan2, atan2)
        STRUCTURED_UNARY(sinh, sinh)
        STRUCTURED_UNARY(cosh, cosh)
        STRUCTURED_UNARY(tanh, tanh)
        STRUCTURED_UNARY(asinh, asinh)
        STRUCTURED_UNARY(acosh, acosh)
        STRUCTURED_UNARY(atanh, atanh)
        STRUCTURED_UNARY(erf, erf)
        STRUCTURED_UNARY(erfc, erfc)
        STRUCTURED_UNARY(lgamma, lgamma)
#undef STRUCTURED_UNARY
#undef STRUCTURED_BINARY
      default:
        TORCH_INTERNAL_ASSERT(false, "structured: operation ", static_cast<int>(operation.op), " has no operator");
    }
  }

  // Integers, rounded toward 0. Scalar functions compute quotients that they do not use, and ATen's operators throw for
  // a divisor of 0 or, for -1 and the smallest number, end the process.
  static at::Tensor divided(const at::Tensor& a, const at::Tensor& b) {
    const at::Tensor quotient = at::div(a, safe_divisor(b), "trunc");
    return b.scalar_type() == at::kByte ? quotient : at::where(at::eq(b, -1), at::neg(a), quotient);
  }
  static at::Tensor remainder(const at::Tensor& a, const at::Tensor& b) { return at::fmod(a, safe_divisor(b)); }
  // 1 in place of 0 and -1: the remainders of 1 and -1 are equal.
  static at::Tensor safe_divisor(const at::Tensor& b) {
    at::Tensor is_unsafe = at::eq(b, 0);
    if (b.scalar_type() != at::kByte) is_unsafe = at::bitwise_or(is_unsafe, at::eq(b, -1));
    return at::where(is_unsafe, at::scalar_tensor(1, b.options()), b);
  }

  // Halves are rounded away from 0, unlike by at::round. The difference to the truncated number is exact.
  static at::Tensor rounded(const at::Tensor& a) {
    const at::Tensor whole = at::trunc(a);
    const at::Tensor is_up = at::ge(at::abs(at::sub(a, whole)), 0.5);
    const at::Tensor up = at::add(whole, at::copysign(at::scalar_tensor(1, a.options()), a));
    return at::copysign(at::where(is_up, up, whole), a);
  }

  const DecomposedCall& call_;
  const at::ScalarType computed_;
  at::TensorOptions constants_;      // without dtype
  std::vector<at::Tensor> tensors_;  // the arguments
  std::size_t inputs_ = 0;           // operations that are tensors of the call
  std::vector<Value> values_;
};

at::Tensor DecomposedCall::run() const { return OperationsRun(*this).result(); }

/// Whether a kernel accepts the argument. Others reach the kernel, which throws.
inline bool is_accepted(Decomposition::Role role, const Operand& operand, at::ScalarType common_dtype) {
  switch (role) {
    case Decomposition::Role::tensor:
      return operand.tensor.defined();
    case Decomposition::Role::mask:
      return operand.tensor.defined() && operand.tensor.scalar_type() == at::kBool;
    case Decomposition::Role::scalar:
      return !operand.number.has_value() || c10::canCast(operand.number->type(), common_dtype);
    case Decomposition::Role::promoting:
    case Decomposition::Role::number:
      break;
  }
  return true;
}

DecomposedCall decompose(const Decomposition& decomposition, std::span<const Operand> operands) {
  at::native::ResultTypeState state;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Operand& operand = operands[i];
    if (operand.tensor.defined()) {
      state = at::native::update_result_type_state(operand.tensor, state);
    } else if (decomposition.roles[i] == Decomposition::Role::promoting && operand.number.has_value()) {
      state = at::native::update_result_type_state(at::native::wrapped_scalar_tensor(*operand.number), state);
    }
  }
  DecomposedCall call{&decomposition, nullptr, at::native::result_type(state), operands};
  if (decomposition.is_floating && at::isIntegralType(call.common_dtype, /*includeBool=*/true)) {
    call.common_dtype = c10::typeMetaToScalarType(c10::get_default_dtype());
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!is_accepted(decomposition.roles[i], operands[i], call.common_dtype)) return call;
  }
  for (const Decomposition::Body& body : decomposition.bodies) {
    if (body.dtypes.contains(call.common_dtype)) call.body = &body;
  }
  return call;
}

void assign(const at::Tensor& to, const at::Tensor& result, bool resizes) {
  if (to.sym_sizes() != result.sym_sizes()) {
    TORCH_CHECK(resizes, "output with shape ", to.sym_sizes(), " doesn't match the broadcast shape ",
                result.sym_sizes());
    to.resize__symint(result.sym_sizes());
  }
  to.copy_(result);
}

}  // namespace structured::torch::detail
