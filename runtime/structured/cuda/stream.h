#pragma once
// Streams: in-order queues of work on a CUDA device. Operators enqueue their work in the current stream of the calling
// thread and do not wait for it.
#include <cstdint>

#include "structured/cuda/device.h"
#include "structured/cuda/export.h"
#include "structured/device/stream.h"

struct CUstream_st;  // CUDA's cudaStream_t is a pointer to it
struct CUevent_st;

namespace structured::cuda {

/// Number of streams that new_stream() hands out for each device, in turn.
inline constexpr int kPooledStreams = 32;

/// The default stream of a device, which has id 0. Index -1 means the current device.
STRUCTURED_CUDA_API Stream default_stream(int device = -1);

/// A stream from a pool of kPooledStreams, which exist until the program ends. It does not wait for the default stream.
/// Throws Error if CUDA cannot create it.
STRUCTURED_CUDA_API Stream new_stream(int device = -1);

/// The stream in which operators on the device enqueue work when the calling thread calls them.
STRUCTURED_CUDA_API Stream current_stream(int device = -1);
STRUCTURED_CUDA_API void set_current_stream(Stream stream);

/// CUDA's handle of a stream, for launches: `kernel<<<blocks, threads, 0, handle(current_stream())>>>(...)`.
STRUCTURED_CUDA_API CUstream_st* handle(Stream stream);
/// handle(current_stream(device)).
STRUCTURED_CUDA_API CUstream_st* current_handle(int device = -1);

/// Waits until all work in the stream has ended. Throws Error if a kernel has failed.
STRUCTURED_CUDA_API void synchronize(Stream stream);
/// Whether all work in the stream has ended.
STRUCTURED_CUDA_API bool is_idle(Stream stream);

/// Makes a stream and its device current on the calling thread until the end of the scope.
class StreamGuard {
 public:
  explicit StreamGuard(Stream stream)
      : previous_device_(current_device()), previous_(current_stream(stream.device().index())) {
    cuda::set_current_device(stream.device().index());
    set_current_stream(stream);
  }
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;
  ~StreamGuard() {
    set_current_stream(previous_);
    cuda::set_current_device(previous_device_);
  }

 private:
  int previous_device_;
  Stream previous_;
};

/// A point in a stream that others can wait for. Not copied; may be recorded repeatedly.
class Event {
 public:
  STRUCTURED_CUDA_API Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  STRUCTURED_CUDA_API ~Event();

  /// Marks the end of the work that is in the stream now.
  STRUCTURED_CUDA_API void record(Stream stream);
  void record() { record(current_stream()); }
  /// Makes later work in `stream` wait for the event. No effect if it was never recorded.
  STRUCTURED_CUDA_API void block(Stream stream) const;
  /// Waits on the host.
  STRUCTURED_CUDA_API void synchronize() const;
  /// Whether the work before the event has ended, also if it was never recorded.
  STRUCTURED_CUDA_API bool has_passed() const;

 private:
  CUevent_st* event_ = nullptr;
};

}  // namespace structured::cuda
