#pragma once
// The current device of each thread.
#include <structured/kernel/guards.h>

namespace npu {

const structured::DeviceGuardInterface& device_guard();
int current_device();

}  // namespace npu
