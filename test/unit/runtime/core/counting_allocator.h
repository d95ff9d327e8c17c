#pragma once
#include <structured/memory/allocator.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "throws_error.h"

namespace structured {

/// Records allocated blocks. Fails the test if a block is freed that is not allocated or has another size.
class CountingAllocator final : public Allocator {
 public:
  explicit CountingAllocator(bool is_host_accessible = true) : is_host_accessible_(is_host_accessible) {}
  ~CountingAllocator() override { EXPECT_TRUE(blocks.empty()) << "blocks were not given back"; }

  void* allocate(std::size_t bytes, Device) override {
    STRUCTURED_CHECK(bytes <= limit, "counting allocator: full");
    void* const block = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    blocks[block] = bytes;
    ++allocations;
    return block;
  }
  void deallocate(void* block, std::size_t bytes, Device) noexcept override {
    EXPECT_EQ(blocks.count(block), 1u);
    EXPECT_EQ(blocks[block], bytes);
    blocks.erase(block);
    std::free(block);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    STRUCTURED_CHECK(can_copy, "counting allocator: cannot copy");
    std::memcpy(to, from, bytes);
  }
  bool is_host_accessible() const noexcept override { return is_host_accessible_; }

  std::map<void*, std::size_t> blocks;
  int allocations = 0;
  std::size_t limit = 1 << 30;
  bool can_copy = true;

 private:
  bool is_host_accessible_;
};

/// Installs an allocator for a device type until the end of the scope.
class ScopedAllocator {
 public:
  ScopedAllocator(DeviceType type, Allocator& allocator) : type_(type) { set_allocator(type, &allocator); }
  ~ScopedAllocator() { set_allocator(type_, nullptr); }
  ScopedAllocator(const ScopedAllocator&) = delete;
  ScopedAllocator& operator=(const ScopedAllocator&) = delete;

 private:
  DeviceType type_;
};

}  // namespace structured
