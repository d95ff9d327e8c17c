#pragma once
// Temporary memory of kernels.
#include <cstddef>
#include <type_traits>
#include <vector>

#include "structured/base/export.h"

namespace structured {

namespace detail {
STRUCTURED_API void* allocate_scratch(std::size_t bytes);
STRUCTURED_API void deallocate_scratch(void* block, std::size_t bytes) noexcept;
}  // namespace detail

/// Allocator of containers: blocks of host memory from the cache of the thread (allocator.h), or from the arena of a
/// repeated computation (arena.h). Throws Error if there is no memory.
template <class T>
struct ScratchAllocator {
  using value_type = T;

  ScratchAllocator() = default;
  template <class U>
  ScratchAllocator(const ScratchAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(detail::allocate_scratch(count * sizeof(T))); }
  void deallocate(T* block, std::size_t count) noexcept { detail::deallocate_scratch(block, count * sizeof(T)); }

  template <class U>
  bool operator==(const ScratchAllocator<U>&) const {
    return true;
  }
};

/// Temporary vector of a kernel. Kernels that use it in place of std::vector allocate no memory when they run again.
template <class T>
using ScratchVector = std::vector<T, ScratchAllocator<T>>;

/// Temporary memory of a kernel for elements that are not initialised.
template <class T>
class ScratchBuffer {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit ScratchBuffer(std::size_t count) : count_(count), data_(ScratchAllocator<T>().allocate(count)) {}
  ~ScratchBuffer() { ScratchAllocator<T>().deallocate(data_, count_); }
  ScratchBuffer(const ScratchBuffer&) = delete;
  ScratchBuffer& operator=(const ScratchBuffer&) = delete;

  T* data() const { return data_; }

 private:
  std::size_t count_;
  T* data_;
};

}  // namespace structured
