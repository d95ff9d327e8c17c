#pragma once
// Fallback of a backend that computes on the CPU.
#include "structured/base/export.h"
#include "structured/dispatch/fallback.h"

namespace structured {

/// For `register_fallback(Backend, &cpu_fallback, ...)`: copies the tensor arguments to the CPU, runs the operator
/// there, copies mutable arguments back, and moves the results to the device of the first tensor (for a factory: the
/// device argument). Throws Error for operators that return views of their arguments, since a copy shares no memory:
/// these need a kernel. Copies use `set_device_copy`.
STRUCTURED_API void cpu_fallback(const BoxedCall& call, Stack& stack);

}  // namespace structured
