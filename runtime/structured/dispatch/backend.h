#pragma once
// Selection of the backend that a call runs on.
#include <optional>
#include <string_view>
#include <type_traits>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/backend.h"
#include "structured/core/layout.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_options.h"
#include "structured/device/device.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// Name of a backend: `CPU`, `QuantizedCPU`, ...
STRUCTURED_API std::string_view to_string(Backend backend);

namespace detail {

/// Reports a sparse or quantized tensor on a device that has no backend for it.
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_no_backend(DeviceType device, Layout layout);

inline Backend backend_of(DeviceType device, Layout layout, ScalarType dtype) {
  const Backend backend = find_backend(device, layout, dtype);
  if (backend == Backend::count) [[unlikely]]
    throw_no_backend(device, layout);
  return backend;
}

constexpr Backend higher(Backend a, Backend b) { return a < b ? b : a; }

/// Device, layout and dtype that the arguments of a factory specify.
struct FactoryOptions {
  DeviceType device = DeviceType::CPU;
  Layout layout = Layout::Strided;
  ScalarType dtype = ScalarType::Float;

  template <class T>
  void add(const T& argument) {
    if constexpr (std::is_same_v<T, std::optional<Device>>) {
      if (argument) device = argument->type();
    } else if constexpr (std::is_same_v<T, std::optional<Layout>>) {
      if (argument) layout = *argument;
    } else if constexpr (std::is_same_v<T, std::optional<ScalarType>>) {
      if (argument) dtype = *argument;
    } else if constexpr (std::is_same_v<T, TensorOptions>) {
      add(argument.device_opt());
      add(argument.layout_opt());
      add(argument.dtype_opt());
    }
  }
};

template <class T>
constexpr bool is_tensor_argument =
    std::is_same_v<T, Tensor> || std::is_same_v<T, std::optional<Tensor>> || std::is_same_v<T, ArrayRef<Tensor>> ||
    std::is_same_v<T, ArrayRef<std::optional<Tensor>>>;

template <class T>
constexpr bool is_factory_argument = std::is_same_v<T, std::optional<Device>> || std::is_same_v<T, TensorOptions>;

}  // namespace detail

/// Backend of a defined tensor. Throws Error for a sparse or quantized tensor outside the CPU: no backend serves it.
inline Backend backend_of(const Tensor& tensor) {
  const Backend backend = tensor.backend();
  if (backend == Backend::count) [[unlikely]]
    detail::throw_no_backend(tensor.device().type(), tensor.layout());
  return backend;
}

namespace detail {

/// TensorImpl::backend or TensorImpl::dispatch_key.
using KeyOfTensor = Backend (TensorImpl::*)() const;

// Backend::count is higher than all backends, so that it survives the maximum and one test after all arguments finds
// it.
template <KeyOfTensor key, class T>
Backend key_of_argument(const T& argument) {
  Backend highest = Backend::CPU;
  if constexpr (std::is_same_v<T, Tensor>) {
    if (argument.defined()) highest = (argument.impl()->*key)();
  } else if constexpr (std::is_same_v<T, std::optional<Tensor>>) {
    if (argument.has_value()) highest = key_of_argument<key>(*argument);
  } else if constexpr (is_tensor_argument<T>) {
    for (const auto& element : argument) {
      highest = higher(highest, key_of_argument<key>(element));
    }
  }
  return highest;
}

template <class T>
void check_backend_of(const T& argument) {
  if constexpr (std::is_same_v<T, Tensor>) {
    if (argument.defined()) structured::backend_of(argument);
  } else if constexpr (std::is_same_v<T, std::optional<Tensor>>) {
    if (argument.has_value()) check_backend_of(*argument);
  } else if constexpr (is_tensor_argument<T>) {
    for (const auto& element : argument) check_backend_of(element);
  }
}

/// Highest key among the arguments; Backend::count for a tensor that no backend serves.
template <KeyOfTensor key, class... Args>
Backend highest_unchecked_key(const Args&... args) {
  Backend highest = Backend::CPU;
  if constexpr ((is_tensor_argument<Args> || ...)) {
    ((highest = higher(highest, key_of_argument<key>(args))), ...);
  } else if constexpr ((is_factory_argument<Args> || ...)) {
    FactoryOptions options;
    (options.add(args), ...);
    highest = backend_of(options.device, options.layout, options.dtype);
  }
  return highest;
}

template <KeyOfTensor key, class... Args>
Backend highest_key(const Args&... args) {
  const Backend highest = highest_unchecked_key<key>(args...);
  if (highest == Backend::count) [[unlikely]]
    (check_backend_of(args), ...);
  return highest;
}

}  // namespace detail

/// Backend that a call with these arguments runs on: the highest one among the defined tensors, also in optionals and
/// lists. A function without any tensor parameter is a factory: its device, layout and dtype arguments decide. CPU
/// otherwise. Throws Error for a sparse or quantized tensor outside the CPU, which no backend serves.
template <class... Args>
Backend dispatch_backend(const Args&... args) {
  return detail::highest_key<&TensorImpl::backend>(args...);
}

/// Slot of dispatch tables that a call with these arguments selects: kAutogradKey if one of the tensors requires
/// gradients, otherwise dispatch_backend.
template <class... Args>
Backend dispatch_key(const Args&... args) {
  return detail::highest_key<&TensorImpl::dispatch_key>(args...);
}

namespace detail {

// Higher of two backends; Backend::count means none.
constexpr Backend higher_if_any(Backend a, Backend b) {
  return a == Backend::count ? b : b == Backend::count ? a : higher(a, b);
}

template <class T>
Backend backend_below(Backend, const T&) {
  return Backend::count;
}
inline Backend backend_below(Backend limit, const Tensor& argument) {
  return argument.defined() && argument.impl()->backend() < limit ? argument.impl()->backend() : Backend::count;
}
inline Backend backend_below(Backend limit, const std::optional<Tensor>& argument) {
  return argument ? backend_below(limit, *argument) : Backend::count;
}
template <class T>
  requires is_tensor_argument<ArrayRef<T>>
Backend backend_below(Backend limit, ArrayRef<T> arguments) {
  Backend backend = Backend::count;
  for (const T& argument : arguments) backend = higher_if_any(backend, backend_below(limit, argument));
  return backend;
}

}  // namespace detail

/// Highest backend below `limit` among the defined tensors; Backend::count if there is none.
template <class... Args>
Backend dispatch_backend_below([[maybe_unused]] Backend limit, const Args&... args) {
  Backend backend = Backend::count;
  ((backend = detail::higher_if_any(backend, detail::backend_below(limit, args))), ...);
  return backend;
}

}  // namespace structured
