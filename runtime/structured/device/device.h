#pragma once
// Devices, on which the data of tensors is stored.
#include <cstdint>
#include <iosfwd>

#include "structured/base/error.h"

namespace structured {

enum class DeviceType : int8_t {
#define STRUCTURED_DEVICE_TYPE(enumerator, ...) enumerator,
#include "structured/schema/backends.def"
};

inline constexpr int kDeviceTypeCount = 0
#define STRUCTURED_DEVICE_TYPE(...) +1
#include "structured/schema/backends.def"
    ;

#define STRUCTURED_DEVICE_TYPE(enumerator, ...) inline constexpr DeviceType k##enumerator = DeviceType::enumerator;
#include "structured/schema/backends.def"

/// "cpu", "cuda", "meta", "privateuseone", ..., or what they were renamed to.
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
  constexpr Device(DeviceType type, int8_t index = -1) : type_(type), index_(index) {
    if (index < -1 || (index > 0 && (is_cpu() || is_meta()))) [[unlikely]]
      check_index();
  }
  /// Parses "cuda", "cuda:1". Throws Error that names the text.
  STRUCTURED_API explicit Device(const char* text);

  constexpr DeviceType type() const { return type_; }
  constexpr int8_t index() const { return index_; }
  constexpr bool has_index() const { return index_ != -1; }
  constexpr bool is_cpu() const { return type_ == DeviceType::CPU; }
  constexpr bool is_cuda() const { return type_ == DeviceType::CUDA; }
  constexpr bool is_meta() const { return type_ == DeviceType::Meta; }

  friend constexpr bool operator==(Device, Device) = default;

 private:
  STRUCTURED_API void check_index() const;

  DeviceType type_;
  int8_t index_;
};

/// Prints `cpu`, `cuda:1`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, Device device);

}  // namespace structured
