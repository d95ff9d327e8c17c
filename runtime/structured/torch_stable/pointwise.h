#pragma once
// Kernels of operators that one scalar function defines. Emitted sources use them as those of
// structured/torch/pointwise.h; they need the stable ABI alone. Schemas of the stable ABI have no numbers of any type:
// scalars are of type double.
#include <torch/headeronly/util/Exception.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <type_traits>

#include "structured/torch_loops/dtype_set.h"
#include "structured/torch_loops/pointwise_rows.h"
#include "structured/torch_stable/iterator.h"

namespace structured::torch_stable {

using namespace torch_loops;

/// Describes the output of an elementwise operator; see ElementwiseIterator::build.
inline void build_pointwise(ElementwiseIterator& op, std::initializer_list<const Tensor*> tensors, bool is_boolean,
                            bool is_floating) {
  op.build(tensors, is_boolean, is_floating);
}

/// Throws unless the operator supports the common dtype.
inline void check_dtype(const char* name, ScalarType dtype, DtypeSet supported) {
  STD_TORCH_CHECK(supported.contains(dtype), '"', name, "\" not implemented for '",
                  ::torch::headeronly::toString(dtype), "'");
}

/// Throws if the tensor is not boolean.
inline void check_boolean(const char* name, const char* argument, const Tensor& tensor) {
  STD_TORCH_CHECK(tensor.scalar_type() == ScalarType::Bool, name, ": expected `", argument,
                  "` to be a boolean tensor, got ", ::torch::headeronly::toString(tensor.scalar_type()));
}

/// Throws if the common dtype has no number of this kind.
inline void check_scalar(const char* name, const char* argument, ScalarType dtype, double value) {
  STD_TORCH_CHECK(detail::category_of(dtype) >= detail::Category::floating || std::trunc(value) == value, name,
                  ": for integral input tensors, argument ", argument, " must be a whole number, got ", value);
}
inline void check_scalar(const char* name, const char* argument, ScalarType dtype, const std::optional<double>& value) {
  if (value.has_value()) check_scalar(name, argument, dtype, *value);
}

/// Converts a number to an element. Throws if it is too large.
template <class T>
T to(double value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value != 0;
  } else if constexpr (std::is_integral_v<T>) {
    // The limits of 64 bits are not numbers of type double: the next larger one is the first that does not fit.
    const bool fits = value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                      value < 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
    STD_TORCH_CHECK(fits, "value ", value, " cannot be converted to an integer of ", 8 * sizeof(T),
                    " bits without overflow");
    return static_cast<T>(value);
  } else {
    if constexpr (std::numeric_limits<T>::is_specialized) {
      const bool fits = !std::isfinite(value) || std::abs(value) <= static_cast<double>(std::numeric_limits<T>::max());
      STD_TORCH_CHECK(fits, "value ", value, " cannot be converted to a floating-point number of ", 8 * sizeof(T),
                      " bits without overflow");
    }
    return static_cast<T>(value);
  }
}

/// Sets each element of the iterator's output to a function of the elements of its inputs. `make.operator()<T>()`
/// returns the function for type T, in which the common dtype is computed: float for Half and BFloat16.
template <DtypeSet types, class Make>
void pointwise_kernel(const char* name, ElementwiseIterator& op, const Make& make) {
  check_dtype(name, op.common_dtype(), types);
  torch_loops::run_pointwise_kernel<types, torch_loops::LoopKind::vectorized>(op, make);
}

/// pointwise_kernel with one loop for all instruction sets, for functions that are rarely called.
template <DtypeSet types, class Make>
void small_pointwise_kernel(const char* name, ElementwiseIterator& op, const Make& make) {
  check_dtype(name, op.common_dtype(), types);
  torch_loops::run_pointwise_kernel<types, torch_loops::LoopKind::small>(op, make);
}

/// pointwise_kernel with T the type of the common dtype itself, for functions that depend on the representation.
template <DtypeSet types, class Make>
void pointwise_kernel_as_is(const char* name, ElementwiseIterator& op, const Make& make) {
  check_dtype(name, op.common_dtype(), types);
  torch_loops::run_pointwise_kernel<types, torch_loops::LoopKind::as_is>(op, make);
}

}  // namespace structured::torch_stable
