#pragma once
// Memory of the emulated devices. Blocks of memory are ordinary host memory. Their device addresses are host addresses
// with a bit set that no address of a program has: host code that uses a device address crashes.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace emulator {

using Address = uint64_t;

/// Windows of generic addresses. Global memory has the remaining addresses.
inline constexpr Address kGlobalBit = Address{1} << 62;
inline constexpr Address kWindowMask = Address{0xf} << 56;
inline constexpr Address kSharedWindow = Address{1} << 56;
inline constexpr Address kLocalWindow = Address{2} << 56;
inline constexpr Address kParamWindow = Address{3} << 56;

inline char* host_pointer(Address address) { return reinterpret_cast<char*>(address & ~kGlobalBit); }
inline Address device_address(const void* pointer) { return reinterpret_cast<Address>(pointer) | kGlobalBit; }
inline bool is_device_address(Address address) { return (address & kGlobalBit) != 0; }

struct Block {
  Address begin = 0;
  std::size_t size = 0;
  int device = 0;
  bool is_pinned = false;  ///< host memory of cudaMallocHost
  bool is_freed = false;
};

/// All blocks, including freed ones, whose addresses are reused only on request.
class Memory {
 public:
  /// Returns the device address of a new block, filled with a pattern. 0 if the device has not enough memory.
  Address allocate(std::size_t size, int device);
  void* allocate_pinned(std::size_t size);
  /// Whether there was such a block.
  bool free(Address begin);
  /// The block that contains the address; null if there is none.
  const Block* find(Address address) const;
  /// Whether a kernel or copy may access these bytes. A description of the mistake if not, else empty.
  std::string check(Address address, std::size_t size) const;

  std::size_t used(int device) const { return used_[device]; }
  void set_capacity(std::size_t bytes) { capacity_ = bytes; }
  std::size_t capacity() const { return capacity_; }
  /// Whether new blocks get the addresses of freed ones of their size, as they may on a GPU.
  void set_reuses_addresses(bool reuses) { reuses_addresses_ = reuses; }
  /// Changes whenever a result of check() may change.
  uint64_t generation() const { return generation_; }

  static constexpr int kDevices = 2;

 private:
  Address reuse(std::size_t size, int device);
  void release(std::map<Address, Block>::iterator block);

  std::map<Address, Block> blocks_;
  std::size_t used_[kDevices] = {};
  std::size_t freed_ = 0;
  std::size_t capacity_ = std::size_t{4} << 30;
  uint64_t generation_ = 1;
  bool reuses_addresses_ = false;
};

}  // namespace emulator
