#pragma once
// An in-order queue of work on a device, identified by a number that the device's backend defines.
#include <cstdint>
#include <iosfwd>

#include "structured/device/device.h"

namespace structured {

class Stream {
 public:
  /// Id 0 is the default stream of the device.
  constexpr explicit Stream(Device device, int64_t id = 0) : id_(id), device_(device) {}

  constexpr Device device() const { return device_; }
  constexpr int64_t id() const { return id_; }

  friend constexpr bool operator==(Stream, Stream) = default;

 private:
  int64_t id_;
  Device device_;
};

/// Prints `stream 3 on cuda:0`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, Stream stream);

}  // namespace structured
