#pragma once
// Backends: each operator has at most one kernel per backend.
#include <cstddef>
#include <cstdint>

#include "structured/core/layout.h"
#include "structured/device/device.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// The properties of a tensor that select a kernel: device, and whether it is sparse or quantized. The order is a
/// priority: the highest backend among the tensors of a call wins.
enum class Backend : uint8_t {
#define STRUCTURED_BACKEND(name, ...) name,
#include "structured/schema/backends.def"
  count
};

constexpr std::size_t backend_count = static_cast<std::size_t>(Backend::count);

/// Dispatch key of tensors that require gradients: higher than all backends, so that a call with such a tensor reaches
/// the operator's autograd kernel, which continues on a backend.
inline constexpr Backend kAutogradKey = static_cast<Backend>(backend_count + 1);

namespace detail {

/// Backends of strided tensors that are not quantized, by device type: those of the same names.
inline constexpr Backend kPlainBackends[kDeviceTypeCount] = {
#define STRUCTURED_DEVICE_TYPE(enumerator, ...) Backend::enumerator,
#include "structured/schema/backends.def"
};

/// The backend of tensors with these properties; Backend::count if no backend serves them: sparse or quantized tensors
/// outside the CPU.
constexpr Backend find_backend(DeviceType device, Layout layout, ScalarType dtype) {
  const Backend plain = kPlainBackends[static_cast<std::size_t>(device)];
  if (plain == Backend::Meta || (layout == Layout::Strided && !is_quantized(dtype))) return plain;
  if (plain != Backend::CPU) return Backend::count;
  return layout != Layout::Strided ? Backend::SparseCPU : Backend::QuantizedCPU;
}

}  // namespace detail
}  // namespace structured
