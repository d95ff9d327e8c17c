// Devices in the edge runtime, which opens no libraries.
#include "structured/device/device_library.h"

namespace structured::detail {

const char* open_device_library(DeviceType) { return "the edge runtime opens no libraries for devices"; }

}  // namespace structured::detail
