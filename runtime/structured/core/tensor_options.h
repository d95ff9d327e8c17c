#pragma once
// Options of a new tensor: dtype, layout, device, pinned memory and memory format, all optional.
#include <cstdint>
#include <iosfwd>
#include <optional>

#include "structured/core/layout.h"
#include "structured/core/memory_format.h"
#include "structured/core/tensor_signature.h"
#include "structured/device/device.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// An immutable value of one word; setters return a changed copy: `TensorOptions(kFloat).device(kMeta)`. Thread-safe.
class TensorOptions {
 public:
  constexpr TensorOptions() = default;
  constexpr TensorOptions(ScalarType dtype) { set(kDtype, dtype); }
  constexpr TensorOptions(Layout layout) { set(kLayout, layout); }
  constexpr TensorOptions(Device device) { set_device(device); }
  constexpr TensorOptions(DeviceType device) { set_device(Device(device)); }
  constexpr TensorOptions(MemoryFormat format) { set(kFormat, format); }
  constexpr TensorOptions(ScalarType dtype, Device device) {
    set(kDtype, dtype);
    set_device(device);
  }
  /// From the four optional arguments of a factory function.
  constexpr TensorOptions(std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                          std::optional<bool> pinned_memory) {
    if (dtype) set(kDtype, *dtype);
    if (layout) set(kLayout, *layout);
    if (device) set_device(*device);
    if (pinned_memory) set(kPinned, *pinned_memory);
  }

  /// Returns the options of a strided tensor of this device and dtype.
  static constexpr TensorOptions of(TensorSignature signature) {
    TensorOptions result(Layout::Strided);
    result.word_ |= (signature.word & 0xffffff) + kOneOfEach;
    return result;
  }

  [[nodiscard]] constexpr TensorOptions dtype(std::optional<ScalarType> dtype) const { return with(kDtype, dtype); }
  [[nodiscard]] constexpr TensorOptions layout(std::optional<Layout> layout) const { return with(kLayout, layout); }
  [[nodiscard]] constexpr TensorOptions device(std::optional<Device> device) const {
    TensorOptions copy = *this;
    copy.word_ &= ~(kByte << kDeviceType | kByte << kDeviceIndex);
    if (device) copy.set_device(*device);
    return copy;
  }
  [[nodiscard]] constexpr TensorOptions pinned_memory(std::optional<bool> pinned_memory) const {
    return with(kPinned, pinned_memory);
  }
  [[nodiscard]] constexpr TensorOptions memory_format(std::optional<MemoryFormat> format) const {
    return with(kFormat, format);
  }

  /// The properties; unset ones default to default_dtype(), Strided, cpu and false.
  ScalarType dtype() const { return has(kDtype) ? get<ScalarType>(kDtype) : default_dtype(); }
  constexpr Layout layout() const { return has(kLayout) ? get<Layout>(kLayout) : Layout::Strided; }
  constexpr Device device() const { return has(kDeviceType) ? get_device() : Device(DeviceType::CPU); }
  constexpr bool pinned_memory() const { return has(kPinned) && get<bool>(kPinned); }

  constexpr std::optional<ScalarType> dtype_opt() const { return optional<ScalarType>(kDtype); }
  constexpr std::optional<Layout> layout_opt() const { return optional<Layout>(kLayout); }
  constexpr std::optional<Device> device_opt() const {
    return has(kDeviceType) ? std::optional(get_device()) : std::nullopt;
  }
  constexpr std::optional<bool> pinned_memory_opt() const { return optional<bool>(kPinned); }
  constexpr std::optional<MemoryFormat> memory_format_opt() const { return optional<MemoryFormat>(kFormat); }

  /// Whether no property is set.
  constexpr bool is_empty() const { return word_ == 0; }
  /// Whether a device and a dtype other than Undefined are set.
  constexpr bool has_signature() const {
    return has(kDeviceType) && has(kDtype) && get<ScalarType>(kDtype) != ScalarType::Undefined;
  }
  /// Device and dtype, or their defaults where unset, with rank 0.
  TensorSignature signature() const {
    if (!has(kDeviceType) || !has(kDtype)) [[unlikely]]
      return TensorSignature::make(device(), dtype(), 0);
    return {static_cast<uint32_t>(word_ & 0xffffff) - static_cast<uint32_t>(kOneOfEach)};
  }
  /// Whether layout, pinned memory and memory format are unset or have their default values.
  constexpr bool is_plain() const {
    static_assert(static_cast<int>(Layout::Strided) == 0 && static_cast<int>(MemoryFormat::Contiguous) == 0);
    return (word_ & (kByte - 1) << kLayout) == 0 && (word_ & (kByte - 1) << kPinned) == 0 &&
           (word_ & (kByte - 1) << kFormat) == 0;
  }

  /// Returns these options, overridden by those that are set in `other`.
  [[nodiscard]] STRUCTURED_API TensorOptions merge_in(const TensorOptions& other) const;

  friend constexpr bool operator==(const TensorOptions&, const TensorOptions&) = default;

 private:
  // Bit position of each property's byte; the first three as in TensorSignature. A byte is 0 if its property is unset,
  // and otherwise the value + 1. The device index has a byte of its own, 0 without a device.
  static constexpr int kDeviceType = 0, kDeviceIndex = 8, kDtype = 16, kLayout = 24, kPinned = 32, kFormat = 40;
  static constexpr uint64_t kByte = 0xff;
  static constexpr uint64_t kOneOfEach = uint64_t{1} << kDeviceType | uint64_t{1} << kDtype;

  constexpr bool has(int place) const { return (word_ >> place & kByte) != 0; }
  template <class T>
  constexpr T get(int place) const {
    return static_cast<T>((word_ >> place & kByte) - 1);
  }
  template <class T>
  constexpr std::optional<T> optional(int place) const {
    return has(place) ? std::optional<T>(get<T>(place)) : std::nullopt;
  }
  constexpr Device get_device() const {
    return Device(get<DeviceType>(kDeviceType), static_cast<int8_t>(word_ >> kDeviceIndex & kByte));
  }
  template <class T>
  constexpr void set(int place, T value) {
    word_ |= (static_cast<uint64_t>(static_cast<uint8_t>(value)) + 1) << place;
  }
  constexpr void set_device(Device device) {
    set(kDeviceType, device.type());
    word_ |= static_cast<uint64_t>(static_cast<uint8_t>(device.index())) << kDeviceIndex;
  }
  template <class T>
  constexpr TensorOptions with(int place, std::optional<T> value) const {
    TensorOptions copy = *this;
    copy.word_ &= ~(kByte << place);
    if (value) copy.set(place, *value);
    return copy;
  }

  uint64_t word_ = 0;
};

/// Prints the properties that are set: `TensorOptions(dtype=Float, device=cpu)`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, const TensorOptions& options);

}  // namespace structured
