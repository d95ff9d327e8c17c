#pragma once
// Mistakes that kernels find in their data. A kernel reports the first one and goes on without the element; the next
// synchronisation on the host throws it as an Error.
#include <cstdint>

#include "structured/cuda/export.h"

namespace structured::cuda {

/// Memory that the host and kernels share, one record for each device.
struct FaultRecord {
  int32_t is_set;
  int32_t dim;
  int64_t index;
  int64_t lowest;
  int64_t size;
  const char* name;  ///< operator, a string of static storage duration, as is `text`
  const char* text;  ///< description of another mistake than an index out of range
};

/// Argument of kernels that read indices.
struct FaultReporter {
  FaultRecord* record;
  const char* name;

#if defined(__CUDACC__)
  /// Reports an index outside of [lowest, size) for a dimension.
  __device__ void index_out_of_range(int64_t index, int64_t lowest, int64_t size, int dim) const {
    if (atomicCAS(&record->is_set, 0, 1) != 0) return;
    record->index = index;
    record->lowest = lowest;
    record->size = size;
    record->dim = dim;
    record->name = name;
  }
  /// Reports another mistake. `text` is a string of static storage duration on the host.
  __device__ void report(const char* text) const {
    if (atomicCAS(&record->is_set, 0, 1) != 0) return;
    record->name = name;
    record->text = text;
  }
#endif
};

/// Returns the reporter for kernels of the operator `name` on the current device. `name` has static storage duration.
STRUCTURED_CUDA_API FaultReporter fault_reporter(const char* name);

namespace detail {

/// Throws Error for a reported fault of the device, which is then forgotten. Does nothing if there is none.
void throw_fault(int device);

}  // namespace detail
}  // namespace structured::cuda
