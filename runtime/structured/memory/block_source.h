#pragma once
// Sources of host memory that take the place of a thread's cache for some time.
#include <cstddef>

namespace structured::detail {

/// Serves one thread's blocks of host memory in place of its cache (host_cache.h).
class BlockSource {
 public:
  /// A block as allocate_host returns it.
  virtual void* allocate(std::size_t bytes) = 0;
  /// Takes back any block that the thread frees, of this source or not.
  virtual void deallocate(void* block, std::size_t bytes) noexcept = 0;

 protected:
  ~BlockSource() = default;
};

/// Sets the source of the calling thread, null for its cache, and returns the previous one.
BlockSource* set_block_source(BlockSource* source) noexcept;

/// Lets the calling thread use its cache until the end of the scope.
class WithoutBlockSource {
 public:
  WithoutBlockSource() : source_(set_block_source(nullptr)) {}
  WithoutBlockSource(const WithoutBlockSource&) = delete;
  WithoutBlockSource& operator=(const WithoutBlockSource&) = delete;
  ~WithoutBlockSource() { set_block_source(source_); }

 private:
  BlockSource* source_;
};

/// Bytes of a block that allocate_host takes from the system for `bytes` bytes.
std::size_t block_capacity(std::size_t bytes);

/// Marks memory as never returned to the system, nor any block in it.
void keep_forever(const void* begin, std::size_t bytes);

}  // namespace structured::detail
