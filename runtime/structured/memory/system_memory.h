#pragma once
// Memory from the operating system, for host_cache.cpp.
#include <cstddef>

namespace structured::detail {

/// Blocks of at least this size are mapped separately, with huge pages where the system supports them.
inline constexpr std::size_t kOwnPages = std::size_t{2} << 20;

/// A block of `bytes` bytes at a multiple of Allocator::kAlignment, or null.
void* allocate_system(std::size_t bytes) noexcept;
void deallocate_system(void* block, std::size_t bytes) noexcept;

}  // namespace structured::detail
