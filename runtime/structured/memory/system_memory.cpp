#include "structured/memory/system_memory.h"

#include <cstdint>
#include <new>

#include "structured/memory/allocator.h"
#include "structured/memory/host_cache.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace structured::detail {

namespace {

constexpr std::align_val_t kAlign{Allocator::kAlignment};

#if defined(__linux__)
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t whole_pages(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

// Maps pages from a huge-page boundary on, and unmaps the surplus on both sides. With huge pages, of 2 MiB instead of 4
// KiB, the first access to the block costs a fraction of the page faults.
void* map_pages(std::size_t bytes) noexcept {
  const std::size_t size = whole_pages(bytes);
  const std::size_t reserved = size + kHugePage;
  if (reserved < bytes) return nullptr;
  void* const mapped = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* const start = static_cast<char*>(mapped);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(start) % kHugePage) % kHugePage;
  if (before != 0) munmap(start, before);
  munmap(start + before + size, reserved - before - size);
  madvise(start + before, size, MADV_HUGEPAGE);  // advisory: failure without huge pages is harmless
  return start + before;
}
#endif

}  // namespace

void* allocate_system(std::size_t bytes) noexcept {
#if defined(__linux__)
  if (keeps_blocks() && bytes >= kOwnPages) return map_pages(bytes);
#endif
  return ::operator new(bytes, kAlign, std::nothrow);
}

void deallocate_system(void* block, std::size_t bytes) noexcept {
#if defined(__linux__)
  if (keeps_blocks() && bytes >= kOwnPages) {
    munmap(block, whole_pages(bytes));
    return;
  }
#endif
  ::operator delete(block, bytes, kAlign);
}

}  // namespace structured::detail
