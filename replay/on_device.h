// Moves the values of calls between devices.
#pragma once

#include <structured/core/tensor.h>
#include <structured/device/device.h>
#include <structured/dispatch/schema.h>
#include <structured/dispatch/value.h>

#include <vector>

namespace structured::replay {

/// Returns tensors with the elements, strides and offsets of `values` on `device`; other values stay. A tensor that
/// occurs several times is moved once, and so is a storage that several tensors share.
Stack on_device(const Stack& values, Device device);

/// Returns the arguments of a call on `device`: tensors are moved, and arguments of type Device are replaced.
Stack arguments_on_device(const Stack& arguments, const std::vector<SchemaArgument>& schema, Device device);

}  // namespace structured::replay
