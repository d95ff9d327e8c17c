#include "device.h"

#include <structured/base/error.h>

#include <utility>

#include "arena.h"

namespace npu {
namespace {

thread_local int8_t current = 0;

class Guard final : public structured::DeviceGuardInterface {
 public:
  int8_t exchange_device(int8_t index) const override {
    STRUCTURED_CHECK(index < device_count, "npu: expected a device below ", device_count, ", got ",
                     static_cast<int>(index));
    return index < 0 ? current : std::exchange(current, index);
  }
};

}  // namespace

const structured::DeviceGuardInterface& device_guard() {
  static const Guard& guard = *new Guard;
  return guard;
}

int current_device() { return current; }

}  // namespace npu
