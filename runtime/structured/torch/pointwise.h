#pragma once
// Kernels of operators that one scalar function defines. Emitted sources use them:
//
//     pointwise_kernel<kAllFloatingTypes>("soft_clip", op, [&]<class T>() {
//       return [limit = to<T>(limit)](T self) -> T { return my::soft_clip<T>(self, limit); };
//     });
#include <ATen/Dispatch.h>
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>

#include "structured/torch/arguments.h"
#include "structured/torch_loops/dtype_set.h"
#include "structured/torch_loops/pointwise_rows.h"

namespace structured::torch {

using namespace torch_loops;

/// Builds the iterator of an elementwise operator with ATen's promotion rules. Scalars are operands that take part in
/// promotion; null ones are skipped. The output is boolean if `is_boolean`, and integers become floating point if
/// `is_floating`.
inline void build_pointwise(at::TensorIteratorBase& op, std::initializer_list<const at::Tensor*> tensors,
                            std::initializer_list<const at::Scalar*> scalars, bool is_boolean, bool is_floating) {
  const at::Tensor& out = op.maybe_get_output();
  at::TensorIteratorConfig config;
  config.allow_cpu_scalars(true).promote_inputs_to_common_dtype(true).promote_integer_inputs_to_float(is_floating);
  if (is_boolean && !out.defined()) config.declare_static_dtype(at::kBool);
  // An output of another dtype gets zeros and ones.
  const bool casts = !is_boolean || (out.defined() && out.scalar_type() != at::kBool);
  config.cast_common_dtype_to_outputs(casts).enforce_safe_casting_to_output(!is_boolean);
  config.add_output(out);
  for (const at::Tensor* tensor : tensors) config.add_input(*tensor);
  for (const at::Scalar* scalar : scalars) {
    if (scalar != nullptr) config.add_owned_input(at::native::wrapped_scalar_tensor(*scalar));
  }
  op.build(config);
}

inline void build_pointwise(at::TensorIteratorBase& op, std::initializer_list<const at::Tensor*> tensors,
                            bool is_boolean, bool is_floating) {
  build_pointwise(op, tensors, {}, is_boolean, is_floating);
}

/// Returns null for an empty optional.
inline const at::Scalar* pointer_to(const at::Scalar& scalar) { return &scalar; }
inline const at::Scalar* pointer_to(const c10::optional<at::Scalar>& scalar) {
  return scalar.has_value() ? &*scalar : nullptr;
}

/// Throws unless the operator supports the common dtype.
inline void check_dtype(const char* name, at::ScalarType dtype, DtypeSet supported) {
  TORCH_CHECK_NOT_IMPLEMENTED(supported.contains(dtype), '"', name, "\" not implemented for '", toString(dtype), "'");
}

/// Throws if the tensor is not boolean.
inline void check_boolean(const char* name, const char* argument, const at::Tensor& tensor) {
  TORCH_CHECK(tensor.scalar_type() == at::kBool, name, ": expected `", argument, "` to be a boolean tensor, got ",
              tensor.scalar_type());
}

/// Throws if the scalar is of a higher category than the common dtype.
inline void check_scalar(const char* name, const char* argument, at::ScalarType dtype, const at::Scalar& value) {
  TORCH_CHECK(!value.isBoolean() || dtype == at::kBool, name, ": boolean ", argument,
              " is only supported for boolean results");
  TORCH_CHECK(at::isFloatingType(dtype) || at::isComplexType(dtype) || value.isIntegral(/*includeBool=*/true), name,
              ": for integral input tensors, argument ", argument, " must not be a floating point number");
  TORCH_CHECK(at::isComplexType(dtype) || !value.isComplex(), name, ": for non-complex input tensors, argument ",
              argument, " must not be a complex number");
}

inline void check_scalar(const char* name, const char* argument, at::ScalarType dtype,
                         const c10::optional<at::Scalar>& value) {
  if (value.has_value()) check_scalar(name, argument, dtype, *value);
}

/// Converts a number to an element. Throws if it is too large.
template <class T>
T to(const at::Scalar& value) {
  return value.to<T>();
}

/// Converts a number as an element of a tensor is converted: without a check for overflow.
template <class T>
T converted(const at::Scalar& value) {
  if (value.isComplex()) return c10::convert<T>(value.toComplexDouble());
  if (value.isFloatingPoint()) return c10::convert<T>(value.toDouble());
  return c10::convert<T>(value.toLong());
}

/// Sets each element of the iterator's output to a function of the elements of its first inputs. `make.operator()<T>()`
/// returns the function for type T, in which the common dtype is computed: float for Half and BFloat16.
template <DtypeSet types, class Make>
void pointwise_kernel(const char* name, at::TensorIteratorBase& op, const Make& make) {
  check_dtype(name, op.common_dtype(), types);
  torch_loops::run_pointwise_kernel<types, torch_loops::LoopKind::vectorized>(op, make);
}

/// pointwise_kernel with one loop for all instruction sets, for functions that are rarely called.
template <DtypeSet types, class Make>
void small_pointwise_kernel(const char* name, at::TensorIteratorBase& op, const Make& make) {
  check_dtype(name, op.common_dtype(), types);
  torch_loops::run_pointwise_kernel<types, torch_loops::LoopKind::small>(op, make);
}

/// pointwise_kernel with T the type of the common dtype itself, for functions that depend on the representation.
template <DtypeSet types, class Make>
void pointwise_kernel_as_is(const char* name, at::TensorIteratorBase& op, const Make& make) {
  check_dtype(name, op.common_dtype(), types);
  torch_loops::run_pointwise_kernel<types, torch_loops::LoopKind::as_is>(op, make);
}

}  // namespace structured::torch
