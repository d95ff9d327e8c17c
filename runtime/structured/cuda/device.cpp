#include "structured/cuda/device.h"

#include <mutex>

#include "structured/cuda/check.h"
#include "structured/cuda/fault.h"
#include "structured/cuda/thread_state.h"

namespace structured::cuda {

namespace {

void check_device(int device) {
  const int count = device_count();
  STRUCTURED_CHECK(count > 0, "expected a CUDA device, found none: ", cudaGetErrorString(cudaGetLastError()),
                   "; the program needs NVIDIA's driver and a GPU");
  STRUCTURED_CHECK(device >= 0 && device < count, "expected a CUDA device below ", count, ", got ", device);
}

}  // namespace

void detail::fail_call(const char* call, cudaError_t error) {
  static_cast<void>(cudaGetLastError());  // a later check must not report this error again
  const std::string_view text = call;
  fail("CUDA: ", cudaGetErrorString(error), " (", cudaGetErrorName(error), ") in `", text.substr(0, text.find('(')),
       "`");
}

int device_count() noexcept {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

const DeviceProperties& device_properties(int device) {
  static std::mutex mutex;
  static DeviceProperties properties[kMaxDevices];
  check_device(device);
  const std::lock_guard lock(mutex);
  DeviceProperties& result = properties[device];
  if (result.multiprocessors == 0) {
    cudaDeviceProp found;
    STRUCTURED_CUDA_CHECK(cudaGetDeviceProperties(&found, device));
    result = {
        found.name,          found.major, found.minor, found.multiProcessorCount, found.maxThreadsPerMultiProcessor,
        found.totalGlobalMem};
  }
  return result;
}

int current_device() noexcept { return detail::device_thread_state.device; }

void set_current_device(int device) {
  if (device == detail::device_thread_state.device && device != 0) return;
  check_device(device);
  STRUCTURED_CUDA_CHECK(cudaSetDevice(device));
  detail::device_thread_state.device = static_cast<int8_t>(device);
}

void synchronize() {
  STRUCTURED_CUDA_CHECK(cudaDeviceSynchronize());
  detail::throw_fault(detail::device_thread_state.device);
}

}  // namespace structured::cuda
