#pragma once
// State of the calling thread that every call reads.
#include <cstdint>

#include "structured/core/export.h"
#include "structured/cuda/device.h"

namespace structured::cuda::detail {

struct ThreadState {
  std::int8_t device = 0;                    ///< the current device
  std::int8_t stream_ids[kMaxDevices] = {};  ///< of the current streams, by device
};

extern STRUCTURED_THREAD_LOCAL ThreadState thread_state;

}  // namespace structured::cuda::detail
