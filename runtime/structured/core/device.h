#pragma once
// Devices, on which the data of tensors is stored.
#include <cstdint>
#include <iosfwd>

#include "structured/core/error.h"

namespace structured {

enum class DeviceType : std::int8_t { CPU, CUDA, Meta, PrivateUse1, PrivateUse2, PrivateUse3 };

inline constexpr int kDeviceTypeCount = 6;

inline constexpr DeviceType kCPU = DeviceType::CPU;
inline constexpr DeviceType kCUDA = DeviceType::CUDA;
inline constexpr DeviceType kMeta = DeviceType::Meta;
inline constexpr DeviceType kPrivateUse1 = DeviceType::PrivateUse1;
inline constexpr DeviceType kPrivateUse2 = DeviceType::PrivateUse2;
inline constexpr DeviceType kPrivateUse3 = DeviceType::PrivateUse3;

/// "cpu", "cuda", "meta", "privateuseone", "privateusetwo", "privateusethree", or what they were renamed to.
STRUCTURED_API const char* to_string(DeviceType type);

/// Renames a PrivateUse device type, as it is printed and parsed. A backend's library does so when it is loaded. Throws
/// Error unless `name` consists of lower-case letters, digits and `_` and begins with a letter, and if another type has
/// this name. Thread-safe.
STRUCTURED_API void rename_device_type(DeviceType type, const char* name);
STRUCTURED_API std::ostream& operator<<(std::ostream& out, DeviceType type);

/// A device type and an index. Index -1 means the current device. cpu and meta accept the indices -1 and 0, which
/// compare unequal.
class Device {
 public:
  /// Throws Error if `index` is below -1, or above 0 for cpu and meta.
  constexpr Device(DeviceType type, std::int8_t index = -1) : type_(type), index_(index) {
    if (index < -1 || (index > 0 && (is_cpu() || is_meta()))) [[unlikely]]
      check_index();
  }
  /// Parses "cuda", "cuda:1". Throws Error that names the text.
  STRUCTURED_API explicit Device(const char* text);

  constexpr DeviceType type() const { return type_; }
  constexpr std::int8_t index() const { return index_; }
  constexpr bool has_index() const { return index_ != -1; }
  constexpr bool is_cpu() const { return type_ == DeviceType::CPU; }
  constexpr bool is_cuda() const { return type_ == DeviceType::CUDA; }
  constexpr bool is_meta() const { return type_ == DeviceType::Meta; }

  friend constexpr bool operator==(Device, Device) = default;

 private:
  STRUCTURED_API void check_index() const;

  DeviceType type_;
  std::int8_t index_;
};

/// Prints `cpu`, `cuda:1`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, Device device);

}  // namespace structured
