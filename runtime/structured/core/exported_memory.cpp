#include "structured/core/exported_memory.h"

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace structured {
namespace {

// Numbers of exports by the address of the data.
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

ExportedMemory::ExportedMemory(Tensor tensor) : tensor_(std::move(tensor)), data_(tensor_.storage().data()) {
  if (data_ == nullptr) return;
  const std::lock_guard lock(exports().mutex);
  ++exports().counts[data_];
  exports().has_any = true;
}

ExportedMemory::~ExportedMemory() {
  if (data_ == nullptr) return;
  const std::lock_guard lock(exports().mutex);
  const auto found = exports().counts.find(data_);
  if (--found->second == 0) exports().counts.erase(found);
  exports().has_any = !exports().counts.empty();
}

bool detail::is_exported(const void* data) {
  if (!exports().has_any) return false;
  const std::lock_guard lock(exports().mutex);
  return exports().counts.contains(data);
}

}  // namespace structured
