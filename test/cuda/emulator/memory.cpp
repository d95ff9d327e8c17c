#include "memory.h"

#include <cstdlib>
#include <cstring>
#include <sstream>

namespace emulator {
namespace {

constexpr std::size_t kAlignment = 512;
constexpr std::size_t kRedZone = 512;                       // no address in it belongs to a block
constexpr std::size_t kKeptFreed = std::size_t{256} << 20;  // freed memory that is kept, so that its use is found
constexpr int kFreshByte = 0xcd;
constexpr int kFreedByte = 0xdd;

}  // namespace

Address Memory::allocate(std::size_t size, int device) {
  if (used_[device] + size > capacity_) return 0;
  if (reuses_addresses_) {
    if (const Address freed = reuse(size, device); freed != 0) return freed;
  }
  void* const memory = std::aligned_alloc(kAlignment, (size + kRedZone + kAlignment - 1) / kAlignment * kAlignment);
  if (memory == nullptr) return 0;
  std::memset(memory, kFreshByte, size);
  const Address begin = device_address(memory);
  blocks_[begin] = {begin, size, device, false, false};
  used_[device] += size;
  ++generation_;
  return begin;
}

// Returns the address of a freed block that is in use again, or 0 if no freed block has the size.
Address Memory::reuse(std::size_t size, int device) {
  for (auto& [begin, block] : blocks_) {
    if (!block.is_freed || block.size != size || block.device != device) continue;
    block.is_freed = false;
    freed_ -= size;
    used_[device] += size;
    ++generation_;
    std::memset(host_pointer(begin), kFreshByte, size);
    return begin;
  }
  return 0;
}

void* Memory::allocate_pinned(std::size_t size) {
  void* const memory = std::malloc(size == 0 ? 1 : size);
  const auto begin = reinterpret_cast<Address>(memory);
  if (memory != nullptr) blocks_[begin] = {begin, size, 0, true, false};
  ++generation_;
  return memory;
}

bool Memory::free(Address begin) {
  const auto found = blocks_.find(begin);
  if (found == blocks_.end() || found->second.is_freed) return false;
  Block& block = found->second;
  ++generation_;
  if (block.is_pinned) {
    std::free(reinterpret_cast<void*>(begin));
    blocks_.erase(found);
    return true;
  }
  used_[block.device] -= block.size;
  std::memset(host_pointer(begin), kFreedByte, block.size);
  block.is_freed = true;
  freed_ += block.size;
  for (auto it = blocks_.begin(); freed_ > kKeptFreed && it != blocks_.end();) {
    const auto next = std::next(it);
    if (it->second.is_freed) release(it);
    it = next;
  }
  return true;
}

void Memory::release(std::map<Address, Block>::iterator block) {
  freed_ -= block->second.size;
  std::free(host_pointer(block->first));
  blocks_.erase(block);
}

const Block* Memory::find(Address address) const {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return nullptr;
  --found;
  const Block& block = found->second;
  return address - block.begin <= block.size ? &block : nullptr;
}

std::string Memory::check(Address address, std::size_t size) const {
  const Block* const block = find(address);
  std::ostringstream text;
  text << std::hex << "0x" << address << std::dec;
  if (block == nullptr) {
    return text.str() + (is_device_address(address) ? " is outside of every block of device memory"
                                                    : " is not an address of device memory");
  }
  const std::size_t offset = address - block->begin;
  if (block->is_freed) {
    text << " is byte " << offset << " of a block of " << block->size << " bytes that has been freed";
    return text.str();
  }
  if (offset + size > block->size) {
    text << " is byte " << offset << " of a block of " << block->size << " bytes";
    return text.str();
  }
  return "";
}

}  // namespace emulator
