#pragma once
// Controls of the emulated CUDA devices, for tests. The emulator takes the place of the CUDA runtime library: it has
// the entry points that nvcc's code and our runtime call, two devices, and an interpreter of PTX.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

struct CUstream_st;

namespace emulator {

/// Whether the tests run on the emulator. On a GPU (test/cuda/gpu.cpp) the other functions have no effect.
bool is_used();

/// When the work in streams is done: when it is enqueued, or as late as possible, at a synchronisation. Late streams
/// take turns in an order that depends on `seed`, as far as events allow, so that a missing event shows.
void set_late_streams(bool is_late, unsigned seed = 0);

struct Statistics {
  uint64_t launches = 0;
  uint64_t instructions = 0;
  uint64_t allocations = 0;       ///< calls of cudaMalloc
  uint64_t products = 0;          ///< products of cuBLASLt
  uint64_t transforms = 0;        ///< batches of transforms of cuFFT
  uint64_t convolutions = 0;      ///< convolutions of cuDNN
  int64_t plans = 0;              ///< of all such libraries that have not been destroyed
  uint64_t synchronisations = 0;  ///< calls that wait for a device, stream or event
};
Statistics statistics();

/// Describes the first fault; empty if there was none. Every later call of the runtime returns its error.
std::string fault();
void clear_fault();

/// Bytes of memory of each device.
void set_device_memory(std::size_t bytes);
/// Whether cudaMalloc returns addresses of freed memory again. Otherwise it does not, so that its use is a fault.
void set_reuses_addresses(bool reuses);
/// Number of devices that cudaGetDeviceCount reports: 0 to 2.
void set_device_count(int count);

// For libraries that take the place of others, such as cuBLASLt.

/// Enqueues a function in a stream of the current device.
void enqueue(CUstream_st* stream, std::function<void()> run);
/// The host's pointer to device memory. Within enqueued functions; a wrong access is a fault.
char* device_memory(const void* address, std::size_t size);
/// Describes a fault, such as memory that is used after its end. Within enqueued functions.
[[noreturn]] void fail(const std::string& what);
/// Count calls and plans of such libraries, for Statistics.
void count_product();
void count_transform();
void count_convolution();
void count_plans(int change);

}  // namespace emulator
