#pragma once
// Non-temporal stores for results larger than the cache. They avoid reading the overwritten cache lines, a third of the
// memory traffic of a copy.
#include <cstddef>
#include <cstdint>

#include "structured/base/export.h"

namespace structured {

/// Whether to write an output of this size with non-temporal stores: it exceeds the cache per core of most machines.
constexpr bool uses_non_temporal_stores(std::size_t bytes) { return bytes >= (std::size_t{32} << 20); }

/// Copies between buffers that do not overlap, whole cache lines of `to` with non-temporal stores. Other threads may
/// read them after non_temporal_fence() on this thread.
STRUCTURED_API void non_temporal_copy(void* to, const void* from, std::size_t bytes) noexcept;
STRUCTURED_API void non_temporal_fence() noexcept;

}  // namespace structured
