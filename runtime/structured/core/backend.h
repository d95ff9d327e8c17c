#pragma once
// Backends: which kernel of an operator a call runs.
#include <cstddef>
#include <cstdint>

#include "structured/core/device.h"
#include "structured/core/layout.h"
#include "structured/core/scalar_type.h"

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

namespace detail {

/// Backends of strided tensors that are not quantized, by device type.
inline constexpr Backend kPlainBackends[kDeviceTypeCount] = {
    Backend::CPU, Backend::CUDA, Backend::Meta, Backend::PrivateUse1, Backend::PrivateUse2, Backend::PrivateUse3};

/// The backend of what has these three properties; Backend::count for a sparse or quantized tensor outside the CPU,
/// which no backend serves.
constexpr Backend find_backend(DeviceType device, Layout layout, ScalarType dtype) {
  const Backend plain = kPlainBackends[static_cast<std::size_t>(device)];
  if (plain == Backend::Meta || (layout == Layout::Strided && !is_quantized(dtype))) return plain;
  if (plain != Backend::CPU) return Backend::count;
  return layout != Layout::Strided ? Backend::SparseCPU : Backend::QuantizedCPU;
}

}  // namespace detail
}  // namespace structured
