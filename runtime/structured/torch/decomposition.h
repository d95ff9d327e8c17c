#pragma once
// Operators that compilers see into: an operator that one scalar function defines is a composite. Where a compiler or
// another transformation follows the call, it makes calls of ATen's operators that compute the function; other calls go
// to an opaque operator, which has the kernels.
//
// PyTorch decomposes composites (CompositeImplicitAutograd) by calling them, in torch.compile, torch.export and ONNX's
// exporter. A library can only see that by the tensors that it gets: those of a tracer have the key Python.
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/GradMode.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "structured/torch/arguments.h"
#include "structured/torch/autograd.h"
#include "structured/torch_loops/dtype_set.h"

namespace structured::torch {

using namespace torch_loops;

/// The operations of scalar functions.
enum class ScalarOp : uint8_t {
#define STRUCTURED_SCALAR_OP(name, operands, rule, domain, is_exact, meaning) name,
#include "structured/schema/scalar_ops.def"
};

/// Stands for the type in which elements are computed: the common dtype, or float for one with 16 bits.
inline constexpr at::ScalarType kComputed = at::ScalarType::Undefined;

/// An operation of a scalar function, applied to tensors.
struct Operation {
  ScalarOp op;
  at::ScalarType type;  ///< type of the result
  /// Indices of earlier operations. For an input: the position of the argument, and 1 in place of its value for whether
  /// the optional argument has one.
  std::array<int16_t, 3> operands = {};
  double number = 0;    ///< a floating-point constant
  int64_t integer = 0;  ///< another constant
};

/// A constant of a floating-point type.
constexpr Operation floating_constant(at::ScalarType type, double number) {
  return {ScalarOp::constant, type, {}, number, 0};
}
/// A constant that is an integer or a boolean.
constexpr Operation constant(at::ScalarType type, int64_t number) { return {ScalarOp::constant, type, {}, 0, number}; }

/// A scalar function, as emitted sources describe it.
struct Decomposition {
  enum class Role : uint8_t {
    tensor,     ///< elements of the common dtype
    mask,       ///< elements of a boolean tensor
    promoting,  ///< a number that takes part in type promotion
    scalar,     ///< a number of no higher category than the common dtype
    number,     ///< another number
  };
  struct Body {
    DtypeSet dtypes;  ///< common dtypes of the arguments
    std::span<const Operation> operations;
  };
  std::span<const Role> roles;  ///< one for each argument
  std::span<const Body> bodies;
  bool is_boolean = false;   ///< whether the result is a boolean tensor
  bool is_floating = false;  ///< whether integers are computed as floating point
};

namespace detail {

/// An argument: a tensor, a number, or neither for an optional number without a value.
struct Operand {
  at::Tensor tensor;
  c10::optional<c10::Scalar> number;
};

template <class Argument>
Operand operand_of(const Argument& argument) {
  if constexpr (std::is_same_v<Argument, at::Tensor>) {
    return {argument, c10::nullopt};
  } else if constexpr (std::is_same_v<Argument, c10::Scalar> || std::is_arithmetic_v<Argument>) {
    return {{}, c10::Scalar(argument)};
  } else if constexpr (requires { c10::Scalar(*argument); }) {
    return argument.has_value() ? operand_of(*argument) : Operand();
  } else {
    return {};
  }
}

/// Whether somebody follows the call, so that the operator should show what it does: a tensor belongs to a tracer or
/// another class of Python, a mode of Python is on, or a tensor has a tangent. `keys` are those of the call.
template <class... Arguments>
bool is_followed(c10::DispatchKeySet keys, const Arguments&... arguments) {
  return keys.has(c10::DispatchKey::Python) || has_tangent(arguments...);
}

/// A call that the decomposition computes.
struct DecomposedCall {
  const Decomposition* decomposition;
  const Decomposition::Body* body = nullptr;  ///< null: there is none for the arguments' dtypes
  at::ScalarType common_dtype = at::ScalarType::Undefined;
  std::span<const Operand> operands;

  /// Calls ATen's operators, which autograd records.
  at::Tensor run() const;
};

DecomposedCall decompose(const Decomposition& decomposition, std::span<const Operand> operands);

/// Copies the result of the functional variant to `self` or, after resizing it, to an out= tensor.
void assign(const at::Tensor& to, const at::Tensor& result, bool resizes);

}  // namespace detail

// A call that nobody follows goes to the opaque operator with the keys that the dispatcher found for the composite: the
// two operators have the same arguments, so that a call would find the same ones again.

/// The composite kernel of a functional operator with a decomposition.
template <class F>
class DecomposedOperator;

template <class... A>
class DecomposedOperator<at::Tensor(A...)> final : public c10::OperatorKernel {
 public:
  using Function = at::Tensor(A...);
  using Handle = c10::TypedOperatorHandle<Function>;
  /// How a call of the decomposition is made where an argument requires gradients.
  using Record = at::Tensor (*)(const Handle& opaque, const detail::DecomposedCall& call, A... arguments);

