#pragma once
// Results that no cache can keep until somebody reads them. Storing them past the caches spares reading the lines that
// they overwrite: a third of what a copy moves.
#include <cstddef>
#include <cstdint>

#include "structured/core/export.h"

namespace structured {

/// Whether an output of so many bytes is stored past the caches: one that is larger than what most machines' caches
/// hold for a core.
constexpr bool uses_non_temporal_stores(std::size_t bytes) { return bytes >= (std::size_t{32} << 20); }

/// Copies to memory that does not overlap. Whole cache lines of `to` go past the caches; other threads may read them
/// after `non_temporal_fence` on this thread.
STRUCTURED_API void non_temporal_copy(void* to, const void* from, std::size_t bytes) noexcept;
STRUCTURED_API void non_temporal_fence() noexcept;

}  // namespace structured
