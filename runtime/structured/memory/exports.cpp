#include "structured/memory/exports.h"

#include <atomic>
#include <mutex>
#include <unordered_map>

namespace structured::detail {
namespace {

// Numbers of users by the address of the data.
struct Exports {
  std::mutex mutex;
  std::unordered_map<const void*, long> counts;
  std::atomic<bool> has_any{false};
};

// Never destroyed: libraries may release exports while the process ends.
Exports& exports() {
  static auto* const all = new Exports();
  return *all;
}

}  // namespace

void add_export(const void* data) {
  const std::lock_guard lock(exports().mutex);
  ++exports().counts[data];
  exports().has_any = true;
}

void remove_export(const void* data) {
  const std::lock_guard lock(exports().mutex);
  const auto found = exports().counts.find(data);
  if (--found->second == 0) exports().counts.erase(found);
  exports().has_any = !exports().counts.empty();
}

bool is_exported(const void* data) {
  if (!exports().has_any) return false;
  const std::lock_guard lock(exports().mutex);
  return exports().counts.contains(data);
}

}  // namespace structured::detail
