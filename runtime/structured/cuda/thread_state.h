#pragma once
// State of the calling thread that every call reads.
#include <iterator>

#include "structured/cuda/device.h"
#include "structured/device/device_thread_state.h"

namespace structured::cuda::detail {

using structured::detail::device_thread_state;
static_assert(std::size(structured::detail::DeviceThreadState().stream_ids) == kMaxDevices);

}  // namespace structured::cuda::detail
