#pragma once
// What a new tensor shall be: dtype, layout, device, pinned memory, memory format, each of which may be left open.
#include <cstdint>
#include <iosfwd>
#include <optional>

#include "structured/core/device.h"
#include "structured/core/layout.h"
#include "structured/core/memory_format.h"
#include "structured/core/scalar_type.h"

namespace structured {

/// An immutable value; setters return a changed copy: `TensorOptions(kFloat).device(kMeta)`. Thread-safe.
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType dtype) : dtype_(dtype) {}
  TensorOptions(Layout layout) : layout_(layout) {}
  TensorOptions(Device device) : device_(device) {}
  TensorOptions(DeviceType device) : device_(Device(device)) {}
  TensorOptions(MemoryFormat format) : memory_format_(format) {}
  /// The four optionals of a factory's signature.
  TensorOptions(std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                std::optional<bool> pinned_memory)
      : dtype_(dtype), layout_(layout), device_(device), pinned_memory_(pinned_memory) {}

  [[nodiscard]] TensorOptions dtype(std::optional<ScalarType> dtype) const {
    TensorOptions copy = *this;
    copy.dtype_ = dtype;
    return copy;
  }
  [[nodiscard]] TensorOptions layout(std::optional<Layout> layout) const {
    TensorOptions copy = *this;
    copy.layout_ = layout;
    return copy;
  }
  [[nodiscard]] TensorOptions device(std::optional<Device> device) const {
    TensorOptions copy = *this;
    copy.device_ = device;
    return copy;
  }
  [[nodiscard]] TensorOptions pinned_memory(std::optional<bool> pinned_memory) const {
    TensorOptions copy = *this;
    copy.pinned_memory_ = pinned_memory;
    return copy;
  }
  [[nodiscard]] TensorOptions memory_format(std::optional<MemoryFormat> format) const {
    TensorOptions copy = *this;
    copy.memory_format_ = format;
    return copy;
  }

  /// The values, with default_dtype(), Strided, cpu and false for those left open.
  ScalarType dtype() const { return dtype_ ? *dtype_ : default_dtype(); }
  Layout layout() const { return layout_.value_or(Layout::Strided); }
  Device device() const { return device_.value_or(Device(DeviceType::CPU)); }
  bool pinned_memory() const { return pinned_memory_.value_or(false); }

  std::optional<ScalarType> dtype_opt() const { return dtype_; }
  std::optional<Layout> layout_opt() const { return layout_; }
  std::optional<Device> device_opt() const { return device_; }
  std::optional<bool> pinned_memory_opt() const { return pinned_memory_; }
  std::optional<MemoryFormat> memory_format_opt() const { return memory_format_; }

  /// These options, with what `other` sets taken from there.
  [[nodiscard]] STRUCTURED_API TensorOptions merge_in(const TensorOptions& other) const;

  friend bool operator==(const TensorOptions&, const TensorOptions&) = default;

 private:
  std::optional<ScalarType> dtype_;
  std::optional<Layout> layout_;
  std::optional<Device> device_;
  std::optional<bool> pinned_memory_;
  std::optional<MemoryFormat> memory_format_;
};

/// Prints what is set: `TensorOptions(dtype=Float, device=cpu)`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, const TensorOptions& options);

}  // namespace structured
