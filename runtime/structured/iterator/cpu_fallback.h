#pragma once
// A backend's fallback that computes on the CPU.
#include "structured/core/export.h"
#include "structured/dispatch/fallback.h"

namespace structured {

/// For `register_fallback(Backend, &cpu_fallback, ...)`: copies the tensors among the arguments to the CPU, runs the
/// operator there, copies back what it wrote, and brings its results to the device where the first of the tensors was
/// (for a factory: the one that was asked for). Slow, and right. Throws Error for operators whose results are views of
/// their arguments, as a copy shares no memory; these need a kernel. Copies go the way that `set_device_copy` says.
STRUCTURED_API void cpu_fallback(const BoxedCall& call, Stack& stack);

}  // namespace structured
