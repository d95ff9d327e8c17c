#pragma once
// CUDA devices: how many there are, their properties, and the current one of each thread.
#include <cstddef>
#include <cstdint>
#include <string>

#include "structured/cuda/export.h"
#include "structured/device/device.h"

namespace structured::cuda {

inline constexpr int kMaxDevices = 16;

/// Number of devices; 0 if there is no driver.
STRUCTURED_CUDA_API int device_count() noexcept;

/// Whether there is a device.
inline bool is_available() noexcept { return device_count() > 0; }

struct DeviceProperties {
  std::string name;
  int major = 0;  ///< first number of the compute capability
  int minor = 0;
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;  ///< that run at once
  std::size_t total_memory = 0;
};

/// Properties of a device, which are read once. Throws Error if there is no such device.
STRUCTURED_CUDA_API const DeviceProperties& device_properties(int device);

/// The current device of the calling thread, initially 0. DeviceGuard changes it for a scope.
STRUCTURED_CUDA_API int current_device() noexcept;

/// Throws Error if there is no such device.
STRUCTURED_CUDA_API void set_current_device(int device);

/// Waits until all work on the current device has ended. Throws Error if a kernel has failed.
STRUCTURED_CUDA_API void synchronize();

}  // namespace structured::cuda
