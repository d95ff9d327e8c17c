#pragma once
// Device, dtype and rank of a tensor in one word.
#include <cstddef>
#include <cstdint>

#include "structured/device/device.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// Device type, device index, dtype and rank in one word: equal signatures are found by one comparison.
struct TensorSignature {
  static constexpr uint32_t kDeviceBits = 0xffff;
  static constexpr uint32_t kDtypeBits = 0xff0000;

  uint32_t word;

  static constexpr TensorSignature make(Device device, ScalarType dtype, std::size_t rank) {
    return {static_cast<uint32_t>(device.type()) | static_cast<uint32_t>(static_cast<uint8_t>(device.index())) << 8 |
            static_cast<uint32_t>(dtype) << 16 | static_cast<uint32_t>(rank) << 24};
  }
  constexpr TensorSignature with_rank(std::size_t rank) const {
    return {(word & 0xffffff) | static_cast<uint32_t>(rank) << 24};
  }
  constexpr Device device() const { return Device(device_type(), device_index()); }
  constexpr bool is_on(Device device) const { return ((word ^ make(device, {}, 0).word) & kDeviceBits) == 0; }
  constexpr DeviceType device_type() const { return static_cast<DeviceType>(word & 0xff); }
  constexpr int8_t device_index() const { return static_cast<int8_t>(word >> 8 & 0xff); }
  constexpr ScalarType dtype() const { return static_cast<ScalarType>(word >> 16 & 0xff); }
  constexpr std::size_t rank() const { return word >> 24; }

  friend constexpr bool operator==(TensorSignature, TensorSignature) = default;
};

}  // namespace structured
