#pragma once
// CRC-32 checksums, as zip archives store them.
#include <cstddef>
#include <cstdint>

#include "structured/base/export.h"

namespace structured::detail {

/// Continues the checksum `crc` (initially 0) with `nbytes` bytes. Polynomial 0xedb88320, as in zip, gzip and PNG.
/// Thread-safe.
STRUCTURED_API uint32_t crc32(uint32_t crc, const void* data, std::size_t nbytes);

}  // namespace structured::detail
