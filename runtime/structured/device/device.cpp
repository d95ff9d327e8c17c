#include "structured/device/device.h"

#include <algorithm>
#include <atomic>
#include <forward_list>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

#include "structured/device/stream.h"

namespace structured {

namespace {

// In the order of DeviceType. Names set later are never freed, because callers may hold pointers to them.
constinit std::atomic<const char*> names[kDeviceTypeCount] = {
#define STRUCTURED_DEVICE_TYPE(enumerator, word) word,
#include "structured/schema/backends.def"
};
constinit std::mutex rename_mutex;

bool is_device_name(std::string_view name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || c == '_' || (c >= '0' && c <= '9');
  });
}

// The number of types if no type has this name.
int find_name(std::string_view name) {
  int found = 0;
  while (found < kDeviceTypeCount && name != names[found].load(std::memory_order_acquire)) ++found;
  return found;
}

}  // namespace

const char* to_string(DeviceType type) { return names[static_cast<int>(type)].load(std::memory_order_acquire); }

void rename_device_type(DeviceType type, const char* name) {
  STRUCTURED_CHECK(type >= DeviceType::PrivateUse1, "expected a PrivateUse device type to rename, got ", type);
  STRUCTURED_CHECK(is_device_name(name), "expected lowercase letters, digits and `_` after a letter in the name of ",
                   type, ", got `", name, "`");
  const std::lock_guard lock(rename_mutex);
  const int taken = find_name(name);
  STRUCTURED_CHECK(taken == kDeviceTypeCount || taken == static_cast<int>(type), "cannot rename ", type, " to `", name,
                   "`: another device type has this name");
  if (taken == kDeviceTypeCount) {
    static auto& given = *new std::forward_list<std::string>;
    names[static_cast<int>(type)].store(given.emplace_front(name).c_str(), std::memory_order_release);
  }
}

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
  const int found = find_name(name);
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
  index_ = static_cast<int8_t>(index);
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
