#include "cuda/plan_cache.h"

#include <structured/cuda/check.h>

namespace structured::kernels {

bool wait_for_streams(int device, StreamSet streams) {
  for (int64_t id = 0; id <= cuda::kPooledStreams; ++id) {
    if ((streams >> id & 1) == 0) continue;
    const Stream stream(Device(DeviceType::CUDA, static_cast<int8_t>(device)), id);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    STRUCTURED_CUDA_CHECK(cudaStreamIsCapturing(cuda::handle(stream), &status));
    if (status != cudaStreamCaptureStatusNone) return false;
    STRUCTURED_CUDA_CHECK(cudaStreamSynchronize(cuda::handle(stream)));
  }
  return true;
}

}  // namespace structured::kernels
