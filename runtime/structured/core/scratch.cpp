#include "structured/core/scratch.h"

#include "structured/core/host_cache.h"

namespace structured::detail {

void* allocate_scratch(std::size_t bytes) { return allocate_host(bytes); }

void deallocate_scratch(void* block, std::size_t bytes) noexcept { deallocate_host(block, bytes); }

}  // namespace structured::detail
