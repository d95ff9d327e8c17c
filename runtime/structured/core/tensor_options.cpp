#include "structured/core/tensor_options.h"

#include <ostream>

namespace structured {

TensorOptions TensorOptions::merge_in(const TensorOptions& other) const {
  uint64_t theirs = 0;
  for (const int place : {kDtype, kLayout, kPinned, kFormat}) {
    if (other.has(place)) theirs |= kByte << place;
  }
  if (other.has(kDeviceType)) theirs |= kByte << kDeviceType | kByte << kDeviceIndex;
  TensorOptions merged;
  merged.word_ = (word_ & ~theirs) | (other.word_ & theirs);
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
