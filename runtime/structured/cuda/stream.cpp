#include "structured/cuda/stream.h"

#include <atomic>
#include <cstddef>
#include <mutex>

#include "structured/cuda/check.h"
#include "structured/cuda/fault.h"
#include "structured/kernel/guards.h"

namespace structured::cuda {
namespace {

// Ids of pooled streams are 1 + their number. Handles are created when a stream is first handed out.
std::atomic<CUstream_st*> pool[kMaxDevices][kPooledStreams];
std::atomic<unsigned> next_in_pool[kMaxDevices];
constinit thread_local std::int64_t current_ids[kMaxDevices] = {};
constinit thread_local CUstream_st* current_handles[kMaxDevices] = {};

int resolved(int device) { return device < 0 ? current_device() : device; }

Device cuda_device(int device) { return Device(DeviceType::CUDA, static_cast<std::int8_t>(device)); }

}  // namespace

Stream default_stream(int device) { return Stream(cuda_device(resolved(device))); }

Stream new_stream(int device) {
  device = resolved(device);
  const unsigned number = next_in_pool[device].fetch_add(1, std::memory_order_relaxed) % kPooledStreams;
  if (pool[device][number].load(std::memory_order_acquire) == nullptr) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (pool[device][number].load(std::memory_order_relaxed) == nullptr) {
      const DeviceGuard guard(cuda_device(device));
      cudaStream_t created;
      STRUCTURED_CUDA_CHECK(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking));
      pool[device][number].store(created, std::memory_order_release);
    }
  }
  return Stream(cuda_device(device), static_cast<std::int64_t>(number) + 1);
}

std::int64_t detail::current_stream_id(int device) { return current_ids[device]; }

Stream current_stream(int device) {
  device = resolved(device);
  return Stream(cuda_device(device), current_ids[device]);
}

void set_current_stream(Stream stream) {
  const int device = stream.device().index();
  current_handles[device] = handle(stream);
  current_ids[device] = stream.id();
}

CUstream_st* handle(Stream stream) {
  STRUCTURED_CHECK(
      stream.device().is_cuda() && stream.device().has_index() && stream.id() >= 0 && stream.id() <= kPooledStreams,
      "expected a stream of a CUDA device, got ", stream);
  if (stream.id() == 0) return nullptr;
  return pool[stream.device().index()][stream.id() - 1].load(std::memory_order_acquire);
}

CUstream_st* current_handle(int device) { return current_handles[resolved(device)]; }

void synchronize(Stream stream) {
  const DeviceGuard guard(stream.device());
  STRUCTURED_CUDA_CHECK(cudaStreamSynchronize(handle(stream)));
  detail::throw_fault(stream.device().index());
}

bool is_idle(Stream stream) {
  const DeviceGuard guard(stream.device());
  const cudaError_t error = cudaStreamQuery(handle(stream));
  if (error == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  STRUCTURED_CUDA_CHECK(error);
  return true;
}

Event::~Event() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

void Event::record(Stream stream) {
  const DeviceGuard guard(stream.device());
  if (event_ == nullptr) STRUCTURED_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  STRUCTURED_CUDA_CHECK(cudaEventRecord(event_, handle(stream)));
}

void Event::block(Stream stream) const {
  if (event_ == nullptr) return;
  const DeviceGuard guard(stream.device());
  STRUCTURED_CUDA_CHECK(cudaStreamWaitEvent(handle(stream), event_, 0));
}

void Event::synchronize() const {
  if (event_ != nullptr) STRUCTURED_CUDA_CHECK(cudaEventSynchronize(event_));
}

bool Event::has_passed() const {
  if (event_ == nullptr) return true;
  const cudaError_t error = cudaEventQuery(event_);
  if (error == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  STRUCTURED_CUDA_CHECK(error);
  return true;
}

}  // namespace structured::cuda
