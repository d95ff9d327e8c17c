#pragma once
// Memory from the operating system, for host_cache.cpp: whole blocks, asked for rarely.
#include <cstddef>

namespace structured::detail {

/// Blocks of this size and above are pages of their own, huge ones where the system offers them.
inline constexpr std::size_t kOwnPages = std::size_t{2} << 20;

/// A block of `bytes` bytes at a multiple of Allocator::kAlignment, or null.
void* allocate_system(std::size_t bytes) noexcept;
void deallocate_system(void* block, std::size_t bytes) noexcept;

}  // namespace structured::detail
