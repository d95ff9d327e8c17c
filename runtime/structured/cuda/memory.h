#pragma once
// Memory of CUDA devices. Freed blocks are cached for the stream that they were allocated in: its work is in order, so
// that a block can be used again at once, without waiting for the device.
#include <cstddef>
#include <cstdint>

#include "structured/core/tensor.h"
#include "structured/cuda/export.h"
#include "structured/device/stream.h"

namespace structured::cuda {

struct MemoryStatistics {
  std::size_t allocated_bytes = 0;       ///< in blocks that tensors use
  std::size_t peak_allocated_bytes = 0;  ///< since the last reset_peak_memory(), with small blocks that threads keep
  std::size_t reserved_bytes = 0;        ///< taken from CUDA: in use or cached
  uint64_t allocations = 0;              ///< blocks handed out since the program began
  uint64_t device_allocations = 0;       ///< calls of cudaMalloc
};

/// Statistics of one device; -1 means the current device. Thread-safe, as all functions here.
STRUCTURED_CUDA_API MemoryStatistics memory_statistics(int device = -1);
STRUCTURED_CUDA_API void reset_peak_memory(int device = -1);

/// Returns cached memory to CUDA, for other programs or libraries. Waits for the device. Each other thread keeps up to
/// 544 KiB of small blocks until it ends.
STRUCTURED_CUDA_API void empty_cache();

/// Limits the bytes that are taken from CUDA for one device. Returns the previous limit; initially there is none. An
/// allocation beyond it throws Error.
STRUCTURED_CUDA_API std::size_t set_memory_limit(std::size_t bytes, int device = -1);

/// Declares that work in `stream` uses the tensor's memory, although it was allocated in another stream: once freed, it
/// is not used again before the work that is in `stream` at that time has ended.
STRUCTURED_CUDA_API void record_stream(const Tensor& tensor, Stream stream);

}  // namespace structured::cuda
