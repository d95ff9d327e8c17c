#pragma once
// Launches of kernels with mistakes that the emulator must find, and of the correct kernels beside them.
#include <cuda_runtime_api.h>

namespace cudatest {

/// Sets `data[i] = i` for i up to `count`, which may exceed the memory.
void fill_indices(int* data, int count, cudaStream_t stream = nullptr);
/// Reverses blocks of 64 numbers through shared memory, with or without a barrier.
void reverse_blocks(float* data, int blocks, bool has_barrier);
/// Waits at a barrier in half of the threads while the others wait for a warp operation.
void wait_apart();
/// Sums the four numbers at `data + offset`, which it loads at once.
void load_vector(const float* data, int offset, float* to);
/// Sums 256 numbers by shuffles and an atomic addition.
void sum(const float* data, float* to);
/// Launches more threads than the kernel's bounds allow.
void launch_too_many();

}  // namespace cudatest
