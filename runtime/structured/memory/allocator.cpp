#include "structured/memory/allocator.h"

#include <cstring>
#include <new>

#include "structured/base/error.h"
#include "structured/device/device_library.h"
#include "structured/memory/host_cache.h"

namespace structured {

namespace {

class CpuAllocator final : public Allocator {
 public:
  void* allocate(std::size_t bytes, Device) override { return detail::allocate_host(bytes); }
  void deallocate(void* block, std::size_t bytes, Device) noexcept override { detail::deallocate_host(block, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  bool is_host_accessible() const noexcept override { return true; }
};

}  // namespace

namespace detail {

constinit std::atomic<Allocator*> allocators[kDeviceTypeCount] = {};

// Never destroyed: tensors in static variables may be freed after any destructor here would have run.
Allocator& host_allocator() {
  alignas(CpuAllocator) static unsigned char memory[sizeof(CpuAllocator)];
  static Allocator* const instance = new (memory) CpuAllocator;
  return *instance;
}

}  // namespace detail

using detail::allocators;

Allocator& allocator(DeviceType type) {
  Allocator* const found = allocators[static_cast<int>(type)].load(std::memory_order_acquire);
  if (found != nullptr) return *found;
  if (type == DeviceType::CPU) return detail::host_allocator();
  STRUCTURED_CHECK(type == DeviceType::CUDA, "expected a device type with an allocator, got ", type,
                   "; see `set_allocator`");
  const char* const error = detail::open_device_library(type);
  Allocator* const opened = allocators[static_cast<int>(type)].load(std::memory_order_acquire);
  STRUCTURED_CHECK(opened != nullptr, "expected a library for cuda devices: ",
                   error != nullptr ? error : "it has registered no allocator");
  return *opened;
}

Allocator* set_allocator(DeviceType type, Allocator* allocator) {
  STRUCTURED_CHECK(type != DeviceType::Meta, "expected a device type with memory, got ", type);
  Allocator* const first = type == DeviceType::CPU ? &detail::host_allocator() : nullptr;
  if (allocator == first) allocator = nullptr;  // null selects the built-in allocator
  Allocator* const previous = allocators[static_cast<int>(type)].exchange(allocator, std::memory_order_acq_rel);
  return previous == nullptr ? first : previous;
}

}  // namespace structured
