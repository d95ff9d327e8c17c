#pragma once
// Copies of a call's arguments.
#include "structured/base/export.h"
#include "structured/device/device.h"
#include "structured/dispatch/value.h"

namespace structured::detail {

/// Copies arguments with their memory. Tensors that share a storage, or are the same tensor, do so in the copy, too.
/// Copies on meta have no memory.
STRUCTURED_API Stack copied_arguments(const Stack& arguments, DeviceType type);

}  // namespace structured::detail
