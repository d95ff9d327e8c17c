#pragma once
// Copying elements between tensors, for code below the operators: proxies that are copied back, and kernels of `copy_`.
#include "structured/core/device.h"
#include "structured/core/export.h"
#include "structured/core/tensor.h"

namespace structured {

/// Copies between two tensors of equal sizes, at least one of which is on the device type that it was installed for.
using DeviceCopy = void (*)(const Tensor& destination, const Tensor& source);

/// Installs the copy function of a device type other than CPU and Meta, or removes it (null). Thread-safe.
STRUCTURED_API void set_device_copy(DeviceType type, DeviceCopy copy);

/// Writes each element of `source` to the same index of `destination`. Any strides; any dtypes, except that quantized
/// ones must agree; values convert as `convert` (core/convert.h) says. The result is unspecified if the two overlap
/// without being the same elements. Neither broadcasts nor bumps the version.
///
/// Between two tensors on meta nothing is copied. Devices other than cpu are served by what `set_device_copy`
/// installed, or else by their allocator, if the host can read its memory or the tensors are laid out alike. Throws
/// Error if sizes differ, or if nobody can copy between the devices.
STRUCTURED_API void copy_into(const Tensor& destination, const Tensor& source);

/// An uninitialised dense tensor of the sizes of `like`, whose dimensions lie in memory in the same order: where `like`
/// has gaps, or repeats elements, these are left out. `options` say dtype and device.
STRUCTURED_API Tensor empty_in_order_of(const Tensor& like, TensorOptions options);

}  // namespace structured
