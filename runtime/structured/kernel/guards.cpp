#include "structured/kernel/guards.h"

#include <atomic>

#include "structured/base/error.h"

namespace structured {
namespace {

constinit std::atomic<const DeviceGuardInterface*> guard_interfaces[kDeviceTypeCount] = {};

}  // namespace

namespace detail {

void DeviceCheck::add(const Tensor& tensor) {
  if (tensor.dim() == 0 && tensor.device().is_cpu()) {
    return;
  }
  if (first_ == nullptr) {
    first_ = &tensor;
    first_argument_ = argument_;
  }
  STRUCTURED_CHECK(tensor.device() == first_->device(), "`", op_, "`: expected all tensors on one device, got ",
                   tensor.device(), " for argument ", argument_, " where argument ", first_argument_, " is on ",
                   first_->device());
}

}  // namespace detail

void set_device_guard_interface(DeviceType type, const DeviceGuardInterface* interface) {
  guard_interfaces[static_cast<std::size_t>(type)].store(interface, std::memory_order_release);
}

void DeviceGuard::enter(Device device) {
  interface_ = guard_interfaces[static_cast<std::size_t>(device.type())].load(std::memory_order_acquire);
  if (interface_ != nullptr) {
    previous_ = interface_->exchange_device(device.index());
  }
}

void DeviceGuard::leave() noexcept { interface_->exchange_device(previous_); }

}  // namespace structured
