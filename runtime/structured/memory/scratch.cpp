#include "structured/memory/scratch.h"

#include "structured/memory/host_cache.h"

namespace structured::detail {

void* allocate_scratch(std::size_t bytes) { return allocate_host(bytes); }

void deallocate_scratch(void* block, std::size_t bytes) noexcept { deallocate_host(block, bytes); }

}  // namespace structured::detail
