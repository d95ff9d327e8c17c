#pragma once
// The calling thread's state of devices, for the CUDA backend.
#include <cstdint>

#include "structured/base/export.h"

namespace structured::detail {

/// State that every call with CUDA tensors reads. It is a part of this library, because a program opens the CUDA
/// backend late: the variable would need the initial-exec TLS model for a short access, and glibc would then put all
/// thread-local memory of the backend, with the 8 KiB of CUDA's runtime, into less than 2 KiB that are left.
struct DeviceThreadState {
  int8_t device = 0;                ///< the current device
  int8_t stream_ids[16] = {};       ///< ids of the current streams, by device
  int64_t graph_memory = 0;         ///< part of the memory that a graph allocates from while it is recorded, or 0
  void* allocator_front = nullptr;  ///< small blocks that the thread keeps
};

extern STRUCTURED_API STRUCTURED_THREAD_LOCAL DeviceThreadState device_thread_state;

}  // namespace structured::detail
