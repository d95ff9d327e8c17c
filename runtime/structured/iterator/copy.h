#pragma once
// Copies between tensors for code below the operators, such as temporary outputs and kernels of `copy_`.
#include "structured/base/export.h"
#include "structured/core/tensor.h"
#include "structured/device/device.h"

namespace structured {

/// Copies between two tensors of equal sizes. At least one is on the device type of the registration.
using DeviceCopy = void (*)(const Tensor& destination, const Tensor& source);

/// Registers the copy function of a device type other than CPU and Meta, or removes it (null). Thread-safe.
STRUCTURED_API void set_device_copy(DeviceType type, DeviceCopy copy);

/// Copies each element of `source` to the same index of `destination`. Accepts any strides, and any dtypes except that
/// quantized ones must be equal; values convert as in `convert` (number/convert.h). The result is unspecified if the
/// two overlap partly. Neither broadcasts nor bumps the version.
///
/// Does nothing between two meta tensors. Other devices use the function of `set_device_copy`; without one,
/// host-accessible memory is copied on the CPU, and tensors of one device and layout by their allocator. Throws Error
/// if sizes differ, or if no copy is registered between the devices.
STRUCTURED_API void copy_into(const Tensor& destination, const Tensor& source);

/// Uninitialized dense tensor with the sizes of `like` and its order of dimensions in memory, without gaps or repeated
/// elements. `options` are dtype and device.
STRUCTURED_API Tensor empty_in_order_of(const Tensor& like, TensorOptions options);

}  // namespace structured
