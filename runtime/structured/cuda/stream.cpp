#include "structured/cuda/stream.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

#include "structured/cuda/check.h"
#include "structured/cuda/fault.h"
#include "structured/cuda/thread_state.h"
#include "structured/kernel/guards.h"

namespace structured::cuda {
namespace {

// Ids of pooled streams are 1 + their number. Handles are created when a stream is first handed out.
std::atomic<CUstream_st*> pool[kMaxDevices][kPooledStreams];
std::atomic<unsigned> next_in_pool[kMaxDevices];
static_assert(kPooledStreams <= std::numeric_limits<int8_t>::max());  // DeviceThreadState::stream_ids

int resolved(int device) { return device < 0 ? detail::device_thread_state.device : device; }

CUstream_st* handle_of(int device, int64_t id) {
  return id == 0 ? nullptr : pool[device][id - 1].load(std::memory_order_acquire);
}

Device cuda_device(int device) { return Device(DeviceType::CUDA, static_cast<int8_t>(device)); }

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
  return Stream(cuda_device(device), static_cast<int64_t>(number) + 1);
}

Stream current_stream(int device) {
  device = resolved(device);
  return Stream(cuda_device(device), detail::device_thread_state.stream_ids[device]);
}

void set_current_stream(Stream stream) {
  static_cast<void>(handle(stream));  // checks it
  detail::device_thread_state.stream_ids[stream.device().index()] = static_cast<int8_t>(stream.id());
}

CUstream_st* handle(Stream stream) {
  STRUCTURED_CHECK(
      stream.device().is_cuda() && stream.device().has_index() && stream.id() >= 0 && stream.id() <= kPooledStreams,
      "expected a stream of a CUDA device, got ", stream);
  return handle_of(stream.device().index(), stream.id());
}

CUstream_st* current_handle(int device) {
  device = resolved(device);
  return handle_of(device, detail::device_thread_state.stream_ids[device]);
}

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
