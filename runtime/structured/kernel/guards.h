#pragma once
// Checks and guards that every wrapper runs before a kernel: all tensors on one device, and that device current.
#include <cstdint>
#include <optional>
#include <type_traits>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_options.h"
#include "structured/device/device.h"
#include "structured/dispatch/backend.h"
#include "structured/kernel/visit_tensors.h"

namespace structured {

namespace detail {

/// Complete check, with the exception for 0-dimensional CPU tensors; for calls that the quick test does not accept.
class DeviceCheck {
 public:
  explicit DeviceCheck(const char* op) : op_(op) {}
  void begin_argument() { ++argument_; }
  STRUCTURED_API STRUCTURED_COLD void add(const Tensor& tensor);

 private:
  const char* op_;
  const Tensor* first_ = nullptr;
  int argument_ = 0;
  int first_argument_ = 0;
};

template <class... Args>
STRUCTURED_COLD void check_mixed_devices(const char* op, const Args&... args) {
  DeviceCheck check(op);
  ((check.begin_argument(), visit_tensors(args, [&check](const Tensor& tensor) { check.add(tensor); })), ...);
}

}  // namespace detail

/// Checks that all defined tensors among the arguments (also in optionals and lists) are on one device. 0-dimensional
/// CPU tensors may be combined with any device. Throws Error with the operator, the number of the argument and both
/// devices.
template <class... Args>
void check_same_device(const char* op, const Args&... args) {
  // Bits that every signature has, and bits that some signature has. They also differ if there is no tensor at all.
  uint32_t common = ~uint32_t{0};
  uint32_t any = 0;
  (detail::visit_tensors(args,
                         [&](const Tensor& tensor) {
                           const uint32_t word = tensor.impl()->signature().word;
                           common &= word;
                           any |= word;
                         }),
   ...);
  if (((common ^ any) & TensorSignature::kDeviceBits) != 0) [[unlikely]] {
    detail::check_mixed_devices(op, args...);
  }
}

/// Device of the first defined tensor among the arguments; 0-dimensional CPU tensors count only if there is no other.
/// If no parameter can hold a tensor (factories), the device argument. None if there is neither.
template <class... Args>
std::optional<Device> device_of(const Args&... args) {
  std::optional<Device> device;
  if constexpr ((detail::is_tensor_argument<Args> || ...)) {
    bool device_goes_with_any = false;
    (detail::visit_tensors(args,
                           [&](const Tensor& tensor) {
                             if (!device.has_value() || (device_goes_with_any && !tensor.is_cpu())) {
                               device = tensor.device();
                               device_goes_with_any = tensor.is_cpu() && tensor.dim() == 0;
                             }
                           }),
     ...);
  } else {
    [[maybe_unused]] const auto consider = [&device](const auto& argument) {
      using T = std::remove_cvref_t<decltype(argument)>;
      if constexpr (std::is_same_v<T, std::optional<Device>>) {
        device = argument;
      } else if constexpr (std::is_same_v<T, TensorOptions>) {
        device = argument.device_opt();
      }
    };
    (consider(args), ...);
  }
  return device;
}

/// Interface that switches the current device of one device type. The library of a backend installs it. Device types
/// without one have a single device, and their guards do nothing.
class STRUCTURED_API DeviceGuardInterface {
 public:
  virtual ~DeviceGuardInterface() = default;
  /// Makes the device with this index current on the calling thread (-1: no change) and returns the previous index.
  /// Called from any thread. Must not throw when it restores a device that was current before.
  virtual int8_t exchange_device(int8_t index) const = 0;
};

/// Installs the interface of a device type, or removes it (null). `interface` is not owned and must outlive all guards
/// of the type. Thread-safe.
STRUCTURED_API void set_device_guard_interface(DeviceType type, const DeviceGuardInterface* interface);

/// Makes a device current until the end of the scope.
class STRUCTURED_API DeviceGuard {
 public:
  explicit DeviceGuard(Device device) {
    if (device.type() != DeviceType::CPU && device.type() != DeviceType::Meta) {
      enter(device);
    }
  }
  explicit DeviceGuard(std::optional<Device> device) : DeviceGuard(device.value_or(Device(DeviceType::CPU))) {}
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
  ~DeviceGuard() {
    if (interface_ != nullptr) [[unlikely]] {
      leave();
    }
  }

 private:
  void enter(Device device);
  void leave() noexcept;

  const DeviceGuardInterface* interface_ = nullptr;
  int8_t previous_ = -1;
};

}  // namespace structured
