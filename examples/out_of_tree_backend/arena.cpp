#include "arena.h"

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>

namespace npu {
namespace {

using structured::Device;
using structured::Tensor;

constexpr std::size_t device_bytes = std::size_t{64} << 20;
constexpr std::size_t total_bytes = device_bytes * device_count;

class Arena final : public structured::Allocator {
 public:
  Arena() {
    const int file = memfd_create("npu", 0);
    STRUCTURED_CHECK(file != -1 && ftruncate(file, static_cast<off_t>(total_bytes)) == 0, "npu: no memory");
    outside_ = static_cast<char*>(mmap(nullptr, total_bytes, PROT_NONE, MAP_SHARED, file, 0));
    inside_ = static_cast<char*>(mmap(nullptr, total_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
    STRUCTURED_CHECK(outside_ != MAP_FAILED && inside_ != MAP_FAILED, "npu: no address space");
    for (int device = 0; device < device_count; ++device) {
      free_[device][outside_ + device_bytes * static_cast<std::size_t>(device)] = device_bytes;
    }
  }

  void* allocate(std::size_t bytes, Device device) override {
    const std::size_t wanted = rounded(bytes);
    const std::lock_guard lock(mutex_);
    auto& blocks = free_[index_of(device)];
    for (auto block = blocks.begin(); block != blocks.end(); ++block) {
      const auto [address, size] = *block;
      if (size < wanted) {
        continue;
      }
      blocks.erase(block);
      if (size > wanted) {
        blocks[address + wanted] = size - wanted;
      }
      used_[index_of(device)] += wanted;
      return address;
    }
    structured::fail("npu: out of memory on ", device, ", expected ", wanted, " free bytes");
  }

  void deallocate(void* block, std::size_t bytes, Device device) noexcept override {
    const std::lock_guard lock(mutex_);
    auto& blocks = free_[index_of(device)];
    auto freed = blocks.emplace(static_cast<char*>(block), rounded(bytes)).first;
    used_[index_of(device)] -= freed->second;
    if (const auto next = std::next(freed); next != blocks.end() && freed->first + freed->second == next->first) {
      freed->second += next->second;
      blocks.erase(next);
    }
    if (freed != blocks.begin()) {
      const auto previous = std::prev(freed);
      if (previous->first + previous->second == freed->first) {
        previous->second += freed->second;
        blocks.erase(freed);
      }
    }
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(device_address(to), device_address(from), bytes);
  }

  bool is_host_accessible() const noexcept override { return false; }

  char* translated(char* address) const {
    return address >= outside_ && address < outside_ + total_bytes ? inside_ + (address - outside_) : address;
  }

  std::size_t used(int device) {
    const std::lock_guard lock(mutex_);
    return used_[device];
  }

 private:
  static std::size_t rounded(std::size_t bytes) {
    return (bytes + kAlignment) / kAlignment * kAlignment;  // not zero, so that addresses differ
  }
  static int index_of(Device device) {
    const int index = device.has_index() ? device.index() : 0;
    STRUCTURED_CHECK(index < device_count, "npu: expected a device below ", device_count, ", got ", device);
    return index;
  }

  std::mutex mutex_;
  char* outside_;
  char* inside_;
  std::map<char*, std::size_t> free_[device_count];  // by address
  std::size_t used_[device_count] = {};
};

// Never destroyed, since tensors may outlive static objects.
Arena& the_arena() {
  static Arena& result = *new Arena;
  return result;
}

}  // namespace

char* device_address(const void* address) {
  return the_arena().translated(static_cast<char*>(const_cast<void*>(address)));
}

Tensor as_seen_by_device(const Tensor& tensor) {
  using namespace structured;
  const structured::Storage& storage = tensor.storage();
  const auto count = static_cast<int64_t>(storage.nbytes() / tensor.element_size());
  const Tensor elements = from_blob(device_address(storage.data()), {count}, tensor.options().device(kCPU));
  return as_strided(elements, tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

std::size_t used_bytes(int device) { return the_arena().used(device); }

structured::Allocator& arena() { return the_arena(); }

}  // namespace npu
