#include "structured/core/tensor_options.h"

#include <ostream>

namespace structured {

TensorOptions TensorOptions::merge_in(const TensorOptions& other) const {
  TensorOptions merged = *this;
  if (other.dtype_) merged.dtype_ = other.dtype_;
  if (other.layout_) merged.layout_ = other.layout_;
  if (other.device_) merged.device_ = other.device_;
  if (other.pinned_memory_) merged.pinned_memory_ = other.pinned_memory_;
  if (other.memory_format_) merged.memory_format_ = other.memory_format_;
  return merged;
}

std::ostream& operator<<(std::ostream& out, const TensorOptions& options) {
  const char* separator = "";
  const auto field = [&](const char* name, const auto& value) {
    if (!value) return;
    out << separator << name << '=' << *value;
    separator = ", ";
  };
  out << "TensorOptions(";
  field("dtype", options.dtype_opt());
  field("layout", options.layout_opt());
  field("device", options.device_opt());
  std::optional<const char*> pinned;
  if (options.pinned_memory_opt()) pinned = *options.pinned_memory_opt() ? "true" : "false";
  field("pinned_memory", pinned);
  field("memory_format", options.memory_format_opt());
  return out << ')';
}

}  // namespace structured
