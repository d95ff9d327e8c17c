#include "structured/core/device.h"

#include <cstring>
#include <ostream>
#include <string_view>

#include "structured/core/stream.h"

namespace structured {

namespace {

// In the order of DeviceType.
constexpr const char* kNames[kDeviceTypeCount] = {"cpu",           "cuda",          "meta",
                                                  "privateuseone", "privateusetwo", "privateusethree"};

}  // namespace

const char* to_string(DeviceType type) { return kNames[static_cast<int>(type)]; }

std::ostream& operator<<(std::ostream& out, DeviceType type) { return out << to_string(type); }

void Device::check_index() const {
  STRUCTURED_CHECK(index_ >= -1, "expected a device index of 0 or more, or -1 for the current device, got ", index_,
                   " for ", type_);
  STRUCTURED_CHECK(index_ <= 0 || (!is_cpu() && !is_meta()), "expected ", type_, " to have index 0 or none, got ",
                   index_);
}

Device::Device(const char* text) : type_(DeviceType::CPU), index_(-1) {
  const std::string_view whole = text;
  const std::size_t colon = whole.find(':');
  const std::string_view name = whole.substr(0, colon);
  int found = 0;
  while (found < kDeviceTypeCount && name != kNames[found]) ++found;
  STRUCTURED_CHECK(found < kDeviceTypeCount,
                   "expected a device such as `cpu`, `cuda:0`, `meta` or `privateuseone`, got `", text, "`");
  type_ = static_cast<DeviceType>(found);
  if (colon == std::string_view::npos) return;

  const std::string_view digits = whole.substr(colon + 1);
  int index = 0;
  bool is_number = !digits.empty() && digits.size() <= 3 && (digits.size() == 1 || digits[0] != '0');
  for (const char digit : digits) {
    is_number = is_number && digit >= '0' && digit <= '9';
    if (is_number) index = index * 10 + (digit - '0');
  }
  STRUCTURED_CHECK(is_number && index <= 127, "expected a device index from 0 to 127 behind `", name, ":`, got `", text,
                   "`");
  index_ = static_cast<std::int8_t>(index);
  check_index();
}

std::ostream& operator<<(std::ostream& out, Device device) {
  out << device.type();
  if (device.has_index()) out << ':' << static_cast<int>(device.index());
  return out;
}

std::ostream& operator<<(std::ostream& out, Stream stream) {
  return out << "stream " << stream.id() << " on " << stream.device();
}

}  // namespace structured
