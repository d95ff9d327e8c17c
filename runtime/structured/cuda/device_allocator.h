#pragma once
#include <cstdint>

// The allocator of CUDA devices; see memory.h.
#include "structured/cuda/thread_state.h"
#include "structured/memory/allocator.h"

namespace structured::cuda::detail {

Allocator& device_allocator();

/// Makes the calling thread allocate from a graph's part of the memory, or again from its streams' (0). Numbers are
/// unique, and above all ids of streams.
inline void set_graph_memory(int64_t number) { device_thread_state.graph_memory = number; }
inline int64_t current_graph_memory() { return device_thread_state.graph_memory; }
/// Gives a graph's part of the memory of a device back. Waits for the device.
void release_graph_memory(int device, int64_t number) noexcept;

}  // namespace structured::cuda::detail
