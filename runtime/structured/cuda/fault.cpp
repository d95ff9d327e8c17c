#include "structured/cuda/fault.h"

#include <atomic>
#include <mutex>

#include "structured/cuda/check.h"
#include "structured/cuda/device.h"

namespace structured::cuda {
namespace {

std::atomic<FaultRecord*> records[kMaxDevices];

}  // namespace

FaultReporter fault_reporter(const char* name) {
  std::atomic<FaultRecord*>& record = records[current_device()];
  if (record.load(std::memory_order_acquire) == nullptr) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (record.load(std::memory_order_relaxed) == nullptr) {
      void* memory = nullptr;
      STRUCTURED_CUDA_CHECK(cudaHostAlloc(&memory, sizeof(FaultRecord), cudaHostAllocMapped));
      record.store(new (memory) FaultRecord{}, std::memory_order_release);
    }
  }
  return {record.load(std::memory_order_relaxed), name};
}

void detail::throw_fault(int device) {
  FaultRecord* const record = records[device].load(std::memory_order_acquire);
  if (record == nullptr || std::atomic_ref(record->is_set).load(std::memory_order_acquire) == 0) [[likely]]
    return;
  const FaultRecord found = *record;
  *record = {};
  if (found.text != nullptr) fail(found.name, ": ", found.text, "; a kernel on cuda:", device, " found it");
  fail(found.name, ": expected indices from ", found.lowest, " to ", found.size - 1, " for dimension ", found.dim,
       " of size ", found.size, ", got ", found.index, "; a kernel on cuda:", device, " found it");
}

}  // namespace structured::cuda
