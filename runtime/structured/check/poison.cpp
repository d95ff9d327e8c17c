#include "structured/check/poison.h"

#include <atomic>
#include <cstring>
#include <map>

#include "structured/memory/allocator.h"
#include "structured/memory/host_cache.h"

namespace structured::detail {
namespace {

// Fills the blocks of another allocator. Storages refer to it as long as they live, so that it is never destroyed.
class PoisoningAllocator final : public Allocator {
 public:
  explicit PoisoningAllocator(Allocator& inner) : inner_(inner) {}

  void* allocate(std::size_t bytes, Device device) override {
    void* const block = inner_.allocate(bytes, device);
    if (inner_.is_host_accessible()) std::memset(block, pattern.load(std::memory_order_relaxed), bytes);
    return block;
  }
  void deallocate(void* block, std::size_t bytes, Device device) noexcept override {
    inner_.deallocate(block, bytes, device);
  }
  void copy(void* to, const void* from, std::size_t bytes) override { inner_.copy(to, from, bytes); }
  bool is_host_accessible() const noexcept override { return inner_.is_host_accessible(); }

  static std::atomic<unsigned char> pattern;

 private:
  Allocator& inner_;
};

std::atomic<unsigned char> PoisoningAllocator::pattern = 0;

Allocator& poisoning(Allocator& inner) {
  static std::map<Allocator*, PoisoningAllocator*>& known = *new std::map<Allocator*, PoisoningAllocator*>;
  PoisoningAllocator*& found = known[&inner];
  if (found == nullptr) found = new PoisoningAllocator(inner);
  return *found;
}

Allocator* replaced = nullptr;  // the allocator outside the guard; null for the built-in one

}  // namespace

PoisonNewMemory::PoisonNewMemory(unsigned char pattern) {
  PoisoningAllocator::pattern.store(pattern, std::memory_order_relaxed);
  replaced = set_allocator(DeviceType::CPU, nullptr);
  set_allocator(DeviceType::CPU, &poisoning(replaced == nullptr ? host_allocator() : *replaced));
}

PoisonNewMemory::~PoisonNewMemory() { set_allocator(DeviceType::CPU, replaced); }

}  // namespace structured::detail
