#include "structured/device/device_library.h"

#include <atomic>
#include <cstddef>

#include "structured/device/device_thread_state.h"

namespace structured::detail {

STRUCTURED_THREAD_LOCAL DeviceThreadState device_thread_state;

namespace {

constinit std::atomic<CurrentDevice> current_devices[kDeviceTypeCount] = {};

constinit std::atomic<ReadDevice> readers[kDeviceTypeCount] = {};

}  // namespace

void set_current_device(DeviceType type, CurrentDevice current) {
  current_devices[static_cast<std::size_t>(type)].store(current, std::memory_order_release);
}

void set_read_device(DeviceType type, ReadDevice read) {
  readers[static_cast<std::size_t>(type)].store(read, std::memory_order_release);
}

ReadDevice read_device(DeviceType type) {
  return readers[static_cast<std::size_t>(type)].load(std::memory_order_acquire);
}

Device with_index(Device device) {
  if (device.has_index() || device.is_cpu() || device.is_meta()) return device;
  const std::atomic<CurrentDevice>& current = current_devices[static_cast<std::size_t>(device.type())];
  CurrentDevice found = current.load(std::memory_order_acquire);
  if (found == nullptr && device.is_cuda() && open_device_library(device.type()) == nullptr) {
    found = current.load(std::memory_order_acquire);
  }
  return found == nullptr ? device : Device(device.type(), found());
}

}  // namespace structured::detail
