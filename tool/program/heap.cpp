#include "program/heap.h"

#include <cstdint>
#include <cstdlib>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace structured::gen {

#if defined(__linux__) && defined(__GLIBC__)

void prepare_heap() {
  constexpr std::uintptr_t large_page = std::uintptr_t{1} << 21;
  constexpr int step = 1 << 28;        // reserves addresses; only touched pages use memory
  mallopt(M_MMAP_THRESHOLD, 1 << 25);  // the largest valid threshold
  mallopt(M_TRIM_THRESHOLD, step);
  mallopt(M_TOP_PAD, step);
  const auto begin = reinterpret_cast<std::uintptr_t>(sbrk(0));
  void* volatile more = std::malloc(large_page);  // exceeds the initial heap, so it grows
  std::free(more);
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  const std::uintptr_t aligned = (begin + large_page - 1) / large_page * large_page;
  // Has no effect without huge pages or with another allocator.
  if (aligned < end) madvise(reinterpret_cast<void*>(aligned), end - aligned, MADV_HUGEPAGE);
}

#else

void prepare_heap() {}

#endif

}  // namespace structured::gen
