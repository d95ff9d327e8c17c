#pragma once
// Backends: which kernel of an operator a call runs.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "structured/core/array_ref.h"
#include "structured/core/device.h"
#include "structured/core/export.h"
#include "structured/core/layout.h"
#include "structured/core/scalar_type.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_options.h"

namespace structured {

/// Where a tensor's data lives and how it is laid out, as far as the choice of a kernel goes. The order is a priority:
/// among the tensors of a call, the highest wins.
enum class Backend : std::uint8_t {
  CPU,
  QuantizedCPU,
  SparseCPU,
  CUDA,
  PrivateUse1,
  PrivateUse2,
  PrivateUse3,
  Meta,
  count
};

constexpr std::size_t backend_count = static_cast<std::size_t>(Backend::count);

/// `CPU`, `QuantizedCPU`, ...
STRUCTURED_API std::string_view to_string(Backend backend);

namespace detail {

/// The backend of what has these three properties. Throws Error for a sparse or quantized tensor outside the CPU, which
/// no backend serves.
STRUCTURED_API Backend unusual_backend(DeviceType device, Layout layout, ScalarType dtype);

inline Backend backend_of(DeviceType device, Layout layout, ScalarType dtype) {
  if (device == DeviceType::CPU && layout == Layout::Strided && !is_quantized(dtype)) [[likely]] {
    return Backend::CPU;
  }
  return unusual_backend(device, layout, dtype);
}

constexpr Backend higher(Backend a, Backend b) { return a < b ? b : a; }

/// What a factory's arguments say about the tensor to come.
struct FactoryOptions {
  std::optional<Device> device;
  std::optional<Layout> layout;
  std::optional<ScalarType> dtype;

  template <class T>
  void add(const T& argument) {
    if constexpr (std::is_same_v<T, std::optional<Device>>) {
      device = argument;
    } else if constexpr (std::is_same_v<T, std::optional<Layout>>) {
      layout = argument;
    } else if constexpr (std::is_same_v<T, std::optional<ScalarType>>) {
      dtype = argument;
    } else if constexpr (std::is_same_v<T, TensorOptions>) {
      device = argument.device_opt();
      layout = argument.layout_opt();
      dtype = argument.dtype_opt();
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

/// The backend of a defined tensor.
inline Backend backend_of(const Tensor& tensor) {
  return detail::backend_of(tensor.device().type(), tensor.layout(), tensor.scalar_type());
}

namespace detail {

template <class T>
Backend backend_of_argument(const T& argument) {
  Backend backend = Backend::CPU;
  if constexpr (std::is_same_v<T, Tensor>) {
    if (argument.defined()) {
      backend = structured::backend_of(argument);
    }
  } else if constexpr (std::is_same_v<T, std::optional<Tensor>>) {
    if (argument.has_value()) {
      backend = backend_of_argument(*argument);
    }
  } else if constexpr (is_tensor_argument<T>) {
    for (const auto& element : argument) {
      backend = higher(backend, backend_of_argument(element));
    }
  }
  return backend;
}

}  // namespace detail

/// The backend that a call with these arguments runs on: the highest among the defined tensors (also in optionals and
/// lists). A function without any tensor parameter is a factory: there the device, layout and dtype asked for decide.
/// CPU otherwise.
template <class... Args>
Backend dispatch_backend(const Args&... args) {
  Backend backend = Backend::CPU;
  if constexpr ((detail::is_tensor_argument<Args> || ...)) {
    ((backend = detail::higher(backend, detail::backend_of_argument(args))), ...);
  } else if constexpr ((detail::is_factory_argument<Args> || ...)) {
    detail::FactoryOptions options;
    (options.add(args), ...);
    backend = detail::backend_of(options.device.value_or(Device(DeviceType::CPU)).type(),
                                 options.layout.value_or(Layout::Strided), options.dtype.value_or(ScalarType::Float));
  }
  return backend;
}

}  // namespace structured
