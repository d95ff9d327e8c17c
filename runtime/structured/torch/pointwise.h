#pragma once
// Kernels of operators that one scalar function defines. Emitted sources use them:
//
//     pointwise_kernel<kAllFloatingTypes>("soft_clip", op, [&]<class T>() {
//       return [limit = limit.to<T>()](T self) -> T { return my::soft_clip<T>(self, limit); };
//     });
//
// The scalar function is compiled for dense rows only, once per instruction set. Strides, broadcasting, and
// half-precision dtypes, which are computed in float, are reduced to such rows in blocks that fit into the L1 cache.
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
#include "structured/torch/convert_rows.h"
#include "structured/torch/dense_rows.h"
#include "structured/torch/dtype_set.h"

namespace structured::torch {

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

/// Converts a number as an element of a tensor is converted: without a check for overflow.
template <class T>
T converted(const at::Scalar& value) {
  if (value.isComplex()) return c10::convert<T>(value.toComplexDouble());
  if (value.isFloatingPoint()) return c10::convert<T>(value.toDouble());
  return c10::convert<T>(value.toLong());
}

namespace detail {

/// Reads `size` elements of type S with the given stride as elements of type C.
template <class S, class C>
void load(C* to, const char* from, int64_t stride, int64_t size) {
  if (stride == 0) {
    std::fill_n(to, size, static_cast<C>(*reinterpret_cast<const S*>(from)));
  } else if (stride == sizeof(S)) {
    convert_row(reinterpret_cast<const S*>(from), to, size);
  } else {
    for (int64_t i = 0; i < size; ++i) to[i] = static_cast<C>(*reinterpret_cast<const S*>(from + i * stride));
  }
}

template <class S, class C>
void store(char* to, const C* from, int64_t stride, int64_t size) {
  if (stride == sizeof(S)) {
    convert_row(from, reinterpret_cast<S*>(to), size);
  } else {
    for (int64_t i = 0; i < size; ++i) *reinterpret_cast<S*>(to + i * stride) = static_cast<S>(from[i]);
  }
}

/// Runs a loop over dense rows of `inputs` elements of type C, with results of type R, on the iterator's operands:
/// inputs of type S and an output of type Out.
template <class S, class C, class Out, class R, std::size_t inputs>
void run_rows(at::TensorIteratorBase& op, DenseRow row, const void* function) {
  constexpr int64_t block = 512;
  op.for_each([=](char** data, const int64_t* strides, int64_t size) {
    const bool writes_directly = std::is_same_v<Out, R> && strides[0] == sizeof(R);
    std::array<bool, inputs> reads_directly;
    bool is_dense = writes_directly;
    for (std::size_t i = 0; i < inputs; ++i) {
      reads_directly[i] = std::is_same_v<S, C> && strides[i + 1] == sizeof(C);
      is_dense = is_dense && reads_directly[i];
    }
    std::array<const void*, inputs> rows;
    if (is_dense) {
      for (std::size_t i = 0; i < inputs; ++i) rows[i] = data[i + 1];
      row(function, data[0], rows.data(), size);
      return;
    }
    alignas(64) C input_buffers[inputs][block];
    alignas(64) R output_buffer[block];
    for (int64_t start = 0; start < size; start += block) {
      const int64_t count = std::min(block, size - start);
      for (std::size_t i = 0; i < inputs; ++i) {
        const char* first = data[i + 1] + start * strides[i + 1];
        const bool is_filled = strides[i + 1] == 0 && start > 0;
        if (!reads_directly[i] && !is_filled) load<S, C>(input_buffers[i], first, strides[i + 1], count);
        rows[i] = reads_directly[i] ? static_cast<const void*>(first) : input_buffers[i];
      }
      char* out = data[0] + start * strides[0];
      row(function, writes_directly ? static_cast<void*>(out) : output_buffer, rows.data(), count);
      if (!writes_directly) store<Out, R>(out, output_buffer, strides[0], count);
    }
  });
  op.cast_outputs();
}

/// Elements of type S are computed in type C, by a loop for the processor or, to save code, for any processor.
template <class S, class C, bool is_vectorized = true, class F>
void run_pointwise(at::TensorIteratorBase& op, const F& function) {
  using Function = PointwiseFunction<F>;
  const DenseRow row = is_vectorized ? Function::row() : Function::baseline_row();
  using R = typename Function::Result;
  constexpr std::size_t inputs = Function::inputs;
  if constexpr (std::is_same_v<R, bool> && !std::is_same_v<S, bool>) {
    if (op.dtype(0) == at::kBool) return run_rows<S, C, bool, R, inputs>(op, row, &function);
  }
  run_rows<S, C, S, R, inputs>(op, row, &function);
}

}  // namespace detail

/// Sets each element of the iterator's output to a function of the elements of its first inputs. `make.operator()<T>()`
/// returns the function for type T, in which the common dtype is computed: float for Half and BFloat16.
template <DtypeSet types, class Make>
void pointwise_kernel(const char* name, at::TensorIteratorBase& op, const Make& make) {
  visit<types>(op.common_dtype(), [&]<class S>() {
    using C = typename detail::Computed<S>::Type;
    detail::run_pointwise<S, C>(op, make.template operator()<C>());
  });
  check_dtype(name, op.common_dtype(), types);
}

/// pointwise_kernel with one loop for all instruction sets, for functions that are rarely called.
template <DtypeSet types, class Make>
void small_pointwise_kernel(const char* name, at::TensorIteratorBase& op, const Make& make) {
  visit<types>(op.common_dtype(), [&]<class S>() {
    using C = typename detail::Computed<S>::Type;
    detail::run_pointwise<S, C, /*is_vectorized=*/false>(op, make.template operator()<C>());
  });
  check_dtype(name, op.common_dtype(), types);
}

/// pointwise_kernel with T the type of the common dtype itself, for functions that depend on the representation.
template <DtypeSet types, class Make>
void pointwise_kernel_as_is(const char* name, at::TensorIteratorBase& op, const Make& make) {
  visit<types>(op.common_dtype(), [&]<class S>() { detail::run_pointwise<S, S>(op, make.template operator()<S>()); });
  check_dtype(name, op.common_dtype(), types);
}

}  // namespace structured::torch
