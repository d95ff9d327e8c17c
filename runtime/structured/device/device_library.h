#pragma once
// Libraries of device types, which are opened when a program first uses such a device.
#include <cstddef>

#include "structured/base/export.h"
#include "structured/device/device.h"

namespace structured::detail {

/// Opens the library that registers an allocator for the device type, if there is one for this type:
/// `libstructured_cuda` beside the runtime's library, or else where the dynamic linker finds it. Returns null if the
/// library is open, or a description of the error, which lives as long as the program. Thread-safe.
STRUCTURED_API const char* open_device_library(DeviceType type);

/// Returns the index of the current device of a type.
using CurrentDevice = int8_t (*)();

/// Registers the function that Device indices of -1 are resolved with, or removes it (null). Thread-safe.
STRUCTURED_API void set_current_device(DeviceType type, CurrentDevice current);

/// Copies bytes from the memory of a device to the host. The copy is complete when the function returns.
using ReadDevice = void (*)(void* to, const void* from, std::size_t bytes, Device device);

/// Registers the function that reads elements of tensors on a type of device, or removes it (null). Thread-safe.
STRUCTURED_API void set_read_device(DeviceType type, ReadDevice read);

/// Returns the function of set_read_device, or null.
ReadDevice read_device(DeviceType type);

/// Returns the device with the index of the current device if it has none and its type has registered a function.
Device with_index(Device device);

}  // namespace structured::detail
