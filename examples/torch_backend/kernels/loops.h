// Loops in host memory. TensorIterator converts operands to the common dtype for CPUs only, so these loops convert each
// element.
#pragma once

#include <ATen/TensorIterator.h>
#include <c10/core/DynamicCast.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace host_device {

/// Calls `function.template operator()<T>()` with the type in which kernels compute `dtype`.
template <class Function>
void visit_compute_type(const char* name, at::ScalarType dtype, const Function& function) {
  if (at::isIntegralType(dtype, /*includeBool=*/true)) {
    function.template operator()<int64_t>();
  } else if (dtype == at::kDouble) {
    function.template operator()<double>();
  } else if (dtype == at::kFloat || dtype == at::kHalf || dtype == at::kBFloat16) {
    function.template operator()<float>();
  } else {
    TORCH_CHECK_NOT_IMPLEMENTED(false, name, ": expected real numbers on the device, found ", dtype);
  }
}

/// visit_compute_type for operators on floating-point numbers only.
template <class Function>
void visit_floating_type(const char* name, at::ScalarType dtype, const Function& function) {
  TORCH_CHECK_NOT_IMPLEMENTED(at::isFloatingType(dtype), name,
                              ": expected floating-point numbers on the device, found ", dtype);
  if (dtype == at::kDouble) {
    function.template operator()<double>();
  } else {
    function.template operator()<float>();
  }
}

template <class T>
T load(at::ScalarType dtype, const char* address) {
  return c10::fetch_and_cast<T>(dtype, address);
}

template <class T>
void store(at::ScalarType dtype, char* address, T value) {
  c10::cast_and_store<T>(dtype, address, value);
}

/// The function of element `i` of each input.
template <class T, class Function, std::size_t... I>
auto call_on_element(const at::TensorIteratorBase& op, const Function& function, char** data, const int64_t* strides,
                     int64_t i, std::index_sequence<I...>) {
  return function(load<T>(op.dtype(I + 1), data[I + 1] + i * strides[I + 1])...);
}

/// The number of arguments of type T that the function takes: 1, 2 or 3.
template <class T, class Function>
constexpr std::size_t arity() {
  if constexpr (std::is_invocable_v<Function, T>) {
    return 1;
  } else if constexpr (std::is_invocable_v<Function, T, T>) {
    return 2;
  } else {
    return 3;
  }
}

/// Sets each element of the output to `function` of the elements of the inputs, which are converted to T.
template <class T, class Function>
void for_each_element(at::TensorIteratorBase& op, const Function& function) {
  constexpr std::size_t inputs = arity<T, Function>();
  TORCH_INTERNAL_ASSERT(op.ninputs() == static_cast<int>(inputs));
  op.for_each([&](char** data, const int64_t* strides, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      store(op.dtype(0), data[0] + i * strides[0],
            call_on_element<T>(op, function, data, strides, i, std::make_index_sequence<inputs>()));
    }
  });
}

}  // namespace host_device
