#include "structured/core/allocator.h"

#include <atomic>
#include <cstring>
#include <new>

#include "structured/core/error.h"

namespace structured {

namespace {

class CpuAllocator final : public Allocator {
 public:
  void* allocate(std::size_t bytes, Device) override {
    void* const block = ::operator new(bytes, std::align_val_t(kAlignment), std::nothrow);
    STRUCTURED_CHECK(block != nullptr, "cpu allocator: expected room for ", bytes, " bytes, got none");
    return block;
  }
  void deallocate(void* block, std::size_t bytes, Device) noexcept override {
    ::operator delete(block, bytes, std::align_val_t(kAlignment));
  }
  void copy(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  bool is_host_accessible() const noexcept override { return true; }
};

// Never destroyed: tensors in static variables may be freed after any destructor here would have run.
Allocator& cpu_allocator() {
  alignas(CpuAllocator) static unsigned char memory[sizeof(CpuAllocator)];
  static Allocator* const instance = new (memory) CpuAllocator;
  return *instance;
}

constinit std::atomic<Allocator*> allocators[kDeviceTypeCount] = {};

}  // namespace

Allocator& allocator(DeviceType type) {
  Allocator* const found = allocators[static_cast<int>(type)].load(std::memory_order_acquire);
  if (found != nullptr) return *found;
  STRUCTURED_CHECK(type == DeviceType::CPU, "expected a device type with an allocator, got ", type,
                   "; see `set_allocator`");
  return cpu_allocator();
}

Allocator* set_allocator(DeviceType type, Allocator* allocator) {
  STRUCTURED_CHECK(type != DeviceType::Meta, "expected a device type with memory, got ", type);
  Allocator* const previous = allocators[static_cast<int>(type)].exchange(allocator, std::memory_order_acq_rel);
  return previous == nullptr && type == DeviceType::CPU ? &cpu_allocator() : previous;
}

}  // namespace structured
