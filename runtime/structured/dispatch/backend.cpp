#include "structured/dispatch/backend.h"

#include <array>

#include "structured/core/error.h"

namespace structured {

std::string_view to_string(Backend backend) {
  static constexpr std::array<std::string_view, backend_count> names{
      "CPU", "QuantizedCPU", "SparseCPU", "CUDA", "PrivateUse1", "PrivateUse2", "PrivateUse3", "Meta"};
  return backend < Backend::count ? names[static_cast<std::size_t>(backend)] : "unknown backend";
}

namespace detail {

Backend unusual_backend(DeviceType device, Layout layout, ScalarType dtype) {
  const bool sparse = layout != Layout::Strided;
  const bool quantized = is_quantized(dtype);
  Backend backend = Backend::CPU;
  switch (device) {
    case DeviceType::CPU:
      return sparse ? Backend::SparseCPU : quantized ? Backend::QuantizedCPU : Backend::CPU;
    case DeviceType::Meta:
      return Backend::Meta;
    case DeviceType::CUDA:
      backend = Backend::CUDA;
      break;
    case DeviceType::PrivateUse1:
      backend = Backend::PrivateUse1;
      break;
    case DeviceType::PrivateUse2:
      backend = Backend::PrivateUse2;
      break;
    case DeviceType::PrivateUse3:
      backend = Backend::PrivateUse3;
      break;
  }
  STRUCTURED_CHECK(!sparse && !quantized, "no backend serves ", sparse ? "sparse" : "quantized", " tensors on `",
                   to_string(backend), "`");
  return backend;
}

}  // namespace detail
}  // namespace structured