  DecomposedOperator(const c10::OperatorHandle& opaque, const Decomposition& decomposition, Record record_with)
      : opaque_(opaque.typed<Function>()), decomposition_(&decomposition), record_(record_with) {}

  at::Tensor operator()(c10::DispatchKeySet keys, A... arguments) const {
    if (!detail::is_followed(keys, arguments...)) [[likely]] {
      return opaque_.redispatch(keys, std::forward<A>(arguments)...);
    }
    return show(std::forward<A>(arguments)...);
  }

  /// For an operator with derivatives: records a node of the emitted class `Node`.
  template <class Node>
  static at::Tensor record(const Handle& opaque, const detail::DecomposedCall& call, A... arguments) {
    // ATen's operators have derivatives of both modes.
    const bool is_recorded = detail::records(std::forward_as_tuple(arguments...), typename Node::Differentiable());
    if (!is_recorded || detail::has_tangent(arguments...)) return call.run();
    const auto run = [&] { return without_gradients(opaque, call, arguments...); };
    return detail::record_call<Function, Node>(opaque, run, arguments...);
  }

  /// For an operator whose results never require gradients.
  static at::Tensor without_gradients(const Handle&, const detail::DecomposedCall& call, A...) {
    const at::NoGradGuard guard;
    return call.run();
  }

  /// For an operator without a derivative: the opaque operator lets backward passes fail.
  static at::Tensor without_derivative(const Handle& opaque, const detail::DecomposedCall&, A... arguments) {
    return opaque.call(std::forward<A>(arguments)...);
  }

 private:
  at::Tensor show(A... arguments) const {
    const std::array<detail::Operand, sizeof...(A)> operands{detail::operand_of(arguments)...};
    const detail::DecomposedCall call = detail::decompose(*decomposition_, operands);
    if (call.body == nullptr) return opaque_.call(std::forward<A>(arguments)...);
    const bool records = c10::GradMode::is_enabled() && detail::requires_grad(arguments...);
    if (!records && !detail::has_tangent(arguments...)) return call.run();
    return record_(opaque_, call, std::forward<A>(arguments)...);
  }

  Handle opaque_;
  const Decomposition* decomposition_;
  Record record_;
};

/// The composite kernel of an in-place operator whose functional variant, of this full name, has a decomposition.
template <class F>
class DecomposedInplace;

template <class... A>
class DecomposedInplace<at::Tensor&(at::Tensor&, A...)> final : public c10::OperatorKernel {
 public:
  using Function = at::Tensor&(at::Tensor&, A...);

  DecomposedInplace(const c10::OperatorHandle& opaque, std::string_view functional)
      : opaque_(opaque.typed<Function>()), functional_(functional) {}

  at::Tensor& operator()(c10::DispatchKeySet keys, at::Tensor& self, A... arguments) const {
    if (!detail::is_followed(keys, self, arguments...)) [[likely]] {
      return opaque_.redispatch(keys, self, std::forward<A>(arguments)...);
    }
    const auto functional =
        detail::find_operator_handle(functional_).template typed<at::Tensor(const at::Tensor&, A...)>();
    // A node may save `self`, whose values are about to change.
    const bool is_recorded = c10::GradMode::is_enabled() && detail::requires_grad(self, arguments...);
    const at::Tensor before = is_recorded ? self.clone() : self;
    const at::Tensor result = functional.call(before, arguments...);
    // The operator decides whether it converts its result.
    if (result.scalar_type() != self.scalar_type()) return opaque_.call(self, std::forward<A>(arguments)...);
    detail::assign(self, result, /*resizes=*/false);
    return self;
  }

 private:
  c10::TypedOperatorHandle<Function> opaque_;
  std::string_view functional_;
};

/// The composite kernel of an out= operator whose functional variant, of type `Functional` and this full name, has a
/// decomposition.
template <class Functional>
class DecomposedOut;

template <class... A>
class DecomposedOut<at::Tensor(A...)> final : public c10::OperatorKernel {
 public:
  using Function = at::Tensor&(A..., at::Tensor&);

  DecomposedOut(const c10::OperatorHandle& opaque, std::string_view functional)
      : opaque_(opaque.typed<Function>()), functional_(functional) {}

  at::Tensor& operator()(c10::DispatchKeySet keys, A... arguments, at::Tensor& out) const {
    // The opaque operator refuses arguments with gradients.
    const bool has_gradients = c10::GradMode::is_enabled() && detail::requires_grad(arguments..., out);
    if (has_gradients || !detail::is_followed(keys, arguments..., out)) [[likely]] {
      return opaque_.redispatch(keys, std::forward<A>(arguments)..., out);
    }
    const auto functional = detail::find_operator_handle(functional_).template typed<at::Tensor(A...)>();
    const at::Tensor result = functional.call(arguments...);
    if (result.scalar_type() != out.scalar_type()) return opaque_.call(std::forward<A>(arguments)..., out);
    detail::assign(out, result, /*resizes=*/true);
    return out;
  }

 private:
  c10::TypedOperatorHandle<Function> opaque_;
  std::string_view functional_;
};

}  // namespace structured::torch
